"""What the tests of the kinds share: a problem worked, its numbers as floats."""

from collections.abc import Callable
from typing import Any

import pytest

from clearhead.exact.decimals import as_float
from clearhead.working import work

Worked = Callable[..., dict[str, Any]]


def numbers_of(problem: Any, **options: Any) -> dict[str, Any]:
    """Every given and step by name: a float, a list or a list of lists, by its rank."""
    working = work(problem, **options)
    found: dict[str, Any] = {}
    for name, value in working.values.items():
        rows = [[as_float(cell) for cell in row] for row in value.rows]
        found[name] = rows[0][0] if value.rank == 0 else rows[0] if value.rank == 1 else rows
    return found


@pytest.fixture(scope="session")
def worked() -> Worked:
    return numbers_of
