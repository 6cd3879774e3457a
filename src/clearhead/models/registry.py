"""Every family of models by name: a new one is one file and one line here."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from torch import nn

from clearhead.errors import ConfigError
from clearhead.models.averaging import Averaging, AveragingConfig
from clearhead.models.bigram import Bigram, BigramConfig
from clearhead.models.convnet import ConvNet, ConvNetConfig
from clearhead.models.gpt import GPT, GPTConfig
from clearhead.models.perceiver import Perceiver, PerceiverConfig
from clearhead.models.recurrent import Recurrent, RecurrentConfig

Families = dict[str, tuple[type[Any], Callable[..., nn.Module]]]

LANGUAGE_MODELS: Families = {
    "gpt": (GPTConfig, GPT),
    "perceiver": (PerceiverConfig, Perceiver),
    "bigram": (BigramConfig, Bigram),
    "recurrent": (RecurrentConfig, Recurrent),
}
CLASSIFIERS: Families = {
    "averaging": (AveragingConfig, Averaging),
    "convnet": (ConvNetConfig, ConvNet),
}
MODELS: Families = LANGUAGE_MODELS | CLASSIFIERS


def build_model(settings: dict[str, Any], vocab: int) -> Any:
    """The model that a recipe describes; what it can do beside learning depends on its kind."""
    config = model_config(settings, vocab)
    return MODELS[settings.get("kind", "gpt")][1](config)


def model_config(settings: dict[str, Any], vocab: int) -> Any:
    """The config that a recipe describes: `kind`, then what the config of that kind takes."""
    given = dict(settings)
    kind = given.pop("kind", "gpt")
    if kind not in MODELS:
        raise ConfigError(f"model.kind={kind!r} is not known; kinds: {', '.join(MODELS)}.")
    config, _ = MODELS[kind]
    known = [each.name for each in fields(config) if each.name != "vocab"]
    for key, value in given.items():
        if key not in known:
            raise ConfigError(f"model.{key} is not known; a {kind} takes {', '.join(known)}.")
        wanted = type(getattr(config, key, value))
        if isinstance(value, bool) or not isinstance(value, (int, float) if wanted is float else wanted):
            raise ConfigError(f"model.{key} must be of type {wanted.__name__}; got {value!r}.")
    return config(vocab=vocab, **given)
