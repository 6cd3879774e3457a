"""A net with one hidden sigmoid layer and a softmax, by its input and every parameter. Rows on the left: h = σ(xW₁ + b₁)."""

from clearhead.errors import InputError
from clearhead.exact.activations import ACTIVATIONS
from clearhead.exact.matrices import Matrix
from clearhead.exact.notation import named
from clearhead.working.kinds.gradients.model import (
    Derived,
    Model,
    derivation,
    gradient_step,
    require_distribution,
    require_rank,
    surely_wrong,
)
from clearhead.working.kinds.gradients.softmax_classifier import cross_entropy, predicted
from clearhead.working.problem import Problem
from clearhead.working.rules.arrangements import Same
from clearhead.working.rules.neurons import Activated, Affine, ThroughActivation
from clearhead.working.rules.products import ProductTransposed, TransposedProduct, require_product
from clearhead.working.rules.sums import Difference
from clearhead.working.steps import Step

LINES = (
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


def derive(problem: Problem) -> Derived:
    names = ("x", "y", "W1", "b1", "W2", "b2")
    given: dict[str, Matrix] = dict(zip(names, problem.require(*names), strict=True))
    require_rank("x", given["x"], 1)
    require_rank("y", given["y"], 1)
    require_distribution(given["y"])
    require_layer(given, "x", "W1", "b1")
    require_product("W1", given["W1"], "W2", given["W2"])
    require_layer(given, "W1", "W2", "b2")
    if given["W2"].shape[1] != given["y"].shape[1]:
        raise InputError(
            f"W2 has {given['W2'].shape[1]} columns and given.y has {given['y'].shape[1]} numbers; they need equally many"
        )
    return Derived(
        given=given,
        lines=derivation(*LINES),
        steps=[*forward(), *backward()],
        wanted=("x", "W1", "b1", "W2", "b2"),
        parameters=("W1", "b1", "W2", "b2"),
        observe=lambda working: surely_wrong(working, "y_hat", "A share that is wanted"),
    )


def require_layer(given: dict[str, Matrix], source: str, weights: str, bias: str) -> None:
    require_product(source, given[source], weights, given[weights])
    if given[weights].shape[1] != given[bias].shape[1]:
        raise InputError(
            f"{weights} has {given[weights].shape[1]} columns and given.{bias} has {given[bias].shape[1]} numbers; "
            "each column needs one bias"
        )


def affine(name: str, source: str, layer: str, why: str) -> Step:
    return Step(
        name=name,
        formula=f"{source} W{layer} + b{layer}",
        latex=rf"{source} W_{layer} + b_{layer}",
        why=why,
        needs=(source, f"W{layer}", f"b{layer}"),
        rule=Affine(),
    )


def forward() -> list[Step]:
    hidden = Step(
        name="h",
        formula="σ(z) = 1 / (1 + e^-z)",
        latex=r"\sigma(z) = \frac{1}{1 + e^{-z}}",
        why="The sigmoid squeezes each number between 0 and 1.",
        needs=("z",),
        rule=Activated(ACTIVATIONS["sigmoid"]),
    )
    first = affine("z", "x", "1", "What arrives at the hidden layer.")
    second = affine("u", "h", "2", "What arrives at the softmax.")
    return [first, hidden, second, predicted("u"), cross_entropy()]


def weight_gradient(layer: str, source: str, error: str) -> list[Step]:
    """d_W and d_b of one layer."""
    behind = rf"\frac{{\partial J}}{{\partial {error}}}"
    weights = gradient_step(
        f"W{layer}",
        f"{source}^T d_{error}",
        rf"{named(source)}^\top {behind}",
        f"Every number of {source} times every number of d_{error}: one cell for each weight.",
        (source, f"d_{error}"),
        TransposedProduct(),
    )
    bias = gradient_step(
        f"b{layer}", f"d_{error}", behind, "A bias is added as it is, so it gets what arrives.", (f"d_{error}",), Same()
    )
    return [weights, bias]


def back_through(name: str, error: str, weights: str) -> Step:
    return gradient_step(
        name,
        f"d_{error} {weights}^T",
        rf"\frac{{\partial J}}{{\partial {error}}} {named(weights)}^\top",
        f"Back through {weights}: each number of {name} collects from all that it reached.",
        (f"d_{error}", weights),
        ProductTransposed(),
    )


def backward() -> list[Step]:
    sigmoid = ThroughActivation(ACTIVATIONS["sigmoid"])
    at_u = gradient_step(
        "u", "y_hat - y", r"\hat{y} - y", "What was predicted minus what was wanted.", ("y_hat", "y"), Difference()
    )
    at_z = gradient_step(
        "z",
        "d_h ⊙ h ⊙ (1 - h)",
        r"\frac{\partial J}{\partial h} \odot h \odot (1 - h)",
        "Back through the sigmoid: times its slope h(1 - h), cell by cell.",
        ("d_h", "h", "z"),
        sigmoid,
    )
    second, first = weight_gradient("2", "h", "u"), weight_gradient("1", "x", "z")
    return [at_u, *second, back_through("h", "u", "W2"), at_z, *first, back_through("x", "z", "W1")]


NETWORK = Model(given=("x", "y", "W1", "b1", "W2", "b2"), derive=derive)
