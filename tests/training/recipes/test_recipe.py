"""Recipes: every shipped one can be used, what is written can be read, what cannot be is refused by name."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearhead.errors import ClearheadError, ConfigError, InputError
from clearhead.training import Objective, Recipe, TrainConfig, named_recipe, read_recipe, shipped_recipes, stage_recipe
from clearhead.training.recipes.recipe import TextConfig, recipe_of, write_recipe
from clearhead.training.recipes.recipe_keys import set_keys
from clearhead.training.steps.pace import Pace

STAGED = ["course", "course-fast", "fast"]


@pytest.mark.parametrize("name", [f"{name}:{stage}" for name in STAGED for stage in ("pretrain", "finetune", "without")])
def test_every_stage_of_the_experiment_is_shipped(name: str) -> None:
    assert name.partition(":")[0] in shipped_recipes()
    assert named_recipe(name).objectives


@pytest.mark.parametrize("name", shipped_recipes())
def test_every_shipped_recipe_can_be_read_and_written(name: str, tmp_path: Path) -> None:
    recipe = named_recipe(name, ["seed=7"])
    write_recipe(recipe, tmp_path / "recipe.toml")
    assert read_recipe(tmp_path / "recipe.toml") == recipe


def test_the_course_recipe_is_the_published_one() -> None:
    pretrain, finetune, without = (stage_recipe("course", stage) for stage in ("pretrain", "finetune", "without"))
    assert [recipe.epochs for recipe in (pretrain, finetune, without)] == [650, 10, 75]
    assert [recipe.training.examples for recipe in (pretrain, finetune, without)] == [128, 256, 256]
    assert [recipe.training.rate for recipe in (pretrain, finetune, without)] == [6e-3, 6e-4, 6e-4]
    for recipe, tokens in ((pretrain, 650 * 2937 * 127), (finetune, 10 * 2000 * 127), (without, 75 * 2000 * 127)):
        assert recipe.training.decay_end * tokens == pytest.approx(200 * 2937 * 128, rel=0.01)
        assert recipe.training.warmup * tokens == pytest.approx(10_240, rel=0.02)
        assert (recipe.training.weight_decay, recipe.training.clip, recipe.training.matrix_rate) == (0.1, 1.0, 0.0)
    assert [each.kind for each in pretrain.objectives] == ["spans"]


def test_course_fast_keeps_the_courses_architecture() -> None:
    course, fast = stage_recipe("course", "pretrain"), stage_recipe("course-fast", "pretrain")
    assert fast.vocabulary == course.vocabulary
    assert {**fast.model, "dropout": 0.1} == {**course.model, "dropout": 0.1}


def test_settings_go_into_the_file_of_the_recipe() -> None:
    settings_given = ["pretrain.epochs=8", "model.width=32", "pretrain.objectives.0.share=0.5", "model.style=modern"]
    recipe = stage_recipe("fast", "pretrain", settings=settings_given)
    assert (recipe.epochs, recipe.model["width"], recipe.objectives[0].share, recipe.model["style"]) == (8, 32, 0.5, "modern")
    assert stage_recipe("fast", "finetune", settings=settings_given).epochs != 8


def test_a_stage_by_name() -> None:
    assert named_recipe("fast:finetune") == stage_recipe("fast", "finetune")
    assert named_recipe("fast") == stage_recipe("fast", "pretrain")


SIMPLE = {"name": "x", "objectives": [{"kind": "next"}], "training": {"tokens": 5}}


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"colour": "blue"}, "colour"),
        ({"seed": "one"}, "whole number"),
        ({"seed": True}, "whole number"),
        ({"training": {}}, "tokens"),
        ({"training": {"tokens": 5, "rates": 1}}, "rates"),
        ({"training": 3}, "table"),
        ({"objectives": []}, "nothing to learn"),
        ({"objectives": [{"kind": "guess"}]}, "guess"),
        ({"objectives": [{"kind": "next", "share": 0}]}, "share"),
        ({"objectives": "next"}, "list of tables"),
        ({"objectives": [{"kind": "next", "frozen": "memory"}]}, "list of names"),
        ({"vocabulary": {"kind": "syllables"}}, "syllables"),
    ],
)
def test_a_recipe_that_cannot_be_is_refused_by_name(change: dict, word: str) -> None:
    with pytest.raises(ConfigError, match=word):
        recipe_of({**SIMPLE, **change}, "here")


@pytest.mark.parametrize("setting", ["training.rate", "=3", "name.x=1", "objectives.share=1"])
def test_a_setting_that_cannot_be_is_refused(setting: str) -> None:
    with pytest.raises(InputError, match="setting"):
        set_keys({**SIMPLE}, [setting])


def test_unknown_recipes_and_variants_are_refused() -> None:
    with pytest.raises(InputError, match="fast"):
        stage_recipe("slow", "pretrain")
    with pytest.raises(ConfigError, match=r"telepathic.*perceiver-causal"):
        stage_recipe("fast", "pretrain", variant="telepathic")


def test_an_objective_refuses_options_that_it_does_not_have() -> None:
    with pytest.raises(ClearheadError, match="colour"):
        Objective(kind="next", options={"colour": 1}).source(None, type("Corpus", (), {"biographies": ()})(), 16)


@given(name=st.text(min_size=1, max_size=30), rate=st.floats(0, 1e6), left_out=st.lists(st.text(max_size=9)))
def test_what_is_written_is_read_back(name: str, rate: float, left_out: list[str], tmp_path_factory) -> None:
    recipe = Recipe(
        name=name,
        objectives=(Objective(kind="next", options={"of": name}),),
        training=TrainConfig(tokens=5, rate=rate),
        text=TextConfig(left_out=tuple(left_out)),
        model={"kind": "gpt", "note": name},
    )
    file = tmp_path_factory.mktemp("recipe") / "recipe.toml"
    write_recipe(recipe, file)
    assert read_recipe(file) == recipe


def test_a_recipe_of_an_earlier_version_holds_out_as_much() -> None:
    tree = {"name": "x", "objectives": [{"kind": "windows"}], "text": {"validation": 0.25, "dev": "d.txt"}}
    recipe = recipe_of(tree, "x")
    assert (recipe.held_out, recipe.text.dev) == (0.25, "d.txt")


def test_another_length_is_another_recipe() -> None:
    recipe = Recipe(name="x", epochs=3, objectives=(Objective(kind="next"),), training=TrainConfig(tokens=5))
    assert recipe.with_tokens(9) == replace(recipe, epochs=0, training=TrainConfig(tokens=9))


def test_a_pace_leaves_time_for_checkpoints() -> None:
    pace = Pace(tokens_per_second=1000.0, steps_per_second=2.0, saving=3.0)
    assert pace.tokens_in(33.0, save_every=10**9) == 30_000
    assert pace.tokens_in(33.0, save_every=6) == 15_000  # a checkpoint every three seconds doubles the time
    assert pace.tokens_in(1.0, save_every=6) == 1
