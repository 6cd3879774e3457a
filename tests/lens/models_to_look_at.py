"""Small models with weights all away from zero, for tests of looking."""

from clearhead.models import GPT, build_model
from clearhead.models.reach import fill_randomly

KINDS = {
    "gpt course": {"kind": "gpt", "style": "course", "dropout": 0.0},
    "gpt modern": {"kind": "gpt", "style": "modern", "memory": 13},
    "perceiver": {"kind": "perceiver", "variant": "perceiver", "style": "modern", "bottleneck": 6},
    "perceiver-causal": {
        "kind": "perceiver",
        "variant": "perceiver-causal",
        "style": "course",
        "dropout": 0.0,
        "bottleneck": 6,
    },
}
TOKENS = [3, 7, 1, 9, 9, 2, 5, 3, 7, 4, 8, 6, 10]


def model_of(kind: str, seed: int = 0) -> GPT:
    """A tiny model of a kind: 3 blocks of 3 heads, 17 tokens of context."""
    sizes = {"context": 17, "layers": 3, "heads": 3, "width": 12}
    model = build_model({**sizes, **KINDS[kind]}, vocab=11).eval()
    fill_randomly(model, seed)
    assert isinstance(model, GPT)
    return model
