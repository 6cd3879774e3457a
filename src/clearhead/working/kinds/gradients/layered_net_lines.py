"""The derivation of a layered net in symbols: one hidden layer written out, deeper ones layer by layer."""

from clearhead.exact.activations import Activation

G_TEXT = {"sigmoid": "σ", "tanh": "tanh", "relu": "relu", "identity": ""}
G_LATEX = {"sigmoid": r"\sigma", "tanh": r"\tanh", "relu": r"\mathrm{relu}", "identity": ""}

Line = tuple[str, str, str, str]
"""The equation as text, its two sides in LaTeX, and why."""

ONE_HIDDEN_LAYER: tuple[Line, ...] = (
    (
        "z = x W1 + b1, h = σ(z), u = h W2 + b2, ŷ = softmax(u), J = -Σ_i y_i ln ŷ_i",
        "J",
        r"-\sum_i y_i \ln \hat{y}_i, \quad \hat{y} = \mathrm{softmax}(u), \quad u = h W_2 + b_2, "
        r"\quad h = \sigma(z), \quad z = x W_1 + b_1",
        "The net, named piece by piece, so that the chain rule can go back through one piece at a time.",
    ),
    (
        "∂J/∂u = ŷ - y",
        r"\frac{\partial J}{\partial u}",
        r"\hat{y} - y",
        'Cross-entropy after a softmax: what was predicted minus what was wanted (of = "softmax" derives it).',
    ),
    (
        "∂J/∂W2 = h^T ∂J/∂u, ∂J/∂b2 = ∂J/∂u",
        r"\frac{\partial J}{\partial W_2}",
        r"h^\top \frac{\partial J}{\partial u}, \quad \frac{\partial J}{\partial b_2} = \frac{\partial J}{\partial u}",
        "The weight from h_i to u_j is multiplied by h_i on its way to u_j, the bias by 1.",
    ),
    (
        "∂J/∂h = ∂J/∂u W2^T",
        r"\frac{\partial J}{\partial h}",
        r"\frac{\partial J}{\partial u} W_2^\top",
        "Each h_i reaches every u_j through one weight of row i: going back, W2 is transposed.",
    ),
    (
        "σ'(z) = σ(z)(1 - σ(z)) = h(1 - h)",
        r"\sigma'(z)",
        r"\sigma(z) (1 - \sigma(z)) = h (1 - h)",
        "The slope of 1 / (1 + e^-z) is e^-z / (1 + e^-z)², which is h times 1 - h.",
    ),
    (
        "∂J/∂z = ∂J/∂h ⊙ h ⊙ (1 - h)",
        r"\frac{\partial J}{\partial z}",
        r"\frac{\partial J}{\partial h} \odot h \odot (1 - h)",
        "Each z_i moves only its own h_i, so the slopes multiply cell by cell.",
    ),
    (
        "∂J/∂W1 = x^T ∂J/∂z, ∂J/∂b1 = ∂J/∂z",
        r"\frac{\partial J}{\partial W_1}",
        r"x^\top \frac{\partial J}{\partial z}, \quad \frac{\partial J}{\partial b_1} = \frac{\partial J}{\partial z}",
        "As for the second layer, with x in the place of h.",
    ),
    (
        "∂J/∂x = ∂J/∂z W1^T = [((ŷ - y) W2^T) ⊙ h ⊙ (1 - h)] W1^T",
        r"\frac{\partial J}{\partial x}",
        r"\frac{\partial J}{\partial z} W_1^\top = "
        r"\left[ \left( (\hat{y} - y) W_2^\top \right) \odot h \odot (1 - h) \right] W_1^\top",
        "Once more back through a matrix: all pieces put together.",
    ),
)


def lines_of(layers: int, biases: frozenset[int], g: Activation) -> list[Line]:
    """The lines for so many layers, some with a bias; counted from 1."""
    if layers == 2 and biases == {1, 2} and g.name == "sigmoid":
        return list(ONE_HIDDEN_LAYER)
    net = [the_net(layers, biases, g), ONE_HIDDEN_LAYER[1]]
    return [*net, last_layer(layers, layers in biases), *(hidden_layers(layers, bool(biases), g) if layers > 1 else [])]


def the_net(layers: int, biases: frozenset[int], g: Activation) -> Line:
    """The forward pass, named piece by piece."""
    text, latex = [], []
    for k in range(1, layers + 1):
        h, z = name_of("h", k - 1, layers), name_of("z", k, layers)
        text.append(f"{z} = {h} W{k}" + (f" + b{k}" if k in biases else ""))
        latex.append(rf"{subscripted(z)} = {subscripted(h)} W_{k}" + (f" + b_{k}" if k in biases else ""))
        if k < layers:
            out = name_of("h", k, layers)
            text.append(f"{out} = {G_TEXT[g.name]}({z})")
            latex.append(rf"{subscripted(out)} = {G_LATEX[g.name]}({subscripted(z)})")
    return (
        ", ".join([*text, "ŷ = softmax(u)", "J = -Σ_i y_i ln ŷ_i"]),
        "J",
        r"-\sum_i y_i \ln \hat{y}_i, \quad \hat{y} = \mathrm{softmax}(u), \quad " + r", \quad ".join(latex),
        "The net, named piece by piece, so that the chain rule can go back through one piece at a time.",
    )


def last_layer(layers: int, has_bias: bool) -> Line:
    """What the weights before the softmax get."""
    h = name_of("h", layers - 1, layers)
    bias, latex = (
        (f", ∂J/∂b{layers} = ∂J/∂u", rf", \quad \frac{{\partial J}}{{\partial b_{layers}}} = \frac{{\partial J}}{{\partial u}}")
        if has_bias
        else ("", "")
    )
    return (
        f"∂J/∂W{layers} = {h}^T ∂J/∂u{bias}",
        rf"\frac{{\partial J}}{{\partial W_{layers}}}",
        rf"{subscripted(h)}^\top \frac{{\partial J}}{{\partial u}}{latex}",
        f"The weight from {h}_i to u_j is multiplied by {h}_i on its way to u_j" + (", the bias by 1." if has_bias else "."),
    )


def hidden_layers(layers: int, has_biases: bool, g: Activation) -> list[Line]:
    """Back through each hidden layer, by its number l: the last is the output, h_0 is x."""
    bias, latex = (
        (", ∂J/∂b_l = ∂J/∂z_l", r", \quad \frac{\partial J}{\partial b_l} = \frac{\partial J}{\partial z_l}")
        if has_biases
        else ("", "")
    )
    return [
        (
            f"∂J/∂h_l = ∂J/∂z_(l+1) W_(l+1)^T, where z_{layers} is u" + (" and h is h_1" if layers == 2 else ""),
            r"\frac{\partial J}{\partial h_l}",
            rf"\frac{{\partial J}}{{\partial z_{{l+1}}}} W_{{l+1}}^\top, \quad z_{layers} = u",
            "Each number of a layer reaches all of the next through one row of weights: going back, they are transposed.",
        ),
        (
            f"∂J/∂z_l = ∂J/∂h_l ⊙ g'(z_l), with g' = {g.slope_text}",
            r"\frac{\partial J}{\partial z_l}",
            rf"\frac{{\partial J}}{{\partial h_l}} \odot g'(z_l), \quad g' = {g.slope_latex}",
            "Each number moves only its own activation, so the slopes multiply cell by cell.",
        ),
        (
            f"∂J/∂W_l = h_(l-1)^T ∂J/∂z_l{bias}, where h_0 is x",
            r"\frac{\partial J}{\partial W_l}",
            rf"h_{{l-1}}^\top \frac{{\partial J}}{{\partial z_l}}{latex}, \quad h_0 = x",
            "As for the last layer, with the layer before in its place.",
        ),
    ]


def name_of(letter: str, layer: int, layers: int) -> str:
    """What a piece is called: x and u at the ends, z and h where there is one hidden layer, else numbered."""
    if letter == "h" and layer == 0:
        return "x"
    if letter == "z" and layer == layers:
        return "u"
    return letter if layers == 2 else f"{letter}{layer}"


def subscripted(name: str) -> str:
    """z1 as z_1."""
    return name if len(name) == 1 else f"{name[0]}_{{{name[1:]}}}"
