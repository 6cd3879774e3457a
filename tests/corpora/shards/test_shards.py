"""Shards: every document of every kind of file, whatever the parts; resumable, checksummed; windows in a mixed order."""

import gzip
import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead.cli import main
from clearhead.corpora.corpus import HeldOut
from clearhead.corpora.shards import shard_writer
from clearhead.corpora.shards.mixed_order import mixed
from clearhead.corpora.shards.raw_parts import documents_of, parts_of
from clearhead.corpora.shards.shard_folder import ShardFolder, open_shards
from clearhead.corpora.shards.shard_writer import ShardWish, sharded
from clearhead.corpora.shards.sharded_text import ShardedText, ShardLanes, ShardPieces, ShardWindows, find_shards
from clearhead.corpora.vocabularies.saved_vocabulary import load_vocabulary
from clearhead.errors import InputError

DOCUMENTS = [f"Zoë № {number} was born in Oslo,\nand left in {1800 + number}." for number in range(120)]
CHARACTERS = ShardWish(vocabulary="characters", processes=1, part=700)


@settings(max_examples=60, deadline=None)
@given(total=st.integers(1, 5000), seed=st.integers(0, 9), epoch=st.integers(0, 9))
def test_the_order_is_one_to_one(total: int, seed: int, epoch: int) -> None:
    assert sorted(mixed(place, total, seed, epoch) for place in range(total)) == list(range(total))


def test_orders_differ_and_look_random() -> None:
    first, other, later = ([mixed(place, 1000, *of) for place in range(1000)] for of in ((0, 0), (1, 0), (0, 1)))
    assert first != other
    assert first != later
    for order in (first, other, later):
        assert abs(np.corrcoef(order, range(1000))[0, 1]) < 0.1
        assert sum(abs(a - b) == 1 for a, b in pairwise(order)) < 20


def write(folder: Path, name: str) -> Path:
    place = folder / name
    lines = [json.dumps({"id": number, "text": text}, ensure_ascii=False) for number, text in enumerate(DOCUMENTS)]
    if name.endswith(".parquet"):
        arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'clearhead[data]'")
        from pyarrow import parquet

        parquet.write_table(arrow.table({"id": range(len(DOCUMENTS)), "text": DOCUMENTS}), place, row_group_size=7)
    elif name.endswith(".gz"):
        place.write_bytes(gzip.compress("\n".join(lines).encode()))
    elif name.endswith(".jsonl"):
        place.write_text("\n".join(lines) + "\n\n", encoding="utf-8")
    else:
        place.write_text("\n".join(DOCUMENTS), encoding="utf-8")
    return place


@pytest.mark.parametrize("name", ["mine.txt", "mine.jsonl", "mine.jsonl.gz", "mine.parquet"])
@pytest.mark.parametrize("part", [37, 700, 1 << 20])
def test_every_document_is_in_one_part(tmp_path: Path, name: str, part: int) -> None:
    place = write(tmp_path, name)
    found = [text for each in parts_of([place], "text", part) for text in documents_of(each)]
    if name.endswith(".txt"):
        assert "".join(found) == "\n".join(DOCUMENTS)
    else:
        assert found == DOCUMENTS


@settings(max_examples=80, deadline=None)
@given(text=st.text(alphabet="ab é\n", max_size=60), part=st.integers(1, 20))
def test_running_text_is_whole_however_it_is_cut(tmp_path_factory: pytest.TempPathFactory, text: str, part: int) -> None:
    place = tmp_path_factory.mktemp("cut") / "mine.txt"
    place.write_bytes(text.encode())
    assert "".join(piece for each in parts_of([place], "text", part) for piece in documents_of(each)) == text


@pytest.mark.parametrize("name", ["mine.txt", "mine.jsonl", "mine.parquet"])
def test_shards_hold_the_text_and_can_be_opened_by_anybody(tmp_path: Path, name: str) -> None:
    made = sharded([write(tmp_path, name)], tmp_path / "out", CHARACTERS)
    vocabulary = load_vocabulary(tmp_path / "out" / "tokenizer.json")
    assert len(made.shards) > 3
    ids = made.read(0, made.tokens)
    between = "\n" if name.endswith(".txt") else "⁇"
    wanted = between.join(DOCUMENTS) + ("" if name.endswith(".txt") else between)
    assert vocabulary.decode(ids.tolist()) == wanted
    apart = np.concatenate([np.load(tmp_path / "out" / shard.file) for shard in made.shards])
    assert (apart == ids).all()
    assert made.documents == (0 if name.endswith(".txt") else 120)
    assert sorted(path.suffix for path in (tmp_path / "out").iterdir() if path.suffix != ".npy") == [".json", ".json"]
    for start in range(0, made.tokens - 50, 97):
        assert (made.read(start, 50) == ids[start : start + 50]).all()


def test_processes_make_what_one_makes(tmp_path: Path) -> None:
    place = write(tmp_path, "mine.jsonl")
    several = ShardWish(vocabulary="byte-pairs", size=300, processes=2, part=3000)
    for name, wish in (("one", ShardWish(vocabulary="byte-pairs", size=300, processes=1, part=3000)), ("two", several)):
        sharded([place], tmp_path / name, wish)
    for file in (tmp_path / "one").iterdir():
        assert (tmp_path / "two" / file.name).read_bytes() == file.read_bytes()


def test_stopped_anywhere_it_goes_on_with_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = write(tmp_path, "mine.jsonl")
    whole = sharded([place], tmp_path / "whole", CHARACTERS)
    make, done = shard_writer.make_shard, []

    def stopping(out: Path, number: int, part: object) -> object:
        if len(done) == 3:
            raise KeyboardInterrupt
        done.append(number)
        return make(out, number, part)

    monkeypatch.setattr(shard_writer, "make_shard", stopping)
    with pytest.raises(KeyboardInterrupt):
        sharded([place], tmp_path / "out", CHARACTERS)
    assert not (tmp_path / "out" / "shards.json").exists()
    (tmp_path / "out" / "000001.npy").write_bytes(b"damaged")
    done.clear()
    monkeypatch.setattr(shard_writer, "make_shard", lambda out, number, part: (done.append(number), make(out, number, part))[1])
    again = sharded([place], tmp_path / "out", CHARACTERS)
    assert 1 in done
    assert 0 not in done
    assert again.shards == whole.shards
    with pytest.raises(InputError, match="finished shards already"):
        sharded([place], tmp_path / "out", CHARACTERS)


def test_what_was_begun_otherwise_is_not_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = write(tmp_path, "mine.jsonl")
    monkeypatch.setattr(shard_writer, "make_shard", lambda out, number, part: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        sharded([place], tmp_path / "out", CHARACTERS)
    monkeypatch.undo()
    with pytest.raises(InputError, match="begun with other files"):
        sharded([place], tmp_path / "out", ShardWish(vocabulary="characters", processes=1, part=800))


def test_a_changed_byte_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    made = sharded([write(tmp_path, "mine.txt")], out, CHARACTERS)
    assert main(["data", "shard", "--out", str(out)]) == 0
    assert "every byte is what was written" in capsys.readouterr().out
    file = out / made.shards[1].file
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    assert main(["data", "shard", "--out", str(out)]) == 2
    assert "not those that were written" in capsys.readouterr().err
    file.write_bytes(data[:-2])
    with pytest.raises(InputError, match="bytes were expected"):
        open_shards(out)


def windows(tmp_path: Path, block: int = 16) -> tuple[ShardedText, ShardWindows]:
    sharded([write(tmp_path, "mine.txt")], tmp_path / "out", CHARACTERS)
    text = find_shards(str(tmp_path / "out"), HeldOut(share=0.2))
    assert text is not None
    return text, ShardWindows(text, block)


def test_an_epoch_goes_through_every_window_once_and_none_of_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text, source = windows(tmp_path)
    whole = text.shards.read(0, text.shards.tokens)
    read, starts = ShardFolder.read, []
    with monkeypatch.context() as patch:
        patch.setattr(ShardFolder, "read", lambda self, start, count: (starts.append(start), read(self, start, count))[1])
        for epoch in (0, 1):
            starts.clear()
            rows = [source.row_at(epoch * len(source) + place, 0) for place in range(len(source))]
            assert starts != sorted(starts)
            assert all((row == whole[start : start + 17]).all() for row, start in zip(rows, starts, strict=True))
            assert {b - a for a, b in pairwise(sorted(starts))} == {16}
            assert max(starts) + 17 <= text.boundary
    assert source.tokens_in_epoch > 0.9 * text.boundary - 3 * 16
    pieces = ShardPieces(text, 16, text.boundary, text.shards.tokens)
    assert pieces.draw(0, 0, 0).inputs == whole[text.boundary : text.boundary + 16].tolist()


@pytest.mark.parametrize("processes", [1, 2, 3, 4])
def test_rows_are_the_same_on_any_number_of_processes_and_from_any_position(
    tmp_path: Path, processes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from clearhead.training.steps import shard_stream
    from clearhead.training.steps.shard_stream import ShardStream

    _, source = windows(tmp_path)
    alone = ShardStream(source, 16 * 8, seed=3)
    wanted = [alone.next() for _ in range(2 * len(source) // 8 + 2)]
    assert (alone.position, wanted[0].counted) == ([len(wanted)], 0)
    for process in range(processes):
        monkeypatch.setattr(shard_stream, "rank", lambda process=process: process)
        monkeypatch.setattr(shard_stream, "world", lambda: processes)
        stream = ShardStream(source, 16 * 8, seed=3)
        for number in (0, 1, len(wanted) - 1):
            stream.go_to([number])
            got = stream.next()
            assert (got.inputs == wanted[number].inputs[process::processes]).all()
            assert (got.targets == wanted[number].targets[process::processes]).all()
            assert got.tokens == wanted[number].tokens == 128
            assert got.counted == (128 if processes > 1 else 0)


def test_shards_are_read_alike_where_a_system_has_no_pread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text, _ = windows(tmp_path)
    wanted = text.shards.read(5, 900)
    monkeypatch.delattr("os.pread")
    assert (open_shards(text.folder).read(5, 900) == wanted).all()


@pytest.mark.parametrize("processes", [1, 2, 3])
def test_lanes_of_shards_are_the_lanes_of_all_their_tokens(
    tmp_path: Path, processes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from clearhead.training.steps import shard_stream
    from clearhead.training.steps.shard_stream import ShardLaneStream
    from clearhead.training.steps.streams import Lanes

    text, _ = windows(tmp_path)
    ids = text.shards.read(0, text.boundary)
    wanted = Lanes(ids, 7, 16)
    batches = [wanted.next() for _ in range(len(ids) // 16 + 3)]  # more than once round
    for process in range(processes):
        monkeypatch.setattr(shard_stream, "rank", lambda process=process: process)
        monkeypatch.setattr(shard_stream, "world", lambda: processes)
        stream = ShardLaneStream(ShardLanes(text, 16), 7 * 16)
        for number in (0, 1, len(batches) // 2, len(batches) - 1):
            stream.go_to([number])
            got = stream.next()
            assert (got.inputs == batches[number].inputs[process::processes]).all()
            assert (got.targets == batches[number].targets[process::processes]).all()
            assert (got.tokens, got.counted) == (112, 112 if processes > 1 else 0)
        assert stream.position == [len(batches)]


def test_a_state_goes_along_shards_as_along_a_text(tmp_path: Path) -> None:
    from clearhead.training import named_recipe, start_run, train_run

    write(tmp_path, "mine.txt")
    sharded([tmp_path / "mine.txt"], tmp_path / "shards", CHARACTERS)
    sizes = ("model.width=8", "model.lanes=4", "model.context=16", "training.batch=64", "epochs=0", "training.tokens=3000")
    losses = []
    for corpus in ("mine.txt", "shards"):
        run = start_run(named_recipe("characters-gru", [*sizes, f"corpus={tmp_path / corpus}"]), tmp_path / f"run-{corpus}")
        train_run(run)
        losses.append([json.loads(line)["loss"] for line in (run.folder / "metrics.jsonl").read_text().splitlines()])
    assert all(losses)  # how many lines there are is a matter of the clock
    assert losses[0][-1] == pytest.approx(losses[1][-1], rel=0.05)


def test_a_model_trains_on_shards_stops_and_resumes_to_the_same_weights(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from safetensors.torch import load_file

    write(tmp_path, "mine.jsonl")
    shards = tmp_path / "shards"
    words = [
        "data",
        "shard",
        str(tmp_path / "mine.jsonl"),
        "--out",
        str(shards),
        "--vocabulary",
        "characters",
        "--processes",
        "1",
    ]
    assert main(words) == 0
    assert "120 documents" in capsys.readouterr().out
    sizes = (
        "model.width=8",
        "model.heads=2",
        "model.layers=1",
        "model.context=32",
        "training.batch=256",
        "training.save_every=1",
    )
    settings = [part for each in (f"corpus={shards}", *sizes) for part in ("--set", each)]
    assert main(["train", "characters-gpt", "--out", str(tmp_path / "whole"), *settings, "--set", "training.tokens=2560"]) == 0
    assert main(["train", "characters-gpt", "--out", str(tmp_path / "epochs"), *settings, "--set", "epochs=0.5"]) == 0
    checkpoints = sorted((tmp_path / "whole" / "checkpoints").iterdir(), key=lambda each: int(each.name))
    for later in checkpoints[1:]:
        for file in later.iterdir():
            file.unlink()
        later.rmdir()
    wanted = int(checkpoints[-1].name)
    assert main(["train", "characters-gpt", "--out", str(tmp_path / "again"), *settings, "--set", "training.tokens=2560"]) == 0
    assert main(["train", "characters-gpt", "--out", str(tmp_path / "whole"), "--resume"]) == 0
    first, second = (
        load_file(tmp_path / name / "checkpoints" / str(wanted) / "weights.safetensors") for name in ("whole", "again")
    )
    assert all((first[name] == second[name]).all() for name in first)
    assert main(["sample", str(tmp_path / "whole"), "--tokens", "5"]) == 0


def test_nonsense_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.jsonl").write_text('{"text": "a"}\n{"body": "b"}\n')
    (tmp_path / "broken.jsonl").write_text('{"text": "a"}\n{"text\n')
    (tmp_path / "latin.txt").write_bytes(b"Sch\xf6n\n")
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "odd.parquet").write_text("no table")
    (tmp_path / "odd.doc").write_text("x")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("x")
    out = tmp_path / "out"
    for place, more, told in (
        ("bad.jsonl", [], "line 2: a text under 'text' was expected; there is: body"),
        ("broken.jsonl", [], "line 2: a JSON object"),
        ("latin.txt", [], "byte 3: the text must be UTF-8"),
        ("empty.txt", [], "nothing to learn from"),
        ("odd.parquet", [], "Parquet"),
        ("odd.doc", [], "of which kind"),
        ("nowhere.txt", [], "no such file"),
        ("bad.jsonl", ["--processes", "-1"], "processes"),
        ("bad.jsonl", ["--vocabulary", "nowhere"], "vocabulary"),
        ("bad.jsonl", ["--out", str(tmp_path / "full")], "not empty"),
    ):
        assert main(["data", "shard", str(tmp_path / place), "--out", str(out), "--vocabulary", "characters", *more]) == 2, (
            place
        )
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        assert told in error
        for left in out.glob("*") if out.exists() else ():
            left.unlink()
    assert main(["data", "shard", "--out", str(tmp_path / "nowhere")]) == 2
    fresh = tmp_path / "fresh"
    assert main(["data", "shard", str(tmp_path / "bad.jsonl"), "--out", str(fresh), "--vocabulary", "nowhere"]) == 2
    assert "take byte-pairs or characters, a run folder or a tokenizer.json" in capsys.readouterr().err
    assert not fresh.exists()
