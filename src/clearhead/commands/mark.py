"""`clearhead mark`: one working or a whole folder, judged cell by cell."""

from pathlib import Path
from typing import Annotated

import typer


def add_to(app: typer.Typer) -> None:
    app.command("mark", no_args_is_help=True)(mark)


def mark(
    problem: Annotated[str, typer.Argument(help="A problem file, or a bundled one such as examples/self-attention.")],
    workings: Annotated[list[str], typer.Argument(help="Workings: files, or folders of them.")],
    format: Annotated[str, typer.Option(help="text, json, html, csv, gradescope or prairielearn.")] = "text",
    out: Annotated[Path | None, typer.Option(help="Write here instead of to the terminal.")] = None,
    follows: Annotated[float, typer.Option(help="Credit, 0 to 1, for what is right given earlier errors.")] = 1.0,
    premature: Annotated[float, typer.Option(help="Credit, 0 to 1, for what is rounded to fewer decimals than asked.")] = 0.5,
    reading: Annotated[Path | None, typer.Option(help="The reading: written here, or taken from here once corrected.")] = None,
) -> None:
    """Mark somebody's working: right, follows from an earlier error, or wrong; and which slip it was.

    Example: clearhead mark examples/self-attention answers/ --format csv --out class.csv
    """
    from clearhead.desk.handing_in import drawn_for
    from clearhead.working.marking.mark_command import mark_for_command

    drawn, told = drawn_for(problem, workings)
    for line in told:
        typer.echo(f"clearhead: {line}", err=True)
    said = mark_for_command(drawn, workings, format, out, follows=follows, premature=premature, reading=reading)
    typer.echo(said, nl=False)
