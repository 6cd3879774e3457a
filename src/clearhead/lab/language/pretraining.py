"""Where knowledge comes from: questions about people no question was learned from, with their biographies and without."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from clearhead.corpora import Birthplaces, build_world
from clearhead.lab.claim import Finding, Trial
from clearhead.lab.language.birthplace_reader import AskedPerson, Schooling, taught
from clearhead.pictures import bars

QUICK = "100 people and 600 steps instead of 200 and 1,500"
EACH = 8  # biographies of a person
OTHERS = "others"  # the name of a world that tells nothing about the people asked about
QUESTION_WORDS = re.compile(r"^Where was | born\?$")
Teach: TypeAlias = Callable[[Birthplaces, Schooling, bool], AskedPerson]


def experiment(trial: Trial, teach: Teach = taught, schooling: Schooling | None = None) -> Finding:
    people, steps = (100, 600) if trial.quick else (200, 1500)
    world = build_world(seed=trial.seed, people=people, biographies_each=EACH, dev=0.5, test=0.0)
    chosen = schooling or Schooling(steps)
    read, unread = (teach(world, chosen, with_biographies) for with_biographies in (True, False))
    practised = teach(about_others(world), chosen, True)  # as much reading, and none of it about the people asked about
    ways = {
        "most common place": read.baseline,
        "questions alone": unread.right,
        "others' biographies": practised.right,
        "with biographies": read.right,
    }
    return Finding(
        {
            "people, and biographies of each": [people, EACH],
            "questions learned from, and asked about others": [len(world.train), len(world.dev)],
            "right, with the biographies read": read.right,
            "right, without": unread.right,
            "right, with biographies of the other people only": practised.right,
            "right by always saying the most common place": read.baseline,
        },
        {
            "without them it knows no more than the most common place": unread.right.low <= unread.baseline.high,
            "with them it knows far more: the intervals are apart": read.right.low > max(unread.right.high, read.baseline.high),
            "and most of it: half or more": read.right.value >= 0.5,
            "what they say does it, not the practice: from those of others it knows no more": practised.right.low
            <= practised.baseline.high,
        },
        bars(
            {name: (each.value, each.low, each.high) for name, each in ways.items()},
            "Right about people no question was learned from",
            "share right",
        ),
    )


def about_others(world: Birthplaces) -> Birthplaces:
    """The same world without any biography of the people who are asked about."""
    asked = [QUESTION_WORDS.sub("", question.text) for question in world.dev]
    told = tuple(text for text in world.biographies if not any(name in text for name in asked))
    return replace(world, name=OTHERS, biographies=told)
