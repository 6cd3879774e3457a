"""A run folder from its first file to its last checkpoint."""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file

from clearhead.corpora import Vocabulary, load_vocabulary
from clearhead.corpora.text_files import files_like, find_file
from clearhead.corpora.vocabularies.vocabulary_config import build_vocabulary
from clearhead.corpora.vocabularies.words import WordVocabulary
from clearhead.corpora.word_vectors import read_vectors
from clearhead.errors import ConfigError, InputError
from clearhead.models import build_model, model_config
from clearhead.pictures import curves
from clearhead.saving import write_whole
from clearhead.training.batches import Stream, epoch_tokens
from clearhead.training.checkpoints import Progress, latest, load_checkpoint, write_tensors
from clearhead.training.compilation import compiled
from clearhead.training.corpus_of_recipe import documents_of, find_material
from clearhead.training.loop import CHECKPOINTS, METRICS, Watcher, train, unwatched
from clearhead.training.metrics import read_metrics
from clearhead.training.objectives import stream_of
from clearhead.training.recipe import Recipe, read_recipe, write_recipe

RECIPE, TOKENIZER, FIGURES = "recipe.toml", "tokenizer.json", "figures.json"
VECTORS, CURVE = "vectors.safetensors", "loss.svg"
Note = Callable[[str], None]


def unheard(text: str) -> None:
    """Nobody listens."""


@dataclass(frozen=True)
class Run:
    """A run in memory, ready to train."""

    folder: Path
    recipe: Recipe
    found: Any  # its corpus if that is known already, else None: whoever only predicts does not need it
    vocabulary: Vocabulary
    model: Any  # whatever models/table.py builds

    @cached_property
    def corpus(self) -> Any:
        """Birthplaces, Text, Sentences, Reviews or Digits: what it learns from."""
        return self.found or material_of(self.recipe)

    @property
    def block(self) -> int:
        return block_of(self.model.config)

    def stream(self) -> Stream:
        recipe = self.recipe
        return stream_of(recipe.objectives, self.vocabulary, self.corpus, self.block, recipe.training, recipe.seed)


def block_of(config: Any) -> int:
    """The longest sequence that a model takes; 0 for one that looks no further back than a word."""
    return int(getattr(config, "context", 0))


def prepare_run(recipe: Recipe, folder: Path, corpus: Any, note: Note = unheard) -> None:
    """Write a run folder that can be trained: recipe and vocabulary; a folder that holds another run is refused."""
    if (folder / RECIPE).exists():
        raise InputError(f"{folder} already holds a run; go on with --resume, or take another --out.")
    vocabulary = vocabulary_for(recipe, folder, corpus)
    config = model_config(recipe.model, vocabulary.size)
    block = block_of(config)
    if recipe.epochs:
        first = recipe.objectives[0].source(vocabulary, corpus, block)
        share = recipe.objectives[0].share / sum(each.share for each in recipe.objectives)
        recipe = recipe.with_tokens(max(1, round(recipe.epochs * epoch_tokens(first, recipe.seed) / share)))
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary.save(folder / TOKENIZER)
    if recipe.vectors:
        keep_vectors(recipe, folder, vocabulary, config.width, note)
    write_recipe(recipe, folder / RECIPE)  # last: a folder with a recipe is a run


def vocabulary_for(recipe: Recipe, folder: Path, corpus: Any) -> Vocabulary:
    """Learned from what the run learns from, or taken over from the run it starts from."""
    if recipe.start:
        return load_vocabulary(started_from(folder, recipe))
    return build_vocabulary(recipe.vocabulary, documents_of(corpus))


def started_from(folder: Path, recipe: Recipe) -> Path:
    """The run that a run starts from; the folder itself need not be there yet."""
    return Path(os.path.normpath(folder / recipe.start))


def keep_vectors(recipe: Recipe, folder: Path, vocabulary: Vocabulary, width: int, note: Note) -> None:
    """Put the word vectors that a run starts from into its folder, so that it can be started again from there."""
    if not isinstance(vocabulary, WordVocabulary):
        raise ConfigError('vectors are for words: set vocabulary.kind to "words".')
    found = read_vectors(find_file(recipe.vectors), vocabulary.words, width, recipe.seed)
    write_tensors(folder / VECTORS, {"embedding.weight": torch.from_numpy(found.vectors)})
    note(found.told(recipe.vectors))


def material_of(recipe: Recipe) -> Any:
    """The corpus of a recipe."""
    return find_material(recipe.objectives[0].kind, recipe.corpus, recipe.text)


def start_run(recipe: Recipe, folder: Path, note: Note = unheard) -> Run:
    """Prepare a run folder and open it."""
    recipe = settled(recipe, note)
    corpus = material_of(recipe)
    prepare_run(recipe, folder, corpus, note)
    return open_run(folder, corpus)


def settled(recipe: Recipe, note: Note) -> Recipe:
    """The recipe with patterns of files to leave out replaced by the files that fit now: the run keeps to these."""
    found = tuple(name for each in recipe.text.left_out for name in files_like(each))
    if found:
        note(f"cut out of the training text: {', '.join(found)}")
    return replace(recipe, text=replace(recipe.text, left_out=found))


def open_run(folder: Path, corpus: Any = None) -> Run:
    """A run folder in memory, with the weights that it starts from."""
    recipe = read_recipe(folder / RECIPE)
    vocabulary = load_vocabulary(folder)
    torch.manual_seed(recipe.seed)
    model = build_model(recipe.model, vocabulary.size)
    if recipe.start:
        load_weights(model, started_from(folder, recipe))
    if (folder / VECTORS).exists():
        model.load_state_dict(load_file(folder / VECTORS), strict=False)
    return Run(folder, recipe, corpus, vocabulary, model)


def trained(folder: Path) -> Run:
    """A run folder in memory with the weights of its last checkpoint."""
    run = open_run(folder)
    load_weights(run.model, folder)
    run.model.eval()
    return run


def load_weights(model: Any, folder: Path) -> None:
    """The weights of the last good checkpoint of a run."""
    checkpoint, _ = latest(folder / CHECKPOINTS)
    if checkpoint is None:
        raise InputError(f"{folder} holds no checkpoint yet; train it first.")
    load_checkpoint(checkpoint, model)


def train_run(run: Run, watch: Watcher = unwatched, note: Note = unheard) -> Progress:
    """Train a run to its end, from its last checkpoint if it has one."""
    model = compiled(run.model, note) if run.recipe.training.compile else run.model
    progress = train(model, run.stream(), run.recipe.training, run.folder, watch, note)
    write_curve(run.folder, run.recipe.name)
    return progress


def write_curve(folder: Path, name: str) -> None:
    """The loss over the tokens, as a picture in the run folder."""
    points = [(float(record["tokens"]), float(record["loss"])) for record in read_metrics(folder / METRICS)]
    if points:
        write_whole(folder / CURVE, curves({"loss": points}, name, "tokens", "loss in training, nats a target"))
