"""From bytes to a syntax tree: decoding, faults with their line and column, and commas that are missing."""

import ast
import codecs
import io
import keyword
import tokenize
import warnings
from dataclasses import dataclass

from clearhead.errors import InputError

LARGEST = 4_000_000  # bytes; a source with a thousand layers has a hundredth of it
MOST_COMMAS = 200


@dataclass(frozen=True, slots=True)
class Edit:
    """Write `text` over the bytes from `start` to `end` of the source."""

    start: int
    end: int
    text: str

    def apply(self, source: str) -> str:
        data = source.encode()
        return (data[: self.start] + self.text.encode() + data[self.end :]).decode()


@dataclass(frozen=True, slots=True)
class Comma:
    """A comma that is missing: behind this column of this line."""

    line: int
    column: int  # in characters, counted from 0
    before: str  # what stands in front of it
    after: str  # what comes behind it
    edit: Edit


def decode(data: bytes, title: str) -> str:
    """The text of a source file; says where it is not text."""
    if len(data) > LARGEST:
        raise InputError(f"{title} has {len(data):,} bytes; a source of at most {LARGEST:,} can be read.")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise InputError(f"{title}, line 1, column 1: this is UTF-16; save it as UTF-8.")
    try:
        text = data.decode(encoding_of(data))
    except UnicodeDecodeError as error:
        line, column = place(data[: error.start].decode("utf-8", "replace"))
        raise InputError(
            f"{title}, line {line}, column {column}: the byte {data[error.start]:#04x} is not {error.encoding} text."
        ) from None
    except (SyntaxError, LookupError) as error:  # an encoding line that names no encoding
        raise InputError(f"{title}, line 1, column 1: {' '.join(str(error).split())}.") from None
    text = text.removeprefix("\ufeff")
    if "\0" in text:
        line, column = place(text[: text.index(chr(0))])
        raise InputError(f"{title}, line {line}, column {column}: a null byte; this is not Python source.")
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise InputError(f"{title}, line 1, column 1: the text holds half a character (a surrogate).")
    return text


def encoding_of(data: bytes) -> str:
    """The encoding that the first two lines name, or UTF-8."""
    try:
        return tokenize.detect_encoding(io.BytesIO(data).readline)[0]
    except SyntaxError as error:
        if "unknown encoding" in str(error):
            raise
        return "utf-8"  # a byte that is not UTF-8 stands in the first lines: decoding will say where


def place(before: str) -> tuple[int, int]:
    """Line and column, counted from 1, of what comes behind a text."""
    lines = lines_in(before)
    return len(lines), len(lines[-1]) + 1


def lines_in(text: str) -> list[str]:
    """The lines of a text as Python counts them; a form feed ends no line."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


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


def line_of(text: str, line: int) -> str:
    lines = lines_in(text)
    return lines[line - 1] if 0 < line <= len(lines) else ""


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


def mend_commas(text: str) -> tuple[str, list[Comma]]:
    """Put in the commas that are missing between things in brackets, one fault after the other.

    >>> mend_commas("f(a b)")[0]
    'f(a, b)'
    """
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


def fault_of(text: str) -> tuple[int, int] | None:
    """Line and column of the first fault in the syntax, or None."""
    try:
        tree_of(text)
    except SyntaxError as error:
        return error.lineno or 1, error.offset or 1
    except (RecursionError, MemoryError, ValueError):
        return None
    return None


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


@dataclass(frozen=True, slots=True)
class Ended:
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
