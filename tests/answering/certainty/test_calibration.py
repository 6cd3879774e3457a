"""Probabilities learned from evidence, the level for "I don't know", reliability and risk."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from clearhead.answering.certainty.abstention import both_ways, halves, level_for, try_level
from clearhead.answering.certainty.calibration import calibrated, fit
from clearhead.answering.certainty.kept_promises import bins_of, calibration_error, risk_coverage


def made_up(seed: int, total: int) -> tuple[list[tuple[float, float, float]], list[bool]]:
    """Answers whose true chance of being right is known: the logistic of the sum of three numbers."""
    random = np.random.RandomState(seed)
    evidence = random.normal(-2, 2, (total, 3))
    right = random.rand(total) < 1 / (1 + np.exp(-(evidence.sum(1) + 6)))
    return [tuple(row) for row in evidence.tolist()], right.tolist()


def test_the_regression_is_the_one_of_another_library() -> None:
    evidence, right = made_up(0, 400)
    ours = fit(np.array(evidence), np.array(right, dtype=float), 1.0)
    other = LogisticRegression(C=1.0, tol=1e-10, max_iter=1000).fit(evidence, right)
    assert ours == pytest.approx([*other.intercept_, *other.coef_[0]], rel=1e-4)


def test_probabilities_on_new_answers_keep_their_word() -> None:
    learned = calibrated(*made_up(1, 2000), [])
    evidence, right = made_up(2, 4000)
    sure = learned.probabilities(evidence)
    assert calibration_error(bins_of(sure, right)) < 0.04
    assert calibration_error(bins_of([1 - each for each in sure], right)) > 0.4  # the measure rejects nonsense


def test_a_few_answers_all_alike_promise_little() -> None:
    for right in (True, False):
        (sure, *_) = calibrated([(-1.0, -1.0, -1.0)] * 2, [right] * 2, []).probabilities([(-1.0, -1.0, -1.0)])
        assert 0.2 < sure < 0.8


def test_impossible_evidence_is_no_accident() -> None:
    learned = calibrated(*made_up(1, 100), [(-float("inf"), -5.0, -5.0)])
    (sure,) = learned.probabilities([(-float("inf"), -float("inf"), -float("inf"))])
    assert 0 <= sure < 0.01


answers = st.lists(st.tuples(st.sampled_from([0.1, 0.2, 0.35, 0.5, 0.8, 0.9]), st.booleans()), min_size=1, max_size=40)


@settings(deadline=None, max_examples=200)
@given(answers)
def test_the_level_is_the_lowest_that_gives_the_precision(drawn: list[tuple[float, bool]]) -> None:
    sure, right = [each for each, _ in drawn], [each for _, each in drawn]
    level = level_for(sure, right, [])

    def precise(at: float) -> bool:
        kept = [is_right for each, is_right in drawn if each >= at]
        return bool(kept) and sum(kept) >= 0.9 * len(kept)

    lowest = min((each for each in sure if precise(each)), default=1.0)
    assert level == lowest


@settings(deadline=None, max_examples=100)
@given(answers, st.lists(st.floats(0, 0.99), min_size=1, max_size=60))
def test_the_level_refuses_invented_names_too(drawn: list[tuple[float, bool]], invented: list[float]) -> None:
    level = level_for([each for each, _ in drawn], [each for _, each in drawn], invented)
    assert sum(each < level for each in invented) >= 0.94 * len(invented)


def test_halves_share_nobody() -> None:
    first, second = halves(501)
    assert sorted([*first, *second]) == list(range(501))
    assert abs(len(first) - len(second)) == 1
    assert halves(501) == (first, second)


def test_a_level_is_tried_on_what_had_no_part_in_it() -> None:
    evidence, right = made_up(3, 600)
    strangers = [(-7.0 + each / 100, -7.0, -7.0) for each in range(100)]
    ways = both_ways(evidence, right, strangers, strangers)
    assert len(ways.probabilities) == 600
    for tried in ways.tried:
        assert tried.total == 300
        assert tried.precision > 0.8
        assert tried.refused >= 0.94
    assert ways.level == ways.tried[0].level
    assert ways.learned[0].probabilities([evidence[place] for place in halves(600)[1]]) == [
        ways.probabilities[place] for place in halves(600)[1]
    ]
    # The other half's labels do not reach the probabilities of this half: turn them all round, and nothing moves here.
    first, second = halves(600)
    turned = [not each if place in set(second) else each for place, each in enumerate(right)]
    again = both_ways(evidence, turned, strangers, strangers)
    assert [again.probabilities[place] for place in second] == [ways.probabilities[place] for place in second]
    assert [again.probabilities[place] for place in first] != [ways.probabilities[place] for place in first]


def test_what_a_level_does_worked_on_paper() -> None:
    tried = try_level(0.5, [0.9, 0.6, 0.5, 0.2], [True, False, True, True], [0.1, 0.5])
    assert (tried.answered, tried.precision, tried.survived, tried.refused) == (3, 2 / 3, 2 / 3, 0.5)
    nobody = try_level(1.0, [0.9], [True], [])
    assert (nobody.answered, nobody.precision, nobody.survived) == (0, 0.0, 0.0)


@settings(deadline=None, max_examples=100)
@given(answers)
def test_the_curve_ends_at_the_share_of_wrong_answers(drawn: list[tuple[float, bool]]) -> None:
    points = risk_coverage([each for each, _ in drawn], [each for _, each in drawn])
    wrong = sum(not each for _, each in drawn)
    assert points[-1] == (1.0, pytest.approx(wrong / len(drawn)))
    assert [share for share, _ in points] == sorted(share for share, _ in points)


@settings(deadline=None, max_examples=100)
@given(answers)
def test_the_calibration_error_is_what_two_loops_say(drawn: list[tuple[float, bool]]) -> None:
    error = 0.0
    for tenth in range(10):
        inside = [(each, is_right) for each, is_right in drawn if tenth <= each * 10 < tenth + 1]
        error += abs(sum(each - is_right for each, is_right in inside)) / len(drawn)
    assert calibration_error(bins_of([each for each, _ in drawn], [each for _, each in drawn])) == pytest.approx(error)
