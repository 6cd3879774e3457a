"""Files to vocabulary to examples: readers, corruption, questions, the built-in world, the catalogue."""

from clearhead.corpora.birthplaces import Birthplaces, Question, most_common_answer, read_birthplaces
from clearhead.corpora.examples import (
    IGNORE,
    Example,
    Mixed,
    NextToken,
    Questions,
    SalientSpans,
    Source,
    SpanCorruption,
    prompt,
)
from clearhead.corpora.vocabulary import BytePairVocabulary, CharacterVocabulary, Vocabulary, load_vocabulary

__all__ = [
    "IGNORE",
    "Birthplaces",
    "BytePairVocabulary",
    "CharacterVocabulary",
    "Example",
    "Mixed",
    "NextToken",
    "Question",
    "Questions",
    "SalientSpans",
    "Source",
    "SpanCorruption",
    "Vocabulary",
    "load_vocabulary",
    "most_common_answer",
    "prompt",
    "read_birthplaces",
]
