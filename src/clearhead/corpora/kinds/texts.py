"""One long text, or shards of one: windows of it, or all of it as lanes that read on and on."""

from clearhead.corpora.corpus import CorpusKind, HeldOut
from clearhead.corpora.examples.example import Source
from clearhead.corpora.examples.text_windows import TextLanes, TextPieces, TextWindows
from clearhead.corpora.shards.sharded_text import ShardedText, ShardLanes, ShardPieces, ShardWindows, find_shards
from clearhead.corpora.sources.running_text import RunningText, find_text
from clearhead.corpora.vocabularies.encoded_text import encoded
from clearhead.corpora.vocabularies.vocabulary import Vocabulary


def open_text(name: str, held_out: HeldOut) -> RunningText | ShardedText:
    """The shards that a name means, or else the text."""
    return find_shards(name, held_out) or find_text(name, held_out)


def windows(vocabulary: Vocabulary, corpus: RunningText | ShardedText, block: int) -> Source:
    """Windows of the training part of a text."""
    if isinstance(corpus, ShardedText):
        return ShardWindows(corpus, block)
    return TextWindows(encoded(corpus.training(), vocabulary), block)


def lanes(vocabulary: Vocabulary, corpus: RunningText | ShardedText, block: int) -> Source:
    """The same text, as a stream that goes on from row to row."""
    if isinstance(corpus, ShardedText):
        return ShardLanes(corpus, block)
    return TextLanes(encoded(corpus.training(), vocabulary), block)


def held_out(vocabulary: Vocabulary, corpus: RunningText | ShardedText, block: int) -> Source:
    """The held-out end, piece after piece."""
    if isinstance(corpus, ShardedText):
        return ShardPieces(corpus, block, corpus.boundary, corpus.shards.tokens)
    return TextPieces(encoded(corpus.validation(), vocabulary), block)


KIND = CorpusKind(open=open_text, objectives={"windows": windows, "lanes": lanes}, held_out=held_out)
