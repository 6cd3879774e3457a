"""`clearhead ask`: a question to a trained run, which may say that it does not know."""

from pathlib import Path
from typing import Annotated

import typer

from clearhead.commands.training_extra import Device, computing_on, require_training


def add_to(app: typer.Typer) -> None:
    app.command("ask")(ask)


def ask(
    run: Annotated[Path, typer.Argument(help="The run folder of clearhead birthplaces.")],
    question: Annotated[str, typer.Argument(help='Such as "Where was Ada Lind born?".')],
    abstain: Annotated[
        float | None, typer.Option("--abstain", help="Below this probability the answer is I don't know; 0: always answer.")
    ] = None,
    strangers: Annotated[
        float | None, typer.Option("--strangers", help="How many of those you ask about it never read of: 0 to 1; else half.")
    ] = None,
    why: Annotated[
        Path | None, typer.Option("--why", help="Draw where it looked (.svg, .png), and tell what taught it.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
    device: Device = "auto",
) -> None:
    """Ask a trained run: the answer, how sure it is, and whether the name was ever read.

    Example: clearhead ask runs/first "Where was Ada Lind born?" --why why.svg
    """
    require_training()
    from clearhead.answering.ask import Terms, ask, reply_json, reply_text
    from clearhead.progress import spinner

    with computing_on(device), spinner("asking"):
        reply = ask(run, question, Terms(abstain, strangers), why, lambda text: typer.echo(text, err=True))
    if json:
        for line in [*filter(None, [reply.why]), *(f"note: {note}" for note in reply.notes)]:
            typer.echo(line, err=True)
    typer.echo(reply_json(reply) if json else reply_text(reply))
