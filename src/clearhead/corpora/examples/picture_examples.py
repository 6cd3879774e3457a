"""Pictures as examples: the pixels in, the class out."""

from clearhead.corpora.examples.example import Example
from clearhead.corpora.sources.digit_files import Pictures


class DigitExamples:
    """Each picture once: its pixels, row by row, in; its digit out."""

    def __init__(self, pictures: Pictures) -> None:
        self._pixels = pictures.pixels.reshape(len(pictures.labels), -1)
        self._labels = pictures.labels

    def __len__(self) -> int:
        return len(self._labels)

    def draw(self, index: int, epoch: int, seed: int) -> Example:
        return Example(self._pixels[index].tolist(), [int(self._labels[index])])
