"""Claims about gradients: what they come to, and what makes each of them fail."""

import math

import pytest
import torch
from torch import Tensor

from clearhead.lab.learning.batch_size import drawn
from clearhead.lab.learning.deep_gradients import added, passed_on
from clearhead.lab.learning.separable import parted
from clearhead.lab.learning.through_time import by_hand, last_step_only
from lab.perturbing import tried, verdict


def test_separable_holds() -> None:
    assert verdict("separable") == "holds"


def overlapping(n: int) -> tuple[Tensor, Tensor]:
    x, y = parted(n)
    return x, torch.where(torch.arange(n) < 3, -y, y)  # three labels wrong: no line parts them


def test_separable_turns_when_labels_overlap_and_when_nothing_is_penalised() -> None:
    assert verdict("separable", data=overlapping) == "does not hold"
    assert verdict("separable", penalty=0.0) == "does not hold"


def test_max_norm_holds_where_nothing_ties() -> None:
    finding = tried("max-norm").finding
    assert finding.verdict.startswith("holds when no two are equally large")
    assert finding.numbers["slope to the right of each coordinate"] == pytest.approx([0.3, 0, 0, 0, 0, 0], abs=1e-5)
    assert finding.numbers["slope to the left"] == pytest.approx([0, -0.3, 0, 0, 0, 0], abs=1e-5)


@pytest.mark.parametrize(
    "penalty", [lambda w: 0.05 * (w**2).sum(-1), lambda w: 0.1 * w.abs().amax(-1)]
)  # ‖w‖², and not squared
def test_max_norm_turns_with_another_penalty(penalty) -> None:  # type: ignore[no-untyped-def]
    assert verdict("max-norm", penalty=penalty) == "does not hold"


def test_through_time_holds() -> None:
    assert verdict("through-time") == "holds"


def test_through_time_turns_when_only_the_last_step_is_sent_back() -> None:
    assert verdict("through-time", hand=last_step_only) == "does not hold"


def test_the_gradient_by_hand_on_paper() -> None:
    h1 = math.tanh(0.7)  # w = ½, a = 0.7, x = (1, 0), y = 0.3
    h2 = math.tanh(h1 / 2)
    assert by_hand(0.5, [1.0, 0.0]) == pytest.approx((h2 - 0.3) * (1 - h2**2) * h1)


def test_saturation_holds_with_xavier_s_gain() -> None:
    assert verdict("saturation").startswith("holds when a tanh net starts with Xavier's gain of 1")


@pytest.mark.parametrize("relu", [torch.sigmoid, lambda z: z.clamp(0, 1)])  # one that bends again further on
def test_saturation_turns_when_relu_saturates_too(relu) -> None:  # type: ignore[no-untyped-def]
    assert verdict("saturation", relu=relu) == "does not hold"


def test_residuals_hold_with_the_start_that_plain_nets_get() -> None:
    assert verdict("residuals").startswith("holds when the layers start as torch starts them")


def test_residuals_need_no_condition_where_no_start_is_careful() -> None:
    assert verdict("residuals", careful=1.0) == "holds"


def test_residuals_turn_when_a_start_makes_them_explode() -> None:
    assert verdict("residuals", residual=lambda x, made: 2 * x + made) == "does not hold"


def test_residuals_turn_without_them_and_when_both_have_them() -> None:
    assert verdict("residuals", residual=passed_on) == "does not hold"
    assert verdict("residuals", plain=added) == "does not hold"


@pytest.mark.slow
def test_batch_size_holds() -> None:
    assert verdict("batch-size") == "holds"


def one_again_and_again(size: int) -> Tensor:
    return drawn(1).expand(size)


def test_batch_size_turns_when_a_batch_is_one_example_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clearhead.lab.learning.batch_size.MOST", 10)  # that it does not get there shows in ten steps
    finding = tried("batch-size", draw=one_again_and_again).finding
    assert finding.verdict == "does not hold"
    assert not finding.parts["the noise falls like 1/√B"]
