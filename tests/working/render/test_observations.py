"""Each observation is literally true of the weights as shown, and the oracle that says so rejects false ones."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead.working import work
from clearhead.working.observations import names_of, observe
from oracle.claims import is_true

Map = list[list[Fraction]]


def hundredths(*rows: list[int]) -> Map:
    return [[Fraction(cell, 100) for cell in row] for row in rows]


def shares(n: int, m: int) -> st.SearchStrategy[Map]:
    """Rows of shares to two decimals, rounded as a working would: they need not add up to 1."""
    row = st.lists(st.one_of(st.just(0), st.integers(0, 20)), min_size=m, max_size=m)
    to_hundredths = row.map(lambda cells: [round(100 * cell / (sum(cells) or 1)) for cell in cells])  # --round 0 can give zeros
    return st.lists(to_hundredths, min_size=n, max_size=n).map(lambda rows: hundredths(*rows))


maps = st.tuples(st.integers(1, 11), st.integers(1, 11)).flatmap(lambda size: shares(*size))
pairs = st.tuples(st.integers(1, 8), st.integers(1, 5)).flatmap(lambda size: st.tuples(shares(*size), shares(*size)))


def sentences(weights: Map, labels: tuple[str, ...] = ()) -> tuple[list[str], list[str], list[str]]:
    outputs, inputs = names_of(labels, len(weights), "output"), names_of(labels, len(weights[0]), "input")
    return observe(weights, labels, labels, 2, own_positions=True), outputs, inputs


@settings(deadline=None, max_examples=100)
@given(maps)
def test_every_sentence_is_true(weights: Map) -> None:
    told, outputs, inputs = sentences(weights)
    false = [line for line in told if not is_true(line, weights, outputs, inputs)]
    assert false == []


@settings(deadline=None, max_examples=100)
@given(pairs)
def test_a_sentence_about_another_map_is_rejected_where_it_is_false(pair: tuple[Map, Map]) -> None:
    """Up to 8 rows a claim has one wording, so a sentence of another map is true of this one only if it is the same."""
    weights, other = pair
    mine, outputs, inputs = sentences(weights)
    theirs, _, _ = sentences(other)
    for a, b in zip(mine, theirs, strict=True):
        assert is_true(b, weights, outputs, inputs) == (a == b)


def test_a_claim_about_many_rows_is_rejected_where_it_is_false() -> None:
    weights = hundredths(*[[100, 0]] * 5, *[[50, 50]] * 3, [80, 20])
    told, outputs, inputs = sentences(weights)
    claim = next(line for line in told if line.startswith("Entropy"))
    assert claim == (
        "Entropy of the rows as shown: from 0.00 bits (output 1) to 1.00 (output 6), 1.00 at most; "
        "5 of 9 rows: one input alone; 1 of 9 rows: mixed; 3 of 9 rows: all alike."
    )
    assert is_true(claim, weights, outputs, inputs)
    for true, lie in (("0.00 bits", "0.10 bits"), ("output 6", "output 9"), ("5 of 9", "4 of 9"), ("mixed", "sharp")):
        assert not is_true(claim.replace(true, lie), weights, outputs, inputs)


def test_the_hand_worked_map() -> None:
    working = work("examples/self-attention")
    assert working.observations == [
        "Looked at most is input 3: the weights as shown add up to 2.00 over the 3 rows.",
        "No output looks most at its own position.",
        "Entropy of each row as shown, from 0 bits (one input alone) to 1.58 (all alike): output 1: 0.00, one input alone; "
        "output 2: 0.00, one input alone; output 3: 0.96, mixed.",
        "Every input has a weight above 0 from some output, as shown.",
    ]


@pytest.mark.parametrize(
    "lie",
    [
        "Looked at most is input 1: the weights as shown add up to 2.00 over the 3 rows.",
        "Looked at most is input 3: the weights as shown add up to 1.99 over the 3 rows.",
        "Every output looks most at its own position.",
        "1 of 3 outputs looks most at its own position: output 3.",
        "Nobody looks at input 1: every output gives weight 0, as shown.",
        "Entropy of each row as shown, from 0 bits (one input alone) to 1.58 (all alike): output 1: 0.00, one input alone; "
        "output 2: 0.00, one input alone; output 3: 0.98, mixed.",
        "Entropy of each row as shown, from 0 bits (one input alone) to 1.58 (all alike): output 1: 0.00, one input alone; "
        "output 2: 0.00, sharp; output 3: 0.96, mixed.",
    ],
)
def test_the_oracle_rejects_a_lie(lie: str) -> None:
    weights = hundredths([0, 0, 100], [0, 0, 100], [62, 38, 0])
    assert not is_true(lie, weights, names_of((), 3, "output"), names_of((), 3, "input"))


def test_names_that_are_alike_are_counted() -> None:
    told, _, _ = sentences(hundredths([0, 100, 0], [0, 100, 0], [0, 100, 0]), ("a", "b", "a"))
    assert told[-1] == "Nobody looks at “a” (1) or “a” (3): every output gives weight 0, as shown."


def test_two_sequences_have_no_own_position_and_heads_are_counted() -> None:
    assert not any("own position" in line for line in work("examples/cross-attention").observations)
    heads = work("examples/sorter-two-heads").observations
    assert [line for line in heads if line.startswith("Head 2: Looked at most")]
