"""The usual letters and words for each step and given: a table, so that one more word is one more entry."""


def words(listed: str) -> tuple[str, ...]:
    return tuple(" ".join(word.split()) for word in listed.split(","))


SYNONYMS: dict[str, tuple[str, ...]] = {
    "X": words("X, I, input, inputs, input tokens, input embeddings, embeddings, input matrix, token embeddings"),
    "Q": words("Q, query, queries, query matrix, query vectors"),
    "K": words("K, key, keys, key matrix, key vectors"),
    "V": words("V, value, values, value matrix, value vectors"),
    "scores": words("""
        scores, score, S, attention scores, raw scores, score matrix, dot products, similarities, similarity scores,
        QK, QKT, QK', raw attention scores, unscaled scores"""),
    "scaled": words(
        "scaled, scaled scores, scaled attention scores, scaled dot products, scaled score, S_scaled, scores_scaled"
    ),
    "masked": words("masked, masked scores, masked scaled scores, masked attention scores, scores_masked, S_masked"),
    "weights": words("""
        weights, attention weights, attention map, attention matrix, attention, A, P, α, attention probabilities,
        attention distribution, attention weight matrix, softmax, softmax weights, attn, attn weights, map"""),
    "output": words("""
        output, outputs, O, Z, output tokens, attention output, attention outputs, context, context vectors,
        output matrix, out, self-attention output, output vectors"""),
    "heads": words("""
        heads, concat, concatenated, concatenation, concatenated heads, concat heads, concatenated output, Z, O, H, output"""),
    "projected": words("""
        projected, projection, R, final output, multihead, multihead output, output projection,
        projected output"""),
    "Z": words("Z, output, outputs, O, attention output, self-attention output"),
    "R": words("R, projected, representations, projected output"),
    "logits": words("logits, logit, logit matrix"),
    "probabilities": words("probabilities, probs, probability, predicted probabilities, haty"),
    "loss": words("loss, L, cross-entropy, cross-entropy loss, CE, total loss, J, nll, log loss"),
}
"""Steps of the attention and decoder kinds."""

LETTERS: dict[str, tuple[str, ...]] = {
    "Q": ("q",),
    "K": ("k",),
    "V": ("v",),
    "scores": ("s", "QK", "QK^T"),
    "weights": ("a", "α", "p"),
    "output": ("o", "z"),
    "Z": ("z", "o"),
    "R": ("r",),
    "X": ("x",),
    "logits": ("z", "l"),
    "projected": ("r",),
}
"""Small letters that people give an index: q_2 is a row of Q, q_{21} a cell."""

OTHER_SYNONYMS: dict[str, tuple[str, ...]] = {
    "probabilities": words("probabilities, probs, p, P, softmax, softmax(z), softmax output"),
    "exponentials": words("exponentials, exponential, exps, exp, powers, e^z, exp(z), numerators"),
    "sum": words("sum, total, denominator, normaliser, normalizer, partition"),
    "size": words("size, output size, output shape, shape, output dimensions, dimensions, output"),
    "weights": words("weights, parameters, number of weights, number of parameters, params, trainable weights"),
    "perplexity": words("perplexity, PPL, PP, ppl"),
    "mean_log": words("mean_log, mean log, mean log probability, average log probability, mean log-probability"),
    "loss": words("loss, L, J, CE, cross-entropy"),
}
"""Steps of the other kinds."""

GIVEN: dict[str, tuple[str, ...]] = {
    "X": SYNONYMS["X"],
    "W_Q": words("WQ, W^Q, W_q, Wq, query weights, query weight matrix"),
    "W_K": words("WK, W^K, W_k, Wk, key weights, key weight matrix"),
    "W_V": words("WV, W^V, W_v, Wv, value weights, value weight matrix"),
    "W_O": words("WO, W^O, W_o, Wo, output weights, output weight matrix"),
    "E": words("E, embedding matrix, embedding"),
}
