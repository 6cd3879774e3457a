"""What a problem kind is, and the table of them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module

from clearhead.working.fields import Reader
from clearhead.working.problem import Problem
from clearhead.working.steps import Plan

KINDS: dict[str, str] = {
    "attention": "self and cross attention, one head or many",
    "decoder": "a one-layer decoder over tokens, from embedding to loss",
    "softmax": "the softmax of a vector, with a temperature and both its limits",
    "gradient": "derivations with their numbers: softmax, network, rnn, logistic; one step of descent",
    "convolution": "output size and number of weights of convolutions and poolings",
    "perplexity": "from the probabilities of tokens, in any base",
    "geometry": "copying, projecting and averaging values; one head against two",
    "bpe": "byte-pair encoding: pairs counted and merged",
    "beam": "beam search: every beam goes on, the best stay",
    "formula": "any graph of steps, written as formulas; gradients and optimisers derived",
}
"""Name and one line about it; the file of the same name beside this one has `KIND`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """Readers for what a problem file may hold, a template that works as it is, and how the steps follow."""

    given: dict[str, Reader]
    options: dict[str, Reader]
    template: str
    plan: Callable[[Problem], Plan]
    any_given: Reader | None = None  # reads givens of every name, where the kind has no list of its own
    tables: dict[str, Reader] = field(default_factory=dict)  # further keys at the top of the file


def kind_named(name: str) -> Kind:
    """The kind of this name, its file imported only now."""
    kind: Kind = import_module(f"clearhead.working.kinds.{name}").KIND
    return kind
