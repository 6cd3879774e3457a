"""Text to ids and back: single characters as the course counts them, or byte pairs that can spell any text.

Both keep two ids for the marks that examples are built with: 0 is the pad, 1 the mask. No text can forge them: only
the sources of examples put them in.
"""

import json
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from clearhead.corpora.labels import LabelVocabulary
from clearhead.errors import ConfigError, InputError, MissingExtraError
from clearhead.saving import write_whole

if TYPE_CHECKING:
    from tokenizers import Tokenizer

PAD_CHARACTER = "\u25a1"  # □
MASK_CHARACTER = "\u2047"  # ⁇
PAD, MASK = 0, 1
SMALLEST_BYTE_PAIR = 2 + 256  # the two marks and every byte


class Vocabulary(Protocol):
    """What a model and its sources need to know about text."""

    @property
    def size(self) -> int:
        """How many ids there are."""
        ...

    @property
    def pad(self) -> int:
        """The id that fills a batch up; no loss is ever taken on it."""
        ...

    @property
    def mask(self) -> int:
        """The id that stands for what is left out, and that ends an answer."""
        ...

    def encode(self, text: str) -> list[int]:
        """The ids of a text."""
        ...

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids; pad and mask appear as □ and ⁇."""
        ...

    def save(self, path: Path) -> None:
        """Write to a file that `load_vocabulary` reads."""
        ...


class CharacterVocabulary:
    """One id a character: 0 the pad, 1 the mask, then the sorted characters of the corpus.

    A character outside the vocabulary becomes the pad, one id for one character: it keeps its place, and no loss is
    taken on it. That holds for a written □ or ⁇ too.

    >>> vocabulary = CharacterVocabulary.of("cab")
    >>> vocabulary.encode("abcd"), vocabulary.decode([4, 3, 2, 1, 0])
    ([2, 3, 4, 0], 'cba⁇□')
    """

    pad, mask = PAD, MASK

    def __init__(self, characters: str) -> None:
        self.characters = characters
        self.itos = (PAD_CHARACTER, MASK_CHARACTER, *characters)
        self._ids = {character: index + 2 for index, character in enumerate(characters)}
        if len(self._ids) != len(characters) or PAD_CHARACTER in self._ids or MASK_CHARACTER in self._ids:
            raise ConfigError(f"a character vocabulary needs distinct characters without □ and ⁇; got {characters[:40]!r}.")

    @classmethod
    def of(cls, text: str) -> "CharacterVocabulary":
        """The vocabulary of a corpus, which is its whole text with its line ends, as the course takes it."""
        return cls("".join(sorted(set(text) - {PAD_CHARACTER, MASK_CHARACTER})))

    @property
    def size(self) -> int:
        return len(self.itos)

    def encode(self, text: str) -> list[int]:
        ids = self._ids
        return [ids.get(character, PAD) for character in text]

    def decode(self, ids: Iterable[int]) -> str:
        return "".join(self.itos[index] for index in ids)

    def save(self, path: Path) -> None:
        write_whole(path, json.dumps({"kind": "characters", "characters": self.characters}, ensure_ascii=False))


class BytePairVocabulary:
    """Byte pairs learned from a corpus: frequent pieces are one id, and any text at all can be spelled and read back."""

    pad, mask = PAD, MASK

    def __init__(self, tokenizer: "Tokenizer") -> None:
        tokenizer.encode_special_tokens = True  # a written □ or ⁇ is spelled in bytes, never taken for a mark
        self._tokenizer: Any = tokenizer
        if [tokenizer.token_to_id(mark) for mark in (PAD_CHARACTER, MASK_CHARACTER)] != [PAD, MASK]:
            raise InputError(f"a byte-pair vocabulary must hold □ as id {PAD} and ⁇ as id {MASK}; this tokenizer does not.")

    @classmethod
    def of(cls, documents: Sequence[str], size: int = 2048) -> "BytePairVocabulary":
        """Learn the most useful pieces of the documents, `size` ids in all at most."""
        if size < SMALLEST_BYTE_PAIR:
            raise ConfigError(f"a byte-pair vocabulary needs size >= {SMALLEST_BYTE_PAIR} (two marks, 256 bytes); got {size}.")
        tokenizers = import_tokenizers()
        tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
        tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = tokenizers.decoders.ByteLevel()
        trainer = tokenizers.trainers.BpeTrainer(
            vocab_size=size,
            special_tokens=[PAD_CHARACTER, MASK_CHARACTER],
            initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        )
        tokenizer.train_from_iterator([well_formed(document) for document in documents], trainer)
        return cls(tokenizer)

    @cached_property
    def size(self) -> int:
        return int(self._tokenizer.get_vocab_size())

    def encode(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(well_formed(text)).ids
        return ids

    def decode(self, ids: Iterable[int]) -> str:
        pieces = []
        for mark, run in groupby(ids, key=lambda index: index if index in (PAD, MASK) else None):
            if mark is None:
                pieces.append(self._tokenizer.decode(list(run)))
            else:
                pieces.append((PAD_CHARACTER if mark == PAD else MASK_CHARACTER) * len(list(run)))
        return "".join(pieces)

    def save(self, path: Path) -> None:
        write_whole(path, self._tokenizer.to_str())


def load_vocabulary(path: Path) -> Vocabulary:
    """Read a vocabulary from its file, or from the run folder that holds it as `tokenizer.json`."""
    file = path / "tokenizer.json" if path.is_dir() else path
    try:
        text = file.read_text(encoding="utf-8")
        tree = json.loads(text)
    except (OSError, ValueError) as error:
        raise InputError(f"{file}: a vocabulary in JSON was expected; {error}.") from error
    if isinstance(tree, dict) and tree.get("kind") == "characters" and isinstance(tree.get("characters"), str):
        return CharacterVocabulary(tree["characters"])
    if isinstance(tree, dict) and tree.get("kind") == "words" and isinstance(tree.get("words"), list):
        from clearhead.corpora.words import WordVocabulary  # which reads files by what stands here

        return WordVocabulary([str(word) for word in tree["words"]])
    if isinstance(tree, dict) and tree.get("kind") == "labels" and isinstance(tree.get("names"), list):
        return LabelVocabulary([str(name) for name in tree["names"]])
    if isinstance(tree, dict) and "model" in tree:
        try:
            tokenizer = import_tokenizers().Tokenizer.from_str(text)
        except MissingExtraError:
            raise
        except Exception as error:  # the library raises bare Exception for a file it cannot use
            raise InputError(f"{file}: not a tokenizer that can be read; {error}.") from error
        return BytePairVocabulary(tokenizer)
    raise InputError(f"{file}: neither a character vocabulary nor a tokenizer; train again, or restore the file.")


def import_tokenizers() -> Any:
    """The optional library of byte pairs, or one sentence that says how to get it."""
    try:
        import tokenizers
        import tokenizers.decoders
        import tokenizers.models
        import tokenizers.pre_tokenizers
        import tokenizers.trainers
    except ImportError as error:
        raise MissingExtraError("byte pairs need the training extra; install it: pip install 'clearhead[train]'.") from error
    return tokenizers


def well_formed(text: str) -> str:
    """The text itself, or with U+FFFD for lone surrogates, which no UTF-8 can spell."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
