"""What an encoder, a decoder, an RNN and an MLP can see: ∂output/∂input, place by place."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

import torch
from torch import Tensor, nn

from clearhead.attention import attend
from clearhead.heads import MultiHeadAttention
from clearhead.lab.claim import Finding, Trial
from clearhead.pictures import Panel, heatmap

QUICK = "as in full; it takes a moment"
PLACES, WIDTH = 10, 8
Net: TypeAlias = Callable[[Tensor], Tensor]
"""x (places, width) to outputs (places, width)."""


def encoder() -> Net:
    """Self-attention over everything."""
    attention = MultiHeadAttention(WIDTH, 2).double()
    return lambda x: attention(x[None])[0][0]


def decoder() -> Net:
    """The same with a causal mask."""
    attention = MultiHeadAttention(WIDTH, 2).double()
    return lambda x: attention(x[None], mask="causal", attending=attend)[0][0]


def recurrent() -> Net:
    """A state that goes along: h_t = tanh(x_t W + h_(t−1) U)."""
    net = nn.RNN(WIDTH, WIDTH, batch_first=True).double()
    return lambda x: net(x[None])[0][0]


def per_place() -> Net:
    """The feed-forward part of a transformer: the same MLP at each place."""
    net = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.Tanh(), nn.Linear(4 * WIDTH, WIDTH)).double()
    return lambda x: Tensor(net(x))


NETS: dict[str, Callable[[], Net]] = {"encoder": encoder, "decoder": decoder, "RNN": recurrent, "MLP": per_place}


def experiment(trial: Trial, nets: Mapping[str, Callable[[], Net]] = NETS) -> Finding:
    x = torch.randn(PLACES, WIDTH, dtype=torch.float64)
    found = {name: dependence(build(), x) for name, build in nets.items()}
    sees = {name: each > 1e-12 for name, each in found.items()}
    everything = torch.ones(PLACES, PLACES, dtype=torch.bool)
    wanted = {
        "encoder": everything,
        "decoder": everything.tril(),
        "RNN": everything.tril(),
        "MLP": everything & everything.tril().triu(),
    }
    far, near = (float(found["RNN"].diagonal(-away).mean()) for away in (5, 0))
    even = float(found["decoder"].diagonal(-5).mean() / found["decoder"].diagonal(0).mean())
    return Finding(
        {
            "pairs of places that depend, of 100": [int(each.sum()) for each in sees.values()],
            "nets": ", ".join(sees),
            "RNN: what 5 places back still counts, of its own place": far / near,
            "decoder: the same": even,
        },
        {
            "an encoder's place sees every place": bool((sees["encoder"] == wanted["encoder"]).all()),
            "a decoder's sees its own and all before it": bool((sees["decoder"] == wanted["decoder"]).all()),
            "an RNN's sees the same": bool((sees["RNN"] == wanted["RNN"]).all()),
            "but the past fades in an RNN faster than in a decoder": far / near < even,
            "an MLP's sees its own alone": bool((sees["MLP"] == wanted["MLP"]).all()),
        },
        heatmap([Panel((each / each.max()).round(decimals=2).tolist(), title=name) for name, each in found.items()]),
    )


def dependence(net: Net, x: Tensor) -> Tensor:
    """‖∂output_t/∂x_j‖ for each pair of places: (places, places), row t, column j."""
    jacobian = torch.autograd.functional.jacobian(net, x)  # type: ignore[no-untyped-call]
    return Tensor(torch.linalg.matrix_norm(jacobian.transpose(1, 2)))  # (t, width, j, width) to (t, j)
