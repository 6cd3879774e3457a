"""The desk: a name and JSON in, JSON out; worked cases, laws, and what it refuses."""

import base64
import json
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from clearhead.cli import build_app
from clearhead.desk import FUNCTIONS, LARGEST, answer
from clearhead.working import library

SELF = {"example": "self-attention"}


def ask(function: str, **asked: Any) -> Any:
    """The value of an answer that must be one."""
    found = json.loads(answer(function, json.dumps(asked)))
    assert found["ok"], found
    return found["value"]


def refused(function: str, **asked: Any) -> str:
    found = json.loads(answer(function, json.dumps(asked)))
    assert not found["ok"]
    assert not found["bug"], found
    return str(found["error"])


# ---- work


def test_self_attention_is_worked_as_on_paper() -> None:
    found = ask("work", **SELF)
    assert found["steps"] == ["Q", "K", "V", "scores", "weights", "output"]
    assert 'data-step="weights"' in found["html"]
    assert "<script" not in found["html"]
    assert "<style" not in found["html"]
    assert [field["name"] for field in found["form"]["given"]] == ["X", "W_Q", "W_K", "W_V"]


def test_a_cell_changes_what_follows_from_it() -> None:
    problem = ask("read", **SELF)["problem"]
    problem["given"]["X"][0][0] = " −1/2 "  # blanks, a typographer's minus and a fraction, as people type them
    html = ask("work", problem=problem)["html"]
    assert html != ask("work", **SELF)["html"]
    assert problem["given"]["X"][0][0] == " −1/2 "


@pytest.mark.parametrize("name", [entry.name for entry in library.entries()])
def test_every_bundled_problem_reads_works_and_gives_a_sheet(name: str) -> None:
    problem = ask("read", example=name)["problem"]
    assert ask("work", problem=problem)["html"] == ask("work", example=name)["html"]
    assert [step["name"] for step in ask("sheet", example=name)["steps"]] == ask("work", example=name)["steps"]


def test_every_kind_has_a_template_that_can_be_edited() -> None:
    for kind in ask("library")["kinds"]:
        assert ask("work", problem=ask("read", kind=kind["name"])["problem"])["html"]


def test_what_feeds_a_step_is_on_the_page() -> None:
    assert 'data-feeds="X:row W_Q:column"' in ask("work", **SELF)["html"]


def test_a_fault_says_in_which_cell_it_lies() -> None:
    problem = {"kind": "attention", "given": {"X": [[1, "a"]], "W_Q": [[1]], "W_K": [[1]], "W_V": [[1]]}}
    found = json.loads(answer("work", json.dumps({"problem": problem})))
    assert found["at"] == {"name": "X", "row": 1, "column": 2}
    assert "is not a number" in found["error"]


# ---- export


@pytest.mark.parametrize(
    ("form", "start"),
    [
        ("latex", "\\documentclass"),
        ("svg", "<svg"),
        ("toml", "kind ="),
        ("html", "<!doctype"),
        ("json", "{"),
        ("worksheet", "#"),
    ],
)
def test_exports_are_files_of_their_kind(form: str, start: str) -> None:
    found = ask("export", **SELF, to=form)
    assert found["text"].startswith(start)
    assert "/" not in found["name"]


def test_the_spreadsheet_arrives_whole() -> None:
    data = base64.b64decode(ask("export", **SELF, to="xlsx")["base64"])
    assert "xl/workbook.xml" in zipfile.ZipFile(BytesIO(data)).namelist()


def test_the_toml_works_to_the_same_page() -> None:
    written = ask("export", **SELF, to="toml")["text"]
    assert ask("work", toml=written)["html"] == ask("work", **SELF)["html"]


# ---- practise

RIGHT_Q = [["1", "3"], ["-1", "1"], ["2.5", "-2"]]


def test_a_right_step_is_right_and_a_slip_is_named() -> None:
    right = ask("check", **SELF, cells={"Q": RIGHT_Q})
    assert right["first_error"] is None
    assert right["steps"][0]["verdict"] == "right"
    slipped = ask("check", **SELF, cells={"Q": [["1", "3"], ["-1", "-1"], ["2.5", "-2"]]})
    assert slipped["first_error"]["cell"] == [2, 2]


def test_what_follows_from_ones_own_numbers_follows() -> None:
    worked = json.loads(ask("export", **SELF, to="json")["text"])
    steps = {step["name"]: step["value"] for step in worked["steps"]}
    found = ask("check", **SELF, cells={"Q": RIGHT_Q, "K": steps["K"], "scores": steps["scores"]})
    assert [step["verdict"] for step in found["steps"]][:4] == ["right", "right", "missing", "right"]
    own = [["2", "3"], *RIGHT_Q[1:]]
    scores = [["4.5", "-0.5", "5.5"], *steps["scores"][1:]]
    found = ask("check", **SELF, cells={"Q": own, "K": steps["K"], "scores": scores})
    assert [step["verdict"] for step in found["steps"]][:4] == ["wrong", "right", "missing", "follows"]


def test_hints_come_in_three_stages_and_only_the_last_has_the_answer() -> None:
    stages = [ask("hint", **SELF, step="Q", cell=[1, 2], stage=stage) for stage in (1, 2, 3)]
    assert "W_Q" in stages[0]["text"]
    assert stages[1]["text"] == "Q[1,2] = 1·1 + (−1)·0 + 0·0 + 2·1 = ?"
    assert stages[2]["text"].endswith("= 3.00")


def test_hints_go_on_with_the_persons_own_numbers_and_point_to_what_is_wrong_before() -> None:
    own = {"Q": [RIGHT_Q[0], ["-1", "-1"], RIGHT_Q[2]], "K": [["3", "-0.5"], ["", ""], ["", ""]]}  # Q (2, 2) should be 1
    of_cell = {"step": "scores", "cell": [2, 1]}
    for stage, said in ((2, "(−1)·3 + (−1)·(−0.5) = ?"), (3, "(−1)·3 + (−1)·(−0.5) = −2.50")):
        found = ask("hint", **SELF, **of_cell, stage=stage, cells=own)
        assert found["text"] == f"scores[2,1] = {said}"
        assert found["own"] == ["Q", "K"]
        assert found["first"] == {"step": "Q", "cell": [2, 2]}
    assert "first" not in ask("hint", **SELF, **of_cell, stage=3, cells=own, when="end")  # the teacher checks at the end
    assert "first" not in ask("hint", **SELF, step="K", cell=[1, 1], stage=3, cells=own)  # K does not go back to Q
    blank = ask("hint", **SELF, **of_cell, stage=3)
    assert blank["text"].endswith("(−1)·3 + 1·(−0.5) = −3.50")
    assert blank["own"] == []
    gap = {"Q": [["", ""], ["-1", "-1"], ["", ""]]}  # what is blank follows from what is not
    assert "e^(−2.5) / (e^(−2.5)" in ask("hint", **SELF, step="weights", cell=[2, 1], stage=3, cells=gap)["text"]


def test_a_reason_is_text_on_the_sheet_too() -> None:
    problem = {"kind": "formula", "given": {"x": 1}, "steps": {"y": "2 x"}, "why": {"y": "<img src=x>"}}
    assert ask("sheet", problem=problem)["steps"][0]["why"] == "&lt;img src=x&gt;"


def test_a_seed_draws_the_same_sheet_again_and_another_seed_another() -> None:
    first, again, other = (ask("sheet", **SELF, seed=seed)["given"] for seed in (7, 7, 8))
    assert first == again != other


def test_what_is_handed_in_is_marked_by_the_command(tmp_path: Path) -> None:
    worked = json.loads(ask("export", problem=variant(7), to="json")["text"])
    cells = {step["name"]: step["value"] for step in worked["steps"]}
    file = tmp_path / "practice-7.json"
    file.write_text(ask("handed_in", **SELF, seed=7, cells=cells)["text"], encoding="utf-8")
    done = CliRunner().invoke(build_app(), ["mark", "examples/self-attention", str(file), "--format", "json"])
    assert done.stderr == ""
    mark = json.loads(done.stdout)
    assert mark["score"] == mark["max_score"] == 6
    file.write_text(file.read_text(encoding="utf-8").replace('"seed": 7', '"seed": 8'), encoding="utf-8")
    done = CliRunner().invoke(build_app(), ["mark", "examples/self-attention", str(file), "--format", "json"])
    assert "changed since it was written" in done.stderr
    assert json.loads(done.stdout)["first_error"] is not None


def variant(seed: int) -> Any:
    from clearhead.desk.practice import variant_of

    return variant_of(ask("read", **SELF)["problem"], seed)


# ---- mark


def test_a_wrong_working_has_a_first_error_and_a_corrected_reading_is_law() -> None:
    page = "Q = [[1, 3], [-1, 1], [2.5, 2]]\n"
    found = ask("mark", **SELF, working=page)
    assert found["first_error"]["cell"] == [3, 2]
    numbers = found["numbers"]
    assert [number["is"] for number in numbers][-1] == {"step": "Q", "cell": [3, 2]}
    numbers[-1]["is"] = "not used"
    again = ask("mark", **SELF, working=page, numbers=numbers)
    assert again["first_error"] is None
    assert again["numbers"] == numbers


def test_a_file_is_marked_by_its_bytes() -> None:
    packed = base64.b64encode(b"Q = [[1, 3], [-1, 1], [2.5, -2]]").decode()
    assert ask("mark", **SELF, base64=packed, name="../../etc/passwd.md")["steps"][0]["verdict"] == "right"


# ---- layers


def test_a_broken_net_comes_back_mended() -> None:
    found = ask("layers", source=ask("library")["nets"]["exam-net-broken"], input="1x32x32")
    assert found["broken"]
    assert "nn.Linear(144, 10)" in found["mended"]
    assert found["picture"].startswith("<svg")
    mended = ask("layers", source=found["mended"], input="1x32x32")
    assert not mended["broken"]
    assert mended["weights"] == 3722


# ---- what it refuses


@pytest.mark.parametrize(
    ("function", "asked", "said"),
    [
        ("nothing", {}, "there is nothing called"),
        ("work", {}, "a problem is needed"),
        ("work", {"example": "../secret"}, "there is no bundled problem"),
        ("work", {"toml": "kind ="}, "not valid TOML"),
        ("work", {"problem": {"kind": "attention", "given": 3}}, "must be a table"),
        ("export", {**SELF, "to": "exe"}, "there is no export"),
        ("sheet", {**SELF, "seed": -1}, "the seed must be"),
        ("sheet", {**SELF, "seed": True}, "the seed must be"),
        ("check", {**SELF, "cells": {"Q": 3}}, "must be a list of rows"),
        ("check", {**SELF, "cells": {"Q": [["9" * 99]]}}, "a cell has 99 characters"),
        ("hint", {**SELF, "step": "Q", "cell": [9, 9]}, "has 3 rows and 2 columns"),
        ("mark", {**SELF}, "a working is needed"),
        ("mark", {**SELF, "base64": "%"}, "did not arrive whole"),
        ("mark", {**SELF, "working": "Q", "numbers": [{"is": {"step": "no", "cell": [1, 1]}}]}, "`is` must be a cell"),
        ("layers", {"source": " ", "input": "1x32x32"}, "a source is needed"),
        ("layers", {"source": "x = 1", "input": ""}, "the input is needed"),
        ("work", {"problem": {"kind": "softmax", "given": {"z": [1] * 9}}, "digits": 99}, "digits must be"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(function: str, asked: dict[str, Any], said: str) -> None:
    found = refused(function, **asked)
    assert said in found
    assert "\n" not in found


def test_what_is_too_long_is_refused_before_it_is_read() -> None:
    assert "too many" in json.loads(answer("work", " " * (LARGEST + 1)))["error"]


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 10**12)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["kind", "given", "X", "z", "step"]), inner, max_size=4)
    ),
    max_leaves=12,
)
KEYS = [
    "problem",
    "toml",
    "example",
    "kind",
    "seed",
    "cells",
    "step",
    "cell",
    "stage",
    "to",
    "working",
    "numbers",
    "source",
    "input",
]


@given(st.sampled_from(sorted(FUNCTIONS)), st.dictionaries(st.sampled_from(KEYS), JSON, max_size=5), st.booleans())
def test_no_nonsense_is_ever_a_bug(function: str, asked: dict[str, Any], with_problem: bool) -> None:
    found = json.loads(answer(function, json.dumps(asked | ({"example": "softmax", "problem": None} if with_problem else {}))))
    assert found["ok"] or not found["bug"], found
