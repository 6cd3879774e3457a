"""Whatever is typed after a command of runs and corpora, a plain mistake is one line and exit code 2, never "a bug of ours"."""

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clearhead import cli

OLD = Path(__file__).parent / "training" / "folders" / "old_runs"
RUNS = ("birthplaces", "characters", "digits", "nowhere", "empty", "a-file")
TINY = ("model.width=8", "model.lanes=2", "model.context=8", "training.batch=16", "model.layers=1", "corpus=a-file")

KEYS = """
objectives.3.share objectives.0.share objectives.share objectives model.width model.kind training seed training.tokens
training.rate epochs corpus text.left_out vocabulary.kind model held_out . a.b.c vocabulary.names training.decay
model.cell start vectors name history pretrain.epochs
"""
VALUES = """1 0 -1 1e6 1e999 nan true [] {} '' x [1] [[1]] 1979-05-27 words labels lstm
99999999999999999999 [{kind='next'}] .. / 0.5"""
keys = st.sampled_from(["", *KEYS.split()])
values = st.sampled_from(["\u2028", *VALUES.split()])
assignments = st.builds("{}={}".format, keys, values) | st.text(max_size=8)
paths = st.sampled_from(RUNS)
texts = st.sampled_from(["", "x", "Where was Ada Lind born?", "\x00", "\ud800", "é" * 300, "--help", "-1"])
numbers = st.sampled_from(["0", "1", "-1", "nan", "inf", "1e9", "x", "0.5"])


def lines(command: str) -> st.SearchStrategy[list[str]]:
    """Random arguments of one command."""
    options = {
        "train": st.lists(
            st.tuples(st.just("--set"), assignments) | st.tuples(st.sampled_from(["--seed"]), numbers) | st.just(("--resume",)),
            max_size=3,
        ).map(lambda parts: ["characters-rnn", "--out", "X", *[word for part in parts for word in part]]),
        "ask": st.tuples(paths, texts, st.just("--abstain"), numbers).map(list),
        "sample": st.tuples(paths, st.just("--prompt"), texts, st.just("--tokens"), numbers, st.just("--top-k"), numbers).map(
            list
        ),
        "look": st.tuples(
            paths, texts, st.sampled_from(["--without", "--temperature", "--head", "--write", "--trace"]), numbers | texts
        ).map(list),
        "perplexity": st.tuples(paths, paths | texts).map(list),
        "errors": st.tuples(paths, st.just("--count"), numbers).map(list),
        "runs": st.tuples(paths).map(list) | st.tuples(st.just("--pack"), paths, texts).map(list),
        "birthplaces": st.tuples(st.just("evaluate"), st.just("--out"), paths, st.just("--questions"), paths | texts).map(list)
        | st.tuples(st.just("finetune"), st.just("--out"), st.just("X"), st.just("--start"), paths).map(list)
        | st.tuples(st.just("run"), st.just("--out"), paths, st.just("--resume"), st.just("--set"), assignments).map(list),
        "data": st.tuples(st.sampled_from(["show", "where", "get", "add"]), paths | texts).map(list),
    }
    return options[command].map(lambda arguments: [command, *arguments])


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three runs, an empty folder and a file."""
    folder = tmp_path_factory.mktemp("options")
    for run in ("birthplaces", "characters", "digits", "memory"):
        shutil.copytree(OLD / run, folder / run)
    (folder / "empty").mkdir()
    (folder / "a-file").write_text("Some text, for whatever it is good.\n" * 20)
    return folder


@pytest.mark.parametrize("command", ["train", "ask", "look", "sample", "perplexity", "errors", "runs", "birthplaces", "data"])
def test_no_arguments_make_a_bug(command: str, place: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.chdir(place)
    monkeypatch.setenv("CLEARHEAD_DATA", str(place / "kept"))

    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    @given(arguments=lines(command))
    def never(arguments: list[str]) -> None:
        if command == "train" and "--resume" not in arguments:
            small = [part for each in TINY for part in ("--set", each)]
            arguments = [*arguments[:4], *small, *arguments[4:], "--set", "training.tokens=32"]  # last, so that it is short
        code = cli.main(arguments)
        told = capsys.readouterr().err
        assert code in (0, 2), (arguments, told)
        assert "a bug of ours" not in told, (arguments, told)
        shutil.rmtree(place / "X", ignore_errors=True)

    never()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["train", "fast", "--out", "X", "--set", "objectives.3.share=1"], "this list has the numbers 0 to 1; got '3'"),
        (["birthplaces", "evaluate", "--out", "characters"], "answers no questions"),
        (["errors", "characters"], "a run of reviews or digits was expected"),
        (["sample", "digits"], "does not predict text"),
        (["ask", "digits", "Where was Ada Lind born?"], "answers no questions"),
        (["perplexity", "digits", "a-file"], "does not predict text"),
        (["train", "characters-rnn", "--out", "a-file", "--set", "corpus=a-file"], "a-file"),
    ],
)
def test_a_plain_mistake_is_told_in_one_line(
    arguments: list[str], told: str, place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(place)
    assert cli.main(arguments) == 2
    said = capsys.readouterr().err.strip().splitlines()
    assert told in said[-1]
    assert not (place / "X").exists()
    assert json.loads((OLD / "expected.json").read_text()).keys() <= {path.name for path in place.iterdir()}
