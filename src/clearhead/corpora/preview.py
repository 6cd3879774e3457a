"""A few examples of a corpus, printed as the course prints them: x above y, pads and all."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from clearhead.corpora.corpus_kinds import BUILT_IN, kind_of_built_in
from clearhead.corpora.examples.example import Example, Source
from clearhead.corpora.examples.nearby_spans import NearbySpans
from clearhead.corpora.examples.next_token import NextToken
from clearhead.corpora.examples.question_examples import Questions
from clearhead.corpora.examples.salient_spans import SalientSpans
from clearhead.corpora.examples.span_corruption import EditionName, SpanCorruption
from clearhead.corpora.sources.biographies import BIOGRAPHIES, Birthplaces, lines_of, most_common_answer
from clearhead.corpora.sources.named_birthplaces import find_corpus, is_world
from clearhead.corpora.store.catalogue import KNOWN
from clearhead.corpora.store.store_folder import files_of, kept_names
from clearhead.corpora.vocabularies.byte_pairs import BytePairVocabulary
from clearhead.corpora.vocabularies.characters import CharacterVocabulary
from clearhead.corpora.vocabularies.vocabulary import Vocabulary
from clearhead.errors import ConfigError, InputError

PACKED = {".gz", ".zip", ".tgz", ".xz", ".bz2", ".parquet"}
DOCUMENTS = 2000  # so many lines of a large file are enough to show some


@dataclass(frozen=True, kw_only=True)
class View:
    """How to show a corpus."""

    count: int = 3
    block: int = 128
    edition: EditionName = "xcs224n"
    units: Literal["characters", "byte-pairs"] = "characters"
    seed: int = 0

    def __post_init__(self) -> None:
        if self.count < 1:
            raise ConfigError(f"count must be at least 1; got {self.count}.")
        if self.units not in ("characters", "byte-pairs"):
            raise ConfigError(f"units={self.units!r} is not known; units: characters, byte-pairs.")


def show(name: str, view: View | None = None) -> str:
    """A few examples of the corpus of this name, or of a folder or text file."""
    view = view or View()
    shown = kind_of_built_in(name).show if name in BUILT_IN else None
    if shown is not None:
        title, *lines = shown(name, view.count, view.seed)
        return section(title, lines)
    path, files = Path(name), files_of(name) if name in kept_names() else []
    if is_world(name) or path.is_dir() or any(file.name == BIOGRAPHIES for file in files):
        return show_birthplaces(find_corpus(name), view)
    if files:
        return show_documents(files, view)
    if path.exists():
        return show_documents([path], view)
    hint = f"get it: clearhead data get {name}" if name in KNOWN else f"there are: {', '.join([*BUILT_IN, *kept_names()])}"
    raise InputError(f"{name}: no such corpus, folder or file is here; {hint}.")


def show_birthplaces(corpus: Birthplaces, view: View) -> str:
    """Biographies, and what each objective makes of them."""
    vocabulary = vocabulary_of(corpus.text, corpus.biographies, view)
    common = most_common_answer(corpus.train)
    hits = sum(question.answer == common for question in corpus.dev)
    head = [
        f"{corpus.name}: {len(corpus.biographies):,} biographies; questions: {len(corpus.train):,} train, "
        f"{len(corpus.dev):,} dev, {len(corpus.test):,} test; {corpus.dropped} of train dropped: dev or test ask them too",
        f'"{common}" for everybody: {hits} of {len(corpus.dev)} dev answers ({hits / len(corpus.dev):.1%})',
        f"{vocabulary.size:,} ids ({view.units})",
    ]
    parts = [
        section("Biographies", corpus.biographies[: view.count]),
        examples("Questions", Questions(vocabulary, corpus.train[: view.count], view.block), vocabulary, view),
        *objectives(vocabulary, corpus.biographies, view),
    ]
    return "\n\n".join(["\n".join(head), *parts])


def show_documents(files: Sequence[Path], view: View) -> str:
    """The first lines of the first text file, and what each objective makes of them."""
    file = next((each for each in files if each.suffix not in PACKED), None)
    if file is None:
        raise InputError(f"{files[0]}: packed; unpack it first, then: clearhead data show FILE.txt")
    documents = [line for _, line in lines_of(file)][:DOCUMENTS]
    if not documents:
        raise InputError(f"{file}: nothing to show; the file is empty.")
    vocabulary = vocabulary_of("\n".join(documents), documents, view)
    head = f"{file}: {len(documents):,} lines read; {vocabulary.size:,} ids ({view.units})"
    after = examples("Next token", NextToken(vocabulary, documents, view.block), vocabulary, view)
    return "\n\n".join([head, section("Lines", documents[: view.count]), *objectives(vocabulary, documents, view), after])


def objectives(vocabulary: Vocabulary, documents: Sequence[str], view: View) -> list[str]:
    """Span corruption, salient spans and spans with the words near them, of the first documents."""
    corrupted = SpanCorruption(vocabulary, documents[: view.count], view.block, view.edition)
    salient = SalientSpans(vocabulary, documents, view.block)  # what is a name depends on all documents
    nearby = NearbySpans(vocabulary, documents, view.block)
    return [
        examples(f"Span corruption, edition {view.edition}", corrupted, vocabulary, view),
        examples("Salient spans with context dropout", salient, vocabulary, view),
        examples("Salient spans with the words near them", nearby, vocabulary, view),
    ]


def examples(title: str, source: Source, vocabulary: Vocabulary, view: View) -> str:
    """The first examples of a source."""
    drawn = [source.draw(index, 0, view.seed) for index in range(min(view.count, len(source)))]
    return section(title, [line for example in drawn for line in printed(example, vocabulary, view.block)])


def printed(example: Example, vocabulary: Vocabulary, block: int) -> tuple[str, str]:
    """An example as the course prints it: block − 1 ids each, a pad where there is nothing or no loss."""
    targets = [max(token, vocabulary.pad) for token in example.targets]
    pads = [vocabulary.pad] * (block - 1 - len(targets))
    inputs = [*example.inputs, targets[-1], *pads][: block - 1]  # with pads after it, the last token is an input too
    return f"x: {vocabulary.decode(inputs)}", f"y: {vocabulary.decode([*targets, *pads])}"


def section(title: str, lines: Sequence[str]) -> str:
    return "\n".join([title, *(f"  {line}" for line in lines)])


def vocabulary_of(text: str, documents: Sequence[str], view: View) -> Vocabulary:
    return CharacterVocabulary.of(text) if view.units == "characters" else BytePairVocabulary.of(documents)
