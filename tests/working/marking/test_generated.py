"""Thousands of generated workings: the marker names step, cell and slip of the wrong ones and never accuses a right one."""

from collections import Counter
from collections.abc import Iterable

import pytest

from clearhead.working import load_problem
from clearhead.working.marking import Mark, Marker
from clearhead.working.reading import read_working
from oracle.workings import RightWorking, WrongWorking, right_workings, wrong_workings

NAMED = 0.95  # of the wrong workings, what the issue asks for


def marked(working: RightWorking | WrongWorking) -> Mark:
    marker = Marker(load_problem(working.problem))
    return marker.mark(read_working(working.text, marker.key.plan, worked=marker.key.exact))


def accusation(working: RightWorking) -> str:
    """What a right working is accused of, or nothing."""
    mark = marked(working)
    wrong = [step.name for step in mark.steps if step.verdict == "wrong"]
    return (
        f"{working.style}: {wrong} {mark.first_error}\n{working.problem}\n{working.text}" if wrong or mark.first_error else ""
    )


def is_named(working: WrongWorking) -> bool:
    error = marked(working).first_error
    if error is None:
        return False
    cell = None if error.cell is None else (error.cell[0] + 1, error.cell[1] + 1)
    return (error.step, cell) == (working.step, working.cell) and error.slip in working.counts


def share_named(workings: Iterable[WrongWorking]) -> tuple[float, Counter[str]]:
    named: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    for working in workings:
        (named if is_named(working) else missed)[f"{working.slip} in {working.problem['kind']}"] += 1
    return named.total() / (named.total() + missed.total()), missed


def assert_nobody_is_accused(count: int, seed: int) -> None:
    accusations = [said for said in map(accusation, right_workings(count, seed)) if said]
    assert accusations == []


def test_right_workings_are_not_accused() -> None:
    assert_nobody_is_accused(400, seed=1)


def test_wrong_workings_are_named() -> None:
    share, missed = share_named(wrong_workings(6, seed=1))
    assert share >= NAMED, missed


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_ten_thousand_right_workings_are_not_accused(part: int) -> None:
    assert_nobody_is_accused(1000, seed=100 + part)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_wrong_workings_of_every_slip_and_kind_are_named(part: int) -> None:
    share, missed = share_named(wrong_workings(40, seed=200 + part))
    assert share >= NAMED, missed


def test_the_checks_reject() -> None:
    """A wrong working is an accusation, and a right one is not a named slip."""
    wrong = next(iter(wrong_workings(1, seed=3)))
    assert accusation(RightWorking(wrong.problem, wrong.text, wrong.suffix, wrong.style)) != ""
    right = next(iter(right_workings(1, seed=3)))
    assert not is_named(
        WrongWorking(right.problem, right.text, right.suffix, right.style, "Q", (1, 1), "sign", frozenset({"sign"}))
    )
