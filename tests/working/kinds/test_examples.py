"""The bundled problems: the values of the published ones to the last printed digit, and that every one can be worked."""

import tomllib
from pathlib import Path

import pytest

from clearhead import examples
from clearhead.exact.decimals import decimal_text
from clearhead.working import Working, load_problem, work
from clearhead.working.kinds import KINDS, kind_named

PROBLEMS = examples.names((".toml",))


def shown(working: Working, name: str, decimals: int) -> list[list[str]]:
    return [[decimal_text(cell, decimals) for cell in row] for row in working.values[name].rows]


def written(rows: list[list[float]], decimals: int) -> list[list[str]]:
    return [[f"{cell:.{decimals}f}" for cell in row] for row in rows]


SELF = {
    "Q": [[1, 3], [-1, 1], [2.5, -2]],
    "K": [[3, -0.5], [2, -1.5], [-2.5, 3.5]],
    "V": [[2.5, -1.5], [-1, 3], [-2, -3]],
    "scores": [[1.5, -2.5, 8], [-3.5, -3.5, 6], [8.5, 8, -13.25]],
    "weights": [[0, 0, 1], [0, 0, 1], [0.62, 0.38, 0]],
    "output": [[-2, -3], [-2, -3], [1.17, 0.21]],
}
CROSS = {
    "Q": [[1, 2], [1, 1]],
    "K": [[-2, 1], [-1, 1], [0, 1], [2, 0]],
    "V": [[2, -1, -1, -4], [1, -1, 0, -2], [0, -1, 1, 0], [-2, 0, 2, 4]],
    "scores": [[0, 1, 2, 2], [-1, 0, 1, 2]],
    "weights": [[0.05, 0.15, 0.40, 0.40], [0.03, 0.09, 0.24, 0.64]],
    "output": [[-0.55, -0.60, 1.15, 1.10], [-1.13, -0.36, 1.49, 2.26]],
}


@pytest.mark.parametrize(("example", "steps"), [("self-attention", SELF), ("cross-attention", CROSS)])
def test_rounded_at_every_step(example: str, steps: dict[str, list[list[float]]]) -> None:
    working = work(f"examples/{example}")
    assert [step.name for step in working.plan.steps] == list(steps)
    for name, rows in steps.items():
        assert shown(working, name, 2) == written(rows, 2)


def test_self_attention_without_rounding() -> None:
    exact = [[-1.9932, -2.9976], [-1.9996, -2.9994], [1.1786, 0.1989]]
    assert shown(work("examples/self-attention", round="exact"), "output", 4) == written(exact, 4)


@pytest.mark.parametrize(
    ("example", "own", "next_"), [("sorter", "4.2114", "8.7973"), ("sorter-two-heads", "10.2114", "6.5473")]
)
def test_the_sorter_under_both_conventions(example: str, own: str, next_: str) -> None:
    tree = tomllib.loads(examples.find(f"examples/{example}", (".toml",)).read_text(encoding="utf-8"), parse_float=str)
    for predict, loss, other in (("next", next_, own), ("own", own, next_)):
        tree["options"]["predict"] = predict
        working = work(tree)
        assert shown(working, "loss", 4) == [[loss]]
        said = next(sentence for sentence in working.observations if "predict" in sentence)
        assert f'predict = "{predict}"' in said
        assert f"loss {loss}." in said
        assert said.endswith(f"it would be {other}.")


def test_the_sorter_keeps_its_fractions() -> None:
    working = work("examples/sorter")
    assert shown(working, "weights", 4)[3] == ["0.2500"] * 4 + ["0.0000"] * 3
    assert [repr(cell) for cell in working.values["probabilities"].rows[4][:2]] == [
        "Expression(e^3 / (2e^3 + 4))",
        "Expression(1 / (2e^3 + 4))",
    ]


def test_the_exam_net() -> None:
    working = work("examples/exam-net")
    sizes = [[str(cell) for cell in working.values[f"size{n}"].rows[0]] for n in range(1, 6)]
    assert sizes == [["8", "28", "28"], ["8", "7", "7"], ["16", "6", "6"], ["16", "3", "3"], ["10", "1", "1"]]
    assert [str(working.values[f"weights{n}"].cell) for n in range(1, 6)] == ["208", "0", "2064", "0", "1450"]
    assert any("144 numbers to 10" in sentence for sentence in working.observations)


def test_the_rectangular_convolution() -> None:
    assert [str(cell) for cell in work("examples/convolution").values["size"].rows[0]] == ["1", "126", "42"]


def test_the_names_that_others_rely_on_are_bundled() -> None:
    named = {"self-attention", "cross-attention", "sorter", "sorter-two-heads", "exam-net"}
    assert {f"examples/{name}.toml" for name in named} <= set(PROBLEMS)


def test_every_kind_has_an_example() -> None:
    assert {load_problem(name).kind for name in PROBLEMS} == set(KINDS)


@pytest.mark.parametrize("example", PROBLEMS)
@pytest.mark.parametrize("rounding", ["exact", 2])
def test_every_example_is_worked_and_every_cell_explained(example: str, rounding: str | int) -> None:
    assert_explained(work(example, round=rounding))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rounding", ["exact", 2])
def test_every_template_works_as_it_is(kind: str, rounding: str | int, tmp_path: Path) -> None:
    path = tmp_path / f"{kind}.toml"
    path.write_text(kind_named(kind).template, encoding="utf-8")
    assert_explained(work(path, round=rounding))


def assert_explained(working: Working) -> None:
    """Every step has its words, every cell its explanation, and the answer is there."""
    names = [step.name for step in working.plan.steps]
    assert len(set(names)) == len(names)
    assert set(working.plan.answer) <= set(names)
    for step in working.plan.steps:
        assert step.formula
        assert step.latex
        assert step.why.endswith(".")
        if step.rule is None:
            continue
        value = working.values[step.name]
        assert set(step.needs) <= working.values.keys()
        assert len(step.rows) in (0, value.shape[0])
        assert len(step.columns) in (0, value.shape[1])
        for i, j in value.places():
            assert working.explain(step, i, j, lambda cell: decimal_text(cell, 2))
    assert all(sentence.endswith(".") for sentence in working.observations)


@pytest.mark.parametrize("kind", KINDS)
def test_every_option_and_given_is_in_the_template(kind: str) -> None:
    """What a template does not even mention nobody finds."""
    found = kind_named(kind)
    missing = [key for key in (*found.given, *found.options) if key not in found.template]
    assert missing == []
