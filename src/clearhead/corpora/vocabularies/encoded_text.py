"""The ids of a text of any length, in a file that is mapped into memory."""

import tempfile
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from clearhead.corpora.vocabularies.vocabulary import Vocabulary
from clearhead.errors import InputError

LARGEST_SMALL_ID = 1 << 16


def encoded(chunks: Iterable[str], vocabulary: Vocabulary) -> NDArray[np.unsignedinteger]:
    """The ids of a text, in a file without a name that is mapped into memory."""
    kind = np.uint16 if vocabulary.size <= LARGEST_SMALL_ID else np.uint32
    with tempfile.TemporaryFile() as file:
        for chunk in chunks:
            np.asarray(vocabulary.encode(chunk), dtype=kind).tofile(file)
        file.flush()
        if file.tell() == 0:
            raise InputError("there is nothing to learn from: the text is empty.")
        return np.memmap(file, dtype=kind, mode="r+")
