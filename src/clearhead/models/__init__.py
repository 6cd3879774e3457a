"""One family of models a file, its config beside it."""

from clearhead.models.bigram import Bigram, BigramConfig
from clearhead.models.cache import Cache
from clearhead.models.generation import continue_greedily
from clearhead.models.gpt import GPT, GPTConfig
from clearhead.models.recurrent import Recurrent, RecurrentConfig
from clearhead.models.table import MODELS, build_model, model_config

__all__ = [
    "GPT",
    "MODELS",
    "Bigram",
    "BigramConfig",
    "Cache",
    "GPTConfig",
    "Recurrent",
    "RecurrentConfig",
    "build_model",
    "continue_greedily",
    "model_config",
]
