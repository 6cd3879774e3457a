"""`clearhead perplexity`: how well a run predicts a text, in figures that can be compared."""

from pathlib import Path
from typing import Annotated

import typer

from clearhead.commands.training_extra import Device, computing_on, require_training


def add_to(app: typer.Typer) -> None:
    app.command("perplexity")(perplexity)


def perplexity(
    run: Annotated[Path, typer.Argument(help="The run folder of a language model.")],
    files: Annotated[list[Path] | None, typer.Argument(help="Texts; none: what the run held out.")] = None,
    against: Annotated[Path | None, typer.Option("--against", help="A second run, on the same bytes.")] = None,
    why: Annotated[bool, typer.Option("--why", help="Also why it costs what it costs.")] = False,
    no_charge: Annotated[
        bool, typer.Option("--no-charge", help="Do not charge what a vocabulary cannot say; not comparable.")
    ] = False,
    heatmap: Annotated[Path | None, typer.Option("--heatmap", help="Write the text coloured by surprisal (HTML).")] = None,
    on: Annotated[str, typer.Option("--on", help="Score what would be held out of this text, instead of the run's own.")] = "",
    json: Annotated[bool, typer.Option("--json", help="Figures as JSON.")] = False,
    device: Device = "auto",
) -> None:
    """Perplexity per token, word and character, and bits a byte; model and side model together give every byte a price.

    Example: clearhead perplexity runs/gru passage.txt --against runs/bigram --why --heatmap passage.html
    """
    require_training()
    from clearhead.perplexity.perplexity import answered
    from clearhead.progress import bar

    folders = [run] if against is None else [run, against]
    with computing_on(device):
        told = answered(folders, files or [], charged=not no_charge, why=why, heatmap=heatmap, as_json=json, on=on, bar=bar)
    typer.echo(told)
