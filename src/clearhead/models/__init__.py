"""One family of models a file, its config beside it; `registry` has them all by name."""

from clearhead.models.averaging import Averaging, AveragingConfig
from clearhead.models.bigram import Bigram, BigramConfig
from clearhead.models.convnet import ConvNet, ConvNetConfig, twin_of
from clearhead.models.gpt import GPT, GPTConfig
from clearhead.models.greedy import continue_greedily
from clearhead.models.model import Classifier, LanguageModel, Model, Reader, reader_of
from clearhead.models.parts.cache import Cache, lined_up
from clearhead.models.recurrent import Recurrent, RecurrentConfig
from clearhead.models.registry import MODELS, build_model, model_config

__all__ = [
    "GPT",
    "MODELS",
    "Averaging",
    "AveragingConfig",
    "Bigram",
    "BigramConfig",
    "Cache",
    "Classifier",
    "ConvNet",
    "ConvNetConfig",
    "GPTConfig",
    "LanguageModel",
    "Model",
    "Reader",
    "Recurrent",
    "RecurrentConfig",
    "build_model",
    "continue_greedily",
    "lined_up",
    "model_config",
    "reader_of",
    "twin_of",
]
