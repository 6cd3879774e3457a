"""`clearhead export`: a run as a folder that others open."""

from pathlib import Path
from typing import Annotated

import typer


def add_to(app: typer.Typer) -> None:
    app.command("export")(export)


def export(
    run: Annotated[Path, typer.Argument(help="The run folder.")],
    out: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder.")],
    to: Annotated[str, typer.Option("--to", help="The form: huggingface.")] = "huggingface",
) -> None:
    """Write a run for others: safetensors, config, tokenizer and a model card; the course-style GPT opens as GPT-2.

    Example: clearhead export runs/first exported --to huggingface
    """
    from clearhead.commands.training_extra import require_training

    require_training()
    from clearhead.exchange.hf_export import exported

    typer.echo(exported(run, out, to))
