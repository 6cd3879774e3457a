"""A run folder in memory: its recipe, its vocabulary, its model, and the corpus where that is needed."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import torch
from safetensors.torch import load_file

from clearhead.corpora import Vocabulary, load_vocabulary
from clearhead.corpora.corpus import Corpus
from clearhead.errors import InputError
from clearhead.models import Model, build_model
from clearhead.training.folders.run_folder import CHECKPOINTS, RECIPE, VECTORS
from clearhead.training.recipes.corpus_of_recipe import corpus_of
from clearhead.training.recipes.objectives import stream_of
from clearhead.training.recipes.recipe import Recipe, read_recipe
from clearhead.training.steps.checkpoints import latest, load_checkpoint
from clearhead.training.steps.streams import Stream

Note = Callable[[str], None]


def unheard(text: str) -> None:
    """Nobody listens."""


@dataclass(frozen=True)
class Run:
    """A run in memory."""

    folder: Path
    recipe: Recipe
    vocabulary: Vocabulary
    model: Model
    found: Corpus | None = None  # its corpus if that is open already: whoever only predicts does not need it

    @cached_property
    def corpus(self) -> Corpus:
        """What it learns from."""
        return self.found or corpus_of(self.recipe)

    def stream(self) -> Stream:
        """Its batches, from the first on."""
        recipe = self.recipe
        return stream_of(recipe.objectives, self.vocabulary, self.corpus, self.model.block, recipe.training, recipe.seed)


def open_run(folder: Path, corpus: Corpus | None = None) -> Run:
    """A run folder in memory, with the weights that it starts from."""
    recipe = read_recipe(folder / RECIPE)
    vocabulary = load_vocabulary(folder)
    torch.manual_seed(recipe.seed)
    model = build_model(recipe.model, vocabulary.size, vocabulary.size)
    if recipe.start:
        load_weights(model, started_from(folder, recipe))
    if (folder / VECTORS).exists():
        model.load_state_dict(load_file(folder / VECTORS), strict=False)
    return Run(folder, recipe, vocabulary, model, corpus)


def trained(folder: Path) -> Run:
    """A run folder in memory with the weights of its last checkpoint."""
    run = open_run(folder)
    load_weights(run.model, folder)
    run.model.eval()
    return run


def load_weights(model: Model, folder: Path) -> None:
    """The weights of the last good checkpoint of a run."""
    checkpoint, _ = latest(folder / CHECKPOINTS)
    if checkpoint is None:
        raise InputError(f"{folder} holds no checkpoint yet; train it first.")
    load_checkpoint(checkpoint, model)


def started_from(folder: Path, recipe: Recipe) -> Path:
    """The run that a run starts from; the folder itself need not be there yet."""
    return Path(os.path.normpath(folder / recipe.start))
