"""The text of a document: bytes of any encoding, notebooks, Word files, PDFs with a text layer; all with limits."""

import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any
from xml.etree import ElementTree

from clearhead.errors import InputError

LARGEST_FILE = 1_000_000  # bytes of a text
LARGEST_DOCUMENT = 10_000_000  # bytes of a Word file or a PDF, packed
LARGEST_UNPACKED = 8_000_000  # bytes of what is inside
MOST_PAGES = 60
WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
MATHS = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
BINARY = (".docx", ".pdf")
TAGS = re.compile(r"<[^<>]{1,200}>")


def document_text(data: bytes, path: PurePath | None) -> tuple[str, int]:
    """The text of a file's bytes, and the line from which it could not be decoded throughout; 0 where it could."""
    name = str(path) if path is not None else "the text"
    suffix = path.suffix.lower() if path is not None else ""
    limit = LARGEST_DOCUMENT if suffix in BINARY else LARGEST_FILE
    if len(data) > limit:
        raise InputError(f"{name}: {len(data):,} bytes; a working has at most {limit:,}")
    if suffix == ".docx" or (path is not None and data[:4] == b"PK\x03\x04"):
        return word_text(data, name), 0
    if suffix == ".pdf" or (path is not None and data[:5] == b"%PDF-"):
        return pdf_text(data, name), 0
    return decoded(data)


def decoded(data: bytes) -> tuple[str, int]:
    """Text as UTF-8, or as UTF-16 where its first bytes or its zeros say so."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", errors="replace"), 0
    if data[:200:2].count(0) > 50 or data[1:200:2].count(0) > 50:
        return data.decode("utf-16-le" if data[1:2] == b"\0" else "utf-16-be", errors="replace"), 0
    try:
        return data.decode("utf-8-sig"), 0
    except UnicodeDecodeError as error:
        return data.decode("utf-8-sig", errors="replace"), data.count(b"\n", 0, error.start) + 1


def word_text(data: bytes, name: str) -> str:
    """The paragraphs and tables of a Word file."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed, packed.open("word/document.xml") as inside:
            xml = inside.read(LARGEST_UNPACKED + 1)
    except (zipfile.BadZipFile, KeyError, OSError, EOFError, RuntimeError, NotImplementedError, ValueError):
        raise InputError(f"{name}: cannot be read as a Word file") from None
    if len(xml) > LARGEST_UNPACKED:
        raise InputError(f"{name}: unpacks to more than {LARGEST_UNPACKED:,} bytes")
    if b"<!DOCTYPE" in xml or b"<!ENTITY" in xml:
        raise InputError(f"{name}: a Word file declares no entities; this one is not read")
    try:
        body = ElementTree.fromstring(xml).find(f"{WORD}body")
    except ElementTree.ParseError:
        raise InputError(f"{name}: cannot be read as a Word file") from None
    return "\n".join(word_lines(body)) if body is not None else ""


def word_lines(body: ElementTree.Element) -> Iterator[str]:
    for element in body:
        if element.tag == f"{WORD}tbl":
            for row in element.iter(f"{WORD}tr"):
                yield "| " + " | ".join(paragraph_text(cell) for cell in row.iter(f"{WORD}tc")) + " |"
            yield ""
        elif element.tag == f"{WORD}p":
            yield paragraph_text(element)


def paragraph_text(element: ElementTree.Element) -> str:
    signs = {f"{WORD}tab": "\t", f"{WORD}br": "\n", f"{WORD}cr": "\n"}
    kept = (f"{WORD}t", f"{MATHS}t")
    return "".join(signs.get(part.tag) or (part.text or "" if part.tag in kept else "") for part in element.iter())


def pdf_text(data: bytes, name: str) -> str:
    """The text layer of a PDF."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        pages = PdfReader(io.BytesIO(data)).pages
        if len(pages) > MOST_PAGES:
            raise InputError(f"{name}: {len(pages)} pages; a working has at most {MOST_PAGES}")
        texts: list[str] = []
        for page in pages:
            texts.append(page.extract_text())
            if sum(map(len, texts)) > LARGEST_FILE:
                raise InputError(f"{name}: more than {LARGEST_FILE:,} characters of text")
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, OSError):
        raise InputError(f"{name}: cannot be read as a PDF") from None
    text = "\n\n".join(texts)
    if not text.strip():
        raise InputError(f"{name}: this PDF has no text in it; a scan must be typed or read by an OCR program first")
    return text


def notebook_text(tree: Any) -> str | None:
    """The text of a notebook's cells, what they printed among it; None if the tree is no notebook."""
    cells = tree.get("cells") if isinstance(tree, dict) else None
    if not isinstance(cells, list) or "nbformat" not in tree:
        return None
    return "\n\n".join(part for cell in cells if isinstance(cell, dict) for part in cell_parts(cell))


def cell_parts(cell: dict[str, Any]) -> Iterator[str]:
    yield joined(cell.get("source", ""))
    outputs = cell.get("outputs", [])
    for output in outputs if isinstance(outputs, list) else ():
        if not isinstance(output, dict):
            continue
        shown = output.get("data", {})
        text = output.get("text") or (shown.get("text/plain") if isinstance(shown, dict) else "")
        if text:
            yield TAGS.sub("", joined(text))


def joined(source: Any) -> str:
    return "".join(map(str, source)) if isinstance(source, list) else str(source)
