"""Every source of examples, by name: what training draws from."""

from clearhead.corpora.corruption import SpanCorruption
from clearhead.corpora.drawing import IGNORE, Example, Source
from clearhead.corpora.mixing import Mixed
from clearhead.corpora.nearby import NearbySpans
from clearhead.corpora.next_token import NextToken
from clearhead.corpora.questions import Questions, prompt
from clearhead.corpora.salient import SalientSpans

__all__ = [
    "IGNORE",
    "Example",
    "Mixed",
    "NearbySpans",
    "NextToken",
    "Questions",
    "SalientSpans",
    "Source",
    "SpanCorruption",
    "prompt",
]
