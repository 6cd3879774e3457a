"""Cross-entropy after a softmax, by its input θ: the gradient is ŷ − y."""

from clearhead.errors import InputError
from clearhead.exact.notation import named
from clearhead.working.kinds.gradients.gradient_model import (
    DerivedModel,
    GradientModel,
    derivation,
    gradient_step,
    require_distribution,
    require_rank,
    surely_wrong,
)
from clearhead.working.problem import Problem
from clearhead.working.rules.losses import CrossEntropy
from clearhead.working.rules.shares import Softmax
from clearhead.working.rules.sums import Difference
from clearhead.working.steps import Step

LINES = (
    (
        "J = -Σ_i y_i ln ŷ_i with ŷ = softmax(θ)",
        "J",
        r"-\sum_i y_i \ln \hat{y}_i, \quad \hat{y}_i = \frac{e^{\theta_i}}{\sum_j e^{\theta_j}}",
        "The loss compares the shares y that are wanted with the shares ŷ that the softmax makes of θ.",
    ),
    (
        "ln ŷ_i = θ_i - ln Σ_j e^θ_j",
        r"\ln \hat{y}_i",
        r"\theta_i - \ln \sum_j e^{\theta_j}",
        "The logarithm of a quotient is a difference, and it undoes the exponential above.",
    ),
    (
        "J = ln Σ_j e^θ_j - Σ_i y_i θ_i",
        "J",
        r"\ln \sum_j e^{\theta_j} - \sum_i y_i \theta_i",
        "The sum over j is the same in every term, and the y_i add up to 1.",
    ),
    (
        "∂/∂θ_k ln Σ_j e^θ_j = e^θ_k / Σ_j e^θ_j = ŷ_k",
        r"\frac{\partial}{\partial \theta_k} \ln \sum_j e^{\theta_j}",
        r"\frac{e^{\theta_k}}{\sum_j e^{\theta_j}} = \hat{y}_k",
        "The derivative of the logarithm puts the sum below; of the sum, only the term with θ_k has a derivative.",
    ),
    (
        "∂J/∂θ_k = ŷ_k - y_k",
        r"\frac{\partial J}{\partial \theta_k}",
        r"\hat{y}_k - y_k",
        "The second part of J contributes y_k: what was predicted minus what was wanted.",
    ),
)


def predicted(source: str) -> Step:
    """ŷ, the softmax of a step or given."""
    return Step(
        name="y_hat",
        formula=f"softmax({source})",
        latex=rf"\mathrm{{softmax}}({named(source)})",
        symbol=named("y_hat"),
        why="The softmax turns the numbers into the predicted shares.",
        needs=(source,),
        rule=Softmax(),
    )


def cross_entropy() -> Step:
    """The step loss: −Σ y ln ŷ."""
    return Step(
        name="loss",
        formula="-Σ y ln y_hat",
        latex=r"-\sum_i y_i \ln \hat{y}_i",
        symbol="J",
        why="The loss: how surprising what was wanted is under the prediction.",
        needs=("y_hat", "y"),
        rule=CrossEntropy(),
    )


def derive(problem: Problem) -> DerivedModel:
    theta, y = problem.require("theta", "y")
    require_rank("y", y, 1)
    require_distribution(y)
    if theta.shape != y.shape:
        raise InputError(f"given.theta has {theta.shape[1]} numbers and given.y has {y.shape[1]}; they need equally many")
    gradient = gradient_step(
        "theta",
        "y_hat - y",
        r"\hat{y} - y",
        "What was predicted minus what was wanted, as derived.",
        ("y_hat", "y"),
        Difference(),
    )
    return DerivedModel(
        given={"theta": theta, "y": y},
        lines=derivation(*LINES),
        steps=[predicted("theta"), cross_entropy(), gradient],
        wanted=("theta",),
        parameters=("theta",),
        observe=lambda working: surely_wrong(working, "y_hat", "A share that is wanted"),
    )


SOFTMAX = GradientModel(given=("theta", "y"), derive=derive)
"""Cross-entropy after a softmax."""
