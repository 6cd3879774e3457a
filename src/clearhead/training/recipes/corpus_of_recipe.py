"""The corpus that a recipe learns from: the kind that its objectives are learned from, by the name it gives."""

from dataclasses import replace

from clearhead.corpora.corpus import Corpus, HeldOut, OfClasses
from clearhead.corpora.vocabularies.vocabulary import Vocabulary
from clearhead.errors import ConfigError
from clearhead.training.recipes.recipe import Recipe


def corpus_of(recipe: Recipe) -> Corpus:
    """Open the corpus of a recipe; objectives of two kinds of corpora cannot be learned together."""
    kinds = {id(each.corpus_kind): each for each in recipe.objectives}
    if len(kinds) > 1:
        names = " and ".join(repr(each.kind) for each in kinds.values())
        raise ConfigError(f"recipe {recipe.name}: the objectives {names} are learned from different kinds of corpora.")
    held_out = HeldOut(share=recipe.held_out, left_out=recipe.text.left_out)
    corpus: Corpus = recipe.objectives[0].corpus_kind.open(recipe.corpus, held_out)
    said = recipe.vocabulary.names
    return corpus.with_classes(said) if said and isinstance(corpus, OfClasses) else corpus


def with_class_names(recipe: Recipe, corpus: Corpus) -> tuple[Recipe, Corpus]:
    """The recipe with the classes of its corpus by name, so that a run knows them without the corpus; and the corpus by them.

    Names that the recipe says for reviews hold; those of pictures hold where the pictures are of these classes.
    """
    if not isinstance(corpus, OfClasses):
        return recipe, corpus
    said, found = recipe.vocabulary.names, tuple(corpus.with_classes(()).class_names())
    names = said if said and (recipe.vocabulary.kind != "labels" or set(found) <= set(said)) else found
    return replace(recipe, vocabulary=replace(recipe.vocabulary, names=names)), corpus.with_classes(names)


def class_count(recipe: Recipe, vocabulary: Vocabulary) -> int:
    """How many classes a model of a recipe tells apart; a run of an earlier version did not name those of reviews."""
    if recipe.vocabulary.kind == "labels":
        return vocabulary.size
    return len(recipe.vocabulary.names) or 2
