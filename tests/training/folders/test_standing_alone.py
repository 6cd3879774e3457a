"""A run knows its data, stands alone once it has begun, has one writer, and a failed start leaves nothing."""

import json
import os
import shutil
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from clearhead import cli
from clearhead.training import named_recipe, start_run, train_run
from clearhead.training.folders.data_record import read_record
from clearhead.training.folders.writer import only_writer

TEXT = "The quick brown fox jumps over the lazy dog. Pack my box with five dozen jugs.\n" * 60
OTHER = TEXT.replace("fox", "cow")
SMALL = ("model.width=8", "model.lanes=4", "model.context=16", "training.batch=64", "epochs=1", "model.layers=1")


def clearhead(*arguments: object) -> int:
    return cli.main([str(argument) for argument in arguments])


def settings(**more: object) -> list[str]:
    return [part for each in (*SMALL, *(f"{key}={value}" for key, value in more.items())) for part in ("--set", each)]


def train_text(folder: Path, text: Path | str, *more: object) -> int:
    return clearhead("train", "characters-rnn", "--out", folder, *settings(corpus=text), *more)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a text, which is where one stands."""
    (tmp_path / "uni.txt").write_text(TEXT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    out, err = capsys.readouterr()
    return out, err.strip().splitlines()[-1] if err.strip() else ""


# A run knows its data.


def test_a_run_records_every_file_it_learned_from(here: Path) -> None:
    assert train_text(Path("run"), "uni.txt") == 0
    tree = json.loads((here / "run" / "data.json").read_text())
    (file,) = tree["files"]
    assert file["path"] == str((here / "uni.txt").resolve())
    assert file["relative"] == os.path.join("..", "uni.txt")
    assert file["sha256"] == __import__("hashlib").sha256(TEXT.encode()).hexdigest()


def test_another_file_of_the_same_name_elsewhere_is_not_scored(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train_text(Path("run"), "uni.txt") == 0
    capsys.readouterr()
    assert clearhead("perplexity", here / "run") == 0
    first, _ = said(capsys)
    (here / "elsewhere").mkdir()
    (here / "elsewhere" / "uni.txt").write_text("Something else altogether, 1 2 3.\n" * 200)
    monkeypatch.chdir(here / "elsewhere")
    assert clearhead("perplexity", here / "run") == 0
    assert said(capsys)[0] == first


def test_a_changed_text_is_refused_unless_it_is_meant(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert train_text(Path("run"), "uni.txt") == 0
    (here / "uni.txt").write_text(OTHER)
    capsys.readouterr()
    assert clearhead("perplexity", "run") == 2
    assert "not the data that the run learned from" in said(capsys)[1]
    assert clearhead("perplexity", "run", "--on", "uni.txt") == 0
    assert clearhead("train", "characters-rnn", "--out", "run", "--resume") == 2
    assert "uni.txt had the SHA-256" in said(capsys)[1]
    (here / "uni.txt").write_text(TEXT)
    assert clearhead("train", "characters-rnn", "--out", "run", "--resume") == 0


def test_run_and_data_moved_together_find_each_other(here: Path) -> None:
    assert train_text(Path("run"), "uni.txt") == 0
    (here / "new").mkdir()
    (here / "run").rename(here / "new" / "run")
    (here / "uni.txt").rename(here / "new" / "uni.txt")
    assert clearhead("perplexity", here / "new" / "run") == 0
    record = read_record(here / "new" / "run")
    assert record is not None
    assert record.files[0].found_again(here / "new" / "run") == (here / "new" / "uni.txt").resolve()


def test_only_a_passage_that_really_occurs_is_cut_out_and_remembered(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = here / "kept" / "passages"
    kept.mkdir(parents=True)
    monkeypatch.setenv("CLEARHEAD_DATA", str(here / "kept"))
    (kept / "some_shakespeare.txt").write_text("To be, or not to be, that is the question.")
    assert train_text(Path("own"), "uni.txt") == 0
    assert "cut out" not in capsys.readouterr().err
    assert "shakespeare" not in (here / "own" / "recipe.toml").read_text().replace("characters-rnn", "")
    assert "shakespeare" not in (here / "own" / "data.json").read_text()
    (here / "play.txt").write_text(TEXT + "To be, or not to be, that is the question." + TEXT)
    assert train_text(Path("play"), "play.txt") == 0
    assert "cut out of the training text" in capsys.readouterr().err
    assert len(json.loads((here / "play" / "data.json").read_text())["files"]) == 2


# A failed start leaves no folder; one process writes at a time.


@pytest.mark.parametrize("more", [["--set", "model.colour=1"], ["--set", "training.batch=63"], []])
def test_a_failed_start_leaves_no_folder_and_the_corrected_command_works(here: Path, more: list[str]) -> None:
    (here / "short.txt").write_text("twelve bytes")
    before = sorted(here.iterdir())
    text = "uni.txt" if more else "short.txt"
    assert train_text(Path("deep/run"), text, *more) == 2
    assert sorted(here.iterdir()) == before
    assert train_text(Path("deep/run"), "uni.txt") == 0


def test_a_folder_that_holds_a_run_is_kept(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert train_text(Path("run"), "uni.txt") == 0
    before = {path: path.stat().st_mtime_ns for path in (here / "run").rglob("*") if path.is_file()}
    assert train_text(Path("run"), "uni.txt") == 2
    assert "already holds a run" in said(capsys)[1]
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_the_second_writer_is_told_who_trains_there_and_the_lock_dies_with_its_owner(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train_text(Path("run"), "uni.txt") == 0
    holder = subprocess.Popen(
        [
            *(sys.executable, "-c"),
            "import sys, time; from pathlib import Path\n"
            "from clearhead.training.folders.writer import only_writer\n"
            "with only_writer(Path('run')): print('held', flush=True); time.sleep(60)",
        ],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    capsys.readouterr()
    assert clearhead("train", "characters-rnn", "--out", "run", "--resume") == 2
    told = said(capsys)[1]
    assert f"by process {holder.pid}" in told
    assert f"since {time.strftime('%Y-%m-%d')}" in told
    holder.kill()
    holder.wait()
    holder.stdout.close()
    with only_writer(here / "run"):
        pass


# A run folder stands alone.


def test_a_run_is_asked_moved_packed_without_parent_data_or_the_right_to_write(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from clearhead.experiment.stages import Wish, prepare_finetuning, prepare_pretraining
    from clearhead.training import Teller, open_run, train_stage

    small = ("vocabulary.kind='characters'", "model.width=16", "model.heads=2", "model.memory=64", "model.layers=1")
    wish = Wish(data="world:people=20,biographies_each=2,places=4", settings=(*small, "pretrain.epochs=1", "finetune.epochs=2"))
    prepare_pretraining(wish, here / "parent", time.monotonic(), Teller())
    train_stage(open_run(here / "parent"), "pretrain", Teller())
    prepare_finetuning(wish, here / "child", str(here / "parent"), time.monotonic(), Teller())
    train_stage(open_run(here / "child"), "finetune", Teller())
    (here / "far" / "away").mkdir(parents=True)
    (here / "child").rename(here / "far" / "away" / "renamed")
    shutil.rmtree(here / "parent")
    moved = here / "far" / "away" / "renamed"
    assert clearhead("ask", moved, "Where was Ada Lind born?", "--json") == 0
    answer = json.loads(said(capsys)[0])
    assert answer["calibrated"] is True
    assert clearhead("sample", moved, "--tokens", 5) == 0
    assert clearhead("train", "fast:finetune", "--out", moved, "--resume") == 0
    assert clearhead("runs", "--pack", moved, here / "one.tar.gz") == 0
    assert clearhead("runs", here / "unpacked", "--unpack", here / "one.tar.gz") == 0
    again = here / "unpacked" / "renamed"
    for path in [again, *again.rglob("*")]:
        path.chmod(stat.S_IRUSR | (stat.S_IXUSR if path.is_dir() else 0))
    capsys.readouterr()
    assert clearhead("ask", again, "Where was Ada Lind born?", "--json") == 0
    assert json.loads(said(capsys)[0]) == answer
    for path in [again, *again.rglob("*")]:
        path.chmod(stat.S_IRWXU)


def test_without_corpus_it_answers_uncalibrated_and_says_so(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from clearhead.corpora import find_corpus

    world = find_corpus("world:people=20,biographies_each=2,places=4")
    data = here / "data"
    data.mkdir()
    (data / "wiki.txt").write_text(world.text)
    for name, part in {"birth_places_train.tsv": world.train, "birth_dev.tsv": world.dev[:2]}.items():
        (data / name).write_text("".join(f"{question.text}\t{question.answer}\n" for question in part))
    small = ["vocabulary.kind='characters'", "model.width=16", "model.heads=2", "model.memory=64", "model.layers=1"]
    train_run(start_run(named_recipe("fast", [*small, "pretrain.epochs=1", f"corpus={data}"]), here / "run"))
    capsys.readouterr()
    assert clearhead("ask", "run", world.dev[0].text, "--json") == 0
    few = json.loads(said(capsys)[0])
    assert (few["calibrated"], few["seen"], few["abstained"]) == (False, True, False)
    shutil.rmtree(data)
    (here / "run" / "names.json").unlink()
    assert clearhead("ask", "run", world.dev[0].text) == 0
    told = said(capsys)[0]
    assert "not calibrated: its corpus is not here" in told
    assert "was ever read is not known here" in told


def test_checkpoints_can_be_read_by_others(here: Path) -> None:
    before = os.umask(0o022)
    try:
        assert train_text(Path("run"), "uni.txt") == 0
    finally:
        os.umask(before)
    files = list((here / "run" / "checkpoints").rglob("*.safetensors"))
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o644}


def test_edited_questions_do_not_overwrite_what_was_learned_of_certainty(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from clearhead.corpora import find_corpus

    world = find_corpus("world:people=30,biographies_each=2,places=4")
    data = here / "data"
    data.mkdir()
    (data / "wiki.txt").write_text(world.text)
    for name, part in {"birth_places_train.tsv": world.train, "birth_dev.tsv": world.dev}.items():
        (data / name).write_text("".join(f"{question.text}\t{question.answer}\n" for question in part))
    small = ["vocabulary.kind='characters'", "model.width=16", "model.heads=2", "model.memory=64", "model.layers=1"]
    train_run(start_run(named_recipe("fast", [*small, "pretrain.epochs=1", f"corpus={data}"]), here / "run"))
    assert clearhead("birthplaces", "evaluate", "--out", "run") == 0
    kept = (here / "run" / "confidence.json").read_text()
    assert json.loads(kept)["data"] == json.loads((here / "run" / "data.json").read_text())["fingerprint"]
    dev = (data / "birth_dev.tsv").read_text()
    (data / "birth_dev.tsv").write_text("".join(sorted(dev.splitlines(keepends=True))[:-1]))
    capsys.readouterr()
    assert clearhead("birthplaces", "evaluate", "--out", "run") == 2
    assert "--data" in said(capsys)[1]
    assert clearhead("birthplaces", "evaluate", "--out", "run", "--data", data) == 0
    assert (here / "run" / "confidence.json").read_text() == kept
