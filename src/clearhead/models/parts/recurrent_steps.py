"""Recurrent layers stepped through many rows side by side, without gradients: the fastest way through a long text.

What a token brings to the first layer is looked up instead of multiplied (a quarter of the work of two layers), products are
added to what is there, the gates are worked out in place, and tanh(x) = 2σ(2x) − 1, for torch's σ takes a sixth of the time of
its tanh; the 2 inside stands in the weights. Parts that take different ways through the gates have weights and rooms of their
own, made once. The steps are functions that torch can run by itself (`parts/unlocked.py`), so that threads do not wait for each
other. The numbers are those of `nn.RNN`, `nn.GRU` and `nn.LSTM`, up to rounding.
"""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from clearhead.models.parts.unlocked import unlocked


class LayerWeights(NamedTuple):
    """One layer's, as products take them: x @ w_i + h @ w_h + b, where b is both biases but for what stands behind a gate.

    Each is in parts, one for each way through the gates, as `CellKind.ways` has them.
    """

    w_i: list[Tensor]  # (width, ways · width) each
    w_h: list[Tensor]
    b: list[Tensor]  # (ways · width,) each
    b_h: list[Tensor]


class Rooms(NamedTuple):
    """Where one token of many rows is worked out, written over at each."""

    x: list[Tensor]  # W_i x + b, in the same parts: (rows, ways · width) each
    each: list[Tensor]  # the same, gate by gate: (rows, width) each
    spare: Tensor  # (rows, width)
    minus_one: Tensor  # ()


def tanh_of_half(doubled: Tensor, minus_one: Tensor, out: Tensor) -> Tensor:
    """tanh(x) where 2x stands, which is written over."""
    return torch.add(minus_one, doubled.sigmoid_(), alpha=2, out=out)


def rnn_gates(rooms: Rooms, memory: list[Tensor], said: Tensor, layer: LayerWeights) -> None:
    """h' = tanh(W_i x + W_h h)."""
    tanh_of_half(rooms.x[0].addmm_(memory[0], layer.w_h[0]), rooms.minus_one, out=said)


def gru_gates(rooms: Rooms, memory: list[Tensor], said: Tensor, layer: LayerWeights) -> None:
    """h' = (1 − z) ⊙ n + z ⊙ h with r, z = σ(…) and n = tanh(W_in x + r ⊙ W_hn h)."""
    h, r, z, n = memory[0], rooms.each[0], rooms.each[1], rooms.each[2]
    rooms.x[0].addmm_(h, layer.w_h[0]).sigmoid_()  # r and z
    h_n = torch.addmm(layer.b_h[1], h, layer.w_h[1], out=rooms.spare)
    torch.lerp(tanh_of_half(n.addcmul_(r, h_n), rooms.minus_one, out=n), h, z, out=said)


def lstm_gates(rooms: Rooms, memory: list[Tensor], said: Tensor, layer: LayerWeights) -> None:
    """c' = f ⊙ c + i ⊙ g and h' = o ⊙ tanh(c') with i, f, o = σ(…) and g = tanh(…)."""
    h, c, i, f, g, o = memory[0], memory[1], rooms.each[0], rooms.each[1], rooms.each[2], rooms.each[3]
    rooms.x[0].addmm_(h, layer.w_h[0]).sigmoid_()  # all four
    c.mul_(f).addcmul_(i, torch.add(rooms.minus_one, g, alpha=2, out=g))
    torch.mul(o, tanh_of_half(torch.mul(c, 2, out=rooms.spare), rooms.minus_one, out=rooms.spare), out=said)


def go_along(
    cell: str,
    tokens: Tensor,
    memories: list[list[Tensor]],
    looked_up: list[Tensor],
    layers: list[LayerWeights],
    rooms: Rooms,
    out: Tensor,
) -> None:
    """Each token of tokens (n, rows) through all layers; what the last one says goes to out, (n, rows, width).

    The memories, h and for an LSTM c of each layer, (rows, width), are written over, but for the last h: that is out's last.
    """
    for token in range(len(tokens)):
        for part in range(len(rooms.x)):
            torch.index_select(looked_up[part], 0, tokens[token], out=rooms.x[part])  # (rows, ways · width)
        for number in range(len(layers)):
            layer, memory = layers[number], memories[number]
            if number > 0:
                for part in range(len(rooms.x)):
                    torch.addmm(layer.b[part], memories[number - 1][0], layer.w_i[part], out=rooms.x[part])
            said = out[token] if number == len(layers) - 1 else memory[0]
            if cell == "gru":
                gru_gates(rooms, memory, said, layer)
            elif cell == "lstm":
                lstm_gates(rooms, memory, said, layer)
            else:
                rnn_gates(rooms, memory, said, layer)
            memory[0] = said


class CellKind(NamedTuple):
    """What a cell's matrices are made of, in torch's order."""

    ways: tuple[int, ...]  # widths that go the same way through the gates
    through_tanh: int  # the width that does
    behind_gate: int | None = None  # the width whose W_h h + b_h goes through a gate of its own


CELL_KINDS = {
    "rnn": CellKind((1,), through_tanh=0),
    "gru": CellKind((2, 1), through_tanh=2, behind_gate=2),
    "lstm": CellKind((4,), through_tanh=2),
}


class RecurrentSteps:
    """The layers of a recurrent model, laid out once and then stepped through as often as somebody likes."""

    @torch.no_grad()
    def __init__(self, cell: str, cells: nn.RNNBase, embedding: Tensor) -> None:
        self.cell, self.kind, self.width = cell, CELL_KINDS[cell], cells.hidden_size
        self.layers = [self.layer(*(self.doubled(weight) for weight in weights)) for weights in cells.all_weights]
        first = self.layers[0]
        self.looked_up = [
            torch.addmm(b, embedding, w_i) for w_i, b in zip(first.w_i, first.b, strict=True)
        ]  # (vocab, ways · width)
        self.minus_one = torch.tensor(-1.0, device=embedding.device)
        self.go_along = unlocked(go_along)

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

    def cut(self, whole: Tensor) -> list[Tensor]:
        """The parts of (…, all ways · width), each by itself."""
        widths = [way * self.width for way in self.kind.ways]
        return [part.contiguous() for part in torch.split(whole, widths, dim=-1)]

    @torch.no_grad()
    def along(self, tokens: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """What the last layer says at each token, (n, rows, width), and the state after the last, (parts, layers, rows, width).

        `tokens` is (rows, n); the state that is given is left as it is.
        """
        rows, n = tokens.shape
        state, out = state.clone(), state.new_empty(n, rows, self.width)
        memories = [list(state[:, layer].unbind()) for layer in range(len(self.layers))]
        self.go_along(self.cell, tokens.mT.contiguous(), memories, self.looked_up, self.layers, self.rooms(state, rows), out)
        if n:
            state[0, -1] = out[-1]
        return out, state

    def rooms(self, like: Tensor, rows: int) -> Rooms:
        """For so many rows."""
        x = [like.new_empty(rows, way * self.width) for way in self.kind.ways]
        each = [gate for part in x for gate in torch.split(part, self.width, dim=1)]
        return Rooms(x, each, like.new_empty(rows, self.width), self.minus_one)
