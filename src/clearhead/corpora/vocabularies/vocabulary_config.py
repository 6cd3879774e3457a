"""The vocabulary that a recipe asks for."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, get_args

from clearhead.corpora.text_files import find_file
from clearhead.corpora.vocabularies.byte_pairs import BytePairVocabulary
from clearhead.corpora.vocabularies.characters import CharacterVocabulary
from clearhead.corpora.vocabularies.class_names import LabelVocabulary
from clearhead.corpora.vocabularies.saved_vocabulary import load_vocabulary
from clearhead.corpora.vocabularies.vocabulary import Vocabulary
from clearhead.corpora.vocabularies.words import learn_word_vocabulary, read_word_vocabulary
from clearhead.errors import ConfigError

Kind = Literal["characters", "byte-pairs", "words", "labels"]


@dataclass(frozen=True, kw_only=True)
class VocabularyConfig:
    """Single characters, byte pairs and how many, words, or the names of classes."""

    kind: Kind = "characters"
    size: int = 2048  # of byte pairs or words, at most
    file: str = ""  # of words: one a line, the most frequent first; none: the most frequent of what is learned from
    names: tuple[str, ...] = ()  # of classes

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise ConfigError(f"vocabulary.kind={self.kind!r} is not known; kinds: {', '.join(get_args(Kind))}.")


def build_vocabulary(config: VocabularyConfig, documents: Iterable[str]) -> Vocabulary:
    """Learn a vocabulary from documents."""
    if config.kind == "characters":
        characters = {"\n"}
        for document in documents:
            characters.update(document)
        return CharacterVocabulary.of("".join(characters))
    if config.kind == "labels":
        return LabelVocabulary(config.names)
    if config.kind == "words" and not config.file:
        return learn_word_vocabulary(documents, config.size)
    if config.kind == "words":
        return read_word_vocabulary(find_file(config.file), config.size)
    return spaced(BytePairVocabulary.of([f" {document}" for document in documents], config.size))


def spaced(vocabulary: BytePairVocabulary) -> Vocabulary:
    """The same byte pairs, and every text begins as if a space stood before it.

    A name is then spelled alike at the start of a document, within a question and as an answer.
    """
    with TemporaryDirectory() as folder:
        file = Path(folder) / "tokenizer.json"
        vocabulary.save(file)
        tree = json.loads(file.read_text(encoding="utf-8"))
        tree["pre_tokenizer"]["add_prefix_space"] = True
        file.write_text(json.dumps(tree), encoding="utf-8")
        return load_vocabulary(file)
