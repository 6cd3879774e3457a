"""Plain next-token prediction over documents."""

from collections.abc import Sequence

from clearhead.corpora.examples.example import Example, chance, shifted
from clearhead.corpora.vocabularies.vocabulary import Vocabulary
from clearhead.errors import ConfigError


class NextToken:
    """Each document as it stands with a ⁇ at its end; of a longer one than the block, a window that moves by epoch."""

    def __init__(self, vocabulary: Vocabulary, documents: Sequence[str], block: int = 128) -> None:
        if block < 2:
            raise ConfigError(f"next-token examples need block >= 2; got {block}.")
        self.block = block
        self._documents = [[*ids, vocabulary.mask] for document in documents if (ids := vocabulary.encode(document))]

    def __len__(self) -> int:
        return len(self._documents)

    def draw(self, index: int, epoch: int, seed: int) -> Example:
        document = self._documents[index]
        spare = len(document) - self.block
        start = chance(seed, epoch, index).randint(0, spare) if spare > 0 else 0
        return shifted(document[start : start + self.block])
