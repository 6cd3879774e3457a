"""Files to vocabulary to examples: readers, corruption, questions, the built-in world, the catalogue."""

from clearhead.corpora.birthplaces import Birthplaces, Question, most_common_answer, read_birthplaces
from clearhead.corpora.examples import (
    IGNORE,
    Example,
    Mixed,
    NearbySpans,
    NextToken,
    Questions,
    SalientSpans,
    Source,
    SpanCorruption,
    prompt,
)
from clearhead.corpora.finding import find_corpus
from clearhead.corpora.vocabulary import BytePairVocabulary, CharacterVocabulary, Vocabulary, load_vocabulary
from clearhead.corpora.world import Person, WorldConfig, build_world, invent_people, world_of

__all__ = [
    "IGNORE",
    "Birthplaces",
    "BytePairVocabulary",
    "CharacterVocabulary",
    "Example",
    "Mixed",
    "NearbySpans",
    "NextToken",
    "Person",
    "Question",
    "Questions",
    "SalientSpans",
    "Source",
    "SpanCorruption",
    "Vocabulary",
    "WorldConfig",
    "build_world",
    "find_corpus",
    "invent_people",
    "load_vocabulary",
    "most_common_answer",
    "prompt",
    "read_birthplaces",
    "world_of",
]
