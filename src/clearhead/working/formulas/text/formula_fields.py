"""Readers for what a formula problem holds beside its numbers: steps, names, a rule."""

from typing import Any
from unicodedata import normalize

from clearhead.errors import InputError
from clearhead.exact.matrices import Matrix
from clearhead.working.fields import (
    Reader,
    did_you_mean,
    one_line,
    read_at,
    read_matrix,
    read_number,
    read_vector,
    shown,
)
from clearhead.working.formulas.optimiser_steps import NUMBERS


def read_given(raw: Any) -> Matrix:
    """A number, a row or a table."""
    if not isinstance(raw, list | tuple):
        return read_number(raw)
    return read_matrix(raw) if raw and isinstance(raw[0], list | tuple) else read_vector(raw)


def read_texts(raw: Any) -> dict[str, str]:
    """Names with a text each: the steps, or the reasons for some."""
    if not isinstance(raw, dict):
        raise InputError(f"must be a table of names and texts, but is {shown(raw)}")
    for key, value in raw.items():
        if not isinstance(value, str):
            raise InputError(f'{key[:40]}: must be text in quotes such as "x W + b", but is {shown(value)}')
    return {normalize("NFC", key): one_line(normalize("NFC", value)) for key, value in raw.items()}  # ŷ is one ŷ


def read_some_names(raw: Any) -> tuple[str, ...]:
    if isinstance(raw, str):
        return (raw,)
    if not isinstance(raw, list | tuple) or not raw or not all(isinstance(name, str) for name in raw):
        raise InputError(f'must be a list of names such as ["W1", "b1"], but is {shown(raw)}')
    return tuple(raw)


def read_one_name(raw: Any) -> str:
    if not isinstance(raw, str):
        raise InputError(f'must be a name in quotes such as "loss", but is {shown(raw)}')
    return raw


def read_rule(raw: Any) -> str:
    if raw not in NUMBERS:
        raise InputError(f"must be one of {', '.join(NUMBERS)}, but is {shown(raw)}")
    return str(raw)


def read_fields(readers: dict[str, Reader]) -> Reader:
    def read(raw: Any) -> dict[str, Any]:
        if not isinstance(raw, dict):
            raise InputError(f"must be a table with {', '.join(readers)}, but is {shown(raw)}")
        for key in raw:
            if key not in readers:
                raise InputError(f"{key[:40]}: unknown key{did_you_mean(key, readers)}")
        return {key: read_at(value, key, readers[key]) for key, value in raw.items()}

    return read
