"""A new kind of corpus is one file and one line: then it is read, shown, and learned from."""

from extensions.conftest import Copy

CORPUS = '''
"""Sums: "7+8=15" and the like, made on the spot."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from clearhead.corpora.corpus import CorpusKind, HeldOut
from clearhead.corpora.examples.example import Source
from clearhead.corpora.examples.next_token import NextToken
from clearhead.corpora.vocabularies.vocabulary import Vocabulary


@dataclass(frozen=True)
class Sums:
    """All sums of two numbers below ten."""

    name: str

    def files(self) -> list[Path]:
        return []

    def documents(self) -> list[str]:
        return [f"{a}+{b}={a + b}" for a in range(10) for b in range(10)]

    def training_text(self) -> list[str]:
        return self.documents()

    def class_names(self) -> list[str]:
        return []


def open_sums(name: str, held_out: HeldOut) -> Sums:
    return Sums(name)


def next_sign(vocabulary: Vocabulary, corpus: Sums, block: int) -> Source:
    return NextToken(vocabulary, corpus.documents(), block=block)


def show(name: str, count: int, seed: int) -> Sequence[str]:
    return Sums(name).documents()[seed : seed + count]


KIND = CorpusKind(open=open_sums, objectives={"next-sign": next_sign}, show=show)
'''.lstrip()
RECIPE = """
name = "adder"
corpus = "small-sums"
epochs = 1

[model]
kind = "gpt"
layers = 1
heads = 2
width = 16
context = 16

[[objectives]]
kind = "next-sign"

[training]
batch = 128
"""


def test_a_corpus_is_one_file_and_one_line(package: Copy) -> None:
    package.add("corpora/kinds/sums.py", CORPUS)
    entry = '    "sums": Entry("clearhead.corpora.kinds.sums", {"small-sums": "sums below twenty"}),'
    package.extend("corpora/corpus_kinds.py", "CORPORA: dict[str, Entry] = {", entry)
    assert "small-sums" in package.clearhead("data", "list")
    assert "0+1=1" in package.clearhead("data", "show", "small-sums", "--count", "2")
    (package.folder / "adder.toml").write_text(RECIPE, encoding="utf-8")
    package.clearhead("train", "adder.toml", "--out", "run")
    assert (package.folder / "run" / "metrics.jsonl").read_text(encoding="utf-8").count("loss") >= 1
