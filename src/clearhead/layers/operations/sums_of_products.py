"""`torch.einsum`: sums of products, as its equation says them."""

from typing import Any

from clearhead.layers.laws.law import Outcome
from clearhead.layers.values.axis_sizes import product, show_size
from clearhead.layers.values.receptive_field import OPEN
from clearhead.layers.values.refusals import NotKnown, Refusal
from clearhead.layers.values.tensors import Tensor


def einsum(equation: Any, *operands: Any) -> Outcome:
    """Each letter is an axis; letters that do not come out are summed over."""
    if not isinstance(equation, str):
        raise NotKnown("an einsum without an equation is not followed")
    tensors = list(operands[0]) if len(operands) == 1 and isinstance(operands[0], (list, tuple)) else list(operands)
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    if len(terms) != len(tensors) or not all(isinstance(each, Tensor) for each in tensors):
        raise Refusal(f"the equation {equation!r} names {len(terms)} tensors and gets {len(tensors)}")
    sizes: dict[str, int] = {}
    ellipsis: tuple[int, ...] = ()
    for term, tensor in zip(terms, tensors, strict=True):
        letters, inner = spread(term, tensor, equation)
        ellipsis = inner if len(inner) > len(ellipsis) else ellipsis
        for letter, size in letters:
            if sizes.get(letter, size) != size and 1 not in (sizes[letter], size):
                had = show_size(sizes[letter])
                raise Refusal(f"in {equation!r}, {letter} is {had} and then {show_size(size)} (of {tensor})")
            sizes[letter] = max(sizes.get(letter, 1), size) if sizes.get(letter, size) != size else size
    if not arrow:
        every = [letter for letter in left if letter.isalpha()]
        right = ("..." if ellipsis else "") + "".join(sorted(letter for letter in set(every) if every.count(letter) == 1))
    before, dots, after = right.partition("...")
    if any(letter not in sizes for letter in before + after):
        raise Refusal(f"in {equation!r}, an axis comes out that does not go in")
    shape = (*(sizes[letter] for letter in before), *(ellipsis if dots else ()), *(sizes[letter] for letter in after))
    cost = product(sizes.values()) * product(ellipsis) if len(tensors) > 1 else 0
    whole = all(each.whole is True for each in tensors)
    return Outcome(Tensor(shape, whole, None, OPEN), equation, cost)


def spread(term: str, tensor: Tensor, equation: str) -> tuple[list[tuple[str, int]], tuple[int, ...]]:
    """The letters of one tensor with their sizes, and the axes that `...` stands for."""
    before, dots, after = term.partition("...")
    named = len(before) + len(after)
    if named > len(tensor.shape) or (not dots and named != len(tensor.shape)):
        raise Refusal(f"in {equation!r}, {term} names {named} axes, and {tensor} has {len(tensor.shape)}")
    inner = tensor.shape[len(before) : len(tensor.shape) - len(after)] if dots else ()
    ends = tensor.shape[len(tensor.shape) - len(after) :] if after else ()
    return [*zip(before, tensor.shape[: len(before)], strict=True), *zip(after, ends, strict=True)], inner
