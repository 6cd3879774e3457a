"""Where knowledge comes from: questions about people no question was learned from, with their biographies and without."""

from collections.abc import Callable
from typing import TypeAlias

from clearhead.corpora import Birthplaces, build_world
from clearhead.lab.claim import Finding, Trial
from clearhead.lab.language.birthplace_reader import AskedPerson, Schooling, taught
from clearhead.pictures import bars

QUICK = "100 people and 600 steps instead of 200 and 1,500"
EACH = 8  # biographies of a person
Teach: TypeAlias = Callable[[Birthplaces, Schooling, bool], AskedPerson]


def experiment(trial: Trial, teach: Teach = taught, schooling: Schooling | None = None) -> Finding:
    people, steps = (100, 600) if trial.quick else (200, 1500)
    world = build_world(seed=trial.seed, people=people, biographies_each=EACH, dev=0.5, test=0.0)
    chosen = schooling or Schooling(steps)
    read, unread = (teach(world, chosen, with_biographies) for with_biographies in (True, False))
    return Finding(
        {
            "people, and biographies of each": [people, EACH],
            "questions learned from, and asked about others": [len(world.train), len(world.dev)],
            "right, with the biographies read": read.right,
            "right, without": unread.right,
            "right by always saying the most common place": read.baseline,
        },
        {
            "without them it knows no more than the most common place": unread.right.low <= unread.baseline.high,
            "with them it knows far more: the intervals are apart": read.right.low > max(unread.right.high, read.baseline.high),
            "and most of it: half or more": read.right.value >= 0.5,
        },
        bars(
            {
                name: (each.value, each.low, each.high)
                for name, each in (
                    ("most common place", read.baseline),
                    ("questions alone", unread.right),
                    ("with biographies", read.right),
                )
            },
            "Right about people no question was learned from",
            "share right",
        ),
    )
