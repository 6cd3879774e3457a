"""`clearhead import`: a folder in Hugging Face's form as a run."""

from pathlib import Path
from typing import Annotated

import typer


def add_to(app: typer.Typer) -> None:
    app.command("import")(take_over)


def take_over(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that was exported here, or anybody's GPT-2.")],
    out: Annotated[Path, typer.Option("--out", help="The run folder.")],
) -> None:
    """Make a run of a folder with config.json, model.safetensors and tokenizer.json: sample from it, look inside, train on.

    Example: clearhead import exported --out runs/imported
    """
    from clearhead.commands.training_extra import require_training

    require_training()
    from clearhead.exchange.hf_import import imported

    typer.echo(imported(folder, out))
