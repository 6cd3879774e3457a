"""A recipe to a run folder that can be trained."""

from dataclasses import replace
from pathlib import Path

import torch

from clearhead.corpora import Vocabulary, load_vocabulary
from clearhead.corpora.corpus import Corpus
from clearhead.corpora.text_files import files_like, find_file
from clearhead.corpora.vocabularies.vocabulary_config import build_vocabulary
from clearhead.corpora.vocabularies.words import WordVocabulary
from clearhead.corpora.word_vectors import read_vectors
from clearhead.errors import ConfigError, InputError
from clearhead.models import Model, build_model
from clearhead.training.folders.run_folder import RECIPE, TOKENIZER, VECTORS
from clearhead.training.folders.runs import Note, Run, open_run, started_from, unheard
from clearhead.training.recipes.corpus_of_recipe import corpus_of
from clearhead.training.recipes.recipe import Recipe, write_recipe
from clearhead.training.steps.batches import epoch_tokens
from clearhead.training.steps.checkpoints import write_tensors


def start_run(recipe: Recipe, folder: Path, note: Note = unheard) -> Run:
    """Prepare a run folder and open it."""
    recipe = settled(recipe, note)
    corpus = corpus_of(recipe)
    prepare_run(recipe, folder, corpus, note)
    return open_run(folder, corpus)


def settled(recipe: Recipe, note: Note) -> Recipe:
    """The recipe with patterns of files to leave out replaced by the files that fit now: the run keeps to these."""
    found = tuple(name for each in recipe.text.left_out for name in files_like(each))
    if found:
        note(f"cut out of the training text: {', '.join(found)}")
    return replace(recipe, text=replace(recipe.text, left_out=found))


def prepare_run(recipe: Recipe, folder: Path, corpus: Corpus, note: Note = unheard) -> None:
    """Write a run folder that can be trained: recipe and vocabulary; a folder that holds another run is refused."""
    if (folder / RECIPE).exists():
        raise InputError(f"{folder} already holds a run; go on with --resume, or take another --out.")
    vocabulary = vocabulary_for(recipe, folder, corpus)
    with torch.random.fork_rng(devices=[]):
        model = build_model(recipe.model, vocabulary.size, vocabulary.size)
    if recipe.epochs:
        first = recipe.objectives[0].source(vocabulary, corpus, model.block)
        share = recipe.objectives[0].share / sum(each.share for each in recipe.objectives)
        recipe = recipe.with_tokens(max(1, round(recipe.epochs * epoch_tokens(first, recipe.seed) / share)))
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary.save(folder / TOKENIZER)
    if recipe.vectors:
        keep_vectors(recipe, folder, vocabulary, model, note)
    write_recipe(recipe, folder / RECIPE)  # last: a folder with a recipe is a run


def vocabulary_for(recipe: Recipe, folder: Path, corpus: Corpus) -> Vocabulary:
    """Learned from what the run learns from, or taken over from the run it starts from."""
    if recipe.start:
        return load_vocabulary(started_from(folder, recipe))
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
