"""The corpus that a recipe learns from: the kind that its objectives are learned from, by the name it gives."""

from clearhead.corpora.corpus import Corpus, HeldOut
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
    return corpus
