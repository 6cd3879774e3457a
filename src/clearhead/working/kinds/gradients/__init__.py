"""Derivations, one model a file: the lines in symbols first, then the steps with numbers."""

from clearhead.working.kinds.gradients.gradient_model import GradientModel
from clearhead.working.kinds.gradients.layered_net import NETWORK
from clearhead.working.kinds.gradients.logistic import LOGISTIC
from clearhead.working.kinds.gradients.rnn import RNN
from clearhead.working.kinds.gradients.softmax_classifier import SOFTMAX

__all__ = ["MODELS", "GradientModel"]

MODELS: dict[str, GradientModel] = {"softmax": SOFTMAX, "network": NETWORK, "rnn": RNN, "logistic": LOGISTIC}
