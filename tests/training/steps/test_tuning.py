"""A way of computing is taken where a few steps show that it pays, its start counted; it is told, and stands in the recipe."""

from pathlib import Path

import pytest
import torch

from clearhead.training import named_recipe, start_run
from clearhead.training.recipes.recipe import read_recipe
from clearhead.training.steps import fastest_way
from clearhead.training.steps.fastest_way import tuned, ways
from clearhead.training.steps.pace import Pace

SMALL = ["model.width=8", "model.lanes=4", "model.context=16", "training.batch=64", "model.layers=1", "corpus=world:people=20"]


@pytest.mark.parametrize(
    ("speeds", "minutes", "taken"),
    [
        ({"float32": (100, 0), "bfloat16": (250, 0), "float32 compiled": (110, 60)}, 10, ("bfloat16", False)),
        ({"float32": (100, 0), "bfloat16": (40, 0), "float32 compiled": (150, 60)}, 10, ("float32", True)),
        (
            {"float32": (100, 0), "bfloat16": (40, 0), "float32 compiled": (150, 60)},
            1,
            ("float32", False),
        ),  # a slow start
        ({"float32": (100, 0), "bfloat16": (103, 0), "float32 compiled": (90, 60)}, 10, ("float32", False)),  # hardly faster
    ],
)
def test_what_is_over_first_is_taken(
    monkeypatch: pytest.MonkeyPatch, speeds: dict[str, tuple[float, float]], minutes: float, taken: tuple[str, bool]
) -> None:
    def pace(recipe, vocabulary, corpus, seconds):
        name = fastest_way.told((recipe.training.precision, recipe.training.compile))
        if name not in speeds:
            raise RuntimeError("no such kernel")
        return Pace(speeds[name][0], 1.0, 0.0, speeds[name][1])

    monkeypatch.setattr(fastest_way, "pace_of", pace)
    monkeypatch.setattr(fastest_way.shutil, "which", lambda name: name)
    notes: list[str] = []
    got = tuned(named_recipe("fast"), None, None, notes.append, 60 * minutes).training  # type: ignore[arg-type]
    assert (got.precision, got.compile) == taken
    assert notes[0].startswith("a few steps of each way first: float32, ")
    assert notes[1].startswith("bfloat16 compiled cannot be tried here: no such kernel")
    assert notes[-1].startswith(fastest_way.told(taken))


def test_what_the_recipe_says_is_kept() -> None:
    recipe = named_recipe("fast", ["training.precision=bfloat16"])
    assert tuned(recipe, None, None, lambda text: None) == recipe  # type: ignore[arg-type]


def test_a_gpu_that_has_no_bfloat16_is_asked_for_float16(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda: False)
    monkeypatch.setattr(fastest_way.shutil, "which", lambda name: None)
    training = named_recipe("fast").training
    assert ways(torch.device("cuda"), training) == [("float32", False), ("float16", False)]


def test_a_run_is_tuned_for_real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fastest_way.shutil, "which", lambda name: None)  # compiling takes a minute
    monkeypatch.setattr(fastest_way, "TRIED", 0.05)
    notes: list[str] = []
    start_run(named_recipe("characters-gru", [*SMALL, "training.tokens=640"]), tmp_path / "run", notes.append, tune=True)
    assert "bfloat16" in notes[-1]
    assert read_recipe(tmp_path / "run" / "recipe.toml").training.precision in notes[-1]
