"""Word files, PDFs, notebooks and UTF-16 give their text; bombs and broken ones are refused in one line."""

import io
import json
import zipfile
from pathlib import Path

import pytest

from clearhead.errors import InputError
from clearhead.working import load_problem
from clearhead.working.marking import Marker
from clearhead.working.reading import read_working
from clearhead.working.reading.files.documents import document_text

MARKER = Marker(load_problem({"kind": "softmax", "given": {"z": [1, 2]}}))
NAMESPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def cells_of(source: bytes, suffix: str, folder: Path) -> dict[str, int]:
    path = folder / f"working{suffix}"
    path.write_bytes(source)
    reading = read_working(path, MARKER.key.plan, worked=MARKER.key.exact)
    return {name: len(step.cells) for name, step in reading.steps.items()}


def word_file(body: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", f'<w:document xmlns:w="{NAMESPACE}"><w:body>{body}</w:body></w:document>')
    return packed.getvalue()


def paragraph(text: str) -> str:
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def test_a_word_file_is_read_by_its_paragraphs_and_tables(tmp_path: Path) -> None:
    body = paragraph("exponentials = [2.718, 7.389]") + paragraph("probabilities = [0.269, 0.731]")
    assert cells_of(word_file(body), ".docx", tmp_path) == {"exponentials": 2, "probabilities": 2}
    cell = "<w:tc>{}</w:tc>".format
    table = f"<w:tbl><w:tr>{cell(paragraph('a'))}{cell(paragraph('0.5'))}</w:tr></w:tbl>"
    assert "| a | 0.5 |" in document_text(word_file(table), Path("x.docx"))[0]


def test_utf_16_is_read(tmp_path: Path) -> None:
    text = "probabilities = [0.269, 0.731]"
    for encoding in ("utf-16", "utf-16-le"):
        assert cells_of((text * 4 if encoding == "utf-16-le" else text).encode(encoding), ".txt", tmp_path)


def test_what_a_notebook_printed_is_read(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["Shares"]},
        {
            "cell_type": "code",
            "source": "print(p)",
            "outputs": [{"name": "stdout", "text": ["probabilities = [0.269, 0.731]\n"]}],
        },
    ]
    book = json.dumps({"nbformat": 4, "cells": cells}).encode()
    assert cells_of(book, ".ipynb", tmp_path) == {"probabilities": 2}


def test_a_pdf_without_text_is_called_a_scan() -> None:
    from pypdf import PdfWriter

    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    packed = io.BytesIO()
    writer.write(packed)
    with pytest.raises(InputError, match="no text in it"):
        document_text(packed.getvalue(), Path("scan.pdf"))


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"PK\x03\x04 no archive", "a.docx"),
        (b"%PDF-1.7 nothing", "a.pdf"),
        (word_file("<w:p>" + "<w:r><w:t>1</w:t></w:r>" * 400_000 + "</w:p>"), "bomb.docx"),
    ],
)
def test_what_is_broken_or_a_bomb_is_refused(data: bytes, name: str) -> None:
    with pytest.raises(InputError) as refused:
        document_text(data, Path(name))
    assert "\n" not in str(refused.value)


def test_entities_are_refused() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("word/document.xml", '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>')
    with pytest.raises(InputError, match="entities"):
        document_text(packed.getvalue(), Path("x.docx"))
