"""Masks: worked on paper, what may and may not be seen, and what is refused."""

from collections.abc import Callable

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from clearhead.errors import InputError, ShapeError
from clearhead.masks import (
    all_of,
    causal,
    course_down,
    course_up,
    padding,
    perceiver_ar,
    require_seeing,
    strided_down,
    strided_places,
    strided_up,
    window,
)
from oracle.attention import causal as causal_in_loops

sizes = st.integers(1, 17)


def seen(*rows: str) -> Tensor:
    """A mask drawn with x where a query may look."""
    return torch.tensor([[cell == "x" for cell in row] for row in rows])


def through(up: Tensor, down: Tensor) -> Tensor:
    """What a token sees by way of the latents it sees."""
    return (up.int() @ down.int()) > 0


# ---- worked on paper


def test_causal_after_a_cache() -> None:
    assert torch.equal(causal(3), seen("x..", "xx.", "xxx"))
    assert torch.equal(causal(2, before=2), seen("xxx.", "xxxx"))
    assert torch.equal(causal(1, before=3), seen("xxxx"))


def test_padding_hides_the_end_of_each_sequence() -> None:
    mask = padding(torch.tensor([3, 1]), 3)
    assert mask.shape == (2, 1, 3)
    assert torch.equal(mask[:, 0], seen("xxx", "x.."))


def test_causal_and_padding_together() -> None:
    mask = all_of(causal(3), padding([3, 2], 3))
    assert torch.equal(mask[0], seen("x..", "xx.", "xxx"))
    assert torch.equal(mask[1], seen("x..", "xx.", "xx."))


def test_the_courses_perceiver() -> None:
    assert torch.equal(course_down(2, 4), seen("x...", "xx.."))
    assert torch.equal(course_up(4, 2), seen("x.", "xx", "xx", "xx"))


def test_perceiver_ar() -> None:
    assert torch.equal(perceiver_ar(2, 5), seen("xxxx.", "xxxxx"))


def test_the_strided_perceiver() -> None:
    assert strided_places(7, 3).tolist() == [2, 5]
    assert torch.equal(strided_down(7, 3), seen("xxx....", "xxxxxx."))
    latents, tokens = strided_up(7, 3).split([2, 7], dim=-1)
    assert torch.equal(latents, seen("..", "..", "x.", "x.", "x.", "xx", "xx"))
    assert torch.equal(tokens, seen("x......", "xx.....", "xxx....", ".xxx...", "..xxx..", "...xxx.", "....xxx"))


# ---- laws


@given(sizes, st.integers(0, 17))
@settings(deadline=None)
def test_causal_agrees_with_plain_loops(n: int, before: int) -> None:
    assert causal(n, before).tolist() == causal_in_loops(n, before + n)


def test_the_comparison_rejects_a_cache_forgotten() -> None:
    assert torch.ones(2, 5, dtype=torch.bool).tril().tolist() != causal_in_loops(2, 5)


@given(sizes, st.integers(1, 17))
@settings(deadline=None)
def test_the_strided_perceiver_neither_leaks_nor_is_blind(n: int, stride: int) -> None:
    """By way of the latents or directly, each token sees every token up to its own, and none after."""
    latents, tokens = strided_up(n, stride).split([n // stride, n], dim=-1)
    assert torch.equal(through(latents, strided_down(n, stride)) | tokens, causal(n))


def test_the_strided_perceiver_without_its_window_is_blind() -> None:
    latents = strided_up(7, 3)[:, :2]
    assert not torch.equal(through(latents, strided_down(7, 3)), causal(7))
    with pytest.raises(InputError, match=r"row \[0\] of the mask"):
        require_seeing(latents)


@given(st.integers(1, 9), st.integers(0, 9))
@settings(deadline=None)
def test_the_courses_perceiver_does_not_leak(m: int, more: int) -> None:
    assert bool((through(course_up(m + more, m), course_down(m, m + more)) <= causal(m + more)).all())


def test_the_courses_perceiver_is_blind() -> None:
    reached = through(course_up(128, 32), course_down(32, 128)) | torch.eye(128, dtype=torch.bool)
    assert int(reached[127].sum()) == 33  # itself and the first 32, of 128


@given(sizes, sizes)
@settings(deadline=None)
def test_a_window_is_the_last_places(n: int, size: int) -> None:
    assert window(n, size).tolist() == [[i - size < j <= i for j in range(n)] for i in range(n)]


@given(sizes, sizes)
@settings(deadline=None)
def test_no_mask_made_here_hides_a_row(n: int, other: int) -> None:
    m = min(n, other)
    made = [causal(n, other), window(n, other), padding([m], n), course_down(m, n), course_up(n, m), perceiver_ar(m, n)]
    for mask in [*made, strided_down(n, other), strided_up(n, other)]:
        assert mask.dtype == torch.bool
        assert require_seeing(mask) is mask


# ---- what is refused


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: causal(0), "n must be at least 1: it is 0"),
        (lambda: causal(3, before=-1), "before must be at least 0: it is -1"),
        (lambda: window(3, 0), "size must be at least 1"),
        (lambda: padding([2, 0], 3), "from 1 to n = 3"),
        (lambda: padding([4], 3), r"they are \[4\]"),
        (lambda: padding([1.5], 3), "whole numbers"),
        (lambda: padding([], 3), "one a sequence"),
        (lambda: padding([[1, 2]], 3), "one a sequence"),
        (lambda: course_down(4, 3), "no more than tokens: m = 4, n = 3"),
        (lambda: course_up(3, 0), "at least one latent"),
        (lambda: perceiver_ar(4, 3), "no more than tokens"),
        (lambda: strided_down(3, 0), "stride must be at least 1"),
        (lambda: strided_up(0, 2), "n must be at least 1"),
        (lambda: all_of(causal(3), ~causal(3)), r"row \[0\] of the mask .* hides every key"),
        (lambda: all_of(causal(2).float()), "a mask must be boolean"),
        (lambda: all_of(causal(2), causal(2).int()), "a mask must be boolean"),
        (lambda: require_seeing(torch.zeros(2, 1, 3, dtype=torch.bool)), r"row \[0, 0\] of the mask"),
    ],
)
def test_a_mask_that_cannot_be_is_refused(make: Callable[[], Tensor], words: str) -> None:
    with pytest.raises(InputError, match=words):
        make()


def test_masks_that_do_not_fit_together_are_refused() -> None:
    with pytest.raises(ShapeError, match=r"\(2, 2\) and \(3, 3\)"):
        all_of(causal(2), causal(3))
