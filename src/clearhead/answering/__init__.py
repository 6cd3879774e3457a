"""A run folder and a question to an answer, with how sure it is."""

from clearhead.answering.answers import Score, answer, baseline, labelled, score

__all__ = ["Score", "answer", "baseline", "labelled", "score"]
