"""What there is to learn from a corpus, by name: a recipe lists objectives with their shares."""

from dataclasses import dataclass, field
from typing import Any

from clearhead.corpora import Source, Vocabulary
from clearhead.corpora.corpus import Corpus, CorpusKind
from clearhead.corpora.corpus_kinds import CORPORA, corpus_kind
from clearhead.corpora.examples.text_windows import TextLanes
from clearhead.corpora.shards.sharded_text import ShardLanes, ShardWindows
from clearhead.errors import ConfigError
from clearhead.training.recipes.config import TrainConfig
from clearhead.training.steps.batches import Batches
from clearhead.training.steps.shard_stream import ShardLaneStream, ShardStream
from clearhead.training.steps.streams import Interleaved, Lanes, Stream

OBJECTIVES: dict[str, str] = {objective: kind for kind in CORPORA for objective in corpus_kind(kind).objectives}
"""Every objective, and the kind of corpus that it is learned from."""


@dataclass(frozen=True, kw_only=True)
class Objective:
    """One kind of examples, its share of the tokens, and what of the model it must not change."""

    kind: str
    share: float = 1.0
    frozen: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.kind not in OBJECTIVES:
            raise ConfigError(f"objective {self.kind!r} is not known; objectives: {', '.join(OBJECTIVES)}.")
        if self.share <= 0:
            raise ConfigError(f"the share of objective {self.kind!r} must be above 0; got {self.share}.")

    @property
    def corpus_kind(self) -> CorpusKind[Any]:
        """What it is learned from."""
        return corpus_kind(OBJECTIVES[self.kind])

    def source(self, vocabulary: Vocabulary, corpus: Corpus, block: int) -> Source:
        """Where its examples come from."""
        try:
            return self.corpus_kind.objectives[self.kind](vocabulary, corpus, block, **self.options)
        except TypeError as error:
            raise ConfigError(f"objective {self.kind!r} cannot take the options {self.options}: {error}.") from error

    def stream(self, vocabulary: Vocabulary, corpus: Corpus, block: int, config: TrainConfig, seed: int) -> Stream:
        """Its batches, without end."""
        source = self.source(vocabulary, corpus, block)
        if isinstance(source, ShardLanes):
            return ShardLaneStream(source, config.batch, self.frozen)
        if isinstance(source, ShardWindows):
            return ShardStream(source, config.batch, seed, self.frozen)
        if isinstance(source, TextLanes):
            return Lanes(source.ids, max(1, config.batch // block), block)
        return Batches(source, config.batch, seed, config.pool, vocabulary.pad, self.frozen, config.examples)


def stream_of(
    objectives: tuple[Objective, ...],
    vocabulary: Vocabulary,
    corpus: Corpus,
    block: int,
    config: TrainConfig,
    seed: int,
) -> Stream:
    """All objectives of a recipe as one stream of batches."""
    streams = [each.stream(vocabulary, corpus, block, config, seed + number) for number, each in enumerate(objectives)]
    return streams[0] if len(streams) == 1 else Interleaved(streams, [each.share for each in objectives])
