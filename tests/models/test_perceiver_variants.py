"""The perceivers as variants of the experiment: recipes, settings, and the four names of run.sh."""

import os
import subprocess
from pathlib import Path

import pytest

from clearhead.errors import ConfigError
from clearhead.models import model_config
from clearhead.training import stage_recipe

TOP = Path(__file__).parents[2]
NAMES = ["pretrain", "finetune_with_pretrain", "eval_dev_with_pretrain", "eval_test_with_pretrain"]
TINY = """
name = "tiny"
[vocabulary]
kind = "byte-pairs"
size = 300
[model]
style = "modern"
layers = 2
heads = 2
width = 8
[pretrain]
epochs = 1
[[pretrain.objectives]]
kind = "nearby"
[pretrain.training]
batch = 8192
[finetune]
epochs = 1
[[finetune.objectives]]
kind = "questions"
[finetune.training]
batch = 8192
"""


@pytest.mark.parametrize("recipe", ["fast", "course-fast", "course"])
@pytest.mark.parametrize("variant", ["perceiver", "perceiver-causal"])
def test_every_recipe_of_the_experiment_has_both(recipe: str, variant: str) -> None:
    made = stage_recipe(recipe, "pretrain", variant=variant)
    config = model_config(made.model, vocab=99)
    assert (made.variant, config.variant, config.bottleneck) == (variant, variant, 64)
    assert config.layers >= 3  # an ordinary block stands between down and up
    assert config.width == model_config(stage_recipe(recipe, "pretrain").model, vocab=99).width


def test_what_a_person_sets_wins_over_what_a_variant_says() -> None:
    settings = ["model.layers=5", "model.bottleneck=16"]
    made = stage_recipe("fast", "pretrain", variant="perceiver-causal", settings=settings)
    assert (made.model["layers"], made.model["bottleneck"]) == (5, 16)
    assert "bottleneck" not in stage_recipe("fast", "pretrain").model


@pytest.mark.parametrize("wrong", ["variants = 3", "[variants]\nperceiver = 3"])
def test_variants_that_are_no_tables_are_refused(wrong: str, tmp_path: Path) -> None:
    path = tmp_path / "recipe.toml"
    path.write_text(f"{wrong}\n{TINY}" if wrong.startswith("v") else f"{TINY}\n{wrong}", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"variants\.perceiver must be tables|model and variants"):
        stage_recipe(str(path), "pretrain", variant="perceiver")


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["perceiver", "perceiver-causal"])
def test_the_four_names_of_run_sh(variant: str, tmp_path: Path) -> None:
    (tmp_path / "tiny.toml").write_text(TINY, encoding="utf-8")
    world = {**os.environ, "RECIPE": "tiny.toml", "VARIANT": variant, "CLEARHEAD_DATA": ""}
    for name in NAMES:
        ended = subprocess.run([TOP / "run.sh", f"perceiver_{name}"], cwd=tmp_path, env=world, capture_output=True, text=True)
        assert ended.returncode == 0, ended.stderr
    for questions in ("dev", "test"):
        assert (tmp_path / f"{variant}.pretrain.{questions}.predictions").read_text(encoding="utf-8").count("\n") > 10
