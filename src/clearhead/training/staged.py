"""The knowledge experiment's recipes: one file for its stages, a recipe of its own for each."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any, Literal

from clearhead.errors import ConfigError, InputError
from clearhead.training.recipe import Recipe, recipe_of, recipe_tree, set_keys

Stage = Literal["pretrain", "finetune", "without"]
"""`without` is finetuning a blank model: the control."""

VARIANTS: dict[str, dict[str, Any]] = {"vanilla": {"kind": "gpt"}}
"""What a variant changes in the model of a recipe."""


def stage_recipe(
    name: str,
    stage: Stage,
    *,
    variant: str = "vanilla",
    corpus: str = "world",
    seed: int = 0,
    start: str = "",
    settings: Sequence[str] = (),
) -> Recipe:
    """The recipe of one stage of the recipe `name`, with settings such as `pretrain.epochs=20` put into its file first."""
    if variant not in VARIANTS:
        raise ConfigError(f"variant {variant!r} is not there yet; variants: {', '.join(VARIANTS)}.")
    tree = set_keys(deepcopy(recipe_tree(name)), settings)
    stages = {key: tree.pop(key, None) for key in ("pretrain", "finetune", "without")}
    chosen = stages[stage]
    if not isinstance(chosen, dict):
        raise InputError(f"recipe {name} has no [{stage}] part, which this command needs.")
    tree |= chosen
    tree["model"] = {**tree.get("model", {}), **VARIANTS[variant]}
    tree.setdefault("training", {}).setdefault("tokens", 1)
    tree |= {"variant": variant, "corpus": corpus, "seed": seed, "start": start}
    return recipe_of(tree, f"recipe {name}")


def named_recipe(name: str, settings: Sequence[str] = ()) -> Recipe:
    """A recipe by the name of its file, of a shipped one, or of one stage of it, such as `fast:finetune`."""
    file, _, stage = name.rpartition(":") if name.endswith((":pretrain", ":finetune", ":without")) else (name, "", "")
    tree = recipe_tree(file)
    if stage or "pretrain" in tree:
        chosen: Stage = "finetune" if stage == "finetune" else "without" if stage == "without" else "pretrain"
        return stage_recipe(file, chosen, settings=settings)
    return recipe_of(set_keys(tree, settings), name)
