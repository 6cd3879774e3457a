"""The knowledge experiment: pretrain on biographies, finetune on questions, ask about people no question covered.

RUN/pretrain/   the pretraining run
RUN/            the finetuning run that starts from it, the predictions and figures.json
RUN/without/    the control: finetuned from a blank model
"""

import math
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from clearhead.answering.answerer import answerer_of
from clearhead.corpora import Birthplaces, find_corpus
from clearhead.errors import InputError
from clearhead.experiment.time_shares import StageShare, shared_out
from clearhead.training.folders.data_record import lasting_name
from clearhead.training.folders.preparation import appearing_whole, prepare_run, require_free, vocabulary_for
from clearhead.training.folders.run_folder import CHECKPOINTS, RECIPE
from clearhead.training.folders.runs import blank_run
from clearhead.training.folders.stage import Teller
from clearhead.training.machines.devices import asked_device
from clearhead.training.machines.processes import by_the_first, restarted
from clearhead.training.recipes.recipe import Recipe, read_recipe, recipe_tree, write_recipe
from clearhead.training.recipes.recipe_stages import Stage, stage_recipe
from clearhead.training.steps.checkpoints import steps_in
from clearhead.training.steps.fastest_way import tuned, with_way

PRETRAINED, WITHOUT = "pretrain", "without"
FINETUNING = 0.06  # share of a budget in minutes that goes into finetuning after pretraining
CONTROL = 0.12  # and into the control, where one is wanted
LEAST = 0.25  # of the time that a stage was given at first: so long it is trained in any case


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What a person asked for."""

    recipe: str = "fast"
    variant: str = "vanilla"
    data: str = "world"  # the built-in world, a kept corpus, or a folder with the course's four files
    seed: int = 0
    minutes: float = 0.0  # 0: as long as the recipe says
    settings: tuple[str, ...] = ()
    shard: bool = False  # the weights are to be cut among processes: refused before anything is written where they cannot be

    def __post_init__(self) -> None:
        if not 0 <= self.minutes < math.inf:
            raise InputError(f"minutes must be a number above 0; got {self.minutes}.")

    def stage(self, stage: Stage, start: str = "") -> Recipe:
        corpus = lasting_name(self.data)
        return stage_recipe(
            self.recipe,
            stage,
            variant=self.variant,
            corpus=corpus,
            seed=self.seed,
            start=start,
            settings=self.settings,
        )


def prepare_pretraining(wish: Wish, folder: Path, since: float, tell: Teller) -> None:
    """Write the run folder of a pretraining; a budget in minutes counts from `since`."""
    prepare_alone(wish, wish.stage("pretrain"), folder, since, tell)


def prepare_finetuning(wish: Wish, folder: Path, start: str, since: float, tell: Teller) -> None:
    """Write the run folder of a finetuning from the run in `start`, or from a blank model if that is empty."""
    if not start:
        prepare_alone(wish, wish.stage("without"), folder, since, tell)
        return
    pretrained = read_recipe(Path(start) / RECIPE)
    recipe = wish.stage("finetune", os.path.relpath(start, folder))
    recipe = replace(recipe, model=pretrained.model, vocabulary=pretrained.vocabulary, variant=pretrained.variant)
    if wish.data == Wish.data:
        recipe = replace(recipe, corpus=pretrained.corpus)
    prepare_alone(wish, recipe, folder, since, tell)


def prepare_alone(wish: Wish, recipe: Recipe, folder: Path, since: float, tell: Teller) -> None:
    """Write the run folder of one stage that is trained by itself."""
    require_free(folder)
    corpus = find_corpus(recipe.corpus)
    say_dropped(corpus, tell)
    (recipe,) = tuned_alike([recipe], folder, corpus, wish.minutes, tell)
    if wish.minutes:
        (recipe,) = shared_out([StageShare(recipe, folder, 1.0)], corpus, wish.minutes * 60, since, questions=0)
    with appearing_whole(folder) as workshop:
        prepare_run(recipe, workshop, corpus, place=folder, shard=wish.shard)


def prepare_experiment(wish: Wish, folder: Path, control: bool, since: float, tell: Teller) -> None:
    """Write every run folder of an experiment before the first is trained, so that all depends on the seed from here on."""
    for place in (folder, folder / PRETRAINED):
        require_free(place)
    corpus = find_corpus(wish.data)
    say_dropped(corpus, tell)
    recipes = [wish.stage("pretrain"), wish.stage("finetune", PRETRAINED)]
    folders, weights = [folder / PRETRAINED, folder], [1 - FINETUNING, FINETUNING]
    if control:
        recipes, folders = [*recipes, wish.stage("without")], [*folders, folder / WITHOUT]
        weights = [weights[0] - CONTROL, weights[1], CONTROL]
    recipes = tuned_alike(recipes, folder, corpus, wish.minutes, tell)
    if wish.minutes:
        recipes = [replace(recipe, experiment_minutes=wish.minutes) for recipe in recipes]
        shares = [StageShare(*each) for each in zip(recipes, folders, weights, strict=True)]
        recipes = shared_out(shares, corpus, wish.minutes * 60, since, to_answer(corpus))
    with appearing_whole(folder) as workshop:
        for recipe, place in zip(recipes, folders, strict=True):
            prepare_run(recipe, workshop / place.relative_to(folder), corpus, place=place, shard=wish.shard)


def to_answer(corpus: Birthplaces) -> int:
    """How many questions an experiment ends in; its control is asked in one way only, which takes next to nothing."""
    return len(corpus.dev) + len(corpus.test)


def shared_anew(folder: Path, since: float) -> None:
    """What is left of the minutes, shared out among the stages that have not begun, by the machine as it is now."""
    places = [place for place in (folder, folder / WITHOUT) if (place / RECIPE).exists() and not steps_in(place / CHECKPOINTS)]
    recipes = [read_recipe(place / RECIPE) for place in places]
    if not recipes or not recipes[0].experiment_minutes:
        return
    corpus = answerer_of(blank_run(places[0])).corpus
    seconds, given = 60 * recipes[0].experiment_minutes, [recipe.training.seconds for recipe in recipes]
    shares = [StageShare(*each) for each in zip(recipes, places, (part / sum(given) for part in given), strict=True)]
    shared = shared_out(shares, corpus, seconds, since, to_answer(corpus), LEAST * sum(given))
    for recipe, place in zip(shared, places, strict=True):
        write_recipe(recipe, place / RECIPE)


def tuned_alike(recipes: list[Recipe], folder: Path, corpus: Birthplaces, minutes: float, tell: Teller) -> list[Recipe]:
    """On a GPU: every stage by the way that pays for the first."""
    if asked_device().type == "cpu":
        return recipes
    first = tuned(recipes[0], vocabulary_for(recipes[0], folder, corpus), corpus, tell.note, 60 * minutes)
    return [with_way(recipe, (first.training.precision, first.training.compile)) for recipe in recipes]


def prepared_once(wish: Wish, folder: Path, resume: bool, prepare: Callable[[], None]) -> None:
    """Prepare what is to be trained, or see that it may be gone on with; the first process does, the others wait.

    Processes that torchrun started again go on with what is there, as it is.
    """

    def ready() -> None:
        if restarted() and (folder / RECIPE).exists():
            return
        if resume:
            require_same_wish(wish, folder)
        else:
            prepare()

    by_the_first(ready)


def require_same_wish(wish: Wish, folder: Path) -> None:
    """Refuse to go on with a run under other wishes than it was started with; those that were not said are as they were."""
    kept = read_recipe(folder / RECIPE)
    said = {
        "recipe": (wish.recipe, recipe_tree(wish.recipe).get("name", wish.recipe), kept.name),
        "variant": (wish.variant, wish.variant, kept.variant),
        "data": (wish.data, lasting_name(wish.data), kept.corpus),
        "seed": (wish.seed, wish.seed, kept.seed),
    }
    for name, (value, wanted, before) in said.items():
        if value != getattr(Wish, name) and wanted != before:
            raise InputError(f"{name} cannot be changed in a run that has begun; {folder} has {before!r}, and {value!r} came.")
    stage: Stage = "finetune" if kept.start else "pretrain" if reads(kept) else "without"
    asked = wish.stage(stage, kept.start)
    same = replace(asked, corpus=kept.corpus, seed=kept.seed, variant=kept.variant, model=kept.model)
    same = replace(same, experiment_minutes=kept.experiment_minutes)
    shipped = [key for key in ("tables", "table_rate") if not any(key in setting for setting in wish.settings)]  # may change
    timed = {key: getattr(kept.training, key) for key in ("tokens", "seconds", "plans", *shipped)}
    if kept.training.seconds:
        timed["save_every"] = kept.training.save_every
    same = replace(same, epochs=0.0, training=replace(same.training, **timed))
    settled = replace(kept, history=(), epochs=0.0, vocabulary=same.vocabulary, name=same.name)
    if wish.minutes or (wish.settings and same != settled):
        raise InputError(
            f"{folder}: minutes and settings were settled when it was started; one stage may go on under others.",
            f"(clearhead train --out {folder} --resume --set training.tokens=N)",
        )


def reads(recipe: Recipe) -> bool:
    """Whether a recipe learns from more than questions."""
    return any(each.kind != "questions" for each in recipe.objectives)


def say_dropped(corpus: Birthplaces, tell: Teller) -> None:
    """Tell how many training questions were left out because dev or test asks them too."""
    if corpus.dropped:
        tell.note(f"{corpus.dropped} training questions stand in dev or test too: dropped")
