"""Derivations, one model a file: the lines in symbols first, then the steps with numbers."""

from clearhead.working.gradients.logistic import LOGISTIC
from clearhead.working.gradients.model import Model
from clearhead.working.gradients.network import NETWORK
from clearhead.working.gradients.rnn import RNN
from clearhead.working.gradients.softmax import SOFTMAX

__all__ = ["MODELS", "Model"]

MODELS: dict[str, Model] = {"softmax": SOFTMAX, "network": NETWORK, "rnn": RNN, "logistic": LOGISTIC}
