"""A TOML or JSON file as nested tables, decimals kept as the text that was written."""

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from clearhead.errors import InputError
from clearhead.working.fields import one_line, shown

LARGEST_FILE = 256_000  # bytes
DIGITS_KEPT = 300  # longer runs are cut: no such number can be worked, and the cut one is refused by its key
LONG_DIGITS = re.compile(rf"[0-9_]{{{DIGITS_KEPT},}}")
DOTTED = re.compile(
    r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){8}"""
)  # tomllib takes long ones to pieces slowly

QUOTED = r"\"[^\"\n]*\"|'[^'\n]*'"
COMMENT = r"(?<!\S)#.*"
BARE_FRACTION = r"[\[,=:]\s*([+-]?\d+\s*/\s*\d+)"
YAML_LINE = r"\s*(?:-\s+)?[A-Za-z_]\w*:(?:\s|$)"


def read_tree(path: Path) -> Mapping[str, Any]:
    """A file as nested tables."""
    try:
        with path.open("rb") as file:
            return read_stream(file, str(path), as_json=path.suffix == ".json")
    except OSError as error:
        raise InputError(one_line(f"{path}: {error.strerror or error}")) from None


def read_stream(stream: BinaryIO, name: str, as_json: bool = False) -> Mapping[str, Any]:
    """What a stream holds, TOML or JSON, as nested tables; errors carry its name."""
    try:
        data = stream.read(LARGEST_FILE + 1)
        if len(data) > LARGEST_FILE:
            raise InputError(f"more than {LARGEST_FILE:,} bytes; a problem file is at most that long")
        text = LONG_DIGITS.sub(lambda run: run[0][:DIGITS_KEPT], data.decode("utf-8-sig"))
        tree = read_text(text, as_json or text.lstrip().startswith("{"))
        if not isinstance(tree, dict):
            raise InputError(f"must be a table with kind and given, but is {shown(tree)}")
    except UnicodeDecodeError as error:
        raise InputError(one_line(f"{name}: byte {error.start + 1} is not UTF-8; save the file as UTF-8")) from None
    except InputError as error:
        raise InputError(one_line(f"{name}: {error}")) from None
    return tree


def read_text(text: str, as_json: bool) -> Any:
    """The text as TOML or JSON; where it is neither, why, and what it looks like instead."""
    language = "JSON" if as_json else "TOML"
    try:
        return read_json(text) if as_json else read_toml(text)
    except RecursionError:
        raise InputError(f"not valid {language} for a problem: nested too deeply") from None
    except ValueError as error:
        raise InputError(f"not valid {language}: {likely_cause(text) or error}") from None


def likely_cause(text: str) -> str:
    """What most often stands behind a file that cannot be read: a fraction without quotes, or YAML.

    >>> likely_cause("[given]\\nz = [1, 1/2]")
    'line 2: a fraction stands in quotes: "1/2"'
    """
    lines = [(number, re.sub(COMMENT, "", line)) for number, line in enumerate(text.splitlines(), start=1)]
    for number, line in lines:
        if found := re.search(BARE_FRACTION, re.sub(QUOTED, lambda words: " " * len(words[0]), line)):
            return f'line {number}: a fraction stands in quotes: "{found[1]}"'
    if any(re.match(YAML_LINE, line) for _, line in lines) and not any("=" in line for _, line in lines):
        return 'it looks like YAML; write TOML (kind = "softmax") or JSON ({"kind": "softmax"})'
    return ""


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
