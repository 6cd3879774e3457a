"""A scalar recurrent net of any length, loss on the last state: z_t = w h_{t−1} + a x_t, h_t = g(z_t), J = ½(h_T − y)²."""

from clearhead.exact.activations import ACTIVATIONS, Activation
from clearhead.exact.decimals import is_zero
from clearhead.exact.matrices import number
from clearhead.exact.notation import named
from clearhead.working.kinds.gradients.gradient_model import (
    DerivedModel,
    GradientModel,
    derivation,
    gradient_step,
    partial,
    require_rank,
)
from clearhead.working.kinds.gradients.layered_net_lines import G_LATEX, G_TEXT
from clearhead.working.problem import Problem
from clearhead.working.rules.losses import HalfSquare
from clearhead.working.rules.neurons import Activated, ThroughActivation
from clearhead.working.rules.products import Dot, Times
from clearhead.working.rules.rule import MOST_WRITTEN_OUT
from clearhead.working.rules.sums import Difference
from clearhead.working.steps import Step, Working

LONG_CHAIN = 100  # steps; from here on each state is kept whole, so that the exact forms do not grow


def lines(g: Activation, length: int) -> list[Step]:
    """The derivation for any length; two steps are also written out."""
    general = [
        (
            "z_t = w h_(t-1) + a x_t, h_t = g(z_t), h_0 = 0",
            "h_t",
            r"g(z_t), \quad z_t = w h_{t-1} + a x_t, \quad h_0 = 0",
            f"The net: each state follows from the one before and from the next input; g is {g.name}.",
        ),
        (
            "J = 1/2 (h_T - y)²",
            "J",
            r"\frac{1}{2} (h_T - y)^2",
            f"The loss looks at the last state alone; here T = {length}.",
        ),
        (
            "∂J/∂h_T = h_T - y",
            r"\frac{\partial J}{\partial h_T}",
            "h_T - y",
            "The square comes down and cancels the half.",
        ),
        (
            f"∂J/∂z_t = ∂J/∂h_t g'(z_t), with g' = {g.slope_text}",
            r"\frac{\partial J}{\partial z_t}",
            rf"\frac{{\partial J}}{{\partial h_t}} g'(z_t), \quad g' = {g.slope_latex}",
            "Back through the activation: times its slope.",
        ),
        (
            "∂J/∂h_(t-1) = w ∂J/∂z_t",
            r"\frac{\partial J}{\partial h_{t-1}}",
            r"w \frac{\partial J}{\partial z_t}",
            "Back through time: the state before enters z_t times w.",
        ),
        (
            "∂J/∂w = Σ_t ∂J/∂z_t h_(t-1), ∂J/∂a = Σ_t ∂J/∂z_t x_t",
            r"\frac{\partial J}{\partial w}",
            r"\sum_t \frac{\partial J}{\partial z_t} h_{t-1}, "
            r"\quad \frac{\partial J}{\partial a} = \sum_t \frac{\partial J}{\partial z_t} x_t",
            "The same w and a are used at every step, so what they owe at each step adds up.",
        ),
    ]
    if length == 2:
        general.append(
            (
                "∂J/∂w = (h_2 - y) g'(z_2) h_1, since h_0 = 0",
                r"\frac{\partial J}{\partial w}",
                "(h_2 - y) g'(z_2) h_1",
                "Written out for two steps: the term of step 1 vanishes with h_0 = 0.",
            )
        )
    return derivation(*general)


def derive(problem: Problem) -> DerivedModel:
    x, y, w, a = problem.require("x", "y", "w", "a")
    require_rank("x", x, 1)
    for name, value in (("y", y), ("w", w), ("a", a)):
        require_rank(name, value, 0)
    length = x.shape[1]
    g = ACTIVATIONS[problem.given.get("g", "tanh")]
    return DerivedModel(
        given={f"x{t}": number(cell) for t, cell in enumerate(x.rows[0], start=1)} | {"y": y, "w": w, "a": a},
        lines=lines(g, length),
        steps=[*forward(g, length), *backward(g, length)],
        wanted=("w", "a"),
        parameters=("w", "a"),
        observe=lambda working: observe(working, g, length),
    )


def forward(g: Activation, length: int) -> list[Step]:
    """z_1, h_1, …, h_T and the loss."""
    steps = [first_input()]
    for t in range(1, length + 1):
        if t > 1:
            steps.append(next_input(t))
        h = Step(
            name=f"h{t}",
            formula=f"{G_TEXT[g.name]}(z{t})" if G_TEXT[g.name] else f"z{t}",
            latex=f"{G_LATEX[g.name]}(z_{{{t}}})" if G_LATEX[g.name] else f"z_{{{t}}}",
            symbol=named(f"h{t}"),
            why=f"The state after step {t}.",
            needs=(f"z{t}",),
            rule=Activated(g, whole=length > LONG_CHAIN),
        )
        steps.append(h)
    loss = Step(
        name="loss",
        formula=f"1/2·(h{length} - y)^2",
        latex=rf"\frac{{1}}{{2}} (h_{{{length}}} - y)^2",
        symbol="J",
        why="Half the square of how far the last state is from y.",
        needs=(f"h{length}", "y"),
        rule=HalfSquare(),
    )
    return [*steps, loss]


def first_input() -> Step:
    return Step(
        name="z1",
        formula="a·x1",
        latex=r"a \cdot x_{1}",
        symbol=named("z1"),
        why="There is no state before the first: h_0 = 0, so w adds nothing.",
        needs=("a", "x1"),
        rule=Times(),
    )


def next_input(t: int) -> Step:
    return Step(
        name=f"z{t}",
        formula=f"w·h{t - 1} + a·x{t}",
        latex=rf"w \cdot h_{{{t - 1}}} + a \cdot x_{{{t}}}",
        symbol=named(f"z{t}"),
        why="The state before times w, plus the input times a.",
        needs=("w", "a", f"h{t - 1}", f"x{t}"),
        rule=Dot(),
    )


def backward(g: Activation, length: int) -> list[Step]:
    """From the last state to the first, then what w and a owe over all steps."""
    last = f"h{length}"
    why = "How far the last state is from y."
    steps = [gradient_step(last, f"{last} - y", f"{named(last)} - y", why, (last, "y"), Difference())]
    for t in range(length, 0, -1):
        steps.append(through(g, t, whole=length > LONG_CHAIN))
        if t > 1:
            error = f"z{t}"
            why = "One step back in time: times w."
            latex = rf"w \cdot {partial(error)}"
            steps.append(gradient_step(f"h{t - 1}", f"w·d_{error}", latex, why, ("w", f"d_{error}"), Times()))
    return [*steps, *parameter_gradients(length)]


def through(g: Activation, t: int, *, whole: bool) -> Step:
    """Back through the activation at step t."""
    h, behind = named(f"h{t}"), partial(f"h{t}")
    formula, latex = {
        "tanh": (f"d_h{t}·(1 - h{t}^2)", rf"{behind} \cdot (1 - {h}^2)"),
        "sigmoid": (f"d_h{t}·h{t}·(1 - h{t})", rf"{behind} \cdot {h} \cdot (1 - {h})"),
        "relu": (f"d_h{t}·relu'(z{t})", rf"{behind} \cdot \mathrm{{relu}}'({named(f'z{t}')})"),
        "identity": (f"d_h{t}", behind),
    }[g.name]
    why = "Times the slope of the activation."
    return gradient_step(f"z{t}", formula, latex, why, (f"d_h{t}", f"h{t}", f"z{t}"), ThroughActivation(g, whole))


def parameter_gradients(length: int) -> list[Step]:
    errors = tuple(f"d_z{t}" for t in range(1, length + 1))
    states = tuple(f"h{t}" for t in range(1, length))
    inputs = tuple(f"x{t}" for t in range(1, length + 1))
    w = gradient_step(
        "w",
        added(errors[1:], states) or "0",
        rf"\sum_{{t=1}}^{{{length}}} \frac{{\partial J}}{{\partial z_t}} h_{{t-1}}",
        "At every step w multiplies the state before; h_0 = 0 adds nothing.",
        (*errors[1:], *states),
        Dot(),
    )
    a = gradient_step(
        "a",
        added(errors, inputs),
        rf"\sum_{{t=1}}^{{{length}}} \frac{{\partial J}}{{\partial z_t}} x_t",
        "At every step a multiplies that step's input.",
        (*errors, *inputs),
        Dot(),
    )
    return [w, a]


def added(left: tuple[str, ...], right: tuple[str, ...]) -> str:
    """The sum of products in words, its middle left out where it is long."""
    terms = [f"{a}·{b}" for a, b in zip(left, right, strict=True)]
    return " + ".join(terms if len(terms) <= MOST_WRITTEN_OUT else [*terms[:2], "…", terms[-1]])


def observe(working: Working, g: Activation, length: int) -> list[str]:
    """Where relu stands on its corner."""
    corners = [f"z{t}" for t in range(1, length + 1) if is_zero(working.values[f"z{t}"].cell)]
    if g.name != "relu" or not corners:
        return []
    are = "is" if len(corners) == 1 else "are"
    return [f"{', '.join(corners)} {are} 0, where relu has no derivative: 0 was taken, a subgradient."]


RNN = GradientModel(given=("x", "y", "w", "a", "g"), derive=derive)
"""A scalar recurrent net."""
