"""A TOML or JSON file as nested tables, decimals kept as the text that was written."""

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from clearhead.errors import InputError
from clearhead.working.fields import one_line, shown

LARGEST_FILE = 256_000  # bytes
DIGITS_KEPT = 300  # longer runs are cut: no such number can be worked, and the cut one is refused by its key
LONG_DIGITS = re.compile(rf"[0-9_]{{{DIGITS_KEPT},}}")
DOTTED = re.compile(
    r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){8}"""
)  # tomllib takes long ones to pieces slowly


def read_tree(path: Path) -> Mapping[str, Any]:
    """The file as nested tables, decimals kept as the text that was written."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
        if len(data) > LARGEST_FILE:
            raise InputError(f"more than {LARGEST_FILE:,} bytes; a problem file is at most that long")
        text = LONG_DIGITS.sub(lambda run: run[0][:DIGITS_KEPT], data.decode("utf-8-sig"))
        tree = read_text(text, path.suffix == ".json" or text.lstrip().startswith("{"))
        if not isinstance(tree, dict):
            raise InputError(f"must be a table with kind and given, but is {shown(tree)}")
    except OSError as error:
        raise InputError(one_line(f"{path}: {error.strerror or error}")) from None
    except UnicodeDecodeError as error:
        raise InputError(one_line(f"{path}: byte {error.start + 1} is not UTF-8; save the file as UTF-8")) from None
    except InputError as error:
        raise InputError(one_line(f"{path}: {error}")) from None
    return tree


def read_text(text: str, as_json: bool) -> Any:
    language = "JSON" if as_json else "TOML"
    try:
        return read_json(text) if as_json else read_toml(text)
    except RecursionError:
        raise InputError(f"not valid {language} for a problem: nested too deeply") from None
    except ValueError as error:
        raise InputError(f"not valid {language}: {error}") from None


def read_toml(text: str) -> Any:
    if DOTTED.search(text):
        raise InputError("not valid TOML for a problem: a key with more than 8 parts; keys look like given.X")
    return tomllib.loads(text, parse_float=str)


def read_json(text: str) -> Any:
    return json.loads(text, parse_float=str, parse_constant=str, object_pairs_hook=read_pairs)


def read_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; a key that stands there twice would silently hide the first."""
    table = dict(pairs)
    if len(table) < len(pairs):
        twice = next(key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i]))
        raise InputError(f"{shown(twice)} stands twice in one object; keep one")
    return table
