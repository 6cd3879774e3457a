"""A problem posed and used from Python: parts by name, arrays of any library, and a working that shows itself."""

import io
import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from clearhead import work
from clearhead.errors import InputError
from clearhead.working import load_problem
from clearhead.working.python_values import plain_values

EYE = [[1, 0], [0, 1]]
PARTS: dict[str, Any] = {"kind": "attention", "X": [[1, 2], [0, 1]], "W_Q": EYE, "W_K": EYE, "W_V": [[1, 0], [0, 2]]}


def test_parts_by_name_are_a_problem() -> None:
    options = {"scale": False, "mask": "causal"}
    named = work(**PARTS, **options, title="By name", round=3)
    given_ = {name: value for name, value in PARTS.items() if name != "kind"}
    tree = {"kind": "attention", "title": "By name", "given": given_, "options": options}
    assert str(named) == str(work(tree, round=3))


def test_parts_replace_those_of_a_file() -> None:
    hot = work("examples/self-attention", temperature=100, round="exact")
    assert hot["weights"].tolist() != work("examples/self-attention", round="exact")["weights"].tolist()
    assert max(max(row) for row in hot["weights"].tolist()) < 0.5


def test_lambda_has_an_underscore_in_python() -> None:
    working = work(kind="gradient", of="logistic", penalty="l2", lambda_=2, x=[1, 2], y=1, w=[0, 1])
    assert working["penalty"].tolist() == 1.0


@given(arrays.arrays(st.sampled_from([np.float64, np.int64, np.int8]), (2, 2), elements=st.integers(-9, 9)))
def test_arrays_are_their_numbers(x: Any) -> None:
    working = work(**{**PARTS, "X": x})
    assert np.array_equal(np.asarray(working["X"]), x)


@given(st.floats(-1000, 1000, width=32).map(lambda x: round(x, 3)))
def test_a_float32_is_the_decimal_that_it_prints(x: float) -> None:
    single = np.float32(x)
    assert Fraction(plain_values(single)) == Fraction(str(single))
    assert Fraction(plain_values(np.array([single]))[0]) == Fraction(str(single))


def test_a_tenth_is_a_tenth_in_every_library() -> None:
    torch = pytest.importorskip("torch")
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        tensor = torch.tensor([0.5, -0.25], dtype=dtype, requires_grad=True)
        assert [Fraction(cell) for cell in plain_values(tensor)] == [Fraction(1, 2), Fraction(-1, 4)]
    for tenth in (0.1, "0.1", Decimal("0.1"), Fraction(1, 10), np.float32(0.1), np.float64(0.1), torch.tensor(0.1), "1/10"):
        assert work(kind="softmax", z=[tenth, 0])["z"].rows == ((Fraction(1, 10), 0),)


def test_a_value_of_one_working_is_a_given_of_the_next_exactly() -> None:
    first = work(kind="attention", X=[["1/3", 1]], W_Q=EYE, W_K=EYE, W_V=EYE)
    second = work(kind="attention", X=first["Q"], W_Q=EYE, W_K=EYE, W_V=EYE)
    assert second["Q"] == first["Q"]


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({}, "needs a file"),
        ({"kind": "attention", "X": np.eye(2) * 1j}, "complex"),
        ({"kind": "softmax", "z": [float("nan")]}, "not a number"),
        ({"kind": "softmax", "z": [True]}, "not a number"),
        ({"kind": "softmax", "zz": [1]}, "did you mean z"),
        ({"kind": "softmax", "z": SimpleNamespace()}, "list of numbers"),
        ({"kind": "sofmax"}, "did you mean softmax"),
    ],
)
def test_what_cannot_be_posed_is_said_in_one_line(parts: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words) as error:
        work(**parts)
    assert "\n" not in str(error.value)


def test_a_problem_that_is_read_is_worked_but_not_changed() -> None:
    problem = load_problem("examples/self-attention")
    assert work(problem)["Q"] == work("examples/self-attention")["Q"]
    with pytest.raises(InputError, match="read already"):
        work(problem, temperature=2)


def test_a_working_answers_by_name() -> None:
    working = work(**PARTS)
    assert working["scores"].tolist() == [[5.0, 2.0], [2.0, 1.0]]
    assert list(working.answer) == ["output"]
    assert working.answer["output"] is working["output"]
    assert [step.name for step in working.steps] == ["Q", "K", "V", "scores", "scaled", "weights", "output"]
    assert repr(working.steps[3]) == "scores = Q K^T"
    assert repr(working["scaled"]) == "Matrix([[5√2/2, √2], [√2, √2/2]])"
    assert np.asarray(working["weights"]).sum(axis=1) == pytest.approx([1, 1])
    assert np.asarray(working["weights"], dtype=np.float32).dtype == np.float32
    with pytest.raises(InputError, match="did you mean weights"):
        working["weight"]


def test_a_working_shows_itself_printed_and_at_a_prompt() -> None:
    working = work(**PARTS)
    assert "1. Q = X W_Q" in str(working)
    assert repr(working) == "<Working of 'attention', exact: Q K V scores scaled weights output; print it to see every step>"
    assert working.picture()._repr_svg_().startswith("<svg")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("p.html", b"<!doctype"),
        ("p.pdf", b"%PDF"),
        ("p.md", b"# "),
        ("p.tex", b"\\doc"),
        ("m.svg", b"<svg"),
        ("m.png", b"\x89PNG"),
    ],
)
def test_a_working_is_saved_as_its_name_says(name: str, start: bytes, tmp_path: Path) -> None:
    place = work(**PARTS).save(str(tmp_path / name))
    assert place.read_bytes().startswith(start)


def test_an_unknown_suffix_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.docx"):
        work(**PARTS).save(tmp_path / "page.docx")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("as_json", [True, False])
def test_a_problem_from_standard_input(as_json: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    written = json.dumps({"kind": "softmax", "given": {"z": [0, 0]}}) if as_json else 'kind = "softmax"\n[given]\nz = [0, 0]'
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(written.encode())))
    assert work("-")["probabilities"].tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("kind: softmax\ngiven:\n  z: [1, 2]", "looks like YAML"),
        ('kind = "softmax"\nz = [1, 2]', r"z: stands at the top of the file; it belongs under \[given\]"),
        ('kind = "softmax"\ntemperature = 2\n[given]\nz = [1, 2]', r"belongs under \[options\]"),
        (
            'kind = "softmax"\n[given]\nz = [1, 2]\nround = 2',
            r"given.round: stands under \[given\]; it belongs under \[options\]",
        ),
        ('kind = "softmax"\n[given]\nz = [1, 2]\ntitle = "x"', "at the top"),
        ('kind = "softmax"\n[given]\nz = [1, 1/2]', 'line 3: a fraction stands in quotes: "1/2"'),
        ('kind = "softmax"\n[given]\nz = -3/4', 'line 3: a fraction stands in quotes: "-3/4"'),
        ('kind = "attention"\n[given]\nX = [["1/2", 1]]\nY = [1, 2', "Unclosed array"),
    ],
)
def test_what_most_often_stands_behind_a_file_that_cannot_be_read(written: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "problem.toml"
    file.write_text(written)
    with pytest.raises(InputError, match=words):
        work(file)
