"""Claims about what nets see and what it costs: what they come to, and what makes each of them fail."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from clearhead.attention import attend
from clearhead.lab.sight.critical_path import sequential_products
from clearhead.lab.sight.dependence import NETS, WIDTH
from clearhead.lab.sight.half_length import PROGRAMS
from clearhead.lab.sight.parallel import decoder, rnn
from clearhead.lab.sight.perceiver_blindness import DESIGNS, reachable
from clearhead.models import build_model
from lab.perturbing import tried, verdict


def test_perceiver_blindness_holds_with_the_counts_of_the_masks() -> None:
    finding = tried("perceiver-blindness").finding
    assert finding.verdict == "holds"
    assert finding.numbers["tokens that the last place sees: GPT, course, causal"] == [24, 9, 24]


def test_perceiver_blindness_is_what_counting_gives() -> None:
    numbers = tried("perceiver-blindness").finding.numbers
    unseen = [sum(max(0, place - 1 - m) for place in range(1, 25)) for m in (6, 12, 24)]  # all but the first m and itself
    assert numbers["share of earlier tokens it does not see"] == [count / 300 for count in unseen]  # of 24·25/2 pairs


def test_what_the_masks_allow_is_what_the_model_declares() -> None:
    model = build_model({"kind": "perceiver", "context": 11, "bottleneck": 4, "layers": 3, "heads": 2, "width": 8}, 13)
    assert torch.equal(reachable(11, 4), model.sight(11))


def test_perceiver_blindness_turns_when_the_designs_are_traded() -> None:
    assert verdict("perceiver-blindness", designs={**DESIGNS, "course": DESIGNS["causal"]}) == "does not hold"
    assert verdict("perceiver-blindness", designs={**DESIGNS, "causal": DESIGNS["course"]}) == "does not hold"


def test_dependence_holds() -> None:
    assert verdict("dependence") == "holds"


def leaky() -> Callable[[Tensor], Tensor]:
    """A decoder whose mask lets one later place through."""
    w = torch.randn(WIDTH, WIDTH, dtype=torch.float64)
    return lambda x: attend(x @ w, x, x, torch.ones(len(x), len(x), dtype=torch.bool).tril(1)).output


@pytest.mark.parametrize(
    "nets", [{"decoder": leaky}, {"MLP": NETS["encoder"]}, {"RNN": NETS["MLP"]}, {"encoder": NETS["decoder"]}]
)
def test_dependence_turns_when_one_net_sees_more_or_less(nets: dict) -> None:
    assert verdict("dependence", nets={**NETS, **nets}) == "does not hold"


def test_own_position_holds_and_turns_when_the_loss_is_shifted() -> None:
    assert verdict("own-position", steps=120) == "holds"
    assert verdict("own-position", own=1, steps=20) == "does not hold"


def test_parallel_holds_with_the_counts_of_the_formulas() -> None:
    numbers = tried("parallel").finding.numbers
    assert numbers["products one after the other: decoder, training"] == [9, 9, 9, 9]  # 2 layers of 4 products, and the head
    assert numbers["products one after the other: RNN, training"] == [9, 17, 33, 65]  # a product a token, and the head


@pytest.mark.parametrize("parts", [{"rnn": decoder}, {"decoder": rnn}])
def test_parallel_turns_when_the_nets_are_traded(parts: dict) -> None:
    assert verdict("parallel", **parts) == "does not hold"


def test_a_chain_of_products_is_counted_and_a_sum_of_them_is_one() -> None:
    a = torch.eye(3)
    assert sequential_products(lambda: a @ a @ a @ a) == 3
    assert sequential_products(lambda: a @ a + a @ a) == 1
    assert sequential_products(lambda: torch.cat([a @ a, a]).relu()[1:].sum()) == 1
    assert sequential_products(lambda: a[(a @ a).argmax(-1)] @ a) == 2  # also through the choice of a token


def test_half_the_length_saves_three_quarters_of_attention_and_half_of_the_course_s_model() -> None:
    finding = tried("half-length").finding
    assert finding.verdict.startswith("holds when attention is nearly all of it: from 24 widths of tokens on")
    d, n = 256, 128  # multiplications of a layer: 12nd² in its maps, 2n²d in its attention
    whole, half = (12 * tokens * d**2 + 2 * tokens**2 * d for tokens in (n, n // 2))
    assert finding.numbers["a GPT at the course's 128 tokens and width 256"] == pytest.approx(1 - half / whole)


def test_half_length_needs_no_condition_where_there_is_nothing_but_attention() -> None:
    programs = dict.fromkeys(PROGRAMS, PROGRAMS["attention alone"])
    assert verdict("half-length", programs=programs) == "holds"


def test_half_length_turns_when_attention_looks_only_nearby() -> None:
    def nearby(n: int) -> Callable[[], object]:
        x = torch.randn(n // 8, 8, 16)
        return lambda: attend(x, x, x)

    assert verdict("half-length", programs={**PROGRAMS, "attention alone": nearby}) == "does not hold"
