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
    "output": ("o", "z", "c"),
    "Z": ("z", "o"),
    "R": ("r",),
    "X": ("x",),
    "logits": ("z", "l"),
    "projected": ("r",),
}
"""Small letters that people give an index: q_2 is a row of Q, q_{21} a cell."""

OTHER_SYNONYMS: dict[str, tuple[str, ...]] = {
    "probabilities": words("probabilities, probs, p, P, softmax, softmax(z), softmax output"),
    "exponentials": words("exponentials, exponential, exps, exp, expf, powers, e^z, exp(z), numerators"),
    "sum": words("sum, total, denominator, normaliser, normalizer, partition"),
    "size": words("size, output size, output shape, shape, output dimensions, dimensions, output"),
    "weights": words("weights, parameters, number of weights, number of parameters, params, trainable weights"),
    "perplexity": words("perplexity, PPL, PP, ppl"),
    "mean_log": words("mean_log, mean log, mean log probability, average log probability, mean log-probability"),
    "loss": words("loss, L, J, CE, cross-entropy"),
    "p": words("p, haty, y_hat, prediction"),
    "y_hat": words("y_hat, haty, y_pred, p, prediction, predictions"),
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

FOREIGN: dict[str, tuple[str, ...]] = {
    "X": words("embed, embedding, embedded, plongement, plongements, einbettung, einbettungen, 嵌入, 词向量, 임베딩, 埋め込み"),
    "Q": words("""
        requête, requêtes, consulta, consultas, abfrage, abfragen, anfrage, anfragen, zapytania, zapytanie,
        запрос, 查询, 쿼리, クエリ"""),
    "K": words("""
        clé, clés, clave, claves, chave, chaves, schlüssel, klucze, klucz, ключ, 键, 키, キー"""),
    "V": words("""
        valeur, valeurs, valor, valores, wert, werte, wartości, wartość, значени, 值, 밸류, 값, バリュー"""),
    "scores": words("""
        logits, puntuaciones, puntajes, pontuações, punteggi, bewertungen, ähnlichkeiten, wyniki uwagi, оценк,
        скор, 打分, 分数, 得分, 注意力分数, 점수, 스코어, スコア, produits scalaires, scores bruts,
        productos escalares, produtos escalares, skalarprodukte, iloczyn, 点积, 内积, 内積, 내적, raw match,
        match scores, compatibility, unscaled, alignment scores, energies, skor, dot product, similarity, relevance,
        produit scalaire, skalarprodukt, producto escalar, produto escalar, prodotto scalare, prodotti scalari,
        相关性, 相似度, 유사도, 類似度, скалярн"""),
    "scaled": words("""
        scaling, scaled, scale, divide by, divided by, dividing by, dzielenie, skalowanie, mise à l'échelle,
        escalado, escalada, escaladas, skaliert, skalierte, skalierung, scalati, scalare, делени, масштаб, 缩放,
        除以, ÷ √, ÷√, 스케일, スケーリング, スケール, normalised scores, shrink"""),
    "masked": words("""
        masked, masking, masque, máscara, maskiert, maska, маск, 掩码, 遮罩, マスク, 마스크"""),
    "weights": words("""
        poids, pesos, gewichte, aufmerksamkeitsgewichte, pesi, wagi, waga, веса, весов, вес, 权重, 注意力权重,
        가중치, 重み, softmax, attention weight, attention pattern, shares, attention coefficients,
        coefficients, ağırlık, bobot, trọng số, kansen, normalised weights"""),
    "output": words("""
        sortie, sorties, salida, salidas, saída, saídas, ausgabe, ausgaben, uscita, wyjście, wyjścia, выход,
        输出, 출력, 出力, context vector, weighted sum, weighted sums, new representation, new vector, blended,
        result vector, keluaran, çıktı, đầu ra, kontext, contexte, contexto, mix the values, mixing the values, mix of values,
        blend the values, combine the values, sum of the values, average of the values, weighted values, weighted average,
        média ponderada, media ponderada, moyenne pondérée, somme pondérée, gewichtete summe, gewichteter mittelwert,
        suma ponderada, soma ponderada, somma pesata, media pesata, suma ważona, взвешенн, 加权求和, 加权平均, 가중합, 가중 합,
        加重和, new embedding, attended values, × v, @ v, multiply by v, times v"""),
    "heads": words("""
        combined, concatenate, concatenating, side by side, concaténation, concatenación, verkettung,
        konkatenacja, 拼接, 연결, 連結, конкатенац"""),
    "projected": words("""
        final projection, proyección, projeção, projektion, rzutowanie wyjścia, 投影输出, проекция"""),
    "probabilities": words("""
        probabilités, probabilité, probabilidades, probabilidad, probabilidade, probabilità, wahrscheinlichkeiten,
        wahrscheinlichkeit, kans, kansen, peluang, olasılık, xác suất, prawdopodobieństwa, вероятност, 概率, 확률, 確率,
        softmax, normalise, normalize, over that sum, divide"""),
    "exponentials": words("""
        exponentielles, exponenciales, exponenciais, esponenziali, exponentialwerte, exponentiale, exponentieel,
        eksponensial, exponentialfunktion, e^{z/t}, e^(z/t), e^{z}, wykładnicze, экспонент, 指数, 지수, exponentiate,
        exponentiation"""),
    "sum": words("""
        somme, suma, soma, somma, summe, jumlah, toplam, zusammen, сумм, 求和, 总和, 합, 合計, add them up, together"""),
    "size": words("""
        tamaño, dimensiones, dimensões, taille, dimension de sortie, größe, ausgabegröße, wymiary, rozmiar,
        размер, 输出尺寸, 尺寸, 输出大小, 출력 크기, output volume, output size, output shape, feature map,
        salida, sortie, shape of the output, output dimension, spatial size"""),
    "perplexity": words("""
        perplexité, perplejidad, perplexidade, perplexität, перплексия, 困惑度, pp(w), pp"""),
    "mean_log": words("""
        mean log, average log, mean of the logs, log-likelihood"""),
    "loss": words("""
        perte, pérdida, perda, verlust, strata, функция потерь, потери, 损失, 손실, 損失, cost, coste"""),
    "p": words("""
        prediction, predicted, prédiction, predicción, vorhersage, sigmoid, activation, 预测,
        predicted probability"""),
    "y_hat": words("""
        prediction, predicted, predictions, predicted probabilities, probabilities, softmax, y pred, pred, probs"""),
    "z": words("""
        weighted sum, pre-activation, preactivation, linear output, net input, logit"""),
}
FOREIGN |= {"Z": FOREIGN["output"], "R": FOREIGN["projected"]}
"""The same in other words and other languages; stems where a language bends its words."""

COUNTED: tuple[str, ...] = words("""
        parameters, params, parameter, number of parameters, weights, parámetros, paramètres, parameteranzahl, parametry,
        параметр, 参数, 파라미터, パラメータ, parametri, pesos, poids, gewichte, trainable""")
"""What the weights of a layer are called where they are counted."""

AXES: tuple[tuple[str, ...], ...] = (
    words("""
        depth, channels, output channels, number of channels, canales, canales de salida, canaux, kanäle, canali, canais,
        通道, каналы"""),
    words("""
        height, output height, alto, altura, hauteur, höhe, altezza, wysokość, высота, 高度, 高, 높이, h_out"""),
    words("""
        width, output width, ancho, anchura, largura, largeur, breite, larghezza, szerokość, ширина, 宽度, 宽, 너비, w_out"""),
)
"""The axes of a size, in its order."""

TURNED: dict[str, tuple[str, ...]] = {
    "mean_log": words("""
        loss, average loss, mean loss, cross-entropy, cross entropy, negative log-likelihood, negative log likelihood, nll,
        entropy, h(w), H, bits per word, bits, perte, pérdida, verlust, 损失, 交叉熵, 熵, энтропия, entropía, entropie"""),
}
"""Names under which a step is written with its sign turned: a mean loss is minus the mean logarithm."""
