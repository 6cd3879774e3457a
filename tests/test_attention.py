"""attend and attend_fused: worked on paper, laws, then the oracle."""

import math
from collections.abc import Callable
from math import log

import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.testing import assert_close

from clearhead.attention import Attended, attend, attend_fused
from clearhead.errors import ClearheadError, InputError, ShapeError
from clearhead.masks import causal
from oracle import attention as oracle

generator = torch.Generator()


@pytest.fixture(autouse=True)
def same_numbers_each_time() -> None:
    generator.manual_seed(7)


def rows(*cells: list[float]) -> Tensor:
    return torch.tensor(cells, dtype=torch.float64)


def random(*shape: int) -> Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=generator)


# ---- worked on paper


def test_one_query_two_keys_worked_on_paper() -> None:
    q, k, v = rows([2, 0, 0, 0]), rows([log(3), 0, 0, 0], [0, 0, 0, 0]), rows([8], [4])
    got = attend(q, k, v)
    assert_close(got.scaled, rows([log(3), 0]))  # 2·ln 3 / √4
    assert_close(got.weights, rows([3 / 4, 1 / 4]))  # e^(ln 3) : e^0 = 3 : 1
    assert_close(got.output, rows([7]))  # ¾·8 + ¼·4


def test_a_hidden_key_worked_on_paper() -> None:
    q, k, v = rows([1], [1]), rows([log(3)], [0]), rows([8], [4])
    got = attend(q, k, v, causal(2))
    assert_close(got.scaled, rows([log(3), 0], [log(3), 0]))  # before the mask
    assert_close(got.weights, rows([1, 0], [3 / 4, 1 / 4]))
    assert_close(got.output, rows([8], [7]))


def test_temperature_worked_on_paper() -> None:
    q, k, v = rows([1]), rows([log(9)], [0]), rows([8], [4])
    assert_close(attend(q, k, v, temperature=2).weights, rows([3 / 4, 1 / 4]))  # e^(ln 9 / 2) : 1 = 3 : 1
    assert_close(attend(q, k, v, temperature=0.5).weights, rows([81 / 82, 1 / 82]))  # e^(2 ln 9) : 1
    assert_close(attend(q, k, v, temperature=2).scaled, rows([log(9), 0]))  # T comes after scaled


def test_at_temperature_zero_the_maximum_takes_all_and_ties_share() -> None:
    q, k, v = rows([1], [-1]), rows([2], [5], [5], [1]), rows([8], [6], [4], [9])
    got = attend(q, k, v, temperature=0)
    assert_close(got.weights, rows([0, 1 / 2, 1 / 2, 0], [0, 0, 0, 1]))
    assert_close(got.output, rows([5], [9]))


def test_at_temperature_zero_a_hidden_maximum_takes_nothing() -> None:
    hidden = torch.tensor([[True, False, False, True]])
    got = attend(rows([1]), rows([2], [5], [5], [2]), rows([8], [6], [4], [6]), hidden, temperature=0)
    assert_close(got.weights, rows([1 / 2, 0, 0, 1 / 2]))
    assert_close(got.output, rows([7]))


# ---- laws


def test_the_future_cannot_change_the_past() -> None:
    x, y = random(5, 3), random(5, 3)
    y[:4] = x[:4]
    for attending in (lambda x: attend(x, x, x, causal(5)).output, lambda x: attend_fused(x, x, x, "causal")):
        assert_close(attending(x)[:4], attending(y)[:4])
        assert not torch.allclose(attending(x)[4:], attending(y)[4:])


@pytest.mark.parametrize("temperature", [0, 0.3, 1, 7])
def test_reordering_keys_with_their_values_changes_nothing(temperature: float) -> None:
    q, k, v = random(3, 5), random(7, 5), random(7, 2)
    order = torch.randperm(7, generator=generator)
    assert_close(attend(q, k[order], v[order], None, temperature).output, attend(q, k, v, None, temperature).output)


def test_adding_one_vector_to_every_key_changes_no_weight() -> None:
    q, k, v, shift = random(3, 5), random(7, 5), random(7, 2), random(5)
    assert_close(attend(q, k + shift, v).weights, attend(q, k, v).weights)


def test_zero_is_the_limit_of_small_temperatures() -> None:
    q, k, v = random(3, 5), random(7, 5), random(7, 2)
    assert_close(attend(q, k, v, temperature=1e-4).weights, attend(q, k, v, temperature=0).weights)


def test_causal_the_word_is_causal_the_table() -> None:
    q, k, v = random(3, 5), random(7, 5), random(7, 2)
    for n_q, n_k in ((3, 7), (1, 7), (3, 3), (1, 1)):
        table = causal(n_q, before=n_k - n_q)
        word, full = (attend(q[:n_q], k[:n_k], v[:n_k], mask) for mask in ("causal", table))
        assert_close(word.weights, full.weights)


DTYPES = [torch.float64, torch.float32, torch.bfloat16, torch.float16]
SIZES = st.tuples(st.integers(1, 17), st.integers(2, 38), st.integers(1, 66))  # n_q, n_k, d_k


@given(SIZES, st.sampled_from(DTYPES), st.booleans(), st.integers(0, 1000))
@example((1, 7, 8), torch.float32, False, 0)  # a matrix times a vector
@example((2, 33, 65), torch.float64, False, 0)  # the last columns of a table
@example((3, 1001, 65), torch.float32, False, 0)  # more than one thread
@settings(deadline=None)
def test_the_same_key_twice_is_a_tie(size: tuple[int, int, int], dtype: torch.dtype, turned: bool, seed: int) -> None:
    """Whatever the matrix product of this processor makes of it, and however the keys lie in memory."""
    n_q, n_k, d_k = size
    numbers = torch.Generator().manual_seed(seed)
    q, key, v = (torch.randn(n, d, generator=numbers).to(dtype) for n, d in ((n_q, d_k), (1, d_k), (n_k, 3)))
    k = key.repeat(n_k, 1)
    weights = attend(q, k.mT.contiguous().mT if turned else k, v, temperature=0).weights
    assert torch.equal(weights, torch.full((n_q, n_k), 1 / n_k, dtype=dtype))


@given(SIZES, st.sampled_from(DTYPES), st.integers(0, 1000))
@settings(deadline=None)
def test_the_best_key_twice_shares_with_nobody_else(size: tuple[int, int, int], dtype: torch.dtype, seed: int) -> None:
    n_q, n_k, d_k = size
    numbers = torch.Generator().manual_seed(seed)
    q = torch.randn(1, d_k, generator=numbers).to(dtype)
    k = torch.cat([-q.expand(n_k, d_k), q, q])[torch.randperm(n_k + 2, generator=numbers)]
    weights = attend(q.expand(n_q, d_k), k, torch.ones(n_k + 2, 1, dtype=dtype), temperature=0).weights
    assert torch.equal(weights, ((k == q).all(-1) / 2).to(dtype).expand(n_q, -1))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n_k", [2, 7, 33])
def test_keys_one_bit_apart_are_no_tie(dtype: torch.dtype, n_k: int) -> None:
    k = torch.ones(n_k, 1, dtype=dtype)
    k[n_k // 2] = torch.nextafter(k[0], 2 * k[0]) if dtype.itemsize > 2 else 1 + torch.finfo(dtype).eps
    weights = attend(torch.ones(5, 1, dtype=dtype), k, k, temperature=0).weights
    assert torch.equal(weights, (k > 1).mT.to(dtype).expand(5, n_k))


def test_scores_at_temperature_zero_are_those_of_other_temperatures() -> None:
    q, k, v = random(2, 3, 5, 65), random(3, 33, 65), random(33, 2)
    assert_close(attend(q, k, v, temperature=0).scaled, attend(q, k, v).scaled)
    assert attend(q[..., :0, :], k, v, temperature=0).weights.shape == (2, 3, 0, 33)


def test_dtype_and_leading_axes_arrive_with_the_tensors() -> None:
    q, k, v = random(2, 3, 5, 7), random(3, 11, 7), random(2, 1, 11, 13)
    for dtype in (torch.float64, torch.float32):
        got = attend(q.to(dtype), k.to(dtype), v.to(dtype))
        assert (got.output.dtype, got.output.shape, got.weights.shape) == (dtype, (2, 3, 5, 13), (2, 3, 5, 11))
    for b in range(2):
        for h in range(3):
            assert_close(attend(q, k, v).output[b, h], attend(q[b, h], k[h], v[b, 0]).output)


# float16 holds 11 bits and bfloat16 8 of each number, so a few units of 2⁻¹¹ and 2⁻⁸ are lost on the way.
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float16, 4e-3), (torch.bfloat16, 3e-2)])
def test_half_precision_stays_near(dtype: torch.dtype, tolerance: float) -> None:
    q, k, v = random(3, 5), random(7, 5), random(7, 2)
    got = attend(q.to(dtype), k.to(dtype), v.to(dtype), temperature=0.5)
    assert got.output.dtype == dtype
    assert_close(got.output.double(), attend(q, k, v, temperature=0.5).output, atol=tolerance, rtol=tolerance)


@pytest.mark.parametrize("temperature", [1e-310, 1e-300, 1e-40, 1e-10, 1e10, 1e40, 1e300])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16])
def test_no_temperature_is_too_small_or_too_large(temperature: float, dtype: torch.dtype) -> None:
    q, k, v = (rows([9, 9], [1, 0], [0, 0]).to(dtype) for _ in range(3))
    weights = attend(q, k, v, causal(3), temperature).weights
    limit = attend(q, k, v, causal(3), 0).weights if temperature < 1 else causal(3) / causal(3).sum(-1, keepdim=True)
    assert_close(weights, limit.to(dtype), atol=1e-3, rtol=0)


# ---- gradients


def gradients(temperature: float) -> tuple[Attended, tuple[Tensor, ...]]:
    q, k, v = (x.requires_grad_() for x in (random(3, 5), random(7, 5), random(7, 2)))
    attended = attend(q, k, v, temperature=temperature)
    return attended, torch.autograd.grad((attended.output * attended.output.detach()).sum(), (q, k, v))


def test_at_temperature_zero_nothing_flows_to_q_and_k_but_v_learns() -> None:
    attended, (d_q, d_k, d_v) = gradients(0)
    assert torch.equal(d_q, torch.zeros(3, 5, dtype=torch.float64))
    assert torch.equal(d_k, torch.zeros(7, 5, dtype=torch.float64))
    assert_close(d_v, attended.weights.mT @ attended.output)  # ∂L/∂V = Wᵀ ∂L/∂O
    assert d_v.abs().sum() > 0


def test_at_temperature_one_all_three_learn() -> None:
    assert all(gradient.abs().sum() > 0 for gradient in gradients(1)[1])


@pytest.mark.parametrize("temperature", [1, 0.3])
def test_gradients_are_those_of_small_differences(temperature: float) -> None:
    inputs = tuple(x.requires_grad_() for x in (random(2, 3), random(5, 3), random(5, 2)))
    assert torch.autograd.gradcheck(lambda q, k, v: attend(q, k, v, causal(2, before=3), temperature).output, inputs)


# ---- the oracle


def cases() -> list[tuple[Tensor, Tensor, Tensor, Tensor | None, float]]:
    q, k, v = random(5, 5), random(5, 5), random(5, 3)  # square, so that K without its transpose can be computed at all
    whole = torch.randint(-2, 3, (5, 5), generator=generator).double()
    return [
        (q, k, v, None, 1.0),
        (q, k, v, causal(5), 1.0),
        (q, k, v, causal(5), 0.3),
        (whole, whole.flip(0), v, causal(5), 0.0),
    ]


Attend = Callable[[Tensor, Tensor, Tensor, Tensor | None, float], Attended]


def differs(attending: Attend, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, temperature: float) -> float:
    """The largest difference from the oracle in the weights and in the output."""
    lists = (q.tolist(), k.tolist(), v.tolist())
    table = None if mask is None else mask.expand(len(q), len(k)).tolist()
    got = attending(q, k, v, mask, temperature)
    weights, output = oracle.weights(*lists[:2], table, temperature), oracle.attend(*lists, table, temperature)
    return max(float((got.weights - rows(*weights)).abs().max()), float((got.output - rows(*output)).abs().max()))


def test_agrees_with_plain_loops() -> None:
    assert all(differs(attend, *case) < 1e-12 for case in cases())


def slip(score: Callable[[Tensor, Tensor], Tensor], axis: int = -1, hide: bool = True) -> Attend:
    """An attention with one slip in it."""

    def attending(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, temperature: float) -> Attended:
        scaled = score(q, k)
        visible = scaled.masked_fill(~mask, -1e9) if hide and mask is not None else scaled
        weights = (visible / max(temperature, 1e-9)).softmax(axis)
        return Attended(scaled, weights, weights @ v)

    return attending


SLIPS = {
    "no √d_k": slip(lambda q, k: q @ k.mT),
    "d_k instead of its root": slip(lambda q, k: q @ k.mT / q.shape[-1]),
    "K not transposed": slip(lambda q, k: q @ k / math.sqrt(q.shape[-1])),
    "softmax down columns": slip(lambda q, k: q @ k.mT / math.sqrt(q.shape[-1]), axis=-2),
    "no mask": slip(lambda q, k: q @ k.mT / math.sqrt(q.shape[-1]), hide=False),
    "no temperature": lambda q, k, v, mask, _: attend(q, k, v, mask),
    "the values of other keys": lambda q, k, v, mask, t: attend(q, k, v.roll(1, 0), mask, t),
}


@pytest.mark.parametrize("name", SLIPS)
def test_the_comparison_rejects_a_slip(name: str) -> None:
    assert max(differs(SLIPS[name], *case) for case in cases()) > 1e-3


def test_without_a_slip_the_slipping_attention_agrees() -> None:
    """So each rejection above is due to its slip alone."""
    assert all(differs(slip(lambda q, k: q @ k.mT / math.sqrt(q.shape[-1])), *case) < 1e-8 for case in cases())


@st.composite
def problems(draw: st.DrawFn) -> tuple[Tensor, Tensor, Tensor, Tensor, float]:
    """Whole-number queries and keys, so that ties are common and exact; any mask that leaves each query a key."""
    n_q, n_k, d_k, d_v = (draw(st.integers(1, 6)) for _ in range(4))
    whole = st.integers(-3, 3)

    def matrix(n: int, d: int) -> Tensor:
        return rows(*(draw(st.lists(whole, min_size=d, max_size=d)) for _ in range(n)))

    flags = [draw(st.lists(st.booleans(), min_size=n_k, max_size=n_k).filter(any)) for _ in range(n_q)]
    temperature = draw(st.sampled_from([0.0, 0.1, 1.0, 3.0]))
    return matrix(n_q, d_k), matrix(n_k, d_k), matrix(n_k, d_v), torch.tensor(flags), temperature


@given(problems())
@settings(deadline=None)
def test_agrees_with_plain_loops_on_whatever_comes(problem: tuple[Tensor, Tensor, Tensor, Tensor, float]) -> None:
    assert differs(attend, *problem) < 1e-12


@given(problems(), st.floats(0, 1e308), st.floats(0, 1e6))
@example((rows([1]), rows([1], [1]), rows([1], [1]), torch.tensor([[True, False]]), 0.0), 5e-324, 1e6)
@settings(deadline=None)
def test_weights_are_shares_of_the_visible_keys(
    problem: tuple[Tensor, Tensor, Tensor, Tensor, float], temperature: float, large: float
) -> None:
    q, k, v, mask, _ = problem
    weights = attend(q * large, k, v, mask, temperature).weights
    assert_close(weights.sum(-1), torch.ones(len(q), dtype=torch.float64))
    assert bool((weights >= 0).all())
    assert bool((weights[~mask] == 0).all())


# ---- the fused path


@pytest.mark.parametrize("mask", [None, "causal", torch.ones(5, 5, dtype=torch.bool).tril(2), causal(5).expand(2, 1, 5, 5)])
@pytest.mark.parametrize("d_v", [7, 3])
def test_fused_equals_attend_and_so_do_its_gradients(mask: Tensor | None, d_v: int) -> None:
    inputs = [x.requires_grad_() for x in (random(2, 3, 5, 7), random(2, 3, 5, 7), random(2, 3, 5, d_v))]
    fused, shown = attend_fused(*inputs, mask), attend(*inputs, mask).output
    assert_close(fused, shown)
    direction = random(*fused.shape)
    for a, b in zip(*(torch.autograd.grad((x * direction).sum(), inputs) for x in (fused, shown)), strict=True):
        assert_close(a, b)


@pytest.mark.parametrize(("n_q", "n_k"), [(1, 1), (1, 7), (3, 7), (7, 7)])
@pytest.mark.parametrize("leading", [((), (), ()), ((2,), (1,), (2,)), ((2, 3), (3,), (2, 3)), ((0, 2), (0, 2), (0, 2))])
def test_fused_equals_attend_on_every_shape(n_q: int, n_k: int, leading: tuple[tuple[int, ...], ...]) -> None:
    q, k, v = (random(*axes, n, 5) for axes, n in zip(leading, (n_q, n_k, n_k), strict=True))
    for mask in (None, "causal", causal(n_q, before=n_k - n_q)):
        assert_close(attend_fused(q, k, v, mask), attend(q, k, v, mask).output)


@given(problems())
@settings(deadline=None)
def test_fused_equals_attend_on_whatever_comes(problem: tuple[Tensor, Tensor, Tensor, Tensor, float]) -> None:
    q, k, v, mask, _ = problem
    assert_close(attend_fused(q, k, v, mask), attend(q, k, v, mask).output)


# ---- what is refused


def wrong_inputs() -> dict[str, tuple[type[ClearheadError], str, tuple[object, ...]]]:
    q, k, v = random(3, 5), random(7, 5), random(7, 2)
    blind = torch.ones(3, 7, dtype=torch.bool)
    blind[1] = False
    return {
        "another d_k": (ShapeError, "d_k: q is", (random(3, 4), k, v)),
        "k transposed already": (ShapeError, "looks transposed", (q, k.mT, v)),
        "a value missing": (ShapeError, "7 keys, 6 values", (q, k, v[:6])),
        "one axis only": (ShapeError, "rows and columns", (q[0], k, v)),
        "no key": (ShapeError, "at least one key", (q, k[:0], v[:0])),
        "d_k of 0": (ShapeError, "at least 1", (q[:, :0], k[:, :0], v)),
        "another batch": (ShapeError, "equal or 1", (random(2, 3, 5), random(4, 7, 5), random(4, 7, 2))),
        "values of another batch": (ShapeError, "equal or 1", (random(2, 3, 5), k, random(4, 7, 2))),
        "whole numbers": (InputError, "floating-point", (q.long(), k.long(), v.long())),
        "two dtypes": (InputError, "v is torch.float32", (q, k, v.float())),
        "a mask of numbers": (InputError, "boolean", (q, k, v, torch.zeros(3, 7))),
        "a mask that does not fit": (ShapeError, "(3, 7): it is (7, 3)", (q, k, v, blind.mT)),
        "a mask with an axis too many": (ShapeError, "must fit", (q, k, v, blind[None])),
        "a mask of another name": (InputError, "'casual'", (q, k, v, "casual")),
        "causal with more queries than keys": (ShapeError, "7 queries do not fit in 3 keys", (k, q, q, "causal")),
        "a row that hides everything": (InputError, "row [1] of the mask", (q, k, v, blind)),
        "such a row in a batch": (InputError, "row [0, 1] of the mask", (q[None], k[None], v[None], blind[None])),
    }


@pytest.mark.parametrize("name", wrong_inputs())
@pytest.mark.parametrize("attending", [attend, attend_fused])
def test_what_cannot_be_attended_over_is_refused(attending: Callable[..., object], name: str) -> None:
    error, words, inputs = wrong_inputs()[name]
    with pytest.raises(error) as told:
        attending(*inputs)
    assert words in str(told.value)


@pytest.mark.parametrize("temperature", [-1, -1e-300, math.nan, math.inf])
def test_a_temperature_that_cannot_be_is_refused(temperature: float) -> None:
    with pytest.raises(InputError, match="temperature must be a finite number, 0 or more"):
        attend(random(3, 5), random(7, 5), random(7, 2), temperature=temperature)
