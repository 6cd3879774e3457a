"""Recurrent layers over many rows of tokens at once, without gradients: three times as fast as torch's own loop.

What a token brings to the first layer is looked up instead of multiplied (a quarter of the work of two layers), products are
added to what is there, the gates are worked out in place, and tanh(x) = 2σ(2x) − 1, for torch's σ takes a sixth of the time of
its tanh; the 2 inside stands in the weights. Parts that take different ways through the gates have weights and rooms of their
own, made once: cutting them out of larger ones at every token is what threads wait for each other with, in Python. The numbers
are those of `nn.RNN`, `nn.GRU` and `nn.LSTM`, up to rounding.
"""

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor, nn

Parts = tuple[Tensor, ...]  # one for each way through the gates, as `CellKind.ways` has them
Memory = tuple[Tensor, ...]  # h, and for an LSTM c: (rows, width) each

MINUS_ONE = torch.tensor(-1.0, device="cpu")  # a number that tensors of any kind and place take


class Rooms(NamedTuple):
    """Where one token of many rows is worked out, written over at each."""

    x: Parts  # W_i x + b: (rows, ways · width) each
    each: Parts  # the same, gate by gate: (rows, width) each
    spare: Tensor  # (rows, width)


Gates = Callable[[Rooms, Memory, Memory, "LayerWeights"], None]
"""From what x brings and (h, c) to the next (h, c), which may stand where the last did."""


def tanh_of_half(doubled: Tensor, out: Tensor) -> Tensor:
    """tanh(x) where 2x stands, which is written over."""
    return torch.add(MINUS_ONE, doubled.sigmoid_(), alpha=2, out=out)


def rnn_gates(rooms: Rooms, memory: Memory, after: Memory, layer: "LayerWeights") -> None:
    """h' = tanh(W_i x + W_h h)."""
    tanh_of_half(rooms.x[0].addmm_(memory[0], layer.w_h[0]), out=after[0])


def gru_gates(rooms: Rooms, memory: Memory, after: Memory, layer: "LayerWeights") -> None:
    """h' = (1 − z) ⊙ n + z ⊙ h with r, z = σ(…) and n = tanh(W_in x + r ⊙ W_hn h)."""
    (r_z, _), (r, z, n), (h,) = rooms.x, rooms.each, memory
    r_z.addmm_(h, layer.w_h[0]).sigmoid_()
    h_n = torch.addmm(layer.b_h[1], h, layer.w_h[1], out=rooms.spare)
    tanh_of_half(n.addcmul_(r, h_n), out=n)
    torch.lerp(n, h, z, out=after[0])


def lstm_gates(rooms: Rooms, memory: Memory, after: Memory, layer: "LayerWeights") -> None:
    """c' = f ⊙ c + i ⊙ g and h' = o ⊙ tanh(c') with i, f, o = σ(…) and g = tanh(…)."""
    (i_f_g_o,), (i, f, g, o), (h, c) = rooms.x, rooms.each, memory
    i_f_g_o.addmm_(h, layer.w_h[0]).sigmoid_()
    torch.mul(f, c, out=after[1]).addcmul_(i, torch.add(MINUS_ONE, g, alpha=2, out=g))
    torch.mul(o, tanh_of_half(torch.mul(after[1], 2, out=rooms.spare), out=rooms.spare), out=after[0])


class CellKind(NamedTuple):
    """How a cell works out its memory, and what its matrices are made of, in torch's order."""

    gates: Gates
    ways: tuple[int, ...]  # widths that go the same way through the gates
    through_tanh: int  # the width that does
    behind_gate: int | None = None  # the width whose W_h h + b_h goes through a gate of its own


CELL_KINDS = {
    "rnn": CellKind(rnn_gates, (1,), 0),
    "gru": CellKind(gru_gates, (2, 1), 2, 2),
    "lstm": CellKind(lstm_gates, (4,), 2),
}


class LayerWeights(NamedTuple):
    """One layer's, as products take them: x @ w_i + h @ w_h + b, where b is both biases but for what stands behind a gate."""

    w_i: Parts  # (width, ways · width) each
    w_h: Parts
    b: Parts  # (ways · width,) each
    b_h: Parts


class RecurrentSteps:
    """The layers of a recurrent model, laid out once and then stepped through as often as somebody likes."""

    @torch.no_grad()
    def __init__(self, cell: str, cells: nn.RNNBase, embedding: Tensor) -> None:
        self.kind, self.width = CELL_KINDS[cell], cells.hidden_size
        self.layers = [self.layer(*(self.doubled(weight) for weight in weights)) for weights in cells.all_weights]
        first = self.layers[0]
        self.looked_up = [
            torch.addmm(b, embedding, w_i) for w_i, b in zip(first.w_i, first.b, strict=True)
        ]  # (vocab, ways · width)

    def doubled(self, weight: Tensor) -> Tensor:
        """A weight or bias whose part that goes through tanh is doubled, which loses nothing."""
        whole = weight.detach().clone()  # (all ways · width, width) or (all ways · width,)
        whole.view(sum(self.kind.ways), -1)[self.kind.through_tanh] *= 2
        return whole

    def layer(self, w_i: Tensor, w_h: Tensor, b_i: Tensor, b_h: Tensor) -> LayerWeights:
        """The weights of one layer, with what can be added up beforehand added up."""
        outside = b_h.clone()
        if self.kind.behind_gate is not None:
            outside.view(sum(self.kind.ways), -1)[self.kind.behind_gate] = 0
        return LayerWeights(self.cut(w_i.mT), self.cut(w_h.mT), self.cut(b_i + outside), self.cut(b_h))

    def cut(self, whole: Tensor) -> Parts:
        """The parts of (…, all ways · width), each by itself."""
        parts = torch.split(whole, [way * self.width for way in self.kind.ways], dim=-1)
        return tuple(part.contiguous() for part in parts)

    @torch.inference_mode()
    def along(self, tokens: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """What the last layer says at each token, (n, rows, width), and the state after the last, (parts, layers, rows, width).

        `tokens` is (rows, n); the state that is given is left as it is.
        """
        rows, n = tokens.shape
        state, out = state.clone(), state.new_empty(n, rows, self.width)
        rooms = self.rooms(state, rows)
        memories: list[Memory] = [tuple(state[:, layer]) for layer in range(len(self.layers))]
        for ids, said in zip(tokens.mT.contiguous().unbind(), out.unbind(), strict=True):
            for part, looked_up in zip(rooms.x, self.looked_up, strict=True):
                torch.index_select(looked_up, 0, ids, out=part)  # (rows, ways · width)
            for number, layer in enumerate(self.layers):
                if number:
                    below = memories[number - 1][0]
                    for part, w_i, b in zip(rooms.x, layer.w_i, layer.b, strict=True):
                        torch.addmm(b, below, w_i, out=part)
                memory = memories[number]
                after = memory if layer is not self.layers[-1] else (said, *memory[1:])
                self.kind.gates(rooms, memory, after, layer)
                memories[number] = after
        if n:
            state[0, -1] = out[-1]
        return out, state

    def rooms(self, like: Tensor, rows: int) -> Rooms:
        """For so many rows."""
        x = tuple(like.new_empty(rows, way * self.width) for way in self.kind.ways)
        each = tuple(gate for part in x for gate in torch.split(part, self.width, dim=1))
        return Rooms(x, each, like.new_empty(rows, self.width))
