"""How often a fact must be met before it can be asked for: accuracy against the number of biographies a person has."""

from clearhead.corpora import build_world
from clearhead.lab.claim import Finding, Trial
from clearhead.lab.intervals import slope
from clearhead.lab.language.birthplace_reader import Schooling, taught
from clearhead.lab.language.pretraining import Teach
from clearhead.pictures import Axis, Graph, Trace, graphs

QUICK = "100 people, 1, 3 and 8 biographies and 600 steps; instead of 200, six numbers and 1,500"


def experiment(trial: Trial, teach: Teach = taught, schooling: Schooling | None = None) -> Finding:
    people, steps = (100, 600) if trial.quick else (200, 1500)
    each = (1, 3, 8) if trial.quick else (1, 2, 3, 5, 8, 12)
    chosen = schooling or Schooling(steps)  # as many steps for all: who has fewer biographies meets each more often
    found = []
    for count in each:
        world = build_world(seed=trial.seed, people=people, biographies_each=count, dev=0.5, test=0.0)
        found.append(teach(world, chosen, True))
    rates = [asked.right.value for asked in found]
    return Finding(
        {
            "biographies of each person": list(each),
            "right, about people no question was learned from": [asked.right for asked in found],
            "right by always saying the most common place": found[0].baseline,
            "gain a biography, least squares": slope(each, rates),
        },
        {
            "more wordings of a fact make it easier to ask for": found[-1].right.low > found[0].right.high,
            "one biography each is the hard case: under half of what many give": rates[0] < rates[-1] / 2,
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
                            list(zip(each, rates, strict=True)),
                            [(asked.right.low, asked.right.high) for asked in found],
                        ),
                        Trace("the most common place", [(count, found[0].baseline.value) for count in each]),
                    ],
                )
            ]
        ),
    )
