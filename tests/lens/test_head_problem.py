"""Any head becomes a problem file that is worked by hand, and the two agree."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

from clearhead import look, work
from clearhead.errors import InputError
from clearhead.exact.decimals import as_float
from clearhead.lens.capture.run_look import layers_of
from clearhead.lens.look import Look
from clearhead.working import load_problem
from lens.models_to_look_at import KINDS, TOKENS, model_of

RUN = Path(__file__).parent.parent / "training" / "folders" / "old_runs" / "birthplaces"


def look_at(kind: str, n: int) -> Look:
    names = [f"t{token}" for token in TOKENS[:n]]
    return Look(kind, " ".join(names), layers_of(model_of(kind), TOKENS[:n], names))


def worked(problem: str, tmp_path: Path, places: int = 6) -> dict[str, np.ndarray]:
    file = tmp_path / "head.toml"
    file.write_text(problem, encoding="utf-8")
    working = work(load_problem(str(file)), round=places)
    return {
        name: np.array([[as_float(cell) for cell in row] for row in working.values[name].rows])
        for name in ("weights", "output")
    }


@pytest.mark.parametrize("kind", ["gpt course", "gpt modern"])
@pytest.mark.parametrize("head", ["1.1", "2.3", "3.2"])
def test_the_hand_working_has_the_weights_and_the_output_of_the_model(kind: str, head: str, tmp_path: Path) -> None:
    seen = look_at(kind, 5)
    found = worked(seen.problem(head, digits=6), tmp_path)
    layer, number = seen.head(head)
    assert layer.output is not None
    np.testing.assert_allclose(found["weights"], layer.weights[number], atol=2e-5)
    np.testing.assert_allclose(found["output"], layer.output[number], atol=2e-4)


def test_the_comparison_rejects_another_head(tmp_path: Path) -> None:
    seen = look_at("gpt course", 5)
    found = worked(seen.problem("1.1", digits=6), tmp_path)
    assert np.abs(found["weights"] - seen.head("1.2")[0].weights[1]).max() > 1e-2


def test_fewer_digits_are_fewer_digits_and_rounding_is_asked_for() -> None:
    seen = look_at("gpt course", 3)
    tree = tomllib.loads(seen.problem("1.1", digits=1, round=2))
    assert tree["options"] == {"scale": True, "mask": "causal", "round": 2}
    assert all(round(cell, 1) == cell for row in tree["given"]["Q"] for cell in row)
    assert tree["given"]["tokens"] == ["t3", "t7", "t1"]


def test_a_real_run_too(tmp_path: Path) -> None:
    seen = look(RUN, "Ada Lind", controls=0)
    found = worked(seen.problem("1.2", digits=5), tmp_path)
    np.testing.assert_allclose(found["weights"], seen.head("1.2")[0].weights[1], atol=2e-4)


def test_what_cannot_be_worked_says_why() -> None:
    with pytest.raises(InputError, match="only the weights are known"):
        look([[[1.0]]], ["a"]).problem("1.1")
    with pytest.raises(InputError, match="mask of its own"):
        look_at("perceiver-causal", 13).problem("1.1")
    with pytest.raises(InputError, match="shorter text"):
        look(RUN, "Where was Ada Lind born, and when?", controls=0).problem("1.1")
    assert len(KINDS) == 4
