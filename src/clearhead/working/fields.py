"""Readers for the values of a problem file: each takes what TOML or JSON gave and returns what a kind works with."""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

from clearhead.errors import InputError
from clearhead.exact.decimals import in_range, parse_number
from clearhead.exact.matrices import Matrix, number

Reader: TypeAlias = Callable[[Any], Any]

LONG_WHOLE_NUMBER = 10**30
PLAIN_WHOLE_NUMBER = 10**9  # up to here nothing has to be asked
JOINERS = "\u200c\u200d"  # not printable alone, but they hold emoji and some scripts together
OTHER_WORDS = {
    "activation": "g", "act": "g", "learning_rate": "rate", "lr": "rate", "eta": "rate", "logits": "z", "tau": "temperature",
    "kernel_size": "kernel", "out_channels": "filters", "num_heads": "heads", "n_heads": "heads", "vocab": "vocabulary",
    "probs": "probabilities", "embeddings": "E", "target": "y", "label": "y", "rounding": "round", "decimals": "round",
}  # fmt: skip
"""What a key is called elsewhere, and here."""
MOST_CELLS = 16_384  # of one table: 128 × 128 is beyond any hand


def read_cell(raw: Any) -> Fraction:
    """3, -0.5 or "1/2"; decimals arrive as text (or as Python's floats, which print as written) so that 0.1 is 1/10."""
    if type(raw) is int and -PLAIN_WHOLE_NUMBER < raw < PLAIN_WHOLE_NUMBER:
        return whole(raw)
    if isinstance(raw, bool) or not isinstance(raw, int | float | str | Fraction):
        raise InputError(f'{shown(raw)} is not a number; write it as 3, -0.5 or "1/2"')
    return in_range(Fraction(raw), shown(raw)) if isinstance(raw, int | Fraction) else parse_number(str(raw))


@lru_cache(maxsize=1_024)  # most cells are small whole numbers, and a fraction is never changed
def whole(number: int) -> Fraction:
    return Fraction(number)


def read_matrix(raw: Any) -> Matrix:
    """A list of rows, all of one length."""
    if not isinstance(raw, list) or not raw:
        raise InputError(f"must be a list of rows such as [[1, 2], [3, 4]], but is {shown(raw)}")
    for i, row in enumerate(raw, start=1):
        if not isinstance(row, list) or not row:
            raise InputError(f"row {i} must be a list of numbers such as [1, 2], but is {shown(row)}")
        if len(row) != len(raw[0]):
            raise InputError(f"every row must be as long as the first: row 1 has {len(raw[0])}, row {i} has {len(row)}")
    require_size(len(raw) * len(raw[0]))
    return Matrix(tuple(read_row(row, f"row {i}, column") for i, row in enumerate(raw, 1)))


def read_vector(raw: Any) -> Matrix:
    """A list of numbers."""
    found = read_sequence(raw)
    require_size(found.shape[1])
    return found


def read_sequence(raw: Any) -> Matrix:
    """A list of numbers that may be as long as its file: one for each step of time."""
    if not isinstance(raw, list) or not raw:
        raise InputError(f"must be a list of numbers such as [1, 2, 3], but is {shown(raw)}")
    return Matrix((read_row(raw, "number"),), 1)


def read_row(raw: list[Any], where: str) -> tuple[Fraction, ...]:
    """The cells of one row; where one is wrong, its place is said: `where` and its number."""
    try:
        return tuple(map(read_cell, raw))
    except InputError:
        return tuple(read_at(cell, f"{where} {j}") for j, cell in enumerate(raw, 1))


def read_number(raw: Any) -> Matrix:
    """One number, as a table of one cell."""
    return number(read_cell(raw))


def read_temperature(raw: Any) -> Fraction:
    """A number from 0 on."""
    value = read_cell(raw)
    if value < 0:
        raise InputError(f"must be 0 or more (0 is the limit: the largest takes all), but is {value}")
    return value


def read_flag(raw: Any) -> bool:
    """true or false."""
    if not isinstance(raw, bool):
        raise InputError(f"must be true or false, but is {shown(raw)}")
    return raw


def read_names(raw: Any) -> tuple[str, ...]:
    """Labels such as tokens, one line each."""
    if not isinstance(raw, list) or not raw or not all(isinstance(name, str) for name in raw):
        raise InputError(f'must be a list of names such as ["cat", "sat"], but is {shown(raw)}')
    return tuple(one_line(name) for name in raw)


def read_choice(*choices: str) -> Reader:
    """One of some words."""

    def read(raw: Any) -> str:
        if raw not in choices:
            raise InputError(f"must be one of {', '.join(choices)}, but is {shown(raw)}")
        return str(raw)

    return read


def read_whole(least: int, most: int) -> Reader:
    """A whole number within bounds."""

    def read(raw: Any) -> int:
        if isinstance(raw, bool) or not isinstance(raw, int) or not least <= raw <= most:
            raise InputError(f"must be a whole number from {least} to {most}, but is {shown(raw)}")
        return raw

    return read


def read_tables(readers: dict[str, Reader]) -> Reader:
    """A list of tables with the same keys, such as heads."""

    def read(raw: Any) -> tuple[dict[str, Any], ...]:
        if not isinstance(raw, list) or not raw or not all(isinstance(table, dict) for table in raw):
            raise InputError(f"must be a list of tables, each with {', '.join(readers)}, but is {shown(raw)}")
        return tuple(read_table(table, readers, f"[{i}]") for i, table in enumerate(raw, 1))

    return read


def read_table(raw: dict[str, Any], readers: dict[str, Reader], where: str) -> dict[str, Any]:
    """Every key read by its reader; an unknown one is refused with the nearest known."""
    found = {}
    for key, value in raw.items():
        if key not in readers:
            raise InputError(f"{where}.{shown(key)[1:-1]}: unknown key{did_you_mean(key, readers)}")
        found[key] = read_at(value, f"{where}.{key}", readers[key])
    return found


def read_at(raw: Any, where: str, reader: Reader = read_cell) -> Any:
    """Read a value; where it is wrong, say at which place."""
    try:
        return reader(raw)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def require_size(cells: int) -> None:
    if cells > MOST_CELLS:
        raise InputError(f"has {cells:,} numbers; at most {MOST_CELLS:,} can be worked")


def did_you_mean(key: str, known: Any) -> str:
    """The end of a sentence about an unknown key."""
    from difflib import get_close_matches

    if (meant := OTHER_WORDS.get(key.lower())) in known:
        return f"; did you mean {meant}?"
    spelt = {name.lower(): name for name in known}  # w_q is meant to be W_Q
    near = get_close_matches(key.lower(), list(spelt), n=1, cutoff=0.6)
    return f"; did you mean {spelt[near[0]]}?" if near else f"; known are {', '.join(known)}"


def one_line(written: str) -> str:
    """Text that a page or a terminal can show in one line, whatever the file holds; joined emoji stay joined."""
    return " ".join("".join(sign if sign.isprintable() or sign in JOINERS else " " for sign in written).split())


def shown(raw: Any) -> str:
    """What came, short enough for one line."""
    if isinstance(raw, str | Fraction):
        written = repr(str(raw))
    elif isinstance(raw, int) and abs(raw) >= LONG_WHOLE_NUMBER:
        written = f"a whole number of about {raw.bit_length() * 3 // 10} digits"
    else:
        written = repr(raw) if isinstance(raw, int | float) else type_name(raw)
    return written if len(written) <= 40 else f"{written[:37]}…"


def type_name(raw: Any) -> str:
    if raw is None:
        return "null"
    name = "list" if isinstance(raw, list) else "table" if isinstance(raw, dict) else type(raw).__name__
    return f"an empty {name}" if raw in ([], {}) else f"a {name}"
