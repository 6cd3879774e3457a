"""Commas that are missing between things in brackets, found and put in."""

import io
import keyword
import tokenize
from typing import NamedTuple

from clearhead.layers.source.edits import Edit
from clearhead.layers.source.file_text import lines_in
from clearhead.layers.source.syntax_tree import fault_of, line_starts

MOST_COMMAS = 50  # put in one by one, where other faults stand between them


class Comma(NamedTuple):
    """A comma that is missing: behind this column of this line."""

    line: int
    column: int  # in characters, counted from 0
    before: str  # what stands in front of it
    after: str  # what comes behind it
    edit: Edit


def mend_commas(text: str) -> tuple[str, list[Comma]]:
    """Put in the commas that are missing between things in brackets, one fault after the other.

    >>> mend_commas("f(a b)")[0]
    'f(a, b)'
    """
    if fault_of(text) is None:
        return text, []
    every = neighbours(text)
    mended = with_commas(text, every)
    if every and fault_of(mended) is None:  # two things side by side in brackets are always a fault
        return mended, every
    commas: list[Comma] = []
    while len(commas) < MOST_COMMAS:
        fault = fault_of(text)
        if fault is None:
            break
        found = missing_comma(text, fault)
        if found is None:
            break
        commas.append(found)
        text = found.edit.apply(text)
    return text, commas


def with_commas(text: str, commas: list[Comma]) -> str:
    """A text with all commas put in at once."""
    data, parts, last = text.encode(), list[bytes](), 0
    for comma in commas:
        parts += [data[last : comma.edit.start], comma.edit.text.encode()]
        last = comma.edit.end
    return b"".join([*parts, data[last:]]).decode()


def missing_comma(text: str, fault: tuple[int, int]) -> Comma | None:
    """The place where a comma takes the fault away, or moves it further down."""
    candidates = [each for each in neighbours(text) if abs(each.line - fault[0]) <= 200]
    candidates.sort(key=lambda each: (abs(each.line - fault[0]), each.line, each.column))
    for candidate in candidates[:20]:
        after = fault_of(candidate.edit.apply(text))
        here = (candidate.line, candidate.column + 1)
        if after is None or (after > fault and after > here):
            return candidate
    return None


def neighbours(text: str) -> list[Comma]:
    """Places inside brackets where one thing ends and the next begins with nothing in between."""
    found: list[Comma] = []
    starts, lines = line_starts(text), lines_in(text)
    depth, last = 0, None
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type in (tokenize.NL, tokenize.COMMENT):
                continue
            if last and depth and ends_something(last) and begins_something(token) and not both_text(last, token):
                line, column = last.end
                at = starts[line - 1] + len(last.line_text[:column].encode())
                found.append(
                    Comma(line, column, last.line_text[:column].strip(), token.string, Edit(at, at, comma_after(last, token)))
                )
            depth += (token.string in "([{" and token.type == tokenize.OP) - (
                token.string in ")]}" and token.type == tokenize.OP
            )
            last = Ended(token.type, token.string, token.end, lines[token.end[0] - 1] if token.end[0] <= len(lines) else "")
    except (tokenize.TokenError, SyntaxError, IndentationError):
        pass  # brackets that never close: what was seen until here still counts
    return found


class Ended(NamedTuple):
    type: int
    string: str
    end: tuple[int, int]
    line_text: str


def comma_after(last: Ended, token: tokenize.TokenInfo) -> str:
    """A comma, and a space where the next thing follows at once or on the same line without one."""
    return ", " if token.start == last.end else ","


def ends_something(token: Ended) -> bool:
    if token.type == tokenize.OP:
        return token.string in (")", "]", "}", "...")
    plain = token.type == tokenize.NAME and (not keyword.iskeyword(token.string) or token.string in ("True", "False", "None"))
    return plain or token.type in (tokenize.NUMBER, tokenize.STRING)


def begins_something(token: tokenize.TokenInfo) -> bool:
    if token.type == tokenize.OP:
        return token.string in ("{", "~", "...")
    words = ("True", "False", "None", "lambda", "await")
    plain = token.type == tokenize.NAME and (not keyword.iskeyword(token.string) or token.string in words)
    return plain or token.type in (tokenize.NUMBER, tokenize.STRING)


def both_text(last: Ended, token: tokenize.TokenInfo) -> bool:
    return last.type == tokenize.STRING and token.type == tokenize.STRING
