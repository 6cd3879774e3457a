"""The vocabulary that a recipe asks for."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, get_args

from clearhead.corpora import BytePairVocabulary, CharacterVocabulary, Vocabulary, load_vocabulary
from clearhead.errors import ConfigError

Kind = Literal["characters", "byte-pairs"]


@dataclass(frozen=True, kw_only=True)
class VocabularyConfig:
    """Single characters, or byte pairs and how many."""

    kind: Kind = "characters"
    size: int = 2048  # of byte pairs

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise ConfigError(f"vocabulary.kind={self.kind!r} is not known; kinds: {', '.join(get_args(Kind))}.")


def build_vocabulary(config: VocabularyConfig, documents: Sequence[str]) -> Vocabulary:
    """Learn a vocabulary from documents."""
    if config.kind == "characters":
        return CharacterVocabulary.of("".join(document + "\n" for document in documents))
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
