"""How often a fact must be met before it can be asked for: accuracy against the number of biographies a person has."""

from itertools import pairwise

from clearhead.corpora import build_world
from clearhead.lab.claim import Finding, Trial
from clearhead.lab.intervals import slope
from clearhead.lab.language.birthplace_reader import AskedPerson, Schooling, taught
from clearhead.lab.language.pretraining import Teach
from clearhead.pictures import Axis, Graph, Trace, graphs

QUICK = "100 people, 1, 3 and 8 biographies and 600 steps; instead of 200, six numbers and 1,500"


def experiment(trial: Trial, teach: Teach = taught, schooling: Schooling | None = None) -> Finding:
    people, steps = (100, 600) if trial.quick else (200, 1500)
    each = (0, 1, 3, 8) if trial.quick else (0, 1, 2, 3, 5, 8, 12)
    chosen = schooling or Schooling(steps)  # as many steps for all: who has fewer biographies meets each more often

    def asked_after(count: int) -> AskedPerson:
        """Without a biography the questions are of the same people as with one."""
        world = build_world(seed=trial.seed, people=people, biographies_each=max(1, count), dev=0.5, test=0.0)
        return teach(world, chosen, count > 0)

    found = [asked_after(count) for count in each]
    rights = [asked.right for asked in found]
    none, one, *more = rights
    return Finding(
        {
            "biographies of each person": list(each),
            "times each biography is read, about": [times_read(chosen, people, count) for count in each if count],
            "right, about people no question was learned from": rights,
            "right by always saying the most common place": found[0].baseline,
            "gain a biography, least squares from one on": slope(each[1:], [right.value for right in rights[1:]]),
        },
        {
            "with none it knows no more than the most common place": none.low <= found[0].baseline.high,
            "more wordings of a fact make it easier to ask for": more[-1].low > one.high,
            "one biography each is the hard case: under half of what many give": one.value < more[-1].value / 2,
            "no step to more biographies loses, beyond chance": all(
                after.high >= before.low for before, after in pairwise(rights)
            ),
        },
        graphs(
            [
                Graph(
                    "Right answers by how many biographies each person has",
                    Axis("biographies of each person"),
                    Axis("share right"),
                    [
                        Trace(
                            "asked about people no question was learned from",
                            [(count, right.value) for count, right in zip(each, rights, strict=True)],
                            [(right.low, right.high) for right in rights],
                        ),
                        Trace("the most common place", [(count, found[0].baseline.value) for count in each]),
                    ],
                )
            ]
        ),
    )


def times_read(schooling: Schooling, people: int, count: int) -> float:
    """How often each biography comes by: three quarters of every batch are biographies."""
    return schooling.steps * (schooling.batch - schooling.batch // 4) / (people * count)
