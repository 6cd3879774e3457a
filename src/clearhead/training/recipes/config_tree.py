"""A tree of plain values, as TOML gives it, to a frozen config: every key known, every value of its type."""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from difflib import get_close_matches
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from clearhead.errors import ConfigError

Config = TypeVar("Config")


def built(kind: type[Config], tree: Any, where: str) -> Config:
    """A frozen config from a tree of tables, each value checked against its type."""
    if not isinstance(tree, Mapping):
        raise ConfigError(f"{where}: a table was expected; got {tree!r}.")
    hints = get_type_hints(kind)
    known = {each.name: each for each in fields(kind)}  # type: ignore[arg-type]  # Config is bound to dataclasses by use
    for key in tree:
        if key not in known:
            raise ConfigError(f"{where}: the key {key!r} is not known; {near(str(key), list(known))}keys: {', '.join(known)}.")
    for key, each in known.items():
        if key not in tree and each.default is MISSING and each.default_factory is MISSING:
            raise ConfigError(f"{where}: the key {key!r} is missing.")
    values = {key: value_of(hints[key], value, f"{where}, {key}") for key, value in tree.items()}
    return kind(**values)


def near(key: str, known: Sequence[str]) -> str:
    """A guess at what was meant, if there is one.

    >>> near("rat", ["rate", "tokens"])
    "did you mean 'rate'? "
    """
    close = get_close_matches(key, known, n=1)
    return f"did you mean {close[0]!r}? " if close else ""


def value_of(kind: Any, value: Any, where: str) -> Any:
    """A value of a field: nested configs, tuples of them, or a plain value of the right type."""
    if is_dataclass(kind) and isinstance(kind, type):
        return built(kind, value, where)
    if get_origin(kind) is tuple:
        inside, of_tables = get_args(kind)[0], is_dataclass(get_args(kind)[0])
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise ConfigError(f"{where}: a list of {'tables' if of_tables else 'names'} was expected; got {value!r}.")
        return tuple(value_of(inside, each, where) if of_tables else str(each) for each in value)
    wanted = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if kind is int and isinstance(value, float) and value.is_integer():  # 1e6 is a whole number too
        return int(value)
    if kind in wanted and (not isinstance(value, kind) or (kind is int and isinstance(value, bool))):
        raise ConfigError(f"{where}: {wanted[kind]} was expected; got {value!r}.")
    return dict(value) if isinstance(value, Mapping) else value
