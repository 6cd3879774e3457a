"""What a run looks at while it learns, and does not learn from: as batches, the same ones every time."""

from dataclasses import replace

from clearhead.corpora import Source, Vocabulary
from clearhead.corpora.corpus import Corpus
from clearhead.errors import InputError
from clearhead.models import Model
from clearhead.training.recipes.corpus_of_recipe import corpus_of
from clearhead.training.recipes.recipe import Recipe
from clearhead.training.steps.batches import Batch, length, padded

MOST = 50_000  # tokens that are looked at, from all over what is held out


def held_out_batches(recipe: Recipe, vocabulary: Vocabulary, corpus: Corpus, model: Model) -> list[Batch]:
    """Batches of what a recipe holds out; refused where that is nothing."""
    source = held_out_source(recipe, vocabulary, corpus, model.block)
    if source is None or len(source) == 0:
        told = f"recipe {recipe.name} holds nothing out, so training.validate_every cannot be; hold something out"
        raise InputError(f"{told}, or set it to 0.", "(--set held_out=0.1)")
    whole = len(source)
    each = max(1, sum(length(source.draw(number, 0, 0)) for number in range(0, whole, -(-whole // 20))) // 20)
    count = min(whole, max(1, MOST // each))
    # a state that is carried from piece to piece needs them in a row
    chosen = range(count) if model.row_states() else [number * whole // count for number in range(count)]
    examples = [source.draw(number, 0, 0) for number in chosen]
    if not model.row_states():
        examples.sort(key=length)
    rows = max(1, recipe.training.batch // max(map(length, examples)))
    rows = min(rows, recipe.training.examples or rows)
    return [padded(examples[start : start + rows], vocabulary.pad) for start in range(0, len(examples), rows)]


def held_out_source(recipe: Recipe, vocabulary: Vocabulary, corpus: Corpus, block: int) -> Source | None:
    """Examples of what is held out: by the corpus, or in a file of its own that the recipe names."""
    objective = recipe.objectives[0]
    try:
        if recipe.text.dev:
            return objective.source(vocabulary, corpus_of(replace(recipe, corpus=recipe.text.dev)), block)
        find = objective.corpus_kind.held_out
        return None if find is None else find(vocabulary, corpus, block)
    except InputError:
        return None  # too little to make an example of
