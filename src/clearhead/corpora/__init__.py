"""Files to vocabulary to examples: the store, the vocabularies, the sources, and what is drawn from them."""

from clearhead.corpora.examples.example import IGNORE, Example, Source
from clearhead.corpora.examples.nearby_spans import NearbySpans
from clearhead.corpora.examples.next_token import NextToken
from clearhead.corpora.examples.question_examples import Questions, prompt
from clearhead.corpora.examples.salient_spans import SalientSpans
from clearhead.corpora.examples.span_corruption import SpanCorruption
from clearhead.corpora.sources.biographies import Birthplaces, Question, most_common_answer, read_birthplaces
from clearhead.corpora.sources.named_birthplaces import find_corpus
from clearhead.corpora.sources.world import Person, WorldConfig, build_world, invent_people, world_of
from clearhead.corpora.vocabularies.byte_pairs import BytePairVocabulary
from clearhead.corpora.vocabularies.characters import CharacterVocabulary
from clearhead.corpora.vocabularies.saved_vocabulary import load_vocabulary
from clearhead.corpora.vocabularies.vocabulary import Vocabulary

__all__ = [
    "IGNORE",
    "Birthplaces",
    "BytePairVocabulary",
    "CharacterVocabulary",
    "Example",
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
