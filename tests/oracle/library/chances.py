"""Counts and chances: Markov models, n-grams, Bayes."""

import math

from oracle.library.solution import Given, Worked, solves


def paths(g: Given) -> dict[tuple[int, ...], float]:
    """Every path through the states with its probability."""
    from itertools import pairwise, product

    return {
        path: g.start[0][path[0]]
        * math.prod(g.A[a, b] for a, b in pairwise(path))
        * math.prod(g.B[n, s] for n, s in enumerate(path))
        for path in product(range(2), repeat=3)
    }


@solves("viterbi")
def _(g: Given) -> Worked:
    every = paths(g)
    best = max(every, key=lambda path: every[path])
    return {"path": [[n + 1 for n in best]], "v3": [[max(p for path, p in every.items() if path[-1] == s) for s in range(2)]]}


@solves("forward-algorithm")
def _(g: Given) -> Worked:
    total = sum(paths(g).values())
    return {"likelihood": total, "surprise": -math.log2(total)}


@solves("ngram-smoothing")
def _(g: Given) -> Worked:
    smooth = [[(c + 1) / (sum(row) + 3) for c in row] for row in g.C]
    p = [smooth[a][b] for a, b in ((0, 1), (1, 2), (2, 2))]
    return {"smooth": smooth, "perplexity": math.prod(p) ** (-1 / 3)}


@solves("interpolation")
def _(g: Given) -> Worked:
    p = [0.5 * a + 0.3 * b + 0.2 * c for a, b, c in zip(g.tri[0], g.bi[0], g.uni[0], strict=True)]
    return {"p": [p], "total": 1.0, "bits": -math.log2(p[0])}


@solves("naive-bayes")
def _(g: Given) -> Worked:
    joint = []
    for n in range(2):
        words = [(c + 1) / (g.C[n].sum() + 3) for c in g.C[n]]
        joint.append(g.docs[0][n] / 5 * math.prod(w**count for w, count in zip(words, g.x[0], strict=True)))
    return {"posterior": [[j / sum(joint) for j in joint]]}
