"""`clearhead layers`: what comes out of a net, what it weighs, why it breaks, how to mend it."""

from typing import Annotated

import typer


def add_to(app: typer.Typer) -> None:
    @app.command()
    def layers(
        file: Annotated[str, typer.Argument(help="Python source of a PyTorch net; read as text, never run.")],
        input: Annotated[str, typer.Option(help="One example, as in 1x32x32; N marks a batch axis that is not in front.")],
        net: Annotated[
            str | None, typer.Option(help="Which net of the file; by default the last that is no part of another.")
        ] = None,
        repair: Annotated[bool, typer.Option("--repair", help="Show the smallest edits that make it run, as a diff.")] = False,
        as_convolution: Annotated[
            bool, typer.Option("--as-convolution", help="Replace a trailing Flatten + Linear by an equal convolution.")
        ] = False,
        json: Annotated[bool, typer.Option("--json", help="The table, the break and the repairs as JSON.")] = False,
        picture: Annotated[str | None, typer.Option(help="Draw the net to scale into this SVG (or PNG) file.")] = None,
    ) -> None:
        """Shapes, weights and receptive fields of a net, with the arithmetic; where it breaks, and how to mend it.

        Example: clearhead layers examples/nets/exam-net.py --input 1x32x32
        """
        from clearhead.layers import describe

        typer.echo(describe(file, input, net=net, repair=repair, as_convolution=as_convolution, json=json, picture=picture))
