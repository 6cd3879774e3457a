"""Attention in plain loops of float64, written from the formulas; imports nothing of clearhead.

scores_ij = Σ_c q_ic k_jc;  scaled = scores / √d_k;  weights_ij = e^(scaled_ij/T) / Σ_visible e^(scaled_il/T);
output_ic = Σ_j weights_ij v_jc. At T = 0 the visible keys with the largest scaled cell share 1 equally.
"""

from math import exp, sqrt

Matrix = list[list[float]]
Table = list[list[bool]]


def product(a: Matrix, b: Matrix) -> Matrix:
    return [[sum(row[c] * b[c][j] for c in range(len(b))) for j in range(len(b[0]))] for row in a]


def scaled(q: Matrix, k: Matrix) -> Matrix:
    result = []
    for query in q:
        row = []
        for key in k:
            score = 0.0
            for a, b in zip(query, key, strict=True):
                score += a * b
            row.append(score / sqrt(len(key)))
        result.append(row)
    return result


def row_weights(row: list[float], visible: list[bool], temperature: float) -> list[float]:
    seen = [j for j in range(len(row)) if visible[j]]
    largest = max(row[j] for j in seen)
    if temperature == 0:
        best = [j for j in seen if row[j] == largest]
        return [1 / len(best) if j in best else 0.0 for j in range(len(row))]
    exponentials = {j: exp((row[j] - largest) / temperature) for j in seen}
    total = sum(exponentials.values())
    return [exponentials[j] / total if j in exponentials else 0.0 for j in range(len(row))]


def weights(q: Matrix, k: Matrix, mask: Table | None = None, temperature: float = 1) -> Matrix:
    everything = [[True] * len(k) for _ in q]
    return [row_weights(row, see, temperature) for row, see in zip(scaled(q, k), mask or everything, strict=True)]


def attend(q: Matrix, k: Matrix, v: Matrix, mask: Table | None = None, temperature: float = 1) -> Matrix:
    """The output of one head: rows of q, k and v as lists."""
    result = []
    for row in weights(q, k, mask, temperature):
        mixed = [0.0] * len(v[0])
        for weight, value in zip(row, v, strict=True):
            for c, cell in enumerate(value):
                mixed[c] += weight * cell
        result.append(mixed)
    return result


def several_heads(
    x: Matrix,
    source: Matrix,
    maps: tuple[Matrix, Matrix, Matrix, Matrix],
    heads: int,
    mask: Table | None = None,
    temperature: float = 1,
) -> Matrix:
    """Concat(head_1 … head_h) W_O, where head_i takes the i-th slice of the columns of x W_Q, source W_K and source W_V."""
    w_q, w_k, w_v, w_o = maps
    q, k, v = product(x, w_q), product(source, w_k), product(source, w_v)
    size = len(q[0]) // heads
    joined: Matrix = [[] for _ in q]
    for head in range(heads):
        mine = slice(head * size, (head + 1) * size)
        output = attend([r[mine] for r in q], [r[mine] for r in k], [r[mine] for r in v], mask, temperature)
        for row, part in zip(joined, output, strict=True):
            row.extend(part)
    return product(joined, w_o)


def causal(n_q: int, n_k: int) -> Table:
    """Query i stands at place n_k − n_q + i and sees the keys up to there."""
    return [[j <= n_k - n_q + i for j in range(n_k)] for i in range(n_q)]
