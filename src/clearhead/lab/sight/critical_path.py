"""How many matrix products must wait for one another: counted while a program runs."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

PRODUCTS = {"mm", "bmm", "addmm", "baddbmm", "mv", "dot"}


class CriticalPath(TorchDispatchMode):
    """Every tensor carries the longest chain of products that led to it; `longest` is the longest of all."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.depths: dict[int, int] = {}
        self.kept: list[Tensor] = []  # so that no number is given to a second tensor
        self.longest = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        before = max((self.depths.get(id(tensor), 0) for tensor in tensors_in((args, kwargs))), default=0)
        depth = before + (func.overloadpacket.__name__ in PRODUCTS)
        self.longest = max(self.longest, depth)
        for tensor in tensors_in(result):
            self.depths[id(tensor)] = depth
            self.kept.append(tensor)
        return result


def tensors_in(nest: Any) -> list[Tensor]:
    """Every tensor in nested tuples, lists and dicts."""
    if isinstance(nest, Tensor):
        return [nest]
    if isinstance(nest, dict):
        nest = list(nest.values())
    return [tensor for each in nest for tensor in tensors_in(each)] if isinstance(nest, list | tuple) else []


@torch.no_grad()
def sequential_products(program: Callable[[], object]) -> int:
    """The products on the longest chain: with as many processors as one likes, these still come one after the other."""
    path = CriticalPath()
    with path:
        program()
    return path.longest
