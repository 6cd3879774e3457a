"""A run folder from its first file to its last checkpoint."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch

from clearhead.corpora import Birthplaces, Vocabulary, find_corpus, load_vocabulary
from clearhead.errors import InputError
from clearhead.models import GPT, build_model, model_config
from clearhead.training.batches import Stream, epoch_tokens
from clearhead.training.checkpoints import Progress, latest, load_checkpoint
from clearhead.training.compiling import compiled
from clearhead.training.loop import CHECKPOINTS, Watcher, train, unwatched
from clearhead.training.objectives import stream_of
from clearhead.training.recipe import Recipe, read_recipe, write_recipe
from clearhead.training.vocabularies import build_vocabulary

RECIPE, TOKENIZER, FIGURES = "recipe.toml", "tokenizer.json", "figures.json"
Note = Callable[[str], None]


def unheard(text: str) -> None:
    """Nobody listens."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run in memory, ready to train."""

    folder: Path
    recipe: Recipe
    corpus: Birthplaces
    vocabulary: Vocabulary
    model: GPT

    @property
    def block(self) -> int:
        return self.model.config.context

    def stream(self) -> Stream:
        recipe = self.recipe
        return stream_of(recipe.objectives, self.vocabulary, self.corpus, self.block, recipe.training, recipe.seed)


def prepare_run(recipe: Recipe, folder: Path, corpus: Birthplaces) -> None:
    """Write a run folder that can be trained: recipe and vocabulary; a folder that holds another run is refused."""
    if (folder / RECIPE).exists():
        raise InputError(f"{folder} already holds a run; go on with --resume, or take another --out.")
    vocabulary = vocabulary_for(recipe, folder, corpus)
    block = model_config(recipe.model, vocabulary.size).context
    if recipe.epochs:
        first = recipe.objectives[0].source(vocabulary, corpus, block)
        share = recipe.objectives[0].share / sum(each.share for each in recipe.objectives)
        recipe = recipe.with_tokens(max(1, round(recipe.epochs * epoch_tokens(first, recipe.seed) / share)))
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary.save(folder / TOKENIZER)
    write_recipe(recipe, folder / RECIPE)  # last: a folder with a recipe is a run


def vocabulary_for(recipe: Recipe, folder: Path, corpus: Birthplaces) -> Vocabulary:
    """Learned from the biographies and the wording of the training questions, or taken over from the run it starts from."""
    if recipe.start:
        return load_vocabulary(started_from(folder, recipe))
    return build_vocabulary(recipe.vocabulary, [*corpus.biographies, *(question.text for question in corpus.train)])


def started_from(folder: Path, recipe: Recipe) -> Path:
    """The run that a run starts from; the folder itself need not be there yet."""
    return Path(os.path.normpath(folder / recipe.start))


def start_run(recipe: Recipe, folder: Path) -> Run:
    """Prepare a run folder and open it."""
    corpus = find_corpus(recipe.corpus)
    prepare_run(recipe, folder, corpus)
    return open_run(folder, corpus)


def open_run(folder: Path, corpus: Birthplaces | None = None) -> Run:
    """A run folder in memory, with the weights that it starts from."""
    recipe = read_recipe(folder / RECIPE)
    vocabulary = load_vocabulary(folder)
    torch.manual_seed(recipe.seed)
    model = build_model(recipe.model, vocabulary.size)
    if recipe.start:
        load_weights(model, started_from(folder, recipe))
    return Run(folder, recipe, corpus or find_corpus(recipe.corpus), vocabulary, model)


def trained(folder: Path) -> Run:
    """A run folder in memory with the weights of its last checkpoint."""
    run = open_run(folder)
    load_weights(run.model, folder)
    run.model.eval()
    return run


def load_weights(model: GPT, folder: Path) -> None:
    """The weights of the last good checkpoint of a run."""
    checkpoint, _ = latest(folder / CHECKPOINTS)
    if checkpoint is None:
        raise InputError(f"{folder} holds no checkpoint yet; train it first.")
    load_checkpoint(checkpoint, model)


def train_run(run: Run, watch: Watcher = unwatched, note: Note = unheard) -> Progress:
    """Train a run to its end, from its last checkpoint if it has one."""
    model = compiled(run.model, note) if run.recipe.training.compile else run.model
    return train(model, run.stream(), run.recipe.training, run.folder, watch, note)
