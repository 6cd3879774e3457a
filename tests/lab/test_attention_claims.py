"""Claims about attention itself: what they come to, the numbers of the seeds, and what makes each of them fail."""

import math

import pytest
import torch
from torch import Tensor

from clearhead.lab.attention.projection import skew
from lab.perturbing import tried, verdict


def test_temperature_holds_up_to_where_floats_give_out() -> None:
    finding = tried("temperature").finding
    assert finding.verdict.startswith("holds when the largest score leads by less than")
    lead = finding.numbers["a weight is exactly 0 from this lead / T, float64"]
    assert lead == pytest.approx(-math.log(5e-324), abs=1)  # the smallest number that is not 0; half of it rounds to it


def never_below(z: Tensor, t: float) -> Tensor:
    return (z / t).softmax(-1).clamp(min=1e-37)


def test_temperature_needs_no_condition_where_no_weight_can_be_0() -> None:
    assert verdict("temperature", softmax=never_below) == "holds"


def test_temperature_turns_when_nothing_is_divided_by_it() -> None:
    assert verdict("temperature", softmax=lambda z, t: z.softmax(-1)) == "does not hold"


def test_temperature_turns_when_equal_inputs_do_not_tie() -> None:
    assert verdict("temperature", softmax=lambda z, t: (z / t + torch.arange(z.shape[-1])).softmax(-1)) == "does not hold"


def test_scaling_holds() -> None:
    assert verdict("scaling") == "holds"


def test_scaling_turns_when_vectors_have_length_one_already() -> None:
    assert verdict("scaling", draw=lambda n, d: torch.randn(n, d) / d**0.25) == "does not hold"


@pytest.mark.parametrize("scale", [lambda d: 1.0, float])  # none, and d instead of √d
def test_scaling_turns_with_another_scale(scale) -> None:  # type: ignore[no-untyped-def]
    assert verdict("scaling", scale=scale) == "does not hold"


def test_copying_holds_and_turns_when_the_query_is_no_key() -> None:
    assert verdict("copying") == "holds"
    assert verdict("copying", query=lambda keys, strength: strength * keys.mean(-2)) == "does not hold"


def test_averaging_holds_while_keys_are_nearly_exact() -> None:
    assert verdict("averaging") == "holds when the cells of a key are off by 0.004 or less"


@pytest.mark.parametrize("query", [lambda means: 20 * means[0], lambda means: 20 * means[0] + 21 * means[1]])
def test_averaging_turns_with_another_query(query) -> None:  # type: ignore[no-untyped-def]
    assert verdict("averaging", query=query) == "does not hold"


def test_projection_holds() -> None:
    assert verdict("projection") == "holds"


def test_projection_turns_with_a_basis_that_is_not_orthonormal() -> None:
    assert verdict("projection", bases=skew) == "does not hold"


def test_projection_turns_with_another_matrix() -> None:
    assert verdict("projection", matrix=lambda basis: basis @ basis.mT / 2) == "does not hold"


def test_the_matrix_for_any_basis_shows_that_orthonormality_was_only_a_convenience() -> None:
    general = tried("projection", matrix=lambda a: a @ torch.linalg.inv(a.mT @ a) @ a.mT).finding
    assert not general.parts["it needs the basis to be orthonormal"]
    assert general.parts["perpendicular: v_a comes out to 1e-12"]


def test_two_heads_hold_while_the_key_keeps_its_direction() -> None:
    assert verdict("two-heads").startswith("holds when the key keeps its direction and a length above 0.041")


def test_two_heads_need_no_condition_when_the_length_varies_less() -> None:
    assert verdict("two-heads", variance=0.05) == "holds"


def test_two_heads_turn_when_both_ask_the_same() -> None:
    assert verdict("two-heads", two=lambda means: 100 * (means[:2].sum(0, keepdim=True))) == "does not hold"


def test_two_heads_turn_when_no_length_varies() -> None:
    assert verdict("two-heads", variance=0.0) == "does not hold"


def test_identical_heads_show_that_the_published_key_is_wrong() -> None:
    finding = tried("identical-heads").finding
    assert finding.verdict.startswith("holds when W_O is stacked twice and halved")
    assert finding.numbers["loss with one head, each token off its own place"] == pytest.approx(4.2114, abs=5e-5)
    assert finding.numbers["loss with two heads and W_O = I"] == pytest.approx(10.2114, abs=5e-5)
    assert finding.numbers["the same three with teacher forcing"] == pytest.approx([8.7973, 6.5473, 8.7973], abs=5e-5)


def test_identical_heads_turn_when_the_maps_are_stacked_but_not_halved() -> None:
    assert verdict("identical-heads", mend=lambda w_o: torch.cat([w_o, w_o])) == "does not hold"


def test_identical_heads_turn_when_one_of_them_is_not_listened_to_and_so_learns_nothing() -> None:
    finding = tried("identical-heads", mend=lambda w_o: torch.cat([w_o, 0 * w_o])).finding
    assert finding.verdict == "does not hold"
    assert [part for part, holds in finding.parts.items() if not holds] == [
        "nor does it learn anything else there: both get one gradient"
    ]


def test_identical_heads_would_hold_as_printed_with_the_columns_traded() -> None:
    traded = torch.eye(4, dtype=torch.float64)[[1, 0, 3, 2]]
    assert verdict("identical-heads", for_two=traded) == "holds"


def test_hard_attention_shows_that_the_premise_is_half_wrong() -> None:
    finding = tried("hard-attention").finding
    assert finding.verdict == "holds when it is said of W_Q and W_K only: W_V and W_O do learn"
    cold = finding.numbers["norm of each gradient at temperature 0"]
    assert isinstance(cold, list)
    assert cold[:2] == [0, 0]
    assert min(cold[2:]) > 1


def test_hard_attention_turns_at_any_temperature_above_zero_and_when_nothing_mends_it() -> None:
    assert verdict("hard-attention", cold=0.5) == "does not hold"
    assert verdict("hard-attention", soft=0.0) == "does not hold"
