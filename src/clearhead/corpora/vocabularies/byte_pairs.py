"""Byte pairs that can spell any text."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clearhead.corpora.vocabularies.vocabulary import MASK, MASK_CHARACTER, PAD, PAD_CHARACTER
from clearhead.errors import ConfigError, InputError, MissingExtraError
from clearhead.saving import write_whole

if TYPE_CHECKING:
    from tokenizers import Tokenizer

SMALLEST_BYTE_PAIR = 2 + 256  # the two marks and every byte


class BytePairVocabulary:
    """Byte pairs learned from a corpus: frequent pieces are one id, and any text at all can be spelled and read back."""

    pad, mask = PAD, MASK
    beginning = MASK
    never_predicted = (PAD, MASK)
    joint = ""

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

    def written(self) -> str:
        """As the library of tokenizers writes it."""
        text: str = self._tokenizer.to_str()
        return text

    def save(self, path: Path) -> None:
        write_whole(path, self.written())


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
