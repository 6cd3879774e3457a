"""Every derivation against automatic differentiation and against central differences of the loss itself."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from torch import Tensor

from clearhead.errors import InputError
from clearhead.working import work
from oracle import gradient as oracle

QUARTERS = st.integers(-8, 8).map(lambda n: n / 4)
RATE = 0.25
Lost = tuple[Tensor, dict[str, Tensor]]
"""A loss as a tensor, and the tensors it was made of, by their names."""
MANY = settings(deadline=None, max_examples=40)


def vectors(size: int) -> st.SearchStrategy[list[float]]:
    return st.lists(QUARTERS, min_size=size, max_size=size)


def problem(of: str, given_: dict[str, Any], **options: Any) -> dict[str, Any]:
    """A problem tree: floats become exact decimals."""
    return {"kind": "gradient", "given": exact(given_), "options": {"of": of, "rate": str(RATE), **exact(options)}}


def exact(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: exact(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [exact(inner) for inner in value]
    return str(Fraction(value)) if isinstance(value, float) else value


def flat(value: Any) -> list[float]:
    return [x for inner in value for x in flat(inner)] if isinstance(value, list) else [float(value)]


def like(flattened: list[float], shape: Any) -> Any:
    """The numbers again in the shape of a value."""
    rest = iter(flattened)

    def filled(part: Any) -> Any:
        return [filled(inner) for inner in part] if isinstance(part, list) else next(rest)

    return filled(shape)


def agree(got: Any, wanted: Any, tolerance: float) -> bool:
    return flat(got) == pytest.approx(flat(wanted), rel=tolerance, abs=tolerance)


def verify(got: dict[str, Any], values: dict[str, Any], names: list[str], plain: Callable[..., float], tensors: Lost) -> None:
    """The loss, each d_ twice, and each new_ of a working."""
    loss, leaves = tensors
    assert got["loss"] == pytest.approx(plain(**values))
    assert got["loss"] == pytest.approx(loss.item())
    automatic = torch.autograd.grad(loss, [leaves[name] for name in names])
    for name, slope in zip(names, automatic, strict=True):
        assert agree(got[f"d_{name}"], slope.tolist(), 1e-9)
        by_differences = oracle.slopes(lambda x, n=name: plain(**{**values, n: like(x, values[n])}), flat(values[name]))
        assert agree(got[f"d_{name}"], by_differences, 1e-6)  # central differences are no better
        if f"new_{name}" in got:
            moved = [w - RATE * d for w, d in zip(flat(values[name]), flat(got[f"d_{name}"]), strict=True)]
            assert agree(got[f"new_{name}"], moved, 1e-9)


def leaves_of(values: dict[str, Any]) -> dict[str, Tensor]:
    return {
        name: torch.tensor(value, dtype=torch.float64, requires_grad=True)
        for name, value in values.items()
        if not isinstance(value, str)
    }


def torch_cross_entropy(u: Tensor, y: Tensor) -> Tensor:
    return -(y * torch.log_softmax(u, -1)).sum()


def one_hot(size: int) -> st.SearchStrategy[list[float]]:
    return st.integers(0, size - 1).map(lambda k: [float(i == k) for i in range(size)])


@MANY
@given(st.data(), st.integers(1, 4))
def test_softmax(worked: Any, data: st.DataObject, size: int) -> None:
    y = data.draw(st.one_of(one_hot(size), st.just([0.5, 0.5] + [0.0] * (size - 2)) if size > 1 else one_hot(size)))
    values = {"theta": data.draw(vectors(size)), "y": y}
    leaves = leaves_of(values)
    loss = torch_cross_entropy(leaves["theta"], leaves["y"]), leaves
    verify(worked(problem("softmax", values)), values, ["theta"], oracle.cross_entropy, loss)


def draw_network(data: st.DataObject) -> dict[str, Any]:
    d_x, d_h, d_y = (data.draw(st.integers(1, 3)) for _ in range(3))
    return {
        "x": data.draw(vectors(d_x)),
        "y": data.draw(one_hot(d_y)),
        "W1": [data.draw(vectors(d_h)) for _ in range(d_x)],
        "b1": data.draw(vectors(d_h)),
        "W2": [data.draw(vectors(d_y)) for _ in range(d_h)],
        "b2": data.draw(vectors(d_y)),
    }


def network_loss(leaves: dict[str, Tensor]) -> Lost:
    h = torch.sigmoid(leaves["x"] @ leaves["W1"] + leaves["b1"])
    return (torch_cross_entropy(h @ leaves["W2"] + leaves["b2"], leaves["y"]), leaves)


def plain_network(**values: Any) -> float:
    return oracle.network(*(values[name] for name in ("x", "y", "W1", "b1", "W2", "b2")))


@MANY
@given(st.data())
def test_network(worked: Any, data: st.DataObject) -> None:
    values = draw_network(data)
    verify(
        worked(problem("network", values)),
        values,
        ["x", "W1", "b1", "W2", "b2"],
        plain_network,
        network_loss(leaves_of(values)),
    )


TORCH_G = {"tanh": torch.tanh, "sigmoid": torch.sigmoid, "relu": torch.relu, "identity": lambda z: z}


def rnn_loss(leaves: dict[str, Tensor], g: str) -> Lost:
    h = torch.zeros((), dtype=torch.float64)
    for x in leaves["x"]:
        h = TORCH_G[g](leaves["w"] * h + leaves["a"] * x)
    return ((h - leaves["y"]) ** 2 / 2 + 0 * leaves["w"], leaves)  # one step alone does not meet w


@MANY
@given(st.data(), st.integers(1, 5), st.sampled_from(sorted(TORCH_G)))
def test_rnn(worked: Any, data: st.DataObject, length: int, g: str) -> None:
    values = {
        "x": data.draw(vectors(length)),
        "y": data.draw(QUARTERS),
        "w": data.draw(QUARTERS),
        "a": data.draw(QUARTERS),
        "g": g,
    }
    got = worked(problem("rnn", values))
    if g == "relu":
        assume(all(abs(got[f"z{t}"]) > 0.01 for t in range(1, length + 1)))  # no difference quotient across a corner
    verify(got, values, ["w", "a"], oracle.rnn, rnn_loss(leaves_of(values), g))


@MANY
@given(st.data(), st.integers(1, 4), st.sampled_from(["none", "l2", "max-norm"]))
def test_logistic(worked: Any, data: st.DataObject, size: int, penalty: str) -> None:
    values = {"x": data.draw(vectors(size)), "y": data.draw(st.sampled_from([0, 1])), "w": data.draw(vectors(size))}
    sizes = sorted(abs(w) for w in values["w"])
    assume(penalty != "max-norm" or size == 1 or sizes[-1] - sizes[-2] > 0.01)
    options = {} if penalty == "none" else {"penalty": penalty, "lambda": 0.5}
    leaves = leaves_of({name: value if name != "y" else float(value) for name, value in values.items()})
    w, y = leaves["w"], leaves["y"]
    p = torch.sigmoid(w @ leaves["x"])
    extra = {"none": 0 * w.sum(), "l2": 0.25 * (w**2).sum(), "max-norm": 0.25 * (w**2).max()}[penalty]
    loss = (-y * torch.log(p) - (1 - y) * torch.log(1 - p) + extra, leaves)

    def plain(**numbers: Any) -> float:
        return oracle.logistic(numbers["x"], numbers["y"], numbers["w"], penalty, 0.5)

    verify(worked(problem("logistic", values, **options)), values, ["w"], plain, loss)


NET = {"x": [1.0, -1.0], "y": [1.0, 0.0], "W1": [[1.0, 0], [1, 2]], "b1": [0.0, 1], "W2": [[1.0, -1], [2, 0]], "b2": [0.0, 1]}


@pytest.mark.parametrize("name", ["x", "W1", "b1", "W2", "b2"])
@pytest.mark.parametrize("slip", [lambda d: -d, lambda d: 2 * d, lambda d: d + 1e-4], ids=["sign", "twice", "a little"])
def test_verifying_rejects_a_wrong_derivative(worked: Any, name: str, slip: Callable[[float], float]) -> None:
    got = worked(problem("network", NET))
    wrong = {**got, f"d_{name}": like([slip(d) for d in flat(got[f"d_{name}"])], got[f"d_{name}"])}
    verify(got, NET, [name], plain_network, network_loss(leaves_of(NET)))
    with pytest.raises(AssertionError):
        verify(wrong, NET, [name], plain_network, network_loss(leaves_of(NET)))


def test_verifying_rejects_a_transposed_matrix(worked: Any) -> None:
    got = worked(problem("network", NET))
    turned = [list(column) for column in zip(*got["d_W1"], strict=True)]
    with pytest.raises(AssertionError):
        verify({**got, "d_W1": turned}, NET, ["W1"], plain_network, network_loss(leaves_of(NET)))


def test_verifying_rejects_a_chain_cut_after_one_step(worked: Any) -> None:
    values = {"x": [1.0, 2.0, 1.0], "y": 0.5, "w": 0.5, "a": 0.25, "g": "tanh"}
    got = worked(problem("rnn", values))
    cut = {**got, "d_w": got["d_z3"] * got["h2"]}  # forgets that w was used before
    with pytest.raises(AssertionError):
        verify(cut, values, ["w"], oracle.rnn, rnn_loss(leaves_of(values), "tanh"))


def test_verifying_rejects_a_step_uphill(worked: Any) -> None:
    got = worked(problem("network", NET))
    uphill = like([w + RATE * d for w, d in zip(flat(NET["b1"]), flat(got["d_b1"]), strict=True)], got["d_b1"])
    with pytest.raises(AssertionError):
        verify({**got, "new_b1": uphill}, NET, ["b1"], plain_network, network_loss(leaves_of(NET)))


def test_two_steps_of_the_recurrence_as_the_exam_writes_them(worked: Any) -> None:
    got = worked("examples/gradient-rnn")
    assert got["d_w"] == pytest.approx((got["h2"] - got["y"]) * (1 - got["h2"] ** 2) * got["h1"])


def test_a_long_chain_is_worked_exactly(worked: Any) -> None:
    values = {"x": [1.0, -2.0] * 30, "y": 1.0, "w": 1.5, "a": 0.5, "g": "tanh"}
    verify(worked(problem("rnn", values)), values, ["w", "a"], oracle.rnn, rnn_loss(leaves_of(values), "tanh"))


def test_rounded_at_every_step_worked_on_paper() -> None:
    values = {"x": [1, 2], "y": 1, "w": 0.5, "a": 0.5, "g": "identity"}
    got = work(problem("rnn", values), round=1).values
    expected = {"z1": "0.5", "h1": "0.5", "z2": "1.3", "h2": "1.3", "loss": "0", "d_h2": "0.3", "d_z2": "0.3", "d_h1": "0.2"}
    expected |= {"d_z1": "0.2", "d_w": "0.2", "d_a": "0.8", "new_w": "0.5", "new_a": "0.3"}  # 0.45 and 0.30
    assert {name: got[name].cell for name in expected} == {name: Fraction(value) for name, value in expected.items()}


def test_the_derivation_comes_first_and_the_names_are_kept() -> None:
    steps = work("examples/gradient-network").plan.steps
    kinds = [step.rule is None for step in steps]
    assert kinds == sorted(kinds, reverse=True)
    names = [step.name for step in steps if step.rule]
    backward = ["d_u", "d_W2", "d_b2", "d_h", "d_z", "d_W1", "d_b1", "d_x"]
    assert names == ["z", "h", "u", "y_hat", "loss", *backward, "new_W1", "new_b1", "new_W2", "new_b2"]


def test_without_a_rate_nothing_moves() -> None:
    tree = problem("softmax", {"theta": [1.0, 2.0], "y": [0, 1]})
    del tree["options"]["rate"]
    assert [step.name for step in work(tree).plan.steps if step.rule] == ["y_hat", "loss", "d_theta"]


def test_a_tie_takes_the_first_and_says_that_it_is_a_subgradient() -> None:
    working = work("examples/gradient-logistic")
    p = working.values["p"].cell
    assert working.values["d_w"].rows[0][0] == p + Fraction(1, 5)
    assert working.values["d_w"].rows[0][1] == p * 2  # −1 is as large as 1, but comes second
    assert any("w1 and w2 tie" in said and "subgradient" in said for said in working.observations)


def test_the_corner_of_relu_is_told() -> None:
    values = {"x": [0.0, 1.0], "y": 1.0, "w": 1.0, "a": 1.0, "g": "relu"}
    [said] = work(problem("rnn", values)).observations
    assert said.startswith("z1 is 0")


def test_a_share_rounded_to_zero_makes_the_loss_infinite_but_not_the_gradient() -> None:
    working = work(problem("softmax", {"theta": [9.0, 0.0], "y": [0, 1]}), round=2)
    assert working.values["loss"].cell == float("inf")
    assert working.values["d_theta"].rows[0] == (1, -1)
    assert any("infinite" in said for said in working.observations)


@pytest.mark.parametrize(
    ("of", "given_", "options", "says"),
    [
        ("softmax", {"theta": [1], "y": [0.5]}, {}, "given.y must hold shares from 0 on that add up to 1"),
        ("softmax", {"theta": [1, 2], "y": [1]}, {}, "given.theta has 2 numbers and given.y has 1"),
        ("softmax", {"theta": [1, 2], "y": 1}, {}, "given.y must be a list of numbers"),
        ("softmax", {"y": [1]}, {}, "given.theta is missing"),
        ("softmax", {"theta": [1], "y": [1], "w": 2}, {}, 'given.w has no place where of = "softmax"'),
        ("softmax", {"theta": [1], "y": [1]}, {"penalty": "l2"}, 'options.penalty has no place where of = "softmax"'),
        ("network", {**NET, "b1": [0]}, {}, "W1 has 2 columns and given.b1 has 1 numbers"),
        ("network", {**NET, "W1": [[1, 2]]}, {}, "x is 1×2 and W1 is 1×2"),
        ("network", {**NET, "y": [1]}, {}, "W2 has 2 columns and given.y has 1 numbers"),
        ("rnn", {"x": [1], "y": [1], "w": 1, "a": 1}, {}, "given.y must be one number"),
        ("rnn", {"x": [1], "y": 1, "w": 1, "a": 1, "g": "cos"}, {}, "given.g: must be one of tanh"),
        ("logistic", {"x": [1], "y": 2, "w": [1]}, {}, "given.y must be 0 or 1"),
        ("logistic", {"x": [1, 2], "y": 1, "w": [1]}, {}, "given.x has 2 numbers and given.w has 1"),
        ("logistic", {"x": [1], "y": 1, "w": [1]}, {"penalty": "l2"}, "options.lambda is missing"),
        ("logistic", {"x": [1], "y": 1, "w": [1]}, {"lambda": 1}, "options.lambda needs options.penalty"),
        ("logistic", {"x": [1], "y": 1, "w": [1]}, {"rate": 0}, "options.rate: must be more than 0"),
        ("cubic", {}, {}, "options.of: must be one of softmax, network, rnn, logistic"),
    ],
)
def test_bad_input_is_told_by_its_key(of: str, given_: dict[str, Any], options: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError) as told:
        work(problem(of, given_, **options))
    assert says in str(told.value)


def test_which_gradient_must_be_said() -> None:
    with pytest.raises(InputError, match=r"options\.of is missing"):
        work({"kind": "gradient", "given": {"theta": [1], "y": [1]}})
