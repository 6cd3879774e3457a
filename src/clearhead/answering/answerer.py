"""A run that has learned to answer questions: a decoder over biographies."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from clearhead.corpora import Birthplaces
from clearhead.errors import InputError
from clearhead.models import GPT
from clearhead.training.folders.runs import Run, trained
from clearhead.training.recipes.objectives import OBJECTIVES


@dataclass(frozen=True)
class Answerer(Run):
    """A run whose model goes on from a question, and whose corpus has questions."""

    model: GPT

    @cached_property
    def corpus(self) -> Birthplaces:
        corpus = super().corpus
        assert isinstance(corpus, Birthplaces)  # its objectives are learned from no other
        return corpus


def answerer_of(run: Run) -> Answerer:
    """The same run; refused where it has never learned to answer questions."""
    of_questions = all(OBJECTIVES[each.kind] == "birthplaces" for each in run.recipe.objectives)
    if not of_questions or not isinstance(run.model, GPT):
        raise InputError(f"{run.folder} answers no questions; take a run of: clearhead birthplaces run.")
    return Answerer(run.folder, run.recipe, run.vocabulary, run.model, run.found)


def trained_answerer(folder: Path) -> Answerer:
    """A run folder in memory with the weights of its last checkpoint, ready to be asked."""
    return answerer_of(trained(folder))
