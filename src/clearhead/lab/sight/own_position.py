"""A loss that reads each token off its own place: perfect scores, and rubbish when it has to go on by itself."""

import torch
from torch import Tensor

from clearhead.corpora import build_world
from clearhead.lab.claim import Finding, Trial
from clearhead.lab.intervals import share
from clearhead.models import GPT, GPTConfig
from clearhead.pictures import Axis, Graph, Trace, graphs

QUICK = "200 steps instead of 1,000"
CONTEXT, BATCH, RATE, PROMPTS, GOES_ON = 48, 16, 5e-3, 16, 64


def experiment(trial: Trial, own: int = 0, next_one: int = 1, steps: int = 0) -> Finding:
    steps = steps or (200 if trial.quick else 1000)
    text = build_world(seed=trial.seed, people=200, biographies_each=3).text
    letters = {letter: number for number, letter in enumerate(sorted(set(text)))}
    tokens = torch.tensor([letters[letter] for letter in text])
    cut = len(tokens) * 9 // 10
    models, losses = {}, {}
    for name, shift in (("own", own), ("next", next_one)):
        models[name], losses[name] = train(tokens[:cut], len(letters), shift, steps)
    held = tokens[cut:].unfold(0, CONTEXT + 1, CONTEXT)[:64]  # (windows, context + 1)
    with torch.no_grad():
        said = {name: model(held[:, :-1]).argmax(-1) for name, model in models.items()}
    scored = {
        "own": share(int((said["own"] == held[:, own : own + CONTEXT]).sum()), said["own"].numel()),
        "its next": share(int((said["own"] == held[:, 1:]).sum()), said["own"].numel()),
        "next": share(int((said["next"] == held[:, 1:]).sum()), said["next"].numel()),
    }
    names = list(letters)
    written = {name: ["".join(names[k] for k in row) for row in go_on(model, held)] for name, model in models.items()}
    known = {name: known_share(rows, text) for name, rows in written.items()}
    return Finding(
        {
            "own place: share of tokens right on held-out text, by its own loss": scored["own"],
            "own place: share of next tokens right": scored["its next"],
            "next token: share of next tokens right": scored["next"],
            "own place goes on": repr(written["own"][0]),
            "next token goes on": repr(written["next"][0]),
            "share of its strings of 4 that the text has, own place": known["own"],
            "share, next token": known["next"],
        },
        {
            "by its own loss it is perfect": scored["own"].low > 0.99,
            "it does not know what comes next": scored["its next"].high < scored["next"].low / 2,
            "what it writes is rubbish": known["own"] < 0.1,
            "shifted by one, the same model writes strings of the text": known["next"] > 0.5,
        },
        graphs(
            [
                Graph(
                    "Training loss: too good to be true",
                    Axis("step"),
                    Axis("nats a token"),
                    [
                        Trace("each token off its own place", list(enumerate(losses["own"]))),
                        Trace("each token off the place before", list(enumerate(losses["next"]))),
                    ],
                )
            ]
        ),
    )


def train(tokens: Tensor, vocab: int, shift: int, steps: int) -> tuple[GPT, list[float]]:
    """A small GPT whose place t is to say token t + shift; and its loss by steps."""
    model = GPT(GPTConfig(vocab=vocab, context=CONTEXT, layers=1, heads=2, width=48, style="modern"))
    optimiser = torch.optim.AdamW(model.parameters(), lr=RATE)
    losses = []
    for _ in range(steps):
        starts = torch.randint(len(tokens) - CONTEXT - 1, (BATCH, 1)) + torch.arange(CONTEXT)
        loss = model.loss(tokens[starts], tokens[starts + shift])
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        losses.append(loss.item())
    return model.eval(), losses


@torch.no_grad()
def go_on(model: GPT, held: Tensor) -> list[list[int]]:
    """What the model writes after the first 16 letters of some windows: the likeliest, one after the other."""
    rows = held[:PROMPTS, :16]
    for _ in range(GOES_ON):
        rows = torch.cat([rows, model(rows[:, -CONTEXT:])[:, -1:].argmax(-1)], dim=1)
    written: list[list[int]] = rows[:, 16:].tolist()
    return written


def known_share(rows: list[str], text: str) -> float:
    """Of all strings of four letters in the rows, the share that stands in the text."""
    strings = [row[place : place + 4] for row in rows for place in range(len(row) - 3)]
    return sum(string in text for string in strings) / len(strings)
