"""`clearhead layers`: what comes out of a net, what it weighs, why it breaks, how to mend it."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from clearhead.layers.description import Runner
    from clearhead.layers.repairs.equal_convolution import Ending


def add_to(app: typer.Typer) -> None:
    @app.command()
    def layers(
        file: Annotated[str, typer.Argument(help="Python source (or notebook) of a PyTorch net; read as text, not run.")],
        input: Annotated[
            list[str],
            typer.Option(
                help="One example, as in 1x32x32 or 16:int; several for several inputs, by name too (tokens=16:int); "
                "N marks a batch axis that is not in front."
            ),
        ],
        net: Annotated[
            str | None,
            typer.Option(help='Which net: a name, class, function or a call such as "Net(10)"; by default the outermost.'),
        ] = None,
        repair: Annotated[bool, typer.Option("--repair", help="Show the smallest edits that make it run, as a diff.")] = False,
        check: Annotated[bool, typer.Option("--check", help="Exit with code 1 where the net breaks, for CI.")] = False,
        run: Annotated[
            bool, typer.Option("--run", help="Run the file (a trusted one) apart, on tensors without numbers; needs torch.")
        ] = False,
        as_convolution: Annotated[
            bool, typer.Option("--as-convolution", help="Replace a trailing Flatten + Linear by an equal convolution.")
        ] = False,
        memory: Annotated[bool, typer.Option("--memory", help="What each layer takes in memory, to use and to train.")] = False,
        json: Annotated[bool, typer.Option("--json", help="The table, the break and the repairs as JSON.")] = False,
        picture: Annotated[str | None, typer.Option(help="Draw the net to scale into this SVG (or PNG) file.")] = None,
        depth: Annotated[int | None, typer.Option(min=1, help="Take layers deeper than so many names together.")] = None,
    ) -> None:
        """Shapes, weights and receptive fields of a net, with the arithmetic; where it breaks, and how to mend it.

        Example: clearhead layers examples/nets/exam-net.py --input 1x32x32
        """
        from clearhead.layers import examine

        options = {"as_convolution": as_convolution, "json": json, "repair": repair, "memory": memory}
        runner = runner_of_files() if run else None
        found = examine(file, input, net=net, picture=picture, depth=depth, prove=prove, run=runner, **options)
        typer.echo(found.text)
        if check and found.breaks:
            raise typer.Exit(1)


def runner_of_files() -> "Runner":
    from clearhead.tracing import trace

    return trace


def prove(ending: "Ending") -> str:
    """Show on random input in float64 that the convolution with the Linear's own weights gives the same numbers."""
    try:
        import torch
    except ImportError:
        return "With torch installed (pip install 'clearhead[train]') this is also proved on random input."
    outputs = max(1, min(ending.outputs, 20_000_000 // (ending.channels * torch.Size(ending.sizes).numel())))
    dice = torch.Generator().manual_seed(0)
    x = torch.randn(4, ending.channels, *ending.sizes, generator=dice, dtype=torch.float64)
    weight = torch.randn(outputs, x[0].numel(), generator=dice, dtype=torch.float64)
    bias = torch.randn(outputs, generator=dice, dtype=torch.float64) if ending.bias else None
    convolve = getattr(torch.nn.functional, f"conv{len(ending.sizes)}d")
    linear = torch.nn.functional.linear(x.flatten(1), weight, bias)
    difference = (convolve(x, weight.reshape(outputs, *x[0].shape), bias).flatten(1) - linear).abs().max().item()
    some = "" if outputs == ending.outputs else f", for {outputs} of the {ending.outputs} outputs"
    verdict = "equal to 1e-6" if difference <= 1e-6 else "NOT EQUAL"
    return f"Proved with torch in float64 on 4 random inputs{some}: {verdict}, the largest difference is {difference:.1e}."
