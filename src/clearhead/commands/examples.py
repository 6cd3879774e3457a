"""`clearhead examples [WORD]`: the library of problems, to look through, read and copy out."""

from pathlib import Path
from typing import Annotated

import typer

HELP = """List the bundled problems: name, level, topic, title; with WORD only those that have it in them.

Examples:

  clearhead examples attention

  clearhead examples --show lstm

  clearhead examples --copy lstm
"""


def add_to(app: typer.Typer) -> None:
    app.command("examples", help=HELP)(examples)


def examples(
    words: Annotated[str, typer.Argument(help="Words that must stand in the problem.", metavar="[WORD]")] = "",
    show: Annotated[str, typer.Option("--show", help="Print the file of this problem.", metavar="NAME")] = "",
    copy: Annotated[str, typer.Option("--copy", help="Copy the file of this problem here.", metavar="NAME")] = "",
    out: Annotated[Path, typer.Option("--out", help="Copy into this folder.")] = Path(),
    json: Annotated[bool, typer.Option("--json", help="The list as JSON.")] = False,
) -> None:
    from clearhead.working import library

    if copy:
        typer.echo(f"{library.copied(copy, out)}: yours to change; clearhead work it, mark it, vary it")
    elif show:
        typer.echo(library.source_of(show), nl=False)
    else:
        found = library.matching(words)
        typer.echo(library.as_json(found) if json else library.listed(found), nl=False)
