"""A run folder in memory: its recipe, its vocabulary, its model, and the corpus where that is needed."""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Self

import torch
from safetensors.torch import load_file

from clearhead.corpora import Vocabulary, load_vocabulary
from clearhead.corpora.corpus import Corpus
from clearhead.errors import InputError
from clearhead.models import Model, build_model
from clearhead.training.folders.data_record import DataRecord, place_now, read_record, record_of
from clearhead.training.folders.run_folder import CHECKPOINTS, RECIPE, VECTORS
from clearhead.training.machines.devices import placed
from clearhead.training.recipes.corpus_of_recipe import class_count, corpus_of
from clearhead.training.recipes.objectives import stream_of
from clearhead.training.recipes.recipe import Recipe, read_recipe
from clearhead.training.steps.checkpoints import latest, load_checkpoint, steps_in
from clearhead.training.steps.streams import Stream

Note = Callable[[str], None]
GO_ON = "put the old data back, or start another run with the new"  # what to do where training on meets other data


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
    prepared: Stream | None = None  # its batches if they are there already

    @cached_property
    def data(self) -> DataRecord | None:
        """What it learned from, as its folder says; None: a run of an earlier version, which did not say."""
        return read_record(self.folder)

    @cached_property
    def corpus(self) -> Corpus:
        """What it learns from, wherever that is now."""
        if self.found is not None:
            return self.found
        left_out = tuple(place_now(name, self.data, self.folder) for name in self.recipe.text.left_out)
        corpus = place_now(self.recipe.corpus, self.data, self.folder)
        return corpus_of(replace(self.recipe, corpus=corpus, text=replace(self.recipe.text, left_out=left_out)))

    @cached_property
    def changed_data(self) -> str:
        """What of its data is other than it was, in a few words; empty: nothing, or nothing is known of it."""
        return "" if self.data is None or self.found is not None else self.data.changed(record_of(self.corpus, self.folder))

    def require_same_data(self, advice: str = "if it is meant, name it", shell: str = "") -> None:
        """Refuse, with an advice, where the corpus is no longer what was learned from."""
        if self.changed_data:
            told = f"{self.folder}: this is not the data that the run learned from: {self.changed_data}; {advice}."
            raise InputError(told, shell)

    def stream(self) -> Stream:
        """Its batches, from the first on."""
        if self.prepared is not None:
            return self.prepared
        recipe = self.recipe
        return stream_of(recipe.objectives, self.vocabulary, self.corpus, self.model.block, recipe.training, recipe.seed)

    def on(self, corpus: str) -> Self:
        """The same run with another corpus of its kind, because somebody said so."""
        return replace(self, found=corpus_of(replace(self.recipe, corpus=corpus)))


def open_run(folder: Path, corpus: Corpus | None = None) -> Run:
    """A run folder in memory, with the weights that it starts from; its own checkpoint is taken up by training."""
    run = blank_run(folder, corpus)
    if run.recipe.start and not steps_in(folder / CHECKPOINTS):
        load_weights(run.model, started_from(folder, run.recipe))
    if (folder / VECTORS).exists():
        run.model.load_state_dict(load_file(folder / VECTORS), strict=False)
    return run


def trained(folder: Path) -> Run:
    """A run folder in memory with the weights of its last checkpoint; nothing outside the folder is needed."""
    run = blank_run(folder)
    load_weights(run.model, folder)
    run.model.eval()
    return run


def blank_run(folder: Path, corpus: Corpus | None = None) -> Run:
    """A run folder in memory with a model that has learned nothing, the same for the same seed."""
    recipe = read_recipe(folder / RECIPE)
    vocabulary = load_vocabulary(folder)
    torch.manual_seed(recipe.seed)
    model = placed(build_model(recipe.model, vocabulary.size, class_count(recipe, vocabulary)))
    return Run(folder, recipe, vocabulary, model, corpus)


def load_weights(model: Model, folder: Path) -> None:
    """The weights of the last good checkpoint of a run."""
    checkpoint, _ = latest(folder / CHECKPOINTS)
    if checkpoint is None:
        raise InputError(f"{folder} holds no checkpoint yet; train it first.")
    load_checkpoint(checkpoint, model)


def started_from(folder: Path, recipe: Recipe) -> Path:
    """The run that a run starts from; the folder itself need not be there yet."""
    return Path(os.path.normpath(folder / recipe.start))
