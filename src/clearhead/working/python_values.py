"""What Python has, as a problem file would hold it: arrays and tensors of any library as lists, their numbers as they print."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from clearhead.errors import InputError
from clearhead.exact.matrices import Matrix

PLAIN = frozenset([str, bool, int, float])


def plain_values(value: Any) -> Any:
    """Tables, lists, numbers and text alone, however deep; neither numpy nor torch is imported for it.

    >>> plain_values({"X": ((1, 2), (0.5, "1/3"))})
    {'X': [[1, 2], [0.5, '1/3']]}
    """
    if isinstance(value, str | bool | int | float) and not hasattr(value, "dtype"):
        return value
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, Matrix):  # of another working: exactly
        rows = [list(row) for row in value.rows]
        return rows if value.rank == 2 else rows[0] if value.rank == 1 else rows[0][0]
    if isinstance(value, Mapping):
        return {str(key): plain_values(inside) for key, inside in value.items()}
    if isinstance(value, list | tuple):
        return list(value) if PLAIN.issuperset(map(type, value)) else [plain_values(inside) for inside in value]
    if hasattr(value, "detach"):  # a tensor, wherever it lives; bfloat16 has no other way out
        value = value.detach().cpu()
        value = (value.float() if "bfloat16" in str(value.dtype) else value).numpy()
    if not hasattr(value, "dtype"):
        return [plain_values(inside) for inside in value.tolist()] if hasattr(value, "tolist") else value
    if getattr(value, "shape", ()) != ():
        return [plain_values(inside) for inside in value]
    if value.dtype.kind == "c":
        raise InputError(f"{value} is a complex number; only real ones can be worked")
    # str of a float32 is the shortest that means it: 0.1, where its item() is 0.10000000149011612
    return str(value) if value.dtype.kind == "f" else value.item()
