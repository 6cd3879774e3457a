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
from clearhead.working import Working, work
from clearhead.working.file_tree import read_tree
from clearhead.working.variants.sheet_page import HIDDEN
from clearhead.working.variants.spreadsheet import spreadsheet
from clearhead.working.variants.variants import vary
from oracle.spreadsheet import Workbook, column_name

NAMES = [name.removesuffix(".toml") for name in examples.names((".toml",))]
QKV = {"Q": [[1, 0], [2, 1]], "K": [[1, 1], [0, 2], [1, -1]], "V": [[1, 0], [0, 1], [2, 2]]}
LOGISTIC = {"kind": "gradient", "given": {"x": [1, -2, 3], "y": 0, "w": [2, -2, 1]}, "options": {"of": "logistic"}}
INPUT = {"input": [3, 17, 20]}
IMAGE = [[1, 2, 0, 3], [0, 1, 3, 1], [2, 1, 1, 0], [1, 0, 2, 2]]
KINDS: dict[str, dict[str, Any]] = {
    "a scale": {"kind": "attention", "given": QKV, "options": {"scale": 0.25}},
    "padding": {"kind": "attention", "given": QKV, "options": {"mask": "padding", "lengths": 2}},
    "a table of a mask": {"kind": "attention", "given": QKV, "options": {"mask": [[1, 0, 1], [1, 1, 0]]}},
    "an added mask": {"kind": "attention", "given": QKV, "options": {"mask": [[0, -1, "-inf"], [2, 0, 0]]}},
    "two heads of one matrix": {
        "kind": "attention",
        "given": {
            "X": [[1, 0, 2, 1], [0, 1, 1, -1]],
            "W_Q": [[1, 0, 0, 1], [0, 1, 1, 0], [1, 1, 0, 0], [0, 0, 1, -1]],
            "W_K": [[0, 1, 1, 0], [1, 0, 0, 1], [0, 0, 1, 1], [1, -1, 0, 0]],
            "W_V": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]],
            "heads": 2,
        },
    },
    "steep scores": {"kind": "attention", "given": {**QKV, "Q": [[900, 0], [2, -800]]}},
    "the limit of a softmax": {"kind": "softmax", "given": {"z": [2, 5, 5]}, "options": {"temperature": 0}},
    "a shifted softmax": {"kind": "softmax", "given": {"z": [900, 899, 1]}},
    "no penalty": LOGISTIC,
    "labels of -1 and 1": {**LOGISTIC, "given": {**LOGISTIC["given"], "y": -1}},
    "a penalty": {**LOGISTIC, "options": {"of": "logistic", "penalty": "l2", "lambda": 0.5, "rate": 0.1}},
    "a largest weight": {**LOGISTIC, "options": {"of": "logistic", "penalty": "max-norm", "lambda": 0.5}},
    "log-probabilities": {"kind": "perplexity", "given": {"log_probabilities": [-1, -2, -0.5]}},
    "strides": {"kind": "convolution", "given": INPUT, "options": {"filters": 4, "kernel": [3, 5], "stride": [2, 3]}},
    "a pooled size": {"kind": "convolution", "given": INPUT, "options": {"op": "max", "kernel": 3, "padding": 1}},
    "an image": {
        "kind": "convolution", "given": {"image": IMAGE, "filter": [[1, 0], [-1, 2]], "shift": 1}, "options": {"padding": 1}
    },
    "two channels": {
        "kind": "convolution",
        "given": {"image": [IMAGE, IMAGE[::-1]], "filter": [[[1, 0], [-1, 2]], [[0, 1], [1, 0]]]},
        "options": {"stride": 2},
    },
    "the largest of a window": {"kind": "convolution", "given": {"image": IMAGE}, "options": {"op": "max", "kernel": 2}},
    "the average of a window": {
        "kind": "convolution", "given": {"image": IMAGE}, "options": {"op": "average", "kernel": 3, "stride": 1, "padding": 1}
    },
    "a wanted distance": {
        "kind": "geometry",
        "given": {"K": [[1, 0], [0, 1]], "V": [[1, 2], [3, -1]], "j": 2, "within": 0.01},
        "options": {"question": "copy"},
    },
    "words that overlap": {
        "kind": "bpe", "given": {"words": ["aaaa", "Aab", "baa"], "counts": [3, 4, 2]}, "options": {"merges": 3}
    },
    "equal beams": {
        "kind": "beam",
        "given": {"vocabulary": ["a", "b"], "start": [0.5, 0.5], "P": [[0.5, 0.5], [0.25, 0.75]]},
        "options": {"width": 2, "length": 4},
    },
}  # fmt: skip
SOURCES: dict[str, Any] = {**{name: name for name in NAMES}, **KINDS}


def float_of(cell: Any) -> float:
    return HIDDEN if cell == float("-inf") else as_float(cell)


def tables_in(data: bytes, working: Working) -> dict[str, list[list[str]]]:
    """Where each given and each step stands: the bordered cells below its own line."""
    book = Workbook(data)
    titles = {name: name for name in working.plan.given}
    titles |= {f"{step.name} = {step.formula}": step.name for step in working.plan.steps if step.rule}
    found: dict[str, list[list[str]]] = {}
    for place, words in book.texts.items():
        name = titles.get(words, "")
        if words.startswith("words and counts"):
            name = "counts"
        if name and place.startswith("A"):
            row = int(place[1:]) + 1
            height, width = working.values[name].shape
            if isinstance({**book.numbers, **book.texts, **book.stored}.get(f"B{row}"), str):
                row += 1  # labels stand above
            found[name] = [[f"{column_name(2 + j)}{row + i}" for j in range(width)] for i in range(height)]
    return found


def agrees(numbers: dict[str, Any], data: bytes, working: Working) -> list[str]:
    """Steps whose cells are not what the working says."""
    wrong = []
    for name, places in tables_in(data, working).items():
        for row, cells in zip(places, working.values[name].rows, strict=True):
            for place, cell in zip(row, cells, strict=True):
                expected = float_of(cell)
                if abs(numbers[place] - expected) > 1e-9 * max(1.0, abs(expected)):
                    wrong.append(f"{name} at {place}: {numbers[place]} for {expected}")
    return wrong


@pytest.mark.parametrize("name", SOURCES)
def test_every_formula_worked_again_gives_the_working(name: str) -> None:
    for round_to in ("exact", None if name in NAMES else 2):
        working = work(SOURCES[name], round=round_to)
        data = spreadsheet(working)
        book = Workbook(data)
        tables = tables_in(data, working)
        assert agrees(book.worked(), data, working) == []
        assert agrees({**book.numbers, **book.stored}, data, working) == [], "what is stored"
        steps = {step.name for step in working.plan.steps if step.rule}
        assert steps <= set(tables)
        places = [place for step in steps for row in tables[step] for place in row]
        assert set(places) <= set(book.formulas), "a step that is not live"
        assert all(
            book.stored[place] == value or isinstance(value, float)
            for place, value in book.worked().items()
            if place in book.stored
        )


def test_a_changed_given_changes_everything_after_it() -> None:
    tree: dict[str, Any] = {
        "kind": "formula",
        "given": {"x": [[1, 2]], "W": [[1, 0], [-1, 1]], "b": [0, 1]},
        "steps": {"u": "x W + b", "h": "tanh(u)", "p": "softmax(h W)"},
    }
    data = spreadsheet(work(tree))
    book = Workbook(data)
    changed = work({**tree, "given": {**tree["given"], "x": [[1, 5]]}})
    [place] = [row[1] for row in tables_in(data, changed)["x"]]
    assert agrees(book.worked(**{place: 5.0}), data, changed) == []
    assert agrees(book.worked(), data, changed) != []  # the check rejects the old numbers


@pytest.mark.parametrize("name", SOURCES)
def test_all_givens_of_a_variant_put_in_give_its_working(name: str) -> None:
    """The sheet of the original, with every yellow cell changed to that of a variant, comes to the variant's numbers."""
    source = SOURCES[name]
    original = work(source)
    for variant in (vary(source, 1, seed) for seed in range(1, 4)):
        [made] = variant
        wanted = work({**made.tree, "options": tree_of(source).get("options", {})})
        if [step.formula for step in wanted.plan.steps] == [step.formula for step in original.plan.steps]:
            data = spreadsheet(original)
            places = tables_in(data, original)
            changed = {
                place: float_of(cell)
                for given, table in wanted.plan.given.items()
                for row, cells in zip(places[given], table.rows, strict=True)
                for place, cell in zip(row, cells, strict=True)
            }
            assert agrees(Workbook(data).worked(**changed), data, wanted) == []
            assert agrees(Workbook(data).worked(), data, wanted) != []
            return
    pytest.skip("its variants have other words")


def tree_of(source: Any) -> Any:
    return read_tree(examples.find(source, (".toml",))) if isinstance(source, str) else source


def test_other_words_give_other_merges() -> None:
    tree = {"kind": "bpe", "given": {"words": ["low", "lower", "newest"], "counts": [5, 2, 6]}, "options": {"merges": 3}}
    data = spreadsheet(work(tree))
    others = {**tree, "given": {"words": ["slow", "wow", "lowest"], "counts": [5, 7, 1]}}
    book = Workbook(data)
    words = next(
        f"{column_name(2 + n)}{int(place[1:]) + 1}" for place, w in book.texts.items() if w.startswith("words") for n in [0]
    )
    row = int(words[1:])
    changed: dict[str, Any] = {f"{column_name(2 + n)}{row}": word for n, word in enumerate(others["given"]["words"])}
    changed |= {f"{column_name(2 + n)}{row + 1}": float(count) for n, count in enumerate(others["given"]["counts"])}
    worked, wanted = book.worked(**changed), work(others)
    found = tables_in(data, wanted)
    for step in wanted.plan.steps:
        got = [worked[place] for place in found[step.name][0]]
        assert got == [as_float(cell) for cell in wanted.values[step.name].rows[0]]


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
    for name in NAMES:
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
        wrong += [f"{name}: {fault}" for fault in agrees(numbers, spreadsheet(working), working)]
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
