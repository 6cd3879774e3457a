"""The library of problems: every file stands for itself, and its numbers are held by an oracle that shares no code."""

import tomllib
from types import SimpleNamespace

import numpy as np
import pytest

from clearhead import examples
from clearhead.exact.decimals import as_float
from clearhead.working import load_problem, work
from oracle.library import LIBRARY

NAMES = [name.removeprefix("examples/").removesuffix(".toml") for name in examples.names((".toml",))]
FORMULAS = [name for name in NAMES if load_problem(f"examples/{name}").kind == "formula"]
LEVELS = ("easy", "medium", "hard")
VOLUME_ONE = (
    "mixture of experts", "recurrent net", "S6", "matrix product", "LLM sampling", "multilayer perceptron", "backpropagation",
    "transformer", "batch norm", "GAN", "self-attention", "dropout", "autoencoder", "vector database", "CLIP", "residual net",
    "graph convolution", "diffusion transformer", "switch transformer", "RLHF",
)  # fmt: skip


def given_of(name: str) -> SimpleNamespace:
    """The givens as arrays, read from the file by the standard library alone."""
    with examples.find(f"examples/{name}", (".toml",)).open("rb") as file:
        given = tomllib.load(file)["given"]
    return SimpleNamespace(
        **{
            key: np.atleast_2d(np.array(value, dtype=float)) if isinstance(value, list) else np.float64(value)
            for key, value in given.items()
        }
    )


@pytest.mark.parametrize("name", FORMULAS)
def test_every_formula_problem_agrees_with_its_oracle(name: str) -> None:
    working = work(f"examples/{name}", round="exact")
    wanted = LIBRARY[name](given_of(name))
    assert set(working.plan.answer) <= wanted.keys()
    for step, value in wanted.items():
        got = np.array([[as_float(cell) for cell in row] for row in working.values[step].rows])
        np.testing.assert_allclose(
            got, np.atleast_2d(np.asarray(value, dtype=float)), rtol=1e-9, atol=1e-9, err_msg=f"{name}: {step}"
        )


def test_the_oracle_rejects_another_problem() -> None:
    got = work("examples/mlp", round="exact").values["y"]
    wrong = LIBRARY["mlp"](SimpleNamespace(**{**vars(given_of("mlp")), "b3": np.array([[-2.0]])}))["y"]
    assert not np.allclose([[as_float(cell) for cell in row] for row in got.rows], wrong)


def test_the_library_is_large_and_has_every_topic_of_the_first_volume() -> None:
    assert len(NAMES) >= 60
    topics = {load_problem(f"examples/{name}").topic for name in NAMES}
    assert set(VOLUME_ONE) <= topics


@pytest.mark.parametrize("name", NAMES)
def test_every_problem_is_short_and_says_its_title_topic_and_level(name: str) -> None:
    problem = load_problem(f"examples/{name}")
    assert problem.title != problem.kind
    assert problem.topic
    assert problem.level in LEVELS
    assert len(examples.find(f"examples/{name}", (".toml",)).read_text(encoding="utf-8").splitlines()) <= 40
