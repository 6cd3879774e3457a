"""From text to a syntax tree; a fault is one sentence with its line and column."""

import ast
import warnings

from clearhead.errors import InputError
from clearhead.layers.source.file_text import line_of, place


def parse(text: str, title: str) -> ast.Module:
    """The syntax tree; a fault becomes one sentence with its line and column."""
    try:
        return tree_of(text)
    except SyntaxError as error:
        line, column = error.lineno or 1, error.offset or 1
        shown = line_of(text, line).strip()[:60]
        raise InputError(f"{title}, line {line}, column {column}: {error.msg}{f': {shown}' if shown else ''}") from None
    except (RecursionError, MemoryError):
        line, column = deepest(text)
        raise InputError(f"{title}, line {line}, column {column}: nested too deeply to be read.") from None
    except ValueError as error:
        raise InputError(f"{title}, line 1, column 1: {error}") from None


def tree_of(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a source's own warnings, such as an unknown escape, are not ours to raise
        return ast.parse(text)


def deepest(text: str) -> tuple[int, int]:
    """Where brackets stand deepest inside one another, or else the middle of the longest line."""
    depth, most, where = 0, 0, -1
    for at, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if depth > most:
            most, where = depth, at
    if most < 20:
        lines = text.split("\n")
        longest = max(range(len(lines)), key=lambda n: len(lines[n]))
        return longest + 1, 1
    return place(text[:where])


def fault_of(text: str) -> tuple[int, int] | None:
    """Line and column of the first fault in the syntax, or None."""
    try:
        tree_of(text)
    except SyntaxError as error:
        return error.lineno or 1, error.offset or 1
    except (RecursionError, MemoryError, ValueError):
        return None
    return None


def line_starts(text: str) -> list[int]:
    """Where each line begins, in bytes."""
    starts, at = [], 0
    for line in text.encode().splitlines(keepends=True):
        starts.append(at)
        at += len(line)
    return [*starts, at]


def span(node: ast.AST, starts: list[int]) -> tuple[int, int]:
    """The bytes of the source that a node covers."""
    line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
    end_line, end_column = getattr(node, "end_lineno", line), getattr(node, "end_col_offset", column)
    return starts[line - 1] + column, starts[end_line - 1] + end_column
