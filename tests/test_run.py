"""Runs from Python: trained, opened, asked, sampled, scored, classified; paths as text or as Path; errors without options."""

import re
from pathlib import Path

import numpy as np
import pytest

import clearhead
from clearhead.errors import ClearheadError

SMALL = {"vocabulary.kind": "characters", "model.width": 16, "model.heads": 2, "model.layers": 1, "model.memory": 64}
LETTERS = {"model.width": 8, "model.lanes": 4, "model.context": 16, "training.batch": 64, "model.layers": 1}


@pytest.fixture(scope="module")
def answering(tmp_path_factory: pytest.TempPathFactory) -> clearhead.Run:
    out = tmp_path_factory.mktemp("python") / "answering"
    settings = {**SMALL, "pretrain.epochs": 1}
    return clearhead.train("fast", corpus="world:people=20,places=4", out=out, settings=settings, quiet=True)


def test_a_run_is_trained_opened_and_asked(answering: clearhead.Run) -> None:
    for folder in (answering.folder, str(answering.folder)):
        run = clearhead.open_run(folder)
        reply = run.ask("Where was Ada Lind born?", abstain=0.0)
        assert reply.answer == reply.guess
        assert 0 <= reply.probability <= 1
        assert reply.guess in str(reply)
    assert answering.ask("Where was Ada Lind born?", abstain=1.0).answer is None
    assert answering.figures["tokens"] >= answering.recipe.training.tokens
    assert repr(answering).startswith("Run(")


def test_the_same_call_twice_trains_once(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("the cat sat on the mat. " * 90)
    call = {"corpus": tmp_path / "mine.txt", "out": tmp_path / "run", "settings": {**LETTERS, "training.tokens": 640}}
    first = clearhead.train("characters-rnn", **call, quiet=True)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "run" / "checkpoints").rglob("*")}
    again = clearhead.train("characters-rnn", **call, quiet=True)
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert again.sample("the", tokens=9) == first.sample("the", tokens=9)
    with pytest.raises(ClearheadError, match=r"model\.width cannot be changed"):
        clearhead.train("characters-rnn", **{**call, "settings": {"model.width": 99}}, quiet=True)


def test_text_is_drawn_and_scored(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("the cat sat on the mat. " * 90)
    settings = {**LETTERS, "training.tokens": 640}
    run = clearhead.train(
        "characters-rnn", corpus=str(tmp_path / "mine.txt"), out=tmp_path / "run", settings=settings, quiet=True
    )
    texts = run.samples(3, "the ", tokens=12, temperature=1.0)
    assert len(set(texts)) > 1
    assert texts[0] == run.sample("the ", tokens=12, temperature=1.0)
    assert all(text.startswith("the ") and len(text) == 16 for text in texts)
    assert run.perplexity("the cat").tree() == run.perplexity(written(tmp_path, "the cat")).tree()
    with pytest.raises(ClearheadError, match="empty"):
        run.perplexity("")
    with pytest.raises(ClearheadError, match="tells no classes apart"):
        run.classify("the cat")
    with pytest.raises(ClearheadError, match="answers no questions"):
        run.ask("Where was Ada Lind born?")


def written(folder: Path, text: str) -> Path:
    (folder / "text.txt").write_text(text)
    return folder / "text.txt"


def test_texts_and_pictures_are_classified(tmp_path: Path) -> None:
    reviews = clearhead.train("sentiment", out=tmp_path / "reviews", settings={"epochs": 0.2}, quiet=True)
    liked, hated = reviews.classify("A wonderful, superb film."), reviews.classify("A dull and awful film.")
    assert list(liked) == ["disliked", "liked"]
    assert sum(liked.values()) == pytest.approx(1)
    assert liked["liked"] > hated["liked"]
    digits = clearhead.train("digits", out=tmp_path / "digits", settings={"epochs": 1}, quiet=True)
    chances = digits.classify(np.zeros((28, 28)))
    assert list(chances) == [str(digit) for digit in range(10)]
    assert sum(chances.values()) == pytest.approx(1)
    for wrong in (np.zeros(3), np.full((28, 28), 300), [["a"]]):
        with pytest.raises(ClearheadError):
            digits.classify(wrong)


OPTION = re.compile(r"--[a-z]")


@pytest.mark.parametrize(
    "wrong",
    [
        lambda place: clearhead.open_run(place / "nowhere"),
        lambda place: clearhead.train("nothing", out=place / "x"),
        lambda place: clearhead.train("fast", out=place / "x", corpus="no-such-corpus"),
        lambda place: clearhead.train("fast", out=place / "x", settings={"trainig.rate": 1}),
        lambda place: clearhead.train("fast", out=place / "x", settings="epochs=1"),
        lambda place: clearhead.train("fast", out=place / "x", minutes=-1),
        lambda place: clearhead.train("fast", out=place / "x", start=place / "nowhere"),
    ],
)
def test_errors_are_exceptions_that_do_not_speak_of_options(tmp_path: Path, wrong) -> None:
    with pytest.raises(ClearheadError) as told:
        wrong(tmp_path)
    assert OPTION.search(str(told.value)) is None
    assert list(tmp_path.iterdir()) == []


def test_no_sentence_of_a_room_that_python_calls_speaks_of_an_option() -> None:
    import ast

    rooms = Path(clearhead.__file__).parent
    faults = []
    for room in ("answering", "corpora", "mistakes", "models", "perplexity", "sampling", "training"):
        for file in (rooms / room).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "").endswith("Error") and node.args:
                    texts = [part.value for part in ast.walk(node.args[0]) if isinstance(part, ast.Constant)]
                    faults += [f"{file.name}: {text}" for text in texts if isinstance(text, str) and OPTION.search(text)]
    assert faults == []
