"""From bytes to text: decoding, and lines and columns as a person counts them."""

import codecs
import io
import tokenize

from clearhead.errors import InputError

LARGEST = 4_000_000  # bytes; a source with a thousand layers has a hundredth of it


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


def line_of(text: str, line: int) -> str:
    lines = lines_in(text)
    return lines[line - 1] if 0 < line <= len(lines) else ""
