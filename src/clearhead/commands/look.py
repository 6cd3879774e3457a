"""`clearhead look`: inside a model, on one text."""

from pathlib import Path
from typing import Annotated

import typer


def add_to(app: typer.Typer) -> None:
    app.command("look")(look)


def look(
    run: Annotated[Path, typer.Argument(help="A run folder, or a Hugging Face folder.")],
    text: Annotated[str, typer.Argument(help="The text that the model reads.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Write a page (.html), a picture (.svg, .png), numbers (.json), a problem (.toml)."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
    head: Annotated[str, typer.Option("--head", help="One head, such as 2.5 (block.head, from 1), for --out.")] = "",
    without: Annotated[
        list[str] | None,
        typer.Option("--without", help="Leave out 2.5, 2, 2.attention, 2.feed-forward or memory; may come often."),
    ] = None,
    temperature: Annotated[
        float | None, typer.Option("--temperature", help="Sharpen (below 1) or flatten the heads; 0: the maximum takes all.")
    ] = None,
    only: Annotated[list[str] | None, typer.Option("--only", help="The heads that --temperature is for; else all.")] = None,
    trace: Annotated[
        str | None, typer.Option("--trace", help="Another text: which parts of it bring its answer along?")
    ] = None,
    answer: Annotated[str, typer.Option("--answer", help="The answer to watch; else what the model says.")] = "",
    write: Annotated[int, typer.Option("--write", help="Let it write so many tokens first, and look at all of them.")] = 0,
    cache: Annotated[bool, typer.Option("--cache/--no-cache", help="Whether it writes with a cache; it sees the same.")] = True,
    controls: Annotated[
        int, typer.Option("--controls", help="Blank models and shuffled texts that labels are held against.")
    ] = 5,
    digits: Annotated[int, typer.Option("--digits", help="Decimals of a problem's numbers.")] = 3,
    theme: Annotated[str, typer.Option("--theme", help="Of a picture: light, dark or grey.")] = "light",
    target: Annotated[str, typer.Option("--target", help="What a decoder of its own (T5) has said so far.")] = "",
) -> None:
    """See inside a model: what each head looks at, the guess after each block, and what matters for the answer.

    Example: clearhead look runs/first "Where was Ada Lind born?" --without memory --out look.html
    """
    from clearhead.commands.training_extra import require_training

    require_training()
    from clearhead.lens.look_command import look_command, trace_command
    from clearhead.lens.looking import Wanted
    from clearhead.progress import spinner

    wanted = Wanted(
        without=tuple(without or ()),
        temperature=temperature,
        heads=tuple(only or ()),
        answer=answer,
        write=write,
        cache=cache,
        controls=controls,
        target=target,
    )
    with spinner("looking"):
        if trace is not None:
            told = trace_command(run, text, trace, wanted, out, json, theme)
        else:
            told = look_command(run, text, wanted, out, head, digits, json, theme)
    typer.echo(told)
