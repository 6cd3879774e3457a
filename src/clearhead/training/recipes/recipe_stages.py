"""The knowledge experiment's recipes: one file for its stages, a recipe of its own for each."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any, Literal

from clearhead.errors import ConfigError, InputError
from clearhead.training.recipes.recipe import Recipe, recipe_of, recipe_tree
from clearhead.training.recipes.recipe_keys import set_keys

Stage = Literal["pretrain", "finetune", "without"]
"""`without` is finetuning a blank model: the control."""

VARIANTS: dict[str, dict[str, Any]] = {
    "vanilla": {"kind": "gpt"},
    "perceiver": {"kind": "perceiver", "variant": "perceiver"},
    "perceiver-causal": {"kind": "perceiver", "variant": "perceiver-causal"},
}
"""What a variant changes in the model of a recipe; a recipe may say more in its own [variants.NAME]."""


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
        raise ConfigError(f"variant {variant!r} is not known; variants: {', '.join(VARIANTS)}.")
    tree = set_keys(varied(deepcopy(recipe_tree(name)), variant, f"recipe {name}"), settings)
    stages = {key: tree.pop(key, None) for key in ("pretrain", "finetune", "without")}
    chosen = stages[stage]
    if not isinstance(chosen, dict):
        raise InputError(f"recipe {name} has no [{stage}] part, which this command needs.")
    tree |= chosen
    tree.setdefault("training", {}).setdefault("tokens", 1)
    tree |= {"variant": variant, "corpus": corpus, "seed": seed, "start": start}
    return recipe_of(tree, f"recipe {name}")


def varied(tree: dict[str, Any], variant: str, where: str) -> dict[str, Any]:
    """The tree with the model that a variant makes of it."""
    model, own = tree.get("model", {}), tree.pop("variants", {})
    changes = own.get(variant, {}) if isinstance(own, dict) else own
    if not isinstance(model, dict) or not isinstance(changes, dict):
        raise ConfigError(f"{where}: model and variants.{variant} must be tables, such as [model].")
    tree["model"] = {**model, **changes, **VARIANTS[variant]}
    return tree


def named_recipe(name: str, settings: Sequence[str] = ()) -> Recipe:
    """A recipe by the name of its file, of a shipped one, or of one stage of it, such as `fast:finetune`."""
    file, _, stage = name.rpartition(":") if name.endswith((":pretrain", ":finetune", ":without")) else (name, "", "")
    tree = recipe_tree(file)
    if stage or "pretrain" in tree:
        chosen: Stage = "finetune" if stage == "finetune" else "without" if stage == "without" else "pretrain"
        return stage_recipe(file, chosen, settings=settings)
    tree = set_keys(tree, settings)
    tree.setdefault("training", {}).setdefault("tokens", 1)  # epochs are turned into tokens when the run starts
    return recipe_of(tree, name)
