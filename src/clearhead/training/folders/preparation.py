"""A recipe to a run folder that can be trained: all of it or nothing."""

import os
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import torch

from clearhead.corpora import Vocabulary, load_vocabulary
from clearhead.corpora.corpus import Corpus
from clearhead.corpora.shards.sharded_text import ShardedText
from clearhead.corpora.sources.running_text import RunningText, occurs
from clearhead.corpora.text_files import files_like, find_file, read_chunks
from clearhead.corpora.vocabularies.vocabulary_config import build_vocabulary
from clearhead.corpora.vocabularies.words import WordVocabulary
from clearhead.corpora.word_vectors import read_vectors
from clearhead.errors import ConfigError, InputError
from clearhead.models import Model, build_model
from clearhead.training.folders.data_record import lasting_name, record_of, save_record
from clearhead.training.folders.run_folder import RECIPE, TOKENIZER, VECTORS
from clearhead.training.folders.runs import Note, Run, open_run, started_from, unheard
from clearhead.training.machines.devices import asked_device
from clearhead.training.machines.weight_shards import require_dense
from clearhead.training.recipes.corpus_of_recipe import class_count, corpus_of, with_class_names
from clearhead.training.recipes.held_out import held_out_batches
from clearhead.training.recipes.recipe import Recipe, write_recipe
from clearhead.training.steps.batches import epoch_tokens
from clearhead.training.steps.checkpoints import write_tensors
from clearhead.training.steps.fastest_way import tuned
from clearhead.training.steps.loop import require_rows
from clearhead.training.steps.pace import pace_within
from clearhead.training.steps.streams import Stream


def start_run(
    recipe: Recipe, folder: Path, note: Note = unheard, minutes: float = 0.0, tune: bool = False, shard: bool = False
) -> Run:
    """Prepare a run folder and open it; where anything is wrong, there is no folder. Minutes, if said, settle its length.

    On a GPU, or with `tune`, a few steps show which precision pays, and whether compiling does.
    """
    require_free(folder)
    since = time.monotonic()
    recipe = settled(recipe, note)
    recipe, corpus = with_class_names(recipe, corpus_of(recipe))
    if tune or asked_device().type != "cpu":
        recipe = tuned(recipe, vocabulary_for(recipe, folder, corpus), corpus, note, 60 * minutes)
    if minutes:
        recipe = timed(recipe, folder, corpus, 60 * minutes, since)
    with appearing_whole(folder) as workshop:
        prepare_run(recipe, workshop, corpus, note, place=folder, shard=shard)
        run = open_run(workshop, corpus)
        stream = tried_stream(run)
    return replace(run, folder=folder, prepared=stream)


def timed(recipe: Recipe, folder: Path, corpus: Corpus, seconds: float, since: float) -> Recipe:
    """The recipe with as many tokens as fit into the time that is left, by the pace of a few throw-away steps."""
    pace = pace_within(recipe, vocabulary_for(recipe, folder, corpus), corpus, seconds)
    left = seconds - (time.monotonic() - since)
    if left <= 0:
        raise InputError(f"{seconds / 60:g} minutes are too short: getting ready alone takes longer. Take more.")
    return pace.fitted(recipe, left)


def require_free(folder: Path) -> None:
    """Refuse a folder that holds a run."""
    if (folder / RECIPE).exists():
        raise InputError(f"{folder} already holds a run; go on with it, or take another folder.", "(--resume, --out)")


@contextmanager
def appearing_whole(folder: Path) -> Iterator[Path]:
    """A folder to write into, which takes its place once everything is in it, and is gone where something went wrong."""
    target = folder.resolve()
    workshop = target.with_name(f".{target.name[:100]}.{os.getpid()}.part")
    made = [parent for parent in target.parents if not parent.exists()]
    try:
        shutil.rmtree(workshop, ignore_errors=True)
        workshop.mkdir(parents=True)
        yield workshop
        require_free(folder)
        target.mkdir(exist_ok=True)
        for entry in sorted(workshop.iterdir(), key=lambda entry: entry.name == RECIPE):  # last: with a recipe it is a run
            entry.replace(target / entry.name)
    except BaseException:
        shutil.rmtree(workshop, ignore_errors=True)
        for parent in made:
            if parent.exists() and not any(parent.iterdir()):
                parent.rmdir()
        raise
    workshop.rmdir()


def tried_stream(run: Run) -> Stream:
    """The batches of a run, of which one was tried on a copy: what cannot be trained is refused before there is a folder."""
    stream = run.stream()
    start = stream.position
    with torch.random.fork_rng(devices=[]):
        batch = stream.next()
        deepcopy(run.model).train().loss(batch.inputs.to(run.model.device), batch.targets.to(run.model.device))
    stream.go_to(start)
    return stream


def settled(recipe: Recipe, note: Note) -> Recipe:
    """The recipe with names that mean the same from every folder, and patterns of files replaced by the files that fit."""
    named = [name for each in recipe.text.left_out for name in files_like(each)]
    found = tuple(lasting_name(name) for name in passages_in(recipe, named))
    if found:
        note(f"cut out of the training text: {', '.join(found)}")
    text = replace(recipe.text, left_out=found, dev=lasting_name(recipe.text.dev))
    return replace(recipe, corpus=lasting_name(recipe.corpus), text=text)


def passages_in(recipe: Recipe, names: Sequence[str]) -> list[str]:
    """The files whose text really stands in the text of a recipe: only these are cut out, and only these are remembered."""
    whole = corpus_of(replace(recipe, text=replace(recipe.text, left_out=()))) if names else None
    if not isinstance(whole, RunningText):
        return []
    return [name for name in names if occurs(whole.training(), "".join(read_chunks(find_file(name))))]


def prepare_run(
    recipe: Recipe, folder: Path, corpus: Corpus, note: Note = unheard, place: Path | None = None, shard: bool = False
) -> None:
    """Write a run folder that can be trained: recipe, vocabulary, record of the data; `place` is where it will lie."""
    require_free(folder)
    vocabulary = vocabulary_for(recipe, folder, corpus)
    with torch.random.fork_rng(devices=[]):
        model = build_model(recipe.model, vocabulary.size, class_count(recipe, vocabulary))
    require_trainable(recipe, vocabulary, corpus, model, shard)
    if recipe.epochs:
        first = recipe.objectives[0].source(vocabulary, corpus, model.block)
        share = recipe.objectives[0].share / sum(each.share for each in recipe.objectives)
        recipe = recipe.with_tokens(max(1, round(recipe.epochs * epoch_tokens(first, recipe.seed) / share)))
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary.save(folder / TOKENIZER)
    if recipe.vectors:
        keep_vectors(recipe, folder, vocabulary, model, note)
    save_record(record_of(corpus, place or folder), folder)
    write_recipe(recipe, folder / RECIPE)  # last: a folder with a recipe is a run


def require_trainable(recipe: Recipe, vocabulary: Vocabulary, corpus: Corpus, model: Model, shard: bool) -> None:
    """Refuse what training would refuse later: no length, nothing to look at, rows or weights that cannot be cut."""
    if not recipe.epochs and recipe.training.tokens == 1 and not recipe.training.seconds:
        raise ConfigError(f"recipe {recipe.name} does not say how long: set epochs or training.tokens above 0, or minutes.")
    require_rows(model, recipe.training)
    if shard:
        require_dense(model, recipe.training.precision)
    if recipe.training.validate_every:
        held_out_batches(recipe, vocabulary, corpus, model)


def vocabulary_for(recipe: Recipe, folder: Path, corpus: Corpus) -> Vocabulary:
    """Learned from what the run learns from, or taken over from the run it starts from."""
    if recipe.start:
        return load_vocabulary(started_from(folder, recipe))
    if isinstance(corpus, ShardedText):
        return corpus.vocabulary()
    return build_vocabulary(recipe.vocabulary, corpus.documents())


def keep_vectors(recipe: Recipe, folder: Path, vocabulary: Vocabulary, model: Model, note: Note) -> None:
    """Put the word vectors that a run starts from into its folder, so that it can be started again from there."""
    if not isinstance(vocabulary, WordVocabulary):
        raise ConfigError('vectors are for words: set vocabulary.kind to "words".')
    embedding = model.state_dict().get("embedding.weight")
    if embedding is None:
        raise ConfigError(f"a {type(model).__name__} has no word vectors to start from; leave vectors out of the recipe.")
    found = read_vectors(find_file(recipe.vectors), vocabulary.words, embedding.shape[1], recipe.seed)
    write_tensors(folder / VECTORS, {"embedding.weight": torch.from_numpy(found.vectors)})
    note(found.told(recipe.vectors))
