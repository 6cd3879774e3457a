"""`clearhead ask` and what `evaluate` says about certainty, on runs small enough for a test."""

import json
import shutil
import time
from pathlib import Path

import pytest

from clearhead import cli
from clearhead.experiment.stages import Wish, prepare_experiment
from clearhead.training import Teller, open_run, train_stage

SMALL = (
    *("vocabulary.size=300", "model.width=16", "model.heads=2", "model.memory=64"),
    *("pretrain.training.batch=256", "pretrain.training.pool=16", "pretrain.epochs=1", "finetune.epochs=2"),
)
WORLD = "world:people=40,biographies_each=2,places=4"


def experiment(folder: Path, *settings: str, variant: str = "vanilla") -> Path:
    wish = Wish(data=WORLD, variant=variant, settings=(*SMALL, *settings))
    prepare_experiment(wish, folder, control=False, since=time.monotonic(), tell=Teller())
    for part in ("pretrain", "."):
        train_stage(open_run(folder / part), part, Teller())
    return folder


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return experiment(tmp_path_factory.mktemp("vanilla") / "run", "model.layers=1")


def clearhead(*arguments: object) -> int:
    return cli.main([str(argument) for argument in arguments])


def asked(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, object]:
    capsys.readouterr()
    assert clearhead("ask", *arguments, "--json") == 0
    tree = json.loads(capsys.readouterr().out)
    assert list(tree) == ["answer", "probability", "abstained", "name", "seen", "calibrated", "strangers", "runners_up"]
    assert 0 <= tree["probability"] <= 1
    assert all(list(each) == ["answer", "probability"] for each in tree["runners_up"])
    sure = [each["probability"] for each in tree["runners_up"]]
    assert sure == sorted(sure, reverse=True)
    assert all(each <= tree["probability"] for each in sure)
    assert sum(sure) + (0 if tree["abstained"] else tree["probability"]) <= 1 + 1e-5
    return tree


def name_of(run: Path) -> str:
    """Somebody of the corpus."""
    from clearhead.corpora import find_corpus

    return find_corpus(WORLD).dev[0].text.removeprefix("Where was ").removesuffix(" born?")


def test_the_level_decides_and_the_index_does_not(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    question = f"Where was {name_of(run)} born?"
    given, refused = asked(capsys, run, question, "--abstain", 0), asked(capsys, run, question, "--abstain", 1)
    assert given["seen"] is True
    assert given["abstained"] is False
    assert (refused["answer"], refused["abstained"]) == (None, True)
    assert refused["probability"] == given["probability"]
    assert refused["runners_up"][0] == {"answer": given["answer"], "probability": given["probability"]}
    index = (run / "names.json").read_text(encoding="utf-8")
    (run / "names.json").write_text('{"names": {}}', encoding="utf-8")
    blind = asked(capsys, run, question, "--abstain", 0)
    (run / "names.json").write_text(index, encoding="utf-8")
    assert blind == given | {"seen": False}


def test_a_person_reads_the_answer_and_why(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    question = f"Where was {name_of(run)} born?"
    for picture in (tmp_path / "why.svg", tmp_path / "why.png"):
        assert clearhead("ask", run, question, "--abstain", 0, "--why", picture) == 0
        said = capsys.readouterr().out
        assert "right with" in said
        assert "stands in the text it learned from" in said
        assert "attention to the name" in said
        assert picture.exists()
    assert "layer 1" in (tmp_path / "why.svg").read_text(encoding="utf-8")
    assert clearhead("ask", run, "Where was Xavier Nobody born?", "--abstain", 1, "--why", tmp_path / "why.svg") == 0
    said = capsys.readouterr().out
    assert said.startswith("I don't know.")
    assert "stands nowhere" in said
    assert "no sentence of the corpus names 'Xavier Nobody'" in said


def test_certainty_is_measured_once(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (run / "confidence.json").unlink(missing_ok=True)
    for told in (True, False):
        assert clearhead("ask", run, "Where was Xavier Nobody born?") == 0
        assert ("once, kept in" in capsys.readouterr().err) == told
    (run / "confidence.json").write_text("{}")
    assert clearhead("ask", run, "Where was Xavier Nobody born?") == 0
    assert "once, kept in" in capsys.readouterr().err


def test_what_an_earlier_version_kept_is_learned_anew_or_used_as_it_is(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert clearhead("ask", run, "Where was Xavier Nobody born?") == 0
    tree = json.loads((run / "confidence.json").read_text(encoding="utf-8"))
    numbers = {"mean": [0.0] * 12, "spread": [1.0] * 12, "weights": [0.0] * 12, "slope": 1.0, "offset": 0.0}
    earlier = tree | {"calibration": numbers, "level": 0.25}
    del earlier["strangers"]
    old = tmp_path / "old"
    shutil.copytree(run, old)
    (old / "confidence.json").write_text(json.dumps(earlier))
    with monkeypatch.context() as patch:
        patch.setattr("clearhead.answering.ask.cannot_learn", lambda run: "its corpus is not here")
        capsys.readouterr()
        told = asked(capsys, old, "Where was Xavier Nobody born?")
        assert (told["probability"], told["strangers"], told["abstained"], told["calibrated"]) == (0.5, None, False, True)
        assert clearhead("ask", old, "Where was Xavier Nobody born?") == 0
        assert "strangers had no part in it" in capsys.readouterr().out
    assert asked(capsys, old, "Where was Xavier Nobody born?")["strangers"] == 0.5
    assert json.loads((old / "confidence.json").read_text(encoding="utf-8")) == tree


def test_the_share_of_strangers_can_be_said(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    question = f"Where was {name_of(run)} born?"
    sure = [asked(capsys, run, question, "--strangers", share)["probability"] for share in (0, 0.5, 0.9, 1)]
    assert sure == sorted(sure, reverse=True)
    assert sure[1] == asked(capsys, run, question)["probability"]
    assert sure[-1] == 0
    assert clearhead("ask", run, question, "--strangers", "0.9") == 0
    assert "as if 90 % of those asked about were strangers" in capsys.readouterr().out


def test_evaluate_says_how_sure(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert clearhead("birthplaces", "evaluate", "--out", run) == 0
    said = capsys.readouterr().out
    for words in ("ECE", "AUC", "I don't know", "strangers", "invented names", "of names that do not", "Caution:", "Skarn"):
        assert words in said
    tree = json.loads((run / "confidence.json").read_text(encoding="utf-8"))
    assert len(tree["tried"]) == 2
    assert 0 <= tree["ece"] <= 1
    assert tree["strangers"] == 0.5
    assert 0 <= tree["auc"] <= 1
    assert tree["level"] == tree["tried"][0]["level"] >= 0.5
    assert tree["invented"]["rate"] == tree["tried"][0]["refused"]
    assert tree["seen"]["total"] + tree["unseen"]["total"] == 10
    assert tree["invented"]["total"] == 200
    assert {row["origin"] for row in tree["probe"]["rows"]} == {"Skarn", "Telmari", "Quor", "Zemny", "Ushan"}
    for picture in ("reliability.svg", "risk-coverage.svg"):
        assert (run / picture).read_text(encoding="utf-8").startswith("<svg")
    assert clearhead("birthplaces", "evaluate", "--out", run, "--questions", "test") == 0
    assert "ECE" not in capsys.readouterr().out


@pytest.mark.parametrize(
    "text", ["Who is Ada Lind?", "🎻", "Where was 李小龙 born?", "Where was Żółć 🎉 born?", "?", "\ud800", "a\tb"]
)
def test_questions_in_other_forms_and_other_letters_are_answered(
    run: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert clearhead("ask", run, text) == 0
    said = capsys.readouterr().out
    assert ("never trained on questions of this form" in said) == (not text.startswith("Where was"))


@pytest.mark.parametrize(
    ("question", "options", "word"),
    [
        ("", [], "empty"),
        (" \n\t ", [], "empty"),
        ("x" * 10_000, [], "shorter"),
        ("Where was " + "Ada " * 2_500 + "born?", [], "shorter"),
        ("Where was Ada Lind born?", ["--abstain", "1.5"], "abstain"),
        ("Where was Ada Lind born?", ["--abstain", "nan"], "abstain"),
        ("Where was Ada Lind born?", ["--strangers", "2"], "strangers"),
        ("Where was Ada Lind born?", ["--strangers", "nan"], "strangers"),
        ("Where was Ada Lind born?", ["--why", "why.gif"], ".svg"),
    ],
)
def test_nonsense_is_one_line(
    run: Path, question: str, options: list[str], word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert clearhead("ask", run, question, *options) == 2
    told = capsys.readouterr().err.strip().splitlines()
    assert len(told) == 1
    assert word in told[0]


def test_what_is_no_run_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("x")
    for place in (tmp_path, tmp_path / "nowhere", tmp_path / "file"):
        assert clearhead("ask", place, "Where was Ada Lind born?") == 2
        told = capsys.readouterr().err.strip().splitlines()
        assert len(told) == 1
        assert "run folder" in told[0]


@pytest.mark.parametrize(
    ("variant", "settings"),
    [
        ("perceiver", ("model.layers=2", "model.bottleneck=16")),
        ("perceiver-causal", ("model.layers=2", "model.bottleneck=16")),
        ("vanilla", ("model.layers=1", "vocabulary.kind=characters", "pretrain.epochs=0.2", "finetune.epochs=0.2")),
    ],
)
def test_every_variant_and_vocabulary_answers(
    variant: str, settings: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = experiment(tmp_path / "run", *settings, variant=variant)
    assert clearhead("ask", run, f"Where was {name_of(run)} 🎉 born?", "--why", tmp_path / "why.svg") == 0
    said = capsys.readouterr().out
    assert ("taken for blanks: 🎉" in said) == ("vocabulary.kind=characters" in settings)
