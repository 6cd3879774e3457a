"""A budget in minutes shared out among the stages of an experiment, as fixed token counts."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from torch import nn

from clearhead.answering.question_forms import best_answers
from clearhead.corpora import Birthplaces, Vocabulary, load_vocabulary
from clearhead.corpora.vocabularies.vocabulary_config import build_vocabulary
from clearhead.errors import ConfigError, InputError
from clearhead.models import GPT, build_model
from clearhead.training.folders.run_folder import TOKENIZER
from clearhead.training.folders.runs import started_from
from clearhead.training.machines.devices import placed
from clearhead.training.recipes.recipe import Recipe
from clearhead.training.steps.pace import pace_within

STARTING = 1.0  # seconds that each stage takes before its first step and after its last
SPARE = 0.985  # of what is left is handed out: planning on the way keeps to it
SAMPLE = 64  # questions answered to time answering
WARM = 4  # questions before, untimed
USUAL = 0.75  # share of the answers that are no longer than those timed


@dataclass(frozen=True, slots=True)
class StageShare:
    """A stage, its folder, and its part of the time."""

    recipe: Recipe
    folder: Path
    weight: float


def shared_out(
    shares: Sequence[StageShare], corpus: Birthplaces, seconds: float, since: float, questions: int, least: float = 0.0
) -> list[Recipe]:
    """The recipes with token counts that fill `seconds`, counted from `since`, with `questions` answered at the end.

    Where less is left than `least` seconds, the stages get so many all the same.
    """
    vocabulary = vocabulary_of(shares[0], corpus)
    timing = max(seconds - (time.monotonic() - since), least)
    paces = [pace_within(share.recipe, vocabulary, corpus, timing) for share in shares]
    answering = questions * seconds_each(shares[0].recipe, vocabulary, corpus) if questions else 0.0
    starting = sum(STARTING + pace.starting for pace in paces)
    left = max((seconds - (time.monotonic() - since) - answering - starting) * SPARE, least)
    if left <= 0:
        raise InputError(f"{seconds / 60:g} minutes are too short: getting ready alone takes longer. Take more.")
    return [pace.fitted(share.recipe, left * share.weight) for share, pace in zip(shares, paces, strict=True)]


def vocabulary_of(share: StageShare, corpus: Birthplaces) -> Vocabulary:
    """The vocabulary that the first stage will have."""
    start = started_from(share.folder, share.recipe)
    if share.recipe.start and (start / TOKENIZER).exists():
        return load_vocabulary(start)
    return build_vocabulary(share.recipe.vocabulary, corpus.documents())


def seconds_each(recipe: Recipe, vocabulary: Vocabulary, corpus: Birthplaces) -> float:
    """How long one question takes: asked of a model of random words, which hardly ends an answer, up to a usual length."""
    model = placed(build_model(recipe.model, vocabulary.size))
    if not isinstance(model, GPT):
        raise ConfigError(f"recipe {recipe.name}: a {type(model).__name__} answers no questions; take a gpt or a perceiver.")
    nn.init.normal_(model.head.weight)  # a blank head finds all words alike, and the search for the best would be over at once
    sample, longest = corpus.dev[:SAMPLE], usual_length(vocabulary, corpus)
    best_answers(model, vocabulary, sample[:WARM], longest)
    started = time.monotonic()
    best_answers(model, vocabulary, sample, longest)
    return (time.monotonic() - started) / max(len(sample), 1)


def usual_length(vocabulary: Vocabulary, corpus: Birthplaces) -> int:
    """Tokens of an answer with its end that most answers of the training questions do not exceed."""
    lengths = sorted(len(vocabulary.encode(question.answer or "")) for question in corpus.train) or [1]
    return lengths[int(USUAL * (len(lengths) - 1))] + 1
