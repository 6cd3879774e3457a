"""Byte-pair encoding and beam search against plain loops that share nothing with them."""

from collections import Counter
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead.errors import InputError
from clearhead.exact.decimals import as_float
from clearhead.working import Working, work


def numbers(working: Working, name: str) -> list[float]:
    return [as_float(cell) for row in working.values[name].rows for cell in row]


def by_loops(words: list[str], counts: list[int], merges: int) -> tuple[list[str], int]:
    """The merged pairs, and how many tokens are left; ties go to the pair that comes first."""
    texts = [list(word) for word in words]
    found = []
    for _ in range(merges):
        seen: Counter[tuple[str, str]] = Counter()
        for text, count in zip(texts, counts, strict=True):
            for pair in pairwise(text):
                seen[pair] += count
        best = max(seen, key=lambda pair: seen[pair])  # the first of equal ones: counters keep their order
        found.append(f"{best[0]} {best[1]}")
        for n, text in enumerate(texts):
            out, at = [], 0
            while at < len(text):
                if tuple(text[at : at + 2]) == best:
                    out.append("".join(best))
                    at += 2
                else:
                    out.append(text[at])
                    at += 1
            texts[n] = out
    return found, sum(len(text) * count for text, count in zip(texts, counts, strict=True))


def test_the_first_merge_of_a_known_corpus() -> None:
    working = work("examples/bpe")
    pairs = working.plan.step("pairs1")
    counts = dict(zip(pairs.columns, numbers(working, "pairs1"), strict=True))
    assert counts["e s"] == 9
    assert counts["l o"] == 7
    assert counts["w e"] == 8
    found, left = by_loops(["low", "lower", "newest", "widest"], [5, 2, 6, 3], 3)
    merges = [working.plan.step(f"pairs{n}").columns[int(numbers(working, f"merge{n}")[0]) - 1] for n in (1, 2, 3)]
    assert merges == found
    assert numbers(working, "tokens") == [left]


@given(
    st.lists(st.tuples(st.text("abc", min_size=3, max_size=7), st.integers(1, 9)), min_size=1, max_size=5), st.integers(1, 2)
)
@settings(max_examples=60, deadline=None)
def test_any_corpus_is_merged_as_the_loops_merge_it(corpus: list[tuple[str, int]], merges: int) -> None:
    words, counts = [word for word, _ in corpus], [count for _, count in corpus]
    working = work({"kind": "bpe", "given": {"words": words, "counts": counts}, "options": {"merges": merges}})
    found, left = by_loops(words, counts, merges)
    made = [working.plan.step(f"pairs{n}").columns[int(numbers(working, f"merge{n}")[0]) - 1] for n in range(1, merges + 1)]
    assert made == found
    assert numbers(working, "tokens") == [left]


def test_a_wide_beam_finds_the_best_of_all_sentences() -> None:
    tree: dict[str, Any] = {
        "kind": "beam",
        "given": {
            "vocabulary": ["a", "b", "c"],
            "start": ["1/2", "2/5", "1/10"],
            "P": [["1/4", "3/8", "3/8"], ["1/8", "1/8", "3/4"], ["1/2", "1/4", "1/4"]],
        },
        "options": {"width": 3, "length": 3},
    }
    working = work(tree)
    start, P = [0.5, 0.4, 0.1], [[0.25, 0.375, 0.375], [0.125, 0.125, 0.75], [0.5, 0.25, 0.25]]
    every = {path: start[path[0]] * P[path[0]][path[1]] * P[path[1]][path[2]] for path in product(range(3), repeat=3)}
    best = max(every, key=lambda path: every[path])
    assert numbers(working, "beams3")[0] == pytest.approx(every[best], rel=1e-12)
    assert working.plan.step("beams3").columns[0] == " ".join("abc"[n] for n in best)


def test_a_narrow_beam_goes_on_with_the_best_only() -> None:
    working = work("examples/beam-search")
    beams, start = {(): 1.0}, [0.5, 0.4, 0.1]
    P = [[0.25, 0.375, 0.375], [0.125, 0.125, 0.75], [0.5, 0.25, 0.25]]
    for n in (1, 2, 3):
        longer = {(*beam, t): p * (P[beam[-1]][t] if beam else start[t]) for beam, p in beams.items() for t in range(3)}
        beams = dict(sorted(longer.items(), key=lambda item: -item[1])[:2])
        assert numbers(working, f"beams{n}") == pytest.approx(list(beams.values()), rel=1e-12)


@pytest.mark.parametrize(
    ("tree", "sentence"),
    [
        ({"kind": "bpe", "given": {"words": ["a"], "counts": [1, 2]}}, "each word needs one"),
        ({"kind": "bpe", "given": {"words": ["a"], "counts": [1]}}, "nothing is left to merge"),
        ({"kind": "beam", "given": {"vocabulary": ["a", "b"], "start": [1, 0], "P": [[1, 0]]}}, "2 rows of 2"),
        ({"kind": "beam", "given": {"vocabulary": ["a"], "start": [1], "P": [[1]]}}, "2 beams need"),
        ({"kind": "beam", "given": {"vocabulary": ["a", "b"], "start": [1, 1], "P": [[1, 0], [0, 1]]}}, "add up to 1"),
    ],
)
def test_what_does_not_fit_is_refused(tree: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        work(tree)
