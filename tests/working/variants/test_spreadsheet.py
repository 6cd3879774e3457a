"""A spreadsheet follows its givens: worked out again by an engine of the tests, and by LibreOffice where there is one."""

import io
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

from clearhead import examples
from clearhead.exact.decimals import as_float
from clearhead.working import Working, load_problem, work
from clearhead.working.variants.spreadsheet import HIDDEN, spreadsheet
from oracle.spreadsheet import Workbook

NAMES = [name.removesuffix(".toml") for name in examples.names((".toml",))]
FORMULAS = [name for name in NAMES if load_problem(name).kind == "formula"]
LIVE_KINDS = [
    "examples/self-attention",
    "examples/cross-attention",
    "examples/softmax",
    "examples/gradient-softmax",
    "examples/gradient-network",
    "examples/perplexity",
]


def float_of(cell: Any) -> float:
    return HIDDEN if cell == float("-inf") else as_float(cell)


def tables_in(book: Workbook, working: Working) -> dict[str, list[list[str]]]:
    """Where each step stands: below its own line."""
    titles = {name: name for name in working.plan.given}
    titles |= {f"{step.name} = {step.formula}": step.name for step in working.plan.steps if step.rule}
    found: dict[str, list[list[str]]] = {}
    for place, words in book.texts.items():
        name = titles.get(words, "")
        if name and place.startswith("A"):
            row = int(place[1:]) + 1
            height, width = working.values[name].shape
            found[name] = [[f"{chr(ord('B') + j)}{row + i}" if j < 25 else "" for j in range(width)] for i in range(height)]
    return found


def agrees(numbers: dict[str, float], book: Workbook, working: Working) -> list[str]:
    """Steps whose cells are not what the working says."""
    wrong = []
    for name, places in tables_in(book, working).items():
        for row, cells in zip(places, working.values[name].rows, strict=True):
            for place, cell in zip(row, cells, strict=True):
                expected = float_of(cell)
                if abs(numbers[place] - expected) > 1e-9 * max(1.0, abs(expected)):
                    wrong.append(f"{name} at {place}: {numbers[place]} for {expected}")
    return wrong


@pytest.mark.parametrize("name", [*FORMULAS, *LIVE_KINDS])
def test_every_formula_worked_again_gives_the_working(name: str) -> None:
    for round_to in ("exact", None):
        working = work(name, round=round_to)
        book = Workbook(spreadsheet(working))
        assert agrees(book.worked(), book, working) == []
        steps = {step.name for step in working.plan.steps if step.rule}
        assert steps <= set(tables_in(book, working))
        places = [place for step in steps for row in tables_in(book, working)[step] for place in row]
        assert set(places) <= set(book.formulas), "a step that is not live"


@pytest.mark.parametrize("name", FORMULAS)
def test_values_are_stored_too(name: str) -> None:
    working = work(name, round="exact")
    book = Workbook(spreadsheet(working))
    assert agrees({**book.numbers, **book.stored}, book, working) == []


def test_a_changed_given_changes_everything_after_it() -> None:
    tree: dict[str, Any] = {
        "kind": "formula",
        "given": {"x": [[1, 2]], "W": [[1, 0], [-1, 1]], "b": [0, 1]},
        "steps": {"u": "x W + b", "h": "tanh(u)", "p": "softmax(h W)"},
    }
    book = Workbook(spreadsheet(work(tree)))
    changed = work({**tree, "given": {**tree["given"], "x": [[1, 5]]}})
    [place] = [row[1] for row in tables_in(book, changed)["x"]]
    assert agrees(book.worked(**{place: 5.0}), book, changed) == []
    assert agrees(book.worked(), book, changed) != []  # the check rejects the old numbers


def test_text_that_looks_like_a_formula_stays_text() -> None:
    working = work({"kind": "formula", "title": "=1+1", "given": {"x": 1}, "steps": {"u": "x + 1"}})
    book = Workbook(spreadsheet(working))
    assert book.texts["A1"] == "=1+1"
    assert "A1" not in book.formulas
    styles = zipfile.ZipFile(io.BytesIO(spreadsheet(working))).read("xl/styles.xml").decode()
    assert 'quotePrefix="1"' in styles


def test_the_same_working_gives_the_same_bytes() -> None:
    assert spreadsheet(work("examples/mlp")) == spreadsheet(work("examples/mlp"))


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
def test_libreoffice_comes_to_the_same_numbers(tmp_path: Path) -> None:
    """Stored values are taken out of every file first, so that what it says it has worked out itself."""
    from openpyxl import load_workbook

    sources, workings = tmp_path / "in", {}
    sources.mkdir()
    for name in [*FORMULAS, *LIVE_KINDS]:
        working = workings[name.removeprefix("examples/")] = work(name)
        (sources / f"{name.removeprefix('examples/')}.xlsx").write_bytes(without_values(spreadsheet(working)))
    files = [str(path) for path in sorted(sources.iterdir())]
    profile = f"-env:UserInstallation=file://{tmp_path}/profile"
    command = ["soffice", profile, "--headless", "--convert-to", "xlsx", "--outdir", str(tmp_path / "out"), *files]
    subprocess.run(command, check=True, capture_output=True, timeout=600)
    wrong = []
    for name, working in workings.items():
        sheet = load_workbook(tmp_path / "out" / f"{name}.xlsx", data_only=True).worksheets[0]
        numbers = {cell.coordinate: float(cell.value) for row in sheet for cell in row if isinstance(cell.value, int | float)}
        book = Workbook(spreadsheet(working))
        wrong += [f"{name}: {fault}" for fault in agrees(numbers, book, working)]
    assert wrong == []


def without_values(data: bytes) -> bytes:
    source, buffer = zipfile.ZipFile(io.BytesIO(data)), io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as target:
        for item in source.namelist():
            content = source.read(item)
            if item == "xl/worksheets/sheet1.xml":
                content = re.sub(rb"(</f>)<v>[^<]*</v>", rb"\1", content)
            target.writestr(item, content)
    return buffer.getvalue()
