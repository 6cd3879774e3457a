"""`clearhead look` as a person uses it, and what it refuses: one line, exit code 2."""

import json
import re
from pathlib import Path

import pytest

from clearhead import look, open_run
from clearhead.cli import main

RUNS = Path(__file__).parent.parent / "training" / "folders" / "old_runs"
RUN = str(RUNS / "birthplaces")
QUESTION = "Where was Ada Lind born?"


def said(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert main(["look", *arguments]) == code
    out, err = capsys.readouterr()
    return out if code == 0 else err


def test_it_tells_every_head_and_the_guess_after_each_block(capsys: pytest.CaptureFixture[str]) -> None:
    told = said(capsys, RUN, QUESTION)
    assert re.search(r"^1\.1 +\d", told, re.M)
    assert re.search(r"^1\.2 +\d", told, re.M)
    assert "before the first block" in told
    assert "after block 1" in told
    assert "it says: " in told


def test_without_the_memory_the_answer_is_less_likely_or_not_but_told(capsys: pytest.CaptureFixture[str]) -> None:
    told = said(capsys, RUN, QUESTION, "--without", "memory", "--without", "1.2", "--temperature", "0", "--json")
    tree = json.loads(told)
    assert tree["answer"]["change"] == "without memory, without 1.2, every head at temperature 0"
    assert 0 <= tree["answer"]["changed_probability"] <= 1
    assert tree["answer"]["changed_probability"] != tree["answer"]["probability"]
    heads = [head for layer in tree["layers"] for head in layer["heads"]]
    assert [head["name"] for head in heads] == ["1.1", "1.2"]
    assert all(abs(sum(row) - 1) < 0.01 for head in heads for row in head["weights"])


def test_the_logit_lens_ends_with_what_the_model_says() -> None:
    run = open_run(RUN)
    seen = look(run, QUESTION)
    token, share = seen.guesses[-1]["best"][-1][0]
    said = look(run, QUESTION, answer=token).answer
    assert share == pytest.approx(look_at_next(run, QUESTION), abs=1e-3)
    assert said["answer"] == token.strip()


def look_at_next(run: object, text: str) -> float:
    import torch

    ids = [*run.vocabulary.encode(text), run.vocabulary.mask]  # type: ignore[attr-defined]
    with torch.no_grad():
        return float(run.model(torch.tensor([ids]))[0, -1].softmax(-1).max())  # type: ignore[attr-defined]


def test_a_trace_tells_what_each_part_brings(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    texts = [QUESTION, "Where was Kurt Weber born?", "Where was Omar Diaz born?", "Where was Lena Holm born?"]
    answers = [look(RUN, text, controls=0).answer["answer"] for text in texts]
    other = next((text for text, answer in zip(texts, answers, strict=True) if answer != answers[0]), None)
    if other is None:
        pytest.skip("this small run gives everybody one answer")
    told = said(capsys, RUN, QUESTION, "--trace", other, "--out", str(tmp_path / "trace.svg"))
    assert "memory" in told
    assert "state after block 1" in told
    assert (tmp_path / "trace.svg").read_text().startswith("<svg")
    assert "answered with" in said(capsys, RUN, QUESTION, "--trace", QUESTION, code=2)


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["nowhere", "text"], "is no folder"),
        ([RUN, ""], "text is empty"),
        ([RUN, "   "], "text is empty"),
        ([str(RUNS / "characters"), "text"], "no attention: it carries a state from token to token"),
        ([str(RUNS / "digits"), "text"], "no attention: it slides filters"),
        ([RUN, QUESTION, "--without", "7.1"], "heads 1.1 to 1.2"),
        ([RUN, QUESTION, "--head", "9.9"], "there is no layer '9'"),
        ([RUN, QUESTION, "--head", "1.9"], "1.1 to 1.2"),
        ([RUN, QUESTION, "--head", "x"], "LAYER.HEAD"),
        ([RUN, QUESTION, "--temperature", "-1"], "temperature must be"),
        ([RUN, QUESTION, "--temperature", "nan"], "temperature must be"),
        ([RUN, QUESTION, "--only", "1.1"], "Add --temperature 0"),
        ([RUN, QUESTION, "--only", "1", "--temperature", "0"], "a temperature is for heads"),
        ([RUN, QUESTION, "--only", "9.9", "--temperature", "0"], "heads 1.1 to 1.2"),
        ([RUN, QUESTION, "--theme", "pink", "--out", "x.svg"], "light, dark, grey"),
        ([RUN, QUESTION, "--out", "/nowhere/x.html"], "cannot be written"),
        ([RUN, QUESTION, "--out", "x.pdf"], "by its name"),
        ([RUN, QUESTION, "--out", "x.toml"], "name it, such as 1.1"),
        ([RUN, QUESTION, "--write", "1000"], "cannot be kept free"),
        ([RUN, QUESTION, "--write", "-1"], "tokens to write"),
        ([RUN, QUESTION, "--controls", "-1"], "controls"),
        ([RUN, QUESTION, "--target", "x"], "decoder of its own"),
        ([RUN, QUESTION, "--digits", "99", "--head", "1.1", "--out", "x.toml"], "digits must lie"),
    ],
)
def test_a_mistake_is_one_line_that_says_what_to_do(
    capsys: pytest.CaptureFixture[str], arguments: list[str], wanted: str
) -> None:
    told = said(capsys, *arguments, code=2)
    assert wanted in told
    assert told.count("\n") == 1


def test_a_question_that_is_too_long_leaves_room_for_its_answer(capsys: pytest.CaptureFixture[str]) -> None:
    tree = json.loads(said(capsys, RUN, QUESTION * 40, "--json", "--controls", "0"))
    context = open_run(RUN).model.config.context  # type: ignore[attr-defined]
    assert len(tree["layers"][-1]["rows"]) < context
    assert "kept free for what it says" in " ".join(tree["notes"])
    assert tree["answer"]["answer"]


@pytest.mark.parametrize("more", [["--without", "memory"], ["--temperature", "0"], ["--write", "3"], ["--answer", "Rome"]])
def test_a_trace_passes_over_nothing_that_was_asked_for(capsys: pytest.CaptureFixture[str], more: list[str]) -> None:
    told = said(capsys, RUN, QUESTION, "--trace", "Where was Bo Berg born?", *more, code=2)
    assert f"does not go together with {more[0]}" in told
    assert "the other text is empty" in said(capsys, RUN, QUESTION, "--trace", " ", code=2)


def test_a_long_text_is_cut_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert "the last" in said(capsys, RUN, "Where was Ada Lind born? " * 20)


def test_letters_that_were_never_read_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert "never read before" in said(capsys, RUN, "Where was 語 born?")


def test_writing_looks_at_all_that_was_written(capsys: pytest.CaptureFixture[str]) -> None:
    with_cache = json.loads(said(capsys, RUN, "Where", "--write", "6", "--json"))
    without = json.loads(said(capsys, RUN, "Where", "--write", "6", "--no-cache", "--json"))
    assert with_cache["layers"][0]["rows"] == without["layers"][0]["rows"]
    assert len(with_cache["layers"][0]["rows"]) > 6
