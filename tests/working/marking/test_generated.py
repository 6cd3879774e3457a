"""Thousands of generated workings: the marker names step, cell and slip of the wrong ones and never accuses a right one."""

from collections import Counter
from collections.abc import Iterable

import pytest

from clearhead.working import load_problem
from clearhead.working.marking import Mark, Marker
from clearhead.working.reading import read_working
from oracle.posing import FORMS
from oracle.two_slips import TwoSlips, two_slip_workings
from oracle.workings import KINDS_OF, RightWorking, WrongWorking, right_workings, wrong_workings

NAMED = 0.95  # of the wrong workings, what the issue asks for


def marked(working: RightWorking | WrongWorking | TwoSlips) -> Mark:
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


def shares_named(workings: Iterable[WrongWorking]) -> tuple[dict[str, float], Counter[str]]:
    """Of each form of problem, the share that is named; and what was missed."""
    named: Counter[str] = Counter()
    every: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    for working in workings:
        found = is_named(working)
        every[working.form] += 1
        named[working.form] += found
        missed[f"{working.slip} in {working.form}"] += not found
    return {form: named[form] / count for form, count in every.items()}, +missed


def after_two_slips(working: TwoSlips) -> tuple[bool, str]:
    """Whether the first of two slips is found, and what is accused that is right or follows."""
    mark = marked(working)
    wrong = {
        (step.name, (cell.cell[0] + 1, cell.cell[1] + 1))
        for step in mark.steps
        for cell in step.cells
        if cell.verdict == "wrong"
    }
    error = mark.first_error
    found = (
        error is not None and error.cell is not None and (error.step, (error.cell[0] + 1, error.cell[1] + 1)) == working.first
    )
    accused = sorted(wrong & working.fine)
    return found, f"{working.style}: {accused}\n{working.problem}\n{working.text}" if accused else ""


def assert_the_first_of_two_slips_is_found(count: int, seed: int) -> None:
    results = [after_two_slips(working) for working in two_slip_workings(count, seed)]
    assert [accused for _, accused in results if accused] == []
    assert sum(found for found, _ in results) >= NAMED * count


def assert_nobody_is_accused(count: int, seed: int) -> None:
    accusations = [said for said in map(accusation, right_workings(count, seed)) if said]
    assert accusations == []


def test_right_workings_are_not_accused() -> None:
    assert_nobody_is_accused(390, seed=1)


def test_wrong_workings_are_named() -> None:
    _, missed = shares_named(wrong_workings(2, seed=1))
    assert missed.total() <= (1 - NAMED) * 2 * sum(map(len, KINDS_OF.values())), missed


def test_the_first_of_two_slips_is_found_and_nothing_right_is_accused() -> None:
    assert_the_first_of_two_slips_is_found(100, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_the_first_of_two_slips_is_found_in_two_thousand_workings(part: int) -> None:
    assert_the_first_of_two_slips_is_found(500, seed=300 + part)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_ten_thousand_right_workings_are_not_accused(part: int) -> None:
    assert_nobody_is_accused(1000, seed=100 + part)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_wrong_workings_of_every_slip_and_kind_are_named(part: int) -> None:
    shares, missed = shares_named(wrong_workings(40, seed=200 + part))
    assert set(shares) == set(FORMS)
    assert min(shares.values()) >= NAMED, missed


def test_the_checks_reject() -> None:
    """A wrong working is an accusation, and a right one is not a named slip."""
    wrong = next(iter(wrong_workings(1, seed=3)))
    assert accusation(RightWorking(wrong.problem, wrong.text, wrong.suffix, wrong.style)) != ""
    right = next(iter(right_workings(1, seed=3)))
    assert not is_named(
        WrongWorking(right.problem, right.text, right.suffix, right.style, "Q", (1, 1), "sign", frozenset({"sign"}))
    )
