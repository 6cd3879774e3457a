"""What a vocabulary is, and the two marks that examples are built with: 0 is the pad, 1 the mask.

No text can forge them: only the sources of examples put them in.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    pass

PAD_CHARACTER = "\u25a1"  # □
MASK_CHARACTER = "\u2047"  # ⁇
PAD, MASK = 0, 1


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

    @property
    def beginning(self) -> int:
        """What stands before the first token of a text: the start of a sentence, or an empty line's end."""
        ...

    @property
    def never_predicted(self) -> tuple[int, ...]:
        """Ids that no text asks for: the model's share of them is shared out among the others."""
        ...

    @property
    def joint(self) -> str:
        """What stands between two texts of ids put together."""
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
