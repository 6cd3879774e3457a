"""The exam's decoder that deduplicates and sorts, with its printed numbers: one layer of attention, no positions."""

import torch
from torch import Tensor

from clearhead.attention import attend

TOKENS = (3, 0, 0, 4, 0, 3, 5)  # D A A START A D STOP, in the order A B C D START STOP
ANSWER = 3  # the loss covers the last three


def exam_weights() -> dict[str, Tensor]:
    """E and the four maps."""
    embedding = torch.cat([torch.eye(4, dtype=torch.float64), torch.zeros(2, 4, dtype=torch.float64)])
    projection = torch.tensor([[0, 3], [1, 2], [2, 1], [3, 0]], dtype=torch.float64)
    out = torch.tensor([[0, 1, 0, 1], [1, 0, 1, 0]], dtype=torch.float64)
    return {"E": embedding, "W_Q": projection, "W_K": projection.clone(), "W_V": projection.clone(), "W_O": out}


def mixed(weights: dict[str, Tensor], temperature: float = 0.0) -> Tensor:
    """Z = PV of one head for the exam's seven tokens: (7, 2)."""
    x = weights["E"][list(TOKENS)]  # (7, 4)
    q, k, v = (x @ weights[name] for name in ("W_Q", "W_K", "W_V"))
    return attend(q, k, v, "causal", temperature).output


def loss_of(z: Tensor, w_o: Tensor, embedding: Tensor, shift: int = 0) -> Tensor:
    """−Σ log P of the answer; the exam reads each token of it off its own place (shift 0), teacher forcing one place before."""
    log_shares = (z @ w_o @ embedding.mT).log_softmax(-1)  # (7, 6)
    places = range(len(TOKENS) - ANSWER, len(TOKENS))
    return -torch.stack([log_shares[place - shift, TOKENS[place]] for place in places]).sum()
