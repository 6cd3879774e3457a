"""Files, folders, CSV, JSON and bytes."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from clearhead.errors import InputError
from clearhead.working import Working, load_problem, work
from clearhead.working.reading import read_working
from clearhead.working.render import render
from clearhead.working.written import Reading

WORKING: Working = work(load_problem("examples/self-attention"), round="exact")
Q = {(0, 0): 1, (0, 1): 3, (1, 0): -1, (1, 1): 1, (2, 0): Fraction(5, 2), (2, 1): -2}


def read(source: "str | bytes | Path") -> Reading:
    return read_working(source, WORKING.plan, worked=WORKING.values)


def values(reading: Reading, name: str = "Q") -> dict[tuple[int, int], object]:
    return {place: cell.value for place, cell in reading.steps[name].cells.items()} if name in reading.steps else {}


@pytest.mark.parametrize(
    "text",
    [
        '{"Q": [[1, 3], [-1, 1], [2.5, -2]]}',
        '{"Q": [["1", "3"], ["-1", "1"], ["5/2", "-2"]], "W_Q": [[0, 1]], "note": "by hand"}',
        '{"steps": [{"name": "Q", "value": [[1.0, 3.0], [-1.0, 1.0], [2.5, -2.0]]}]}',
        '{"steps": {"Q": {"value": [[1, 3], [-1, 1], [2.5, -2]]}}}',
        '{"working": {"queries": [[1, 3], [-1, 1], [2.5, -2]]}}',
        '[{"step": "Q", "value": [[1, 3], [-1, 1], [2.5, -2]]}]',
        '{"q_1": [1, 3], "q_2": [-1, 1], "q_3": [2.5, -2]}',
        '{"Q_11": 1, "Q_12": 3, "Q_21": -1, "Q_22": 1, "Q_31": 2.5, "Q_32": -2}',
        json.dumps([{"step": "Q", "row": i + 1, "column": j + 1, "value": float(v)} for (i, j), v in Q.items()]),
    ],
)
def test_json(text: str) -> None:
    assert values(read(text)) == Q


def test_our_json_keeps_what_json_cannot_say() -> None:
    problem = load_problem("examples/sorter")
    working = work(problem)
    reading = read_working(render(working, "json"), working.plan, worked=working.values)
    assert reading.steps["masked"].cells[0, 1].value == float("-inf")
    assert reading.steps["weights"].cells[4, 1].value == Fraction(1, 3)


def test_cells_left_out_of_json() -> None:
    assert values(read('{"Q": [[1, null], ["?", 1]]}')) == {(0, 0): 1, (1, 1): 1}


def test_json_lines_are_those_of_the_file() -> None:
    assert read('{\n "V": [[1, 2]],\n "Q": [["x1", 3]]\n}').unreadable[0].line == 3


def test_a_notebook_is_read_as_its_text() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Work\n", "Q:\n"]},
        {"cell_type": "code", "source": "[[1, 3], [-1, 1], [2.5, -2]]"},
    ]
    assert values(read(json.dumps({"nbformat": 4, "cells": cells}))) == Q


def test_broken_json_is_read_as_a_page() -> None:
    assert values(read('{"Q": [[1, 3], [-1, 1], [2.5, -2]],')) == Q


@pytest.mark.parametrize(
    ("heading", "line", "base"),
    [
        ("step,row,column,value", "Q,{i},{j},{v}", 1),
        ("step;row;column;value", "Q;{i};{j};{v}", 1),
        ("name\ti\tj\tvalue", "queries\t{i}\t{j}\t{v}", 0),
        ("value,col,row,step", "{v},{j},{i},Q", 1),
    ],
)
def test_a_long_csv(heading: str, line: str, base: int) -> None:
    rows = [line.format(i=i + base, j=j + base, v=v) for (i, j), v in Q.items()]
    reading = read("\n".join([heading, *rows, ""]))
    assert values(reading) == Q
    assert f"counted from {base}" in reading.notes[0].text


def test_an_unknown_step_in_a_long_csv_is_said_once() -> None:
    reading = read("step,row,column,value\nB,1,1,3\nB,1,2,3\nX,1,1,1\nQ,1,1,1\n")
    assert values(reading) == {(0, 0): 1}
    assert [note.line for note in reading.unreadable] == [2]


def test_a_folder_of_csvs(tmp_path: Path) -> None:
    (tmp_path / "Q.csv").write_text("1,3\n-1,1\n5/2,-2\n")
    (tmp_path / "02_K.csv").write_text("dim 1;dim 2\n3;-0,5\n2;-1,5\n-2,5;3,5\n")
    (tmp_path / "attention weights.csv").write_text(",a,b,c\na,0,0,1\nb,0,0,1\nc,0.62,,0\n")
    (tmp_path / "W_Q.csv").write_text("0,1\n")
    (tmp_path / "scratch.csv").write_text("1,2\n")
    (tmp_path / "notes.txt").write_text("Q = [[9, 9], [9, 9], [9, 9]]")
    reading = read(tmp_path)
    assert values(reading) == Q
    assert values(reading, "K")[0, 1] == Fraction(-1, 2)
    assert len(values(reading, "weights")) == 8
    assert [note.text for note in reading.unreadable] == ["scratch.csv: 'scratch' is no step of this problem"]


def test_one_csv_with_every_step(tmp_path: Path) -> None:
    path = tmp_path / "all.csv"
    path.write_text("Q,,\n1,3,\n-1,1,\n2.5,-2,\n,,\nscores\n1.5,-2.5,8\n-3.5,-3.5,6\n8.5,8,-13.25\n")
    reading = read(path)
    assert values(reading) == Q
    assert len(values(reading, "scores")) == 9


def test_a_csv_named_after_its_step(tmp_path: Path) -> None:
    path = tmp_path / "Q.csv"
    path.write_text("1,3\n-1,1\n2.5,-2\n")
    assert values(read(path)) == Q


def test_files_of_any_kind(tmp_path: Path) -> None:
    for name in ("working.md", "working.tex", "working", "working.py"):
        (tmp_path / name).write_text("Q = [[1, 3], [-1, 1], [2.5, -2]]")
        assert values(read(tmp_path / name)) == Q


def test_wrong_utf8_is_tolerated_and_said() -> None:
    reading = read(b"Caf\xe9\nQ = [[1, 3], [-1, 1], [2.5, -2]]")
    assert values(reading) == Q
    assert "not UTF-8" in reading.notes[0].text
    assert reading.notes[0].line == 1


def test_other_line_ends_and_a_mark_at_the_start() -> None:
    assert values(read(b"\xef\xbb\xbfQ:\r\n1 3\r\n-1 1\r\n2.5 -2\r\n")) == Q
    assert values(read("Q:\r1 3\r-1 1\r2.5 -2")) == Q


def test_lines_are_counted_through_tables() -> None:
    text = r"""A

$$Q = \begin{bmatrix}
1 & 3 \\
-1 & 1 \\
2.5 & -2z
\end{bmatrix}$$

K = [[1, 2],
     [3, 4],
     [5, 6]]
V_{11} = 1..2
"""
    reading = read(text)
    assert sorted((note.line, note.step) for note in reading.unreadable) == [(6, "Q"), (12, "V")]
    assert reading.steps["K"].cells[2, 0].line == 11


def test_a_file_that_is_too_large_or_missing_is_refused(tmp_path: Path) -> None:
    big = tmp_path / "big.md"
    big.write_bytes(b"x" * 1_000_001)
    with pytest.raises(InputError, match="at most 1,000,000"):
        read(big)
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "missing.md")
    with pytest.raises(InputError, match="no CSV files"):
        read_working(tmp_path, WORKING.plan)
