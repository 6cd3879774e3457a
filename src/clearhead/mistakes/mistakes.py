"""A question about mistakes answered: which run, how many, as text, as a page, as JSON."""

import json
from dataclasses import replace
from pathlib import Path

from clearhead.corpora.sources.digits import Digits
from clearhead.corpora.sources.reviews import Reviews
from clearhead.corpora.vocabularies.vocabulary_config import VocabularyConfig
from clearhead.errors import InputError
from clearhead.mistakes.classification import class_names
from clearhead.mistakes.digit_errors import DigitErrors, digit_errors
from clearhead.mistakes.mistakes_page import digit_page, review_page
from clearhead.mistakes.mistakes_text import digit_lines, review_lines
from clearhead.mistakes.plain_classifiers import plain_accuracies
from clearhead.mistakes.review_errors import ReviewErrors, review_errors
from clearhead.models import Classifier
from clearhead.saving import save, write_whole
from clearhead.training.folders.run_folder import FIGURES
from clearhead.training.folders.runs import Run, trained
from clearhead.training.recipes.corpus_of_recipe import corpus_of


def found_errors(
    folder: Path, count: int = 5, seed: int = 0, baseline: bool = False, on: str = ""
) -> ReviewErrors | DigitErrors:
    """The mistakes of a run on what it held out, whose figures go into its folder; or on all of another corpus."""
    if count < 0:
        raise InputError(f"count must be 0 or more; got {count}.")
    run = trained(folder)
    if on and isinstance(run.model, Classifier):
        run = replace(run, found=corpus_of(replace(run.recipe, corpus=on, vocabulary=named(run))))
    else:
        run.require_same_data(shell="(--on)")
    corpus = run.corpus
    if not isinstance(corpus, Reviews | Digits):
        raise InputError(f"{folder}: a run of reviews or digits was expected, such as that of: clearhead train sentiment")
    plain = plain_accuracies(corpus, run.vocabulary.size) if baseline and not on else {}
    if baseline and on:
        raise InputError(
            "a plain classifier learns from the run's own corpus; ask for it without another one.", "(--baseline, --on)"
        )
    judging = replace(run, found=corpus.whole()) if on else run
    if isinstance(corpus, Reviews):
        errors: ReviewErrors | DigitErrors = review_errors(judging, count, seed, plain, held_out=not on)
    else:
        errors = digit_errors(judging, count, seed, plain, held_out=not on)
    if not on:
        figures = {key: value for key, value in errors.tree().items() if key not in ("sample", "run")}
        write_whole(folder / FIGURES, json.dumps(figures, indent=1) + "\n")
    return errors


def named(run: Run) -> VocabularyConfig:
    """The vocabulary of a run's recipe with its classes by name, which the labels of another corpus must mean."""
    return replace(run.recipe.vocabulary, names=class_names(run))


def answered(folder: Path, count: int, seed: int, baseline: bool, page: Path | None, as_json: bool, on: str = "") -> str:
    """What `clearhead errors` prints."""
    errors = found_errors(folder, count, seed, baseline, on)
    reviews = isinstance(errors, ReviewErrors)
    if page is not None:
        save(review_page(errors) if isinstance(errors, ReviewErrors) else digit_page(errors), page)
    if as_json:
        return json.dumps(errors.tree(), indent=1, ensure_ascii=False)
    lines = review_lines(errors) if isinstance(errors, ReviewErrors) else digit_lines(errors)
    told = "words coloured by what they pushed" if reviews else "the misread pictures"
    return "\n".join([*lines, "", f"{told}: {page}"] if page else lines)
