"""A net of any number of layers and a softmax, by its input and every parameter. Rows on the left: h = g(xW₁ + b₁)."""

from clearhead.errors import InputError
from clearhead.exact.activations import ACTIVATIONS, Activation
from clearhead.exact.matrices import Matrix
from clearhead.exact.notation import named
from clearhead.working.kinds.gradients.gradient_model import (
    DerivedModel,
    GradientModel,
    derivation,
    gradient_step,
    partial,
    require_distribution,
    require_rank,
    surely_wrong,
)
from clearhead.working.kinds.gradients.layered_net_lines import G_LATEX, G_TEXT, lines_of, name_of, subscripted
from clearhead.working.kinds.gradients.softmax_classifier import cross_entropy, predicted
from clearhead.working.problem import Problem
from clearhead.working.rules.arrangements import Same
from clearhead.working.rules.neurons import Activated, ThroughActivation
from clearhead.working.rules.products import Affine, Product, ProductTransposed, TransposedProduct, require_product
from clearhead.working.rules.sums import Difference
from clearhead.working.steps import Step

MOST_LAYERS = 9
MATRIX_NAMES = tuple(f"W{k}" for k in range(1, MOST_LAYERS + 1))
BIAS_NAMES = tuple(f"b{k}" for k in range(1, MOST_LAYERS + 1))
WHYS = {
    "sigmoid": "The sigmoid squeezes each number between 0 and 1.",
    "tanh": "tanh squeezes each number between -1 and 1.",
    "relu": "relu keeps what is above 0 and makes the rest 0.",
    "identity": "The numbers stay as they are.",
}
SLOPES = {
    "sigmoid": ("{0} ⊙ (1 - {0})", r"{0} \odot (1 - {0})", "the sigmoid: times its slope {0}(1 - {0}), cell by cell."),
    "tanh": ("(1 - {0}²)", r"(1 - {0}^2)", "tanh: times its slope 1 - {0}², cell by cell."),
    "relu": ("1[{1} > 0]", r"\mathbf{{1}}[{1} > 0]", "relu: what was 0 or below gets nothing."),
    "identity": ("1", "1", "the identity: nothing changes."),
}


def derive(problem: Problem) -> DerivedModel:
    """The givens checked against one another, and all steps forwards and back."""
    x, y = problem.require("x", "y")
    layers = sum(name in problem.given for name in MATRIX_NAMES)
    problem.require(*MATRIX_NAMES[: max(layers, 1)])
    biases = frozenset(k for k, name in enumerate(BIAS_NAMES, start=1) if name in problem.given)
    g = ACTIVATIONS[problem.given.get("g", "sigmoid")]
    given: dict[str, Matrix] = {"x": x, "y": y}
    require_rank("x", x, 1)
    require_rank("y", y, 1)
    require_distribution(y)
    names = [name for k in range(1, layers + 1) for name in (f"W{k}", f"b{k}") if name in problem.given]
    given |= {name: problem.given[name] for name in names}
    require_layers(given, layers, biases)
    return DerivedModel(
        given=given,
        lines=derivation(*lines_of(layers, biases, g)),
        steps=[*forward(layers, biases, g), *backward(layers, biases, g)],
        wanted=("x", *names),
        parameters=tuple(names),
        observe=lambda working: surely_wrong(working, "y_hat", "A share that is wanted"),
    )


def require_layers(given: dict[str, Matrix], layers: int, biases: frozenset[int]) -> None:
    """Each layer must fit the one before it, its bias its columns, and the last one y."""
    stray = next((k for k in sorted(biases) if k > layers), None)
    if stray is not None:
        raise InputError(f"given.b{stray} has no W{stray}: give a matrix for each bias")
    for k in range(1, layers + 1):
        source, weights, bias = "x" if k == 1 else f"W{k - 1}", f"W{k}", f"b{k}"
        require_product(source, given[source], weights, given[weights])
        if k in biases and given[weights].shape[1] != given[bias].shape[1]:
            raise InputError(
                f"{weights} has {given[weights].shape[1]} columns and given.{bias} has {given[bias].shape[1]} numbers; "
                "each column needs one bias"
            )
    last = given[f"W{layers}"]
    if last.shape[1] != given["y"].shape[1]:
        raise InputError(
            f"W{layers} has {last.shape[1]} columns and given.y has {given['y'].shape[1]} numbers; they need equally many"
        )


def forward(layers: int, biases: frozenset[int], g: Activation) -> list[Step]:
    """z and h of each hidden layer, then u, the prediction and the loss."""
    steps: list[Step] = []
    for k in range(1, layers):
        z, h = name_of("z", k, layers), name_of("h", k, layers)
        which = "the hidden layer" if layers == 2 else f"hidden layer {k}"
        steps += [affine(k, layers, k in biases, f"What arrives at {which}."), activated(h, z, g)]
    return [*steps, affine(layers, layers, layers in biases, "What arrives at the softmax."), predicted("u"), cross_entropy()]


def affine(k: int, layers: int, has_bias: bool, why: str) -> Step:
    """One layer: what comes in times its matrix, plus its bias where it has one."""
    source, name = name_of("h", k - 1, layers), name_of("z", k, layers)
    return Step(
        name=name,
        formula=f"{source} W{k}" + (f" + b{k}" if has_bias else ""),
        latex=rf"{subscripted(source)} W_{k}" + (f" + b_{k}" if has_bias else ""),
        symbol=subscripted(name),
        why=why,
        needs=(source, f"W{k}", f"b{k}") if has_bias else (source, f"W{k}"),
        rule=Affine() if has_bias else Product(),
    )


def activated(h: str, z: str, g: Activation) -> Step:
    """g of every number of a layer."""
    formula, latex = f"{G_TEXT[g.name]}({z})", f"{G_LATEX[g.name]}({subscripted(z)})"
    if g.name == "sigmoid":
        formula, latex = f"{formula} = 1 / (1 + e^-{z})", rf"{latex} = \frac{{1}}{{1 + e^{{-{subscripted(z)}}}}}"
    return Step(
        name=h,
        formula=formula,
        latex=latex,
        symbol=subscripted(h),
        why=WHYS[g.name],
        needs=(z,),
        rule=Activated(g),
    )


def weight_gradient(k: int, layers: int, has_bias: bool) -> list[Step]:
    """d_W and d_b of one layer."""
    source, error = name_of("h", k - 1, layers), name_of("z", k, layers)
    weights = gradient_step(
        f"W{k}",
        f"{source}^T d_{error}",
        rf"{named(source)}^\top {partial(error)}",
        f"Every number of {source} times every number of d_{error}: one cell for each weight.",
        (source, f"d_{error}"),
        TransposedProduct(),
    )
    why = "A bias is added as it is, so it gets what arrives."
    bias = gradient_step(f"b{k}", f"d_{error}", partial(error), why, (f"d_{error}",), Same())
    return [weights, bias] if has_bias else [weights]


def back_through(k: int, layers: int) -> Step:
    """What arrives at the layer before, through the matrix of this one."""
    name, error, weights = name_of("h", k - 1, layers), name_of("z", k, layers), f"W{k}"
    return gradient_step(
        name,
        f"d_{error} {weights}^T",
        rf"{partial(error)} {named(weights)}^\top",
        f"Back through {weights}: each number of {name} collects from all that it reached.",
        (f"d_{error}", weights),
        ProductTransposed(),
    )


def backward(layers: int, biases: frozenset[int], g: Activation) -> list[Step]:
    """From the loss back through every layer to the input."""
    why = "What was predicted minus what was wanted."
    steps = [gradient_step("u", "y_hat - y", r"\hat{y} - y", why, ("y_hat", "y"), Difference())]
    for k in range(layers, 0, -1):
        if k < layers:
            steps.append(through(k, layers, g))
        steps += [*weight_gradient(k, layers, k in biases), back_through(k, layers)]
    return steps


def through(k: int, layers: int, g: Activation) -> Step:
    """Back through the activation of a hidden layer."""
    z, h = name_of("z", k, layers), name_of("h", k, layers)
    text, latex, why = SLOPES[g.name]
    return gradient_step(
        z,
        f"d_{h} ⊙ {text.format(h, z)}",
        rf"{partial(h)} \odot {latex.format(named(h), named(z))}",
        f"Back through {why.format(h)}",
        (f"d_{h}", h, z),
        ThroughActivation(g),
    )


NETWORK = GradientModel(
    given=("x", "y", "g", *(name for pair in zip(MATRIX_NAMES, BIAS_NAMES, strict=True) for name in pair)), derive=derive
)
"""A net of layers with a softmax at its end."""
