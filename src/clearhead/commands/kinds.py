"""`clearhead kinds [KIND]`: which problems can be worked, and a template of each."""

from typing import Annotated

import typer

HELP = """List the kinds of problems, or print a commented template of one, which works as it is.

Examples:

  clearhead kinds

  clearhead kinds attention > problem.toml
"""


def add_to(app: typer.Typer) -> None:
    app.command("kinds", help=HELP)(kinds)


def kinds(kind: Annotated[str, typer.Argument(help="The kind to print a template of.", metavar="[KIND]")] = "") -> None:
    from clearhead.errors import InputError
    from clearhead.working.fields import did_you_mean
    from clearhead.working.kinds import KINDS, kind_named

    if kind and kind not in KINDS:
        raise InputError(f"there is no kind {kind!r}{did_you_mean(kind, KINDS)}")
    width = max(map(len, KINDS))
    lines = "".join(f"{name:{width}}  {about}\n" for name, about in KINDS.items())
    typer.echo(kind_named(kind).template if kind else lines, nl=False)
