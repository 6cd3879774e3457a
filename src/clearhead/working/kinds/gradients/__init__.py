"""Derivations, one model a file: the lines in symbols first, then the steps with numbers."""

from clearhead.working.kinds.gradients.layered_net import NETWORK
from clearhead.working.kinds.gradients.logistic import LOGISTIC
from clearhead.working.kinds.gradients.model import Model
from clearhead.working.kinds.gradients.rnn import RNN
from clearhead.working.kinds.gradients.softmax_classifier import SOFTMAX

__all__ = ["MODELS", "Model"]

MODELS: dict[str, Model] = {"softmax": SOFTMAX, "network": NETWORK, "rnn": RNN, "logistic": LOGISTIC}
