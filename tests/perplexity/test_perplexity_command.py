"""`clearhead train`, `perplexity` and `sample` on small runs: what a person types, sees and gets wrong."""

import json
from pathlib import Path

import pytest
import torch
from torch.nn.functional import cross_entropy

from clearhead.cli import main
from clearhead.training import trained

SMALL = ["epochs=0", "training.tokens=2100", "model.width=16", "model.layers=1", "corpus=world:people=60"]
WORDS = ["<s>", "</s>", "UUUNKKK", "the", "was", "born", "in", ".", ",", "and", "a", "of"]


def train(recipe: str, out: Path, *settings: str) -> int:
    return main(["train", recipe, "--out", str(out), *(part for each in settings for part in ("--set", each))])


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A GRU of characters and a bigram of words, each trained for a moment."""
    folder = tmp_path_factory.mktemp("runs")
    assert train("characters-gru", folder / "gru", *SMALL) == 0
    (folder / "vocab.txt").write_text("".join(f"{word}\t1\n" for word in WORDS))
    (folder / "train.txt").write_text("The DT B\ncat NN I\nwas VB O\nborn VB O\n. . O\n\nThe DT B\n\n" * 40)
    (folder / "dev.txt").write_text("-DOCSTART-\tX\n\nThe\tDT\ndog\tNN\nwas\tVB\n.\t.\n\n")
    (folder / "glove.txt").write_text("the 1 2\nwas 3 4\n")
    files = [f"corpus={folder}/train.txt", f"vocabulary.file={folder}/vocab.txt", f"vectors={folder}/glove.txt"]
    more = [f"text.dev={folder}/dev.txt", f"vocabulary.size={len(WORDS)}", "model.width=2", "epochs=2"]
    assert train("bigram", folder / "bigram", *files, *more) == 0
    (folder / "passage.txt").write_text("The cat was born in Zoëville in 1987.\n")
    return folder


def test_training_leaves_a_whole_run_folder(runs: Path) -> None:
    for name in ("gru", "bigram"):
        there = {path.name for path in (runs / name).iterdir()}
        assert {"recipe.toml", "tokenizer.json", "metrics.jsonl", "checkpoints", "loss.svg"} <= there


def test_the_same_bytes_under_two_runs(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perplexity", str(runs / "gru"), str(runs / "passage.txt"), "--against", str(runs / "bigram"), "--why"]) == 0
    said = capsys.readouterr().out
    assert "fewer bits than" in said
    assert "for the same 39 bytes" in said
    assert "numbers folded" in said
    assert "NOT COMPARABLE" not in said


def test_json_says_the_same(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both = ["perplexity", str(runs / "gru"), str(runs / "passage.txt"), "--against", str(runs / "bigram"), "--json"]
    assert main(both) == 0
    (tree,) = json.loads(capsys.readouterr().out)
    assert [run["bytes"] for run in tree["runs"]] == [39, 39]
    assert tree["runs"][1]["side_bits"]["unknown words"] > 0
    assert tree["comparable"] is True


def test_where_nothing_is_charged_it_is_said(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perplexity", str(runs / "bigram"), str(runs / "passage.txt"), "--no-charge"]) == 0
    assert "NOT COMPARABLE" in capsys.readouterr().out


def test_a_text_that_was_trained_on_is_told_so(runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from clearhead.corpora import find_corpus

    (tmp_path / "seen.txt").write_text("\n".join(find_corpus("world:people=60").biographies[:3]))
    assert main(["perplexity", str(runs / "gru"), str(tmp_path / "seen.txt")]) == 0
    assert "stand in the training text" in capsys.readouterr().out
    assert main(["perplexity", str(runs / "gru"), str(runs / "passage.txt")]) == 0
    assert "stand in the training text" not in capsys.readouterr().out


def test_what_was_held_out_is_scored_without_a_file(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perplexity", str(runs / "gru")]) == 0
    assert "held-out end" in capsys.readouterr().out
    assert main(["perplexity", str(runs / "bigram")]) == 0
    said = capsys.readouterr().out
    assert all(name in said for name in ("neural bigram", "unigram", "add-k", "Kneser–Ney", "without it"))


def test_a_file_of_tokens_is_scored_by_words_only(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perplexity", str(runs / "bigram"), str(runs / "dev.txt")]) == 0
    assert "Kneser–Ney" in capsys.readouterr().out
    assert main(["perplexity", str(runs / "gru"), str(runs / "dev.txt")]) == 2
    assert "only a model of words" in capsys.readouterr().err


def test_the_page_colours_every_character(runs: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    (tmp_path / "t.txt").write_text("<b>was</b> ☃")
    assert main(["perplexity", str(runs / "gru"), str(tmp_path / "t.txt"), "--heatmap", str(page)]) == 0
    written = page.read_text()
    assert "&lt;</span>" in written
    assert "<b>" not in written
    assert 'class="u"' in written
    assert "http" not in written


def test_samples_go_on_from_the_prompt(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, prompt in (("gru", "born in"), ("bigram", "the")):
        command = ["sample", str(runs / name), "--prompt", prompt, "--tokens", "20", "--top-k", "5", "--top-p", "0.9"]
        assert main([*command, "--seed", "3"]) == 0
        first = capsys.readouterr().out
        assert first.startswith(prompt)
        assert main([*command, "--seed", "3"]) == 0
        assert capsys.readouterr().out == first


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["sample", "{runs}/gru", "--temperature", "-1"], "temperature"),
        (["sample", "{runs}/gru", "--prompt", "☃"], "never seen the character"),
        (["sample", "{runs}/nowhere"], "recipe"),
        (["perplexity", "{runs}/gru", "{runs}/nowhere.txt"], "there is no such file"),
        (["perplexity", "{runs}/gru", "{runs}/latin.txt"], "line 2"),
        (["perplexity", "{runs}/gru", "{runs}/empty.txt"], "empty"),
        (["perplexity", "{runs}/gru", "--heatmap", "{runs}/x.html"], "heatmap shows one file"),
        (["train", "characters-gru", "--out", "{runs}/new", "--set", "corpus=no-such-corpus"], "no such file"),
        (["train", "characters-gru", "--out", "{runs}/new", "--set", "text.validation=2"], "held_out"),
        (["train", "bigram", "--out", "{runs}/new", "--set", "vocabulary.file={runs}/nowhere"], "no such file"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    runs: Path, command: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (runs / "latin.txt").write_bytes("a\nZoë\n".encode("latin-1"))
    (runs / "empty.txt").write_bytes(b"")
    assert main([part.replace("{runs}", str(runs)) for part in command]) == 2
    said = capsys.readouterr().err
    assert told in said
    assert said.count("\n") == 1
    assert "Traceback" not in said


def test_what_a_run_on_shards_held_out_is_scored_by_its_tokens(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").write_text("".join(f"Zoë {number} was born in Oslo.\n" for number in range(300)), encoding="utf-8")
    shards = str(tmp_path / "shards")
    assert main(["data", "shard", str(tmp_path / "mine.txt"), "--out", shards, "--vocabulary", "characters"]) == 0
    more = ["epochs=0", "training.tokens=2100", "model.width=8", "model.layers=1", "model.lanes=2", "model.context=16"]
    assert train("characters-gru", tmp_path / "run", *more, "training.batch=32", f"corpus={shards}") == 0
    capsys.readouterr()
    assert main(["perplexity", str(tmp_path / "run"), "--json"]) == 0
    (tree,) = json.loads(capsys.readouterr().out)
    run = trained(tmp_path / "run")
    ids = torch.cat([torch.from_numpy(some) for some in run.corpus.held_out()])
    assert tree["tokens"] == len(ids) == run.corpus.shards.tokens - run.corpus.boundary
    with torch.no_grad():
        logits, _ = run.model(torch.cat([torch.tensor([run.vocabulary.beginning]), ids[:-1]])[None])
    assert tree["nats_per_token"] == pytest.approx(float(cross_entropy(logits[0].double(), ids)), rel=1e-4)
    assert main(["perplexity", str(tmp_path / "run")]) == 0
    assert "shards hold tokens and no text" in capsys.readouterr().out
