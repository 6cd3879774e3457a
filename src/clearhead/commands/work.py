"""`clearhead work PROBLEM`: every step of a problem, in one of several forms."""

import sys
from pathlib import Path
from typing import Annotated

import typer

HELP = """Work a problem and show each step: formula, numbers put in, value, and why.

PROBLEM is a TOML or JSON file, or a bundled one such as examples/self-attention.

Examples:

  clearhead work examples/self-attention

  clearhead work examples/self-attention --exact --digits 10

  clearhead work examples/self-attention --out page.html --picture map.svg
"""


def add_to(app: typer.Typer) -> None:
    app.command("work", help=HELP)(work)


def work(
    problem: Annotated[str, typer.Argument(help="A problem file or a bundled example.", metavar="PROBLEM")],
    form: Annotated[
        str, typer.Option("--format", help="text, markdown, latex, html, pdf or json; by the suffix of --out where not given.")
    ] = "",
    out: Annotated[Path | None, typer.Option("--out", help="Write to this file instead of the terminal.")] = None,
    decimals: Annotated[int | None, typer.Option("--round", help="Round every step to so many decimals.")] = None,
    exact: Annotated[bool, typer.Option("--exact", help="Round nothing, whatever the file says.")] = False,
    digits: Annotated[int, typer.Option("--digits", help="Decimals shown where nothing is rounded.")] = 4,
    picture: Annotated[Path | None, typer.Option("--picture", help="Draw the attention map into an .svg or .png file.")] = None,
    style: Annotated[str, typer.Option("--picture-style", help="connections or heatmap.")] = "connections",
) -> None:
    from clearhead.progress import spinner
    from clearhead.working.render.work_command import WorkOptions, answer

    screen = sys.stdout
    asked = WorkOptions(form, out, decimals, exact, digits, picture, style, screen.isatty(), screen.encoding or "utf-8")
    with spinner(f"working {problem}"):
        written = answer(problem, asked)
    typer.echo(written, nl=False)
