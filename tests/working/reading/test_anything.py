"""Random tables in every style read back as themselves; any text and any bytes give a reading."""

from fractions import Fraction

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clearhead.exact.decimals import decimal_text
from clearhead.working import Working, load_problem, work
from clearhead.working.reading import read_working
from clearhead.working.written import Reading

WORKING: Working = work(load_problem("examples/self-attention"), round="exact")
SETTINGS = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
NAMES = ("Q", "K", "V", "scores", "weights", "output")

PIECES = st.sampled_from(
    ["Q", "K^T", "QK^T", "softmax(", ")", "=", "≈", "→", ":", "\n", "\n\n", "[", "]", "[[", "]]", ",", ";", "1", "-2",
    "0.5", "5/2", "2 1/2",
     r"\begin{bmatrix}", r"\end{bmatrix}", " & ", r" \\ ", "$", "$$", "|", "|---|", "Q_{11}", "Q[0][1]", "q_1", "Row 2",
     "Head 2", "#", "?",
     "e^{", "}", "{", "(", r"\frac{", r"\sqrt{", "~~", "<table>", "<td>", "</table>", "⎡", "⎤", "⎣", "⎦", "⎢", "⎥", "½",
     "∞", "\t", "  ", "x",
     "scores", "step,row,column,value\n", '{"Q":', '"', "\\", "%", "^T", "+", "·", "…", "```", "9" * 50, "\x00",
     "\U000f0001", "é", "\r"],
)  # fmt: skip


def read(source: "str | bytes") -> Reading:
    return read_working(source, WORKING.plan, worked=WORKING.values)


def decimals(places: int) -> st.SearchStrategy[Fraction]:
    return st.integers(-(10**places) * 20, 10**places * 20).map(lambda n: Fraction(n, 10**places))


@st.composite
def written_table(draw: st.DrawFn) -> tuple[str, list[list[Fraction]], list[list[str]]]:
    """A step's name, its cells, and the text of each: decimals, fractions, LaTeX, percents, mixed numbers."""
    name = draw(st.sampled_from(NAMES))
    rows, columns = WORKING.values[name].shape
    values = [[draw(decimals(2) | st.fractions(-9, 9, max_denominator=12)) for _ in range(columns)] for _ in range(rows)]
    form = draw(st.sampled_from(["decimal", "fraction", "latex", "mixed"]))
    return name, values, [[cell_text(value, form) for value in row] for row in values]


def cell_text(value: Fraction, form: str) -> str:
    sign, size = ("-" if value < 0 else ""), abs(value)
    if (100 * value).denominator == 1 and form == "decimal":
        return decimal_text(value, 2)
    if size.denominator == 1:
        return str(value)
    if form == "latex":
        return rf"{sign}\frac{{{size.numerator}}}{{{size.denominator}}}"
    if form == "mixed" and size > 1:
        whole = int(size)
        return rf"{sign}{whole}\frac{{{(size - whole).numerator}}}{{{size.denominator}}}"
    return str(value)


def styles(name: str, cells: list[list[str]]) -> dict[str, str]:
    latex = " \\\\\n".join(" & ".join(row) for row in cells)
    columns = range(len(cells[0]))
    grid = "\n".join("   ".join(row) for row in cells)
    return {
        "bmatrix": rf"$${name} = \begin{{bmatrix}} {latex} \end{{bmatrix}}$$",
        "name last": rf"\[\begin{{pmatrix}} {latex} \end{{pmatrix}} = \mathbf{{{name}}}\]".replace(r"\[", r"\[ ="),
        "list": f"{name} = [{', '.join('[' + ', '.join(row) + ']' for row in cells)}]",
        "MATLAB": f"{name} = [{'; '.join(', '.join(row) for row in cells)}]",
        "grid": f"{name}:\n\n{grid}\n",
        "Markdown": f"## {name}\n\n|{'|'.join(' ' for _ in columns)}|\n|{'---|' * len(cells[0])}\n"
        + "\n".join(f"| {' | '.join(row)} |" for row in cells),
        "HTML": f"{name}<table>{''.join('<tr>' + ''.join(f'<td>{c}</td>' for c in row) + '</tr>' for row in cells)}</table>",
        "cells": "\n".join(f"{name}_{{{i + 1}{j + 1}}} = {cells[i][j]}" for i in range(len(cells)) for j in columns),
        "cells from 0": "\n".join(f"{name}[{i}][{j}] = {cells[i][j]}" for i in range(len(cells)) for j in columns),
        "rows": f"{name}\n" + "\n".join(f"Row {i + 1}: [{', '.join(row)}]" for i, row in enumerate(cells)),
        "long CSV": "step,row,column,value\n"
        + "\n".join(f"{name},{i + 1},{j + 1},{cells[i][j]}" for i in range(len(cells)) for j in columns),
    }


@SETTINGS
@given(written_table())
def test_a_random_table_reads_back_in_every_style(table: tuple[str, list[list[Fraction]], list[list[str]]]) -> None:
    name, values, cells = table
    expected = {(i, j): value for i, row in enumerate(values) for j, value in enumerate(row)}
    for style, text in styles(name, cells).items():
        reading = read(text)
        assert name in reading.steps, (style, text)
        assert {place: cell.value for place, cell in reading.steps[name].cells.items()} == expected, (style, text)
        assert reading.unreadable == (), (style, text)
        assert reading.steps.keys() == {name}


@SETTINGS
@given(written_table(), st.data())
def test_a_cell_left_out_is_left_out(table: tuple[str, list[list[Fraction]], list[list[str]]], data: st.DataObject) -> None:
    name, values, cells = table
    i = data.draw(st.integers(0, len(cells) - 1))
    j = data.draw(st.integers(0, len(cells[0]) - 1))
    cells[i][j] = "?"
    expected = {(a, b): value for a, row in enumerate(values) for b, value in enumerate(row) if (a, b) != (i, j)}
    for style in ("bmatrix", "list", "MATLAB", "grid", "Markdown"):
        reading = read(styles(name, cells)[style])
        assert {place: cell.value for place, cell in reading.steps[name].cells.items()} == expected, style


@settings(deadline=None, max_examples=400)
@given(st.lists(PIECES, max_size=60).map("".join))
def test_pieces_of_workings_in_any_order_give_a_reading(text: str) -> None:
    reading = read(text)
    assert isinstance(reading, Reading)
    for step in reading.steps.values():
        assert all(i >= 0 and j >= 0 for i, j in step.cells)
        assert all(1 <= cell.line <= text.count("\n") + text.count("\r") + 1 for cell in step.cells.values())


@settings(deadline=None, max_examples=200)
@given(st.binary(max_size=300) | st.text(max_size=300))
def test_any_bytes_and_any_text_give_a_reading(source: "bytes | str") -> None:
    assert isinstance(read(source), Reading)


def test_long_and_nested_nonsense_is_read_in_passing() -> None:
    for piece in ("[", "(", "{", "Q = ", "=", "|", "~~", "<table>", "\\begin{bmatrix}", "Q_{", "1 ", "1,", "⎡\n",
    "\\frac{", "Q = [[1]]\n", "\\", "$",
                  "softmax(", "| 1 |\n", "Q:\n1 2\n", "<", "&", "e^{", "`", "Q_{11} = 1·1 + ", "row 1 ", "{\"Q\":",
                  "Head 1: "):  # fmt: skip
        assert isinstance(read(piece * (200_000 // len(piece))), Reading)
