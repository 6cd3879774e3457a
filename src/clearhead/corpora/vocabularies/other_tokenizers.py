"""A tokenizer that somebody else made, with marks of its own: that of a model which was taken over."""

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clearhead.corpora.vocabularies.byte_pairs import well_formed
from clearhead.errors import InputError
from clearhead.saving import write_whole

if TYPE_CHECKING:
    from tokenizers import Tokenizer

ENDS = ("<|endoftext|>", "</s>", "<eos>", "[SEP]", "<s>", "[PAD]")


class OtherVocabulary:
    """Its ids and its pieces; what ends a text there stands for the pad and the mask here."""

    never_predicted = ()
    joint = ""

    def __init__(self, tokenizer: "Tokenizer") -> None:
        self._tokenizer: Any = tokenizer
        known = [number for token in ENDS if (number := tokenizer.token_to_id(token)) is not None]
        if not known:
            raise InputError(f"a tokenizer needs a token that ends a text, one of {', '.join(ENDS)}; this one has none.")
        self.pad = self.mask = self.beginning = known[0]

    @cached_property
    def size(self) -> int:
        return int(self._tokenizer.get_vocab_size())

    def encode(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(well_formed(text), add_special_tokens=False).ids
        return ids

    def decode(self, ids: Iterable[int]) -> str:
        text: str = self._tokenizer.decode(list(ids), skip_special_tokens=False)
        return text

    def save(self, path: Path) -> None:
        write_whole(path, self._tokenizer.to_str())
