"""A one-layer decoder in plain float64, from the formulas: x = E[tokens], attention, W_O, logits = r Eᵀ, −Σ ln p."""

from math import exp, log

from oracle import attention

Matrix = list[list[float]]


def softmax(row: list[float], temperature: float = 1) -> list[float]:
    top = max(row)
    if temperature == 0:
        return [1 / row.count(top) if x == top else 0.0 for x in row]
    powers = [exp((x - top) / temperature) for x in row]
    return [p / sum(powers) for p in powers]


def transposed(a: Matrix) -> Matrix:
    return [list(column) for column in zip(*a, strict=True)]


def probabilities(
    e: Matrix,
    tokens: list[int],
    heads: list[tuple[Matrix, Matrix, Matrix]],
    w_o: Matrix | None,
    *,
    causal: bool = True,
    scale: bool = True,
    temperature: float = 1,
) -> Matrix:
    """One row for each position: how likely each name of the vocabulary is there."""
    x = [e[t] for t in tokens]
    rows: Matrix = [[] for _ in tokens]
    for w_q, w_k, w_v in heads:
        q, k, v = (attention.product(x, w) for w in (w_q, w_k, w_v))
        if not scale:
            q = [[cell * len(row) ** 0.5 for cell in row] for row in q]  # undoes the division by √d_k
        mask = attention.causal(len(x), len(x)) if causal else None
        for row, part in zip(rows, attention.attend(q, k, v, mask, temperature), strict=True):
            row.extend(part)
    r = rows if w_o is None else attention.product(rows, w_o)
    return [softmax(row) for row in attention.product(r, transposed(e))]


def loss(table: Matrix, tokens: list[int], answer: int, predict: str) -> float:
    """−ln of each of the last `answer` tokens, read at the place before ("next") or at its own ("own")."""
    back = {"next": 1, "own": 0}[predict]
    return -sum(log(table[t - back][tokens[t]]) for t in range(len(tokens) - answer, len(tokens)))
