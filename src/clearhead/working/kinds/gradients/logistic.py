"""Logistic regression on one example, with no penalty, an L2 penalty or one on the squared largest weight."""

from clearhead.errors import InputError
from clearhead.exact.activations import ACTIVATIONS
from clearhead.exact.matrices import Matrix
from clearhead.exact.notation import bracketed, plain
from clearhead.working.kinds.gradients.gradient_model import (
    DerivedModel,
    GradientModel,
    derivation,
    gradient_step,
    require_rank,
    surely_wrong,
)
from clearhead.working.problem import Problem
from clearhead.working.rules.descent import LogisticGradient
from clearhead.working.rules.losses import LabelAsShare, LogisticLoss, Penalty, heaviest
from clearhead.working.rules.neurons import Activated
from clearhead.working.rules.products import Dot
from clearhead.working.steps import Step, Working

PENALTY_LINES = {
    "l2": (
        "∂/∂w λ/2 Σ_i w_i² = λ w",
        r"\frac{\partial}{\partial w} \frac{\lambda}{2} \sum_i w_i^2",
        r"\lambda w",
        "Each square comes down and cancels the half.",
    ),
    "max-norm": (
        "∂/∂w λ/2 max_i w_i² = λ w_m e_m, where |w_m| is the largest",
        r"\frac{\partial}{\partial w} \frac{\lambda}{2} \max_i w_i^2",
        r"\lambda w_m e_m, \quad |w_m| = \max_i |w_i|",
        "Only the weight that is largest in size moves the maximum; e_m is 1 in its place and 0 elsewhere. Where several tie "
        "there is no derivative, and the first of them gives a subgradient.",
    ),
}


def lines(norm: str) -> list[Step]:
    extra = {"none": "", "l2": " + λ/2 Σ_i w_i²", "max-norm": " + λ/2 max_i w_i²"}[norm]
    latex = {
        "none": "",
        "l2": r" + \frac{\lambda}{2} \sum_i w_i^2",
        "max-norm": r" + \frac{\lambda}{2} \max_i w_i^2",
    }[norm]
    part = {"none": "", "l2": " + λ w", "max-norm": " + λ w_m e_m"}[norm]
    part_latex = {"none": "", "l2": r" + \lambda w", "max-norm": r" + \lambda w_m e_m"}[norm]
    return derivation(
        (
            f"J = -y ln p - (1 - y) ln(1 - p){extra} with p = σ(z), z = w·x",
            "J",
            rf"-y \ln p - (1 - y) \ln (1 - p){latex}, \quad p = \sigma(z), \quad z = w \cdot x",
            "The loss: how surprising y is when 1 has the probability p"
            + (", and a penalty on large weights." if extra else "."),
        ),
        (
            "dp/dz = p (1 - p)",
            r"\frac{dp}{dz}",
            "p (1 - p)",
            "The slope of the sigmoid 1 / (1 + e^-z).",
        ),
        (
            "∂J/∂z = (-y/p + (1 - y)/(1 - p)) p (1 - p) = p - y",
            r"\frac{\partial J}{\partial z}",
            r"\left( -\frac{y}{p} + \frac{1 - y}{1 - p} \right) p (1 - p) = p - y",
            "The slope cancels both denominators: -y(1 - p) + (1 - y)p is p - y. The penalty does not depend on z.",
        ),
        *([PENALTY_LINES[norm]] if norm in PENALTY_LINES else []),
        (
            f"∂J/∂w = (p - y) x{part}",
            r"\frac{\partial J}{\partial w}",
            f"(p - y) x{part_latex}",
            "Each w_i multiplies x_i in z" + ("; the penalty adds its own part." if extra else "."),
        ),
    )


def derive(problem: Problem) -> DerivedModel:
    x, y, w = problem.require("x", "y", "w")
    require_rank("x", x, 1)
    require_rank("w", w, 1)
    require_rank("y", y, 0)
    if y.cell not in (0, 1, -1):
        raise InputError(f"given.y must be 0 or 1 (or -1 or 1), the class that came, but is {y.cell}")
    if x.shape != w.shape:
        raise InputError(f"given.x has {x.shape[1]} numbers and given.w has {w.shape[1]}; each input needs one weight")
    norm = problem.option("penalty", "none")
    strength = problem.option("lambda", None)
    if (norm == "none") != (strength is None):
        raise InputError(
            "options.lambda is missing; options.penalty needs it"
            if norm != "none"
            else 'options.lambda needs options.penalty = "l2" or "max-norm"'
        )
    penalty = Penalty(norm, strength) if strength is not None else None
    return DerivedModel(
        given={"x": x, "y": y, "w": w},
        lines=lines(norm),
        steps=numbers(penalty, y),
        wanted=("w",),
        parameters=("w",),
        observe=lambda working: observe(working, penalty),
    )


def numbers(penalty: Penalty | None, y: Matrix) -> list[Step]:
    label = "y" if y.cell != -1 else "t"
    z = Step(name="z", formula="w·x", latex=r"w \cdot x", why="The score of the example.", needs=("w", "x"), rule=Dot())
    p = Step(
        name="p",
        formula="σ(z) = 1 / (1 + e^-z)",
        latex=r"\sigma(z) = \frac{1}{1 + e^{-z}}",
        why="The sigmoid turns the score into the probability of class 1.",
        needs=("z",),
        rule=Activated(ACTIVATIONS["sigmoid"]),
    )
    steps = [z, p] if label == "y" else [label_step(), z, p]
    if penalty is not None:
        steps.append(penalty_step(penalty))
    hit, hit_latex = ("-ln p", r"-\ln p") if y.cell == 1 else ("-ln(1 - p)", r"-\ln (1 - p)")
    loss = Step(
        name="loss",
        formula=hit + (" + penalty" if penalty else ""),
        latex=hit_latex + (r" + \mathrm{penalty}" if penalty else ""),
        symbol="J",
        why=f"{label} is {1 if y.cell == 1 else 0}, so only one of the two logarithms counts.",
        needs=("p", label, "penalty") if penalty else ("p", label),
        rule=LogisticLoss(),
    )
    text, latex = "", ""
    if penalty is not None:
        which, letter = ("w", "w") if penalty.norm == "l2" else ("w_m·e_m", r"w_m \cdot e_m")
        size = bracketed(plain(penalty.strength))
        text, latex = f" + {size}·{which}", rf" + {size} \cdot {letter}"
    why = "How far the prediction is off, times the input" + (", and the penalty's part." if penalty else ".")
    gradient = gradient_step(
        "w",
        f"(p - {label})·x{text}",
        rf"(p - {label}) \cdot x{latex}",
        why,
        ("p", label, "x", "w"),
        LogisticGradient(penalty),
    )
    return [*steps, loss, gradient]


def label_step() -> Step:
    """A label of −1 or 1 as 0 or 1, which the formulas are written for."""
    return Step(
        name="t",
        formula="(y + 1) / 2",
        latex=r"\frac{y + 1}{2}",
        why="Labels of -1 and 1 become 0 and 1, the shares that p is compared with.",
        needs=("y",),
        rule=LabelAsShare(),
    )


def penalty_step(penalty: Penalty) -> Step:
    squares, latex = ("Σ w_i²", r"\sum_i w_i^2") if penalty.norm == "l2" else ("max w_i²", r"\max_i w_i^2")
    return Step(
        name="penalty",
        formula=f"λ/2·{squares}, λ = {plain(penalty.strength)}",
        latex=rf"{plain(penalty.strength / 2)} \cdot {latex}",
        symbol=r"\mathrm{penalty}",
        why="What large weights cost." if penalty.norm == "l2" else "What the largest weight costs.",
        needs=("w",),
        rule=Penalty(penalty.norm, penalty.strength),
    )


def observe(working: Working, penalty: Penalty | None) -> list[str]:
    said = surely_wrong(working, "p", "The probability of what came")
    tied = heaviest(working.values["w"])
    if penalty is not None and penalty.norm == "max-norm" and len(tied) > 1:
        names = [f"w{j + 1}" for j in tied]
        said.append(
            f"{', '.join(names[:-1])} and {names[-1]} tie for the largest size, so the penalty has no derivative there: the "
            f"first, {names[0]}, was taken, which gives a subgradient."
        )
    return said


LOGISTIC = GradientModel(given=("x", "y", "w"), options=("penalty", "lambda"), derive=derive)
"""Logistic regression on one example."""
