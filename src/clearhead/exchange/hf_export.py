"""A run as a folder in Hugging Face's form: the course-style GPT as GPT-2, any other model under its own names."""

import json
import tempfile
from dataclasses import asdict, replace
from pathlib import Path

import tomli_w
from safetensors.torch import save

from clearhead.errors import InputError
from clearhead.exchange.gpt2_weights import gpt2_config, is_gpt2, to_gpt2
from clearhead.exchange.hf_tokenizers import tokenizer_files
from clearhead.exchange.model_card import model_card
from clearhead.models import LanguageModel
from clearhead.models.gpt import GPTConfig
from clearhead.saving import save as save_file
from clearhead.training.folders.run_folder import FIGURES, RECIPE, TOKENIZER
from clearhead.training.folders.runs import Run, trained
from clearhead.training.recipes.recipe import Recipe

FORMS = ("huggingface",)
CONFIG, WEIGHTS, CARD, OURS = "config.json", "model.safetensors", "README.md", "clearhead"


def exported(folder: Path, out: Path, to: str) -> str:
    """Write a run for others, and say what was written."""
    if to not in FORMS:
        raise InputError(f"a run can be exported to {' or '.join(FORMS)}; got {to!r}.", "(--to huggingface)")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"{out} is there already and not empty; name another folder.")
    run = trained(folder)
    as_gpt2 = is_gpt2(getattr(run.model, "config", None))
    files = files_of_export(run, as_gpt2)
    for name, content in files.items():
        place = out / name
        place.parent.mkdir(parents=True, exist_ok=True)
        save_file(content, place)
    size = sum(len(content if isinstance(content, bytes) else content.encode()) for content in files.values())
    kind = "GPT-2 for transformers" if as_gpt2 else "safetensors under our own names, which transformers does not build"
    told = f"{out}: {kind}; {len(files)} files, {size / 1e6:.1f} MB, with a model card."
    return f"{told} Back again: clearhead import {out} --out RUN"


def files_of_export(run: Run, as_gpt2: bool) -> dict[str, str | bytes]:
    """Every file by its name, the weights first: config.json last makes it a folder that opens."""
    weights = dict(run.model.state_dict())
    config = getattr(run.model, "config", None)
    if as_gpt2:
        assert isinstance(config, GPTConfig)
        tree = gpt2_config(config, run.vocabulary.mask)
        weights = to_gpt2(weights, config.layers)
    else:
        kind = run.recipe.model.get("kind", "gpt")
        tree = {"model_type": f"clearhead-{kind}", "architectures": [f"Clearhead{type(run.model).__name__}"]}
        tree |= {"clearhead": {"model": dict(run.recipe.model), "vocab": run.vocabulary.size}}
    context = run.model.block if isinstance(run.model, LanguageModel) else 0
    plain = {name: tensor.detach().cpu().contiguous() for name, tensor in weights.items()}
    files: dict[str, str | bytes] = {
        WEIGHTS: save(plain, metadata={"format": "pt"}),
        **tokenizer_files(run.vocabulary, context),
    }
    files[CARD] = model_card(run, as_gpt2)
    files[f"{OURS}/{RECIPE}"] = tomli_w.dumps(asdict(without_places(run.recipe)))
    files[f"{OURS}/{TOKENIZER}"] = as_saved(run)
    if (run.folder / FIGURES).exists():
        files[f"{OURS}/{FIGURES}"] = (run.folder / FIGURES).read_bytes()
    files[CONFIG] = json.dumps(tree, indent=2, ensure_ascii=False) + "\n"
    return files


def without_places(recipe: Recipe) -> Recipe:
    """The recipe without where files lie on this machine: their names alone."""
    text = replace(
        recipe.text, left_out=tuple(Path(each).name for each in recipe.text.left_out), dev=Path(recipe.text.dev).name
    )
    return replace(recipe, corpus=Path(recipe.corpus).name, start="", text=text, vectors=Path(recipe.vectors).name)


def as_saved(run: Run) -> bytes:
    """The vocabulary as a run folder keeps it."""
    with tempfile.TemporaryDirectory() as folder:
        run.vocabulary.save(Path(folder) / TOKENIZER)
        return (Path(folder) / TOKENIZER).read_bytes()
