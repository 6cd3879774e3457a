"""One long text: windows of it, or all of it as lanes that read on and on."""

from clearhead.corpora.corpus import CorpusKind
from clearhead.corpora.examples.example import Source
from clearhead.corpora.examples.text_windows import TextLanes, TextPieces, TextWindows
from clearhead.corpora.sources.running_text import RunningText, find_text
from clearhead.corpora.vocabularies.encoded_text import encoded
from clearhead.corpora.vocabularies.vocabulary import Vocabulary


def windows(vocabulary: Vocabulary, corpus: RunningText, block: int) -> Source:
    """Windows of the training part of a text."""
    return TextWindows(encoded(corpus.training(), vocabulary), block)


def lanes(vocabulary: Vocabulary, corpus: RunningText, block: int) -> Source:
    """The same text, as a stream that goes on from row to row."""
    return TextLanes(encoded(corpus.training(), vocabulary), block)


def held_out(vocabulary: Vocabulary, corpus: RunningText, block: int) -> Source:
    """The held-out end, piece after piece."""
    return TextPieces(encoded(corpus.validation(), vocabulary), block)


KIND = CorpusKind(open=find_text, objectives={"windows": windows, "lanes": lanes}, held_out=held_out)
