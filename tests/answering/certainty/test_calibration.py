"""Probabilities learned from evidence, the level for "I don't know", reliability and risk."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from clearhead.answering.certainty.abstention import both_ways, halves, level_for, try_level
from clearhead.answering.certainty.calibration import Calibration, calibrated, calibration_of, fit
from clearhead.answering.certainty.kept_promises import Promises, bins_of, calibration_error, ranking, risk_coverage


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
    assert calibration_error(bins_of(Promises(sure, right, []))) < 0.04
    assert calibration_error(bins_of(Promises([1 - each for each in sure], right, []))) > 0.4  # the measure rejects nonsense


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
    level = level_for(Promises(sure, right, []))

    def precise(at: float) -> bool:
        kept = [is_right for each, is_right in drawn if each >= at]
        return bool(kept) and sum(kept) >= 0.9 * len(kept)

    lowest = min((each for each in sure if precise(each)), default=1.0)
    assert level == max(lowest, 0.5)


@settings(deadline=None, max_examples=100)
@given(answers, st.lists(st.floats(0, 0.99), min_size=1, max_size=60))
def test_the_level_refuses_invented_names_too(drawn: list[tuple[float, bool]], invented: list[float]) -> None:
    level = level_for(Promises([each for each, _ in drawn], [each for _, each in drawn], invented))
    assert sum(each < level for each in invented) >= 0.94 * len(invented)


def test_halves_share_nobody() -> None:
    first, second = halves(501)
    assert sorted([*first, *second]) == list(range(501))
    assert abs(len(first) - len(second)) == 1
    assert halves(501) == (first, second)


def test_a_level_is_tried_on_what_had_no_part_in_it() -> None:
    evidence, right = made_up(3, 600)
    strangers = [(-7.0 + each / 100, -7.0, -7.0) for each in range(100)]
    ways = both_ways(evidence, right, strangers)
    first, second = halves(600)
    sure = ways.promises.known
    assert (len(sure), len(ways.promises.strangers)) == (600, 100)
    for tried in ways.tried:
        assert tried.total == 300
        assert tried.precision > 0.8
        assert tried.refused >= 0.94
    assert ways.level == ways.tried[0].level
    assert ways.learned[0].probabilities([evidence[place] for place in second]) == [sure[place] for place in second]
    # The other half's labels do not reach the probabilities of this half: turn them all round, and nothing moves here.
    turned = [not each if place in set(second) else each for place, each in enumerate(right)]
    again = both_ways(evidence, turned, strangers).promises.known
    assert [again[place] for place in second] == [sure[place] for place in second]
    assert [again[place] for place in first] != [sure[place] for place in first]


def strangers_like(seed: int, total: int) -> list[tuple[float, float, float]]:
    """Answers about people of whom nobody has read: the same numbers, one and a half lower."""
    return [tuple(each - 1.5 for each in row) for row in made_up(seed, total)[0]]


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 0.9])
def test_the_probability_keeps_its_word_at_every_share_of_strangers(share: float) -> None:
    learned = calibrated(*made_up(1, 2000), strangers_like(2, 2000))
    evidence, right = made_up(3, 4000)
    strangers = strangers_like(4, 4000)

    def error(believed: float) -> float:
        sure, unknown = learned.probabilities(evidence, believed), learned.probabilities(strangers, believed)
        return calibration_error(bins_of(Promises(sure, right, unknown, share)))

    assert error(share) < 0.04
    assert error(0.5 if share in (0.0, 0.9) else 1 - share / 4) > 0.05  # a wrong belief about the share is found out


@settings(deadline=None, max_examples=30)
@given(st.lists(st.floats(0, 1), min_size=2, max_size=2, unique=True), st.integers(0, 50))
def test_the_more_strangers_the_less_sure(shares: list[float], seed: int) -> None:
    learned = calibrated(*made_up(1, 60), strangers_like(2, 60))
    few, many = (learned.probabilities(made_up(seed, 20)[0], each) for each in sorted(shares))
    assert all(a >= b for a, b in zip(few, many, strict=True))
    assert learned.probabilities(made_up(seed, 3)[0], 1.0) == [0.0] * 3


def test_where_everybody_known_is_right_strangers_still_get_a_small_probability() -> None:
    known = [(-0.1 - each / 100, -0.1, -0.1) for each in range(40)]
    unknown = [(-2.0 - each / 100, -1.5, -1.0) for each in range(200)]
    learned = calibrated(known, [True] * 40, unknown)
    assert max(learned.probabilities(unknown)) < 0.1
    assert min(learned.probabilities(known)) > 0.9


def test_what_an_earlier_version_learned_still_opens_and_says_what_it_said() -> None:
    kept = {"mean": [-1.0, 0.5], "spread": [2.0, 0.5], "weights": [0.5, 0.25], "slope": 2.0, "offset": 0.5}
    evidence = [(-3.0, -99.0, -99.0)]  # it knew one kind of evidence; what came later is not looked at
    logit = 2.0 * (0.5 * (-3.0 + 1.0) / 2.0 + 0.25 * (np.exp(-3.0) - 0.5) / 0.5) + 0.5
    assert calibration_of(kept).probabilities(evidence) == pytest.approx([1 / (1 + np.exp(-logit))])
    learned = calibrated(*made_up(1, 60), strangers_like(2, 60))
    again = calibration_of(learned.tree())
    assert isinstance(again, Calibration)
    assert again == learned


def test_what_a_level_does_worked_on_paper() -> None:
    tried = try_level(0.5, Promises([0.9, 0.6, 0.5, 0.2], [True, False, True, True], [0.1, 0.5]))
    assert (tried.answered, tried.precision, tried.survived, tried.refused) == (3, 2 / 3, 2 / 3, 0.5)
    assert tried.mixed == pytest.approx(2 / 5)  # each question counts 1/8, each stranger 1/4: 2/8 of 3/8 + 1/4
    nobody = try_level(1.0, Promises([0.9], [True], []))
    assert (nobody.answered, nobody.precision, nobody.survived) == (0, 0.0, 0.0)


@settings(deadline=None, max_examples=100)
@given(answers, st.lists(st.sampled_from([0.0, 0.1, 0.5, 0.9]), max_size=10), st.floats(0.05, 0.95))
def test_the_ranking_is_that_of_another_library(drawn: list[tuple[float, bool]], strangers: list[float], share: float) -> None:
    promises = Promises([each for each, _ in drawn], [each for _, each in drawn], strangers, share)
    if len(set(promises.hit)) < 2:
        assert ranking(promises) is None
    else:
        assert ranking(promises) == pytest.approx(roc_auc_score(promises.hit, promises.sure, sample_weight=promises.counts))


@settings(deadline=None, max_examples=100)
@given(answers)
def test_the_curve_ends_at_the_share_of_wrong_answers(drawn: list[tuple[float, bool]]) -> None:
    points = risk_coverage(Promises([each for each, _ in drawn], [each for _, each in drawn], []))
    wrong = sum(not each for _, each in drawn)
    assert points[-1] == (pytest.approx(1.0), pytest.approx(wrong / len(drawn)))
    assert [share for share, _ in points] == sorted(share for share, _ in points)


@settings(deadline=None, max_examples=100)
@given(answers)
def test_the_calibration_error_is_what_two_loops_say(drawn: list[tuple[float, bool]]) -> None:
    error = 0.0
    for tenth in range(10):
        inside = [(each, is_right) for each, is_right in drawn if tenth <= each * 10 < tenth + 1]
        error += abs(sum(each - is_right for each, is_right in inside)) / len(drawn)
    assert calibration_error(bins_of(Promises([each for each, _ in drawn], [each for _, each in drawn], []))) == pytest.approx(
        error
    )
