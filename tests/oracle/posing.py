"""Random problems of every kind, in every form that the kind has. Knows nothing of clearhead."""

from collections.abc import Callable
from random import Random

from oracle.posing_attention import pose_attention, pose_decoder
from oracle.posing_geometry import pose_average, pose_copy, pose_project, pose_two_heads
from oracle.posing_gradient import pose_logistic, pose_network, pose_rnn, pose_softmax_gradient
from oracle.posing_small import pose_convolution, pose_perplexity, pose_softmax
from oracle.stages import Posed

FORMS: dict[str, Callable[[Random], Posed]] = {
    "attention": pose_attention,
    "decoder": pose_decoder,
    "softmax": pose_softmax,
    "perplexity": pose_perplexity,
    "convolution": pose_convolution,
    "gradient softmax": pose_softmax_gradient,
    "gradient network": pose_network,
    "gradient rnn": pose_rnn,
    "gradient logistic": pose_logistic,
    "geometry copy": pose_copy,
    "geometry average": pose_average,
    "geometry project": pose_project,
    "geometry heads": pose_two_heads,
}
"""Kind, and for gradients and geometry what is asked."""


def posed(rng: Random, form: str = "") -> Posed:
    """A random problem of a form, or of any."""
    return FORMS[form or rng.choice(list(FORMS))](rng)
