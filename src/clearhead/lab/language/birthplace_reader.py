"""A small GPT that reads biographies of the built-in world and is asked where people were born: what two claims train."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from clearhead.corpora import Birthplaces, most_common_answer
from clearhead.lab.claim import Interval
from clearhead.lab.intervals import share
from clearhead.models import GPT, GPTConfig

PAD, ASKED, END = 0, 1, 2  # ASKED stands between a question and its answer


@dataclass(frozen=True, slots=True)
class Schooling:
    """How long and how large."""

    steps: int
    batch: int = 48
    width: int = 64
    rate: float = 4e-3


@dataclass(frozen=True, slots=True)
class AskedPerson:
    """The share of right answers about people whom no question was learned from, and of the most common place."""

    right: Interval
    baseline: Interval


def words(text: str) -> list[str]:
    """Words and marks: names are words, so that a fact is a pair of them."""
    return re.findall(r"\w+|[^\w\s]", text)


def taught(world: Birthplaces, schooling: Schooling, with_biographies: bool) -> AskedPerson:
    """Learn from the training questions, with the biographies among them or without, and answer those of dev."""
    everything = [*world.biographies, *(f"{q.text} {q.answer}" for q in (*world.train, *world.dev))]
    table = {word: number for number, word in enumerate(sorted({word for text in everything for word in words(text)}), 3)}
    questions = [[*coded(table, q.text), ASKED, *coded(table, q.answer or ""), END] for q in world.train]
    lives = [[*coded(table, text), END] for text in world.biographies] if with_biographies else []
    longest = max(map(len, (*questions, *lives)))
    config = GPTConfig(vocab=len(table) + 3, context=longest, layers=2, heads=4, width=schooling.width, style="modern")
    model = learn(GPT(config), padded(questions, longest), padded(lives, longest), schooling)
    asked = padded([[*coded(table, q.text), ASKED] for q in world.dev], longest)
    ends = (asked != PAD).sum(1) - 1
    with torch.no_grad():
        said = model(asked)[torch.arange(len(asked)), ends].argmax(-1)
    wanted = torch.tensor([coded(table, q.answer or "")[0] for q in world.dev])
    common = most_common_answer(world.train)
    hits, baseline = int((said == wanted).sum()), sum(q.answer == common for q in world.dev)
    return AskedPerson(share(hits, len(wanted)), share(baseline, len(wanted)))


def coded(table: dict[str, int], text: str) -> list[int]:
    return [table[word] for word in words(text)]


def padded(rows: Iterable[list[int]], longest: int) -> Tensor:
    """(rows, longest), pads at the end."""
    listed = [[*row, *[PAD] * (longest - len(row))] for row in rows]
    return torch.tensor(listed, dtype=torch.long).reshape(len(listed), longest)


def learn(model: GPT, questions: Tensor, lives: Tensor, schooling: Schooling) -> GPT:
    """Each batch is a quarter questions, where only the answer counts, and the rest biographies, where every word does."""
    optimiser = torch.optim.AdamW(model.parameters(), lr=schooling.rate, betas=(0.9, 0.95), weight_decay=0.1)
    asking = schooling.batch // 4 if len(lives) else schooling.batch
    for step in range(schooling.steps):
        for group in optimiser.param_groups:
            group["lr"] = schooling.rate * min(1.0, (step + 1) / 50, 1.5 * (1 - step / schooling.steps))
        rows = questions[torch.randint(len(questions), (asking,))]
        targets = torch.where((rows == ASKED).cumsum(1) - (rows == ASKED).long() > 0, rows, PAD)  # after the mark
        if len(lives):
            read = lives[torch.randint(len(lives), (schooling.batch - asking,))]
            rows, targets = torch.cat([rows, read]), torch.cat([targets, read])
        loss = model.loss(rows[:, :-1], torch.where(targets[:, 1:] == PAD, -1, targets[:, 1:]))
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
    return model.eval()
