"""A folder in Hugging Face's form as a run: one that was exported here, or anybody's GPT-2. No code of a folder is run."""

import json
import shutil
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from clearhead.corpora import Vocabulary, load_vocabulary
from clearhead.errors import InputError
from clearhead.exchange.gpt2_weights import from_gpt2, settings_of
from clearhead.exchange.hf_export import CONFIG, OURS, WEIGHTS
from clearhead.models import Model, build_model
from clearhead.training.folders.preparation import appearing_whole, require_free
from clearhead.training.folders.run_folder import CHECKPOINTS, FIGURES, RECIPE, TOKENIZER
from clearhead.training.recipes.corpus_of_recipe import class_count
from clearhead.training.recipes.objectives import Objective
from clearhead.training.recipes.recipe import Recipe, read_recipe, write_recipe
from clearhead.training.steps.checkpoints import Progress, save_checkpoint

INDEX = "model.safetensors.index.json"


def imported(folder: Path, out: Path) -> str:
    """Make a run of a folder, and say what can be done with it."""
    require_free(out)
    config = config_of(folder)
    ours = (folder / OURS / RECIPE).exists()
    recipe = read_recipe(folder / OURS / RECIPE) if ours else recipe_for(folder, config)
    vocabulary = load_vocabulary(folder / OURS / TOKENIZER if ours else folder / TOKENIZER)
    with torch.random.fork_rng(devices=[]):
        model = build_model(recipe.model, vocabulary.size, class_count(recipe, vocabulary))
    put_weights(model, folder, config, vocabulary)
    with appearing_whole(out) as workshop:
        vocabulary.save(workshop / TOKENIZER)
        save_checkpoint(workshop / CHECKPOINTS, model, [], Progress(), [])
        if (folder / OURS / FIGURES).exists():
            shutil.copyfile(folder / OURS / FIGURES, workshop / FIGURES)
        write_recipe(recipe, workshop / RECIPE)
    weights = sum(weight.numel() for weight in model.parameters())
    return f"{out}: {weights:,} weights of {folder}. Train on with a text of yours: clearhead train RECIPE --start {out}"


def config_of(folder: Path) -> dict[str, Any]:
    """config.json."""
    try:
        tree = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        if isinstance(tree, dict):
            return tree
        raise ValueError("it holds no object")
    except (OSError, ValueError) as error:
        raise InputError(f"{folder}: a folder in Hugging Face's form has a {CONFIG}; {error}.") from error


def recipe_for(folder: Path, config: dict[str, Any]) -> Recipe:
    """A recipe for somebody's GPT-2: what it was trained on is not known, and no corpus is named."""
    if config.get("model_type") != "gpt2":
        known = "GPT-2 (model_type gpt2) and what Clearhead exported"
        raise InputError(f"{folder}: {known} can be imported; this is {config.get('model_type')!r}.")
    return Recipe(name="imported", corpus="", model=settings_of(config, str(folder)), objectives=(Objective(kind="windows"),))


def put_weights(model: Model, folder: Path, config: dict[str, Any], vocabulary: Vocabulary) -> None:
    """The weights of the folder into the model; all of them, of the right sizes, or none."""
    weights = weights_of(folder)
    try:
        if config.get("model_type") == "gpt2":
            rows = int(weights.get("transformer.wte.weight", weights.get("wte.weight", torch.zeros(0))).shape[0])
            if rows < vocabulary.size:
                raise InputError(f"{folder}: the tokenizer knows {vocabulary.size:,} tokens, and the weights {rows:,}.")
            weights = from_gpt2(weights, int(config.get("n_layer", 12)), vocabulary.size)
        model.load_state_dict(weights)
    except (KeyError, RuntimeError, ValueError) as error:
        reason = " ".join(str(error).split())[:200]
        raise InputError(f"{folder}: the weights do not fit its {CONFIG}: {reason}.") from error


def weights_of(folder: Path) -> dict[str, Tensor]:
    """Every tensor of the folder's safetensors, one file or several; pickles are not read."""
    try:
        names = [WEIGHTS]
        if (folder / INDEX).exists():
            names = sorted(set(json.loads((folder / INDEX).read_text(encoding="utf-8"))["weight_map"].values()))
        if any(Path(name).name != name for name in names):
            raise InputError(f"{folder / INDEX}: names of files in this folder were expected.")
        return {key: tensor for name in names for key, tensor in load_file(folder / name).items()}
    except (OSError, SafetensorError, ValueError, KeyError, AttributeError) as error:
        raise InputError(f"{folder}: weights as safetensors ({WEIGHTS}) were expected; {error}.") from error
