"""`clearhead sample`: text drawn from a trained run."""

from pathlib import Path
from typing import Annotated

import typer

from clearhead.commands.training_extra import Device, computing_on, require_training


def add_to(app: typer.Typer) -> None:
    app.command("sample")(sample)


def sample(
    run: Annotated[Path, typer.Argument(help="The run folder of a language model.")],
    prompt: Annotated[str, typer.Option("--prompt", help="The text to go on from.")] = "",
    tokens: Annotated[int, typer.Option("--tokens", help="How many tokens to draw at most.")] = 400,
    temperature: Annotated[float, typer.Option("--temperature", help="0: the most likely token; 1: as the model says.")] = 0.8,
    top_k: Annotated[int, typer.Option("--top-k", help="Only so many of the most likely; 0: all.")] = 0,
    top_p: Annotated[float, typer.Option("--top-p", help="Only the most likely that have this share together.")] = 1.0,
    count: Annotated[int, typer.Option("--count", help="How many texts, each by the next seed.")] = 1,
    seed: Annotated[int, typer.Option("--seed", help="The same seed draws the same text.")] = 0,
    device: Device = "auto",
) -> None:
    """Draw text from a run, after a prompt.

    Example: clearhead sample runs/gru --prompt "ROMEO:" --temperature 0.7 --top-k 20
    """
    require_training()
    from clearhead.sampling.choice import Choice
    from clearhead.sampling.samples import drawn_from
    from clearhead.training import trained

    choice = Choice(temperature=temperature, top_k=top_k, top_p=top_p)
    with computing_on(device):
        texts = drawn_from(trained(run), prompt, tokens, choice, seed, count)
    typer.echo("\n\n".join(texts))
