"""Every family of models by name: a new one is one file and one line here."""

from collections.abc import Mapping
from dataclasses import fields
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import torch

from clearhead.errors import ConfigError
from clearhead.models.model import Family, Model, ModelConfig

FAMILIES = (
    "gpt",
    "perceiver",
    "bigram",
    "recurrent",
    "averaging",
    "convnet",
)
"""The file of that name beside this one has `FAMILY`."""

MODELS: dict[str, Family] = {name: import_module(f"clearhead.models.{name}").FAMILY for name in FAMILIES}
"""By its name in a recipe: the config of a family and the model that is built from it."""

SETTLED = ("vocab", "classes")  # sizes that the data settles, not a recipe

Settings = Mapping[str, Any]
"""The [model] table of a recipe: `kind`, then what the config of that kind takes."""


def build_model(settings: Settings, vocab: int, classes: int = 2) -> Model:
    """The model that a recipe describes, for a vocabulary and so many classes."""
    config = model_config(settings, vocab, classes)
    with torch.device("cpu"):  # the same seed gives the same weights wherever they go from here
        return MODELS[settings.get("kind", "gpt")].model(config)


def model_config(settings: Settings, vocab: int, classes: int = 2) -> ModelConfig:
    """The config that a recipe describes, with the sizes that the data settles."""
    given = dict(settings)
    kind = given.pop("kind", "gpt")
    if kind not in MODELS:
        raise ConfigError(f"model.kind={kind!r} is not known; kinds: {', '.join(MODELS)}.")
    config = MODELS[kind].config
    names = [each.name for each in fields(config)]
    known = [name for name in names if name not in SETTLED]
    for key, value in given.items():
        if key not in known:
            close = get_close_matches(key, known, n=1)
            meant = f"did you mean {close[0]!r}? " if close else ""
            raise ConfigError(f"model.{key} is not known; {meant}a {kind} takes {', '.join(known)}.")
        wanted = type(getattr(config, key, value))
        if isinstance(value, bool) or not isinstance(value, (int, float) if wanted is float else wanted):
            raise ConfigError(f"model.{key} must be of type {wanted.__name__}; got {value!r}.")
    sizes = {"vocab": vocab, "classes": classes}
    built: ModelConfig = config(**{name: sizes[name] for name in SETTLED if name in names}, **given)
    return built
