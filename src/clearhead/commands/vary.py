"""`clearhead vary PROBLEM --count N --seed S --out DIR`: equally hard variants, on paper and in a spreadsheet."""

from pathlib import Path
from typing import Annotated

import typer

HELP = """Make equally hard variants of a problem: each a folder with the problem, a blank worksheet (PDF and Markdown), the key
and a spreadsheet whose cells are live formulas. The same seed gives the same files.

Example:

  clearhead vary examples/self-attention --count 30 --seed 7 --out variants
"""


def add_to(app: typer.Typer) -> None:
    app.command("vary", help=HELP)(vary)


def vary(
    problem: Annotated[str, typer.Argument(help="A problem file or a bundled example.", metavar="PROBLEM")],
    count: Annotated[int, typer.Option("--count", help="How many.")] = 1,
    seed: Annotated[int, typer.Option("--seed", help="Another seed, other numbers.")] = 0,
    out: Annotated[Path, typer.Option("--out", help="The folder to write into.")] = Path("variants"),
) -> None:
    from clearhead.progress import spinner
    from clearhead.working.variants.variant_folder import write_variants

    with spinner(f"varying {problem}"):
        folders = list(write_variants(problem, count, seed, out))
    typer.echo(f"{len(folders)} variant{'s' if len(folders) > 1 else ''}: {folders[0]} to {folders[-1].name}")
