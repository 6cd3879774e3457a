"""Readings written from matrices, so that judging is tested without a reader."""

from collections.abc import Callable, Mapping

import pytest

from clearhead.exact.decimals import decimal_text, parse_number
from clearhead.exact.matrices import Matrix
from clearhead.working.written import Reading, Written, WrittenStep


def written_step(name: str, value: Matrix, decimals: int) -> WrittenStep:
    """Every cell of a step, rounded to so many decimals."""
    cells = {}
    for place in value.places():
        cell = value[place]
        if isinstance(cell, float):
            cells[place] = Written("-inf", cell)
        else:
            text = decimal_text(cell, decimals)
            cells[place] = Written(text, parse_number(text), decimals)
    return WrittenStep(name, cells, value.shape)


@pytest.fixture
def reading_of() -> Callable[..., Reading]:
    def build(values: Mapping[str, Matrix], decimals: int, names: list[str]) -> Reading:
        return Reading({name: written_step(name, values[name], decimals) for name in names})

    return build
