"""Rounding on the way gives certain digits: they follow, and digits that no rounding gives are wrong."""

import pytest

from clearhead.working import load_problem
from clearhead.working.marking import Mark, Marker
from clearhead.working.reading import read_working

ATTENTION = {
    "kind": "attention",
    "given": {"Q": [[2, 2, 3], [0, 2, 1]], "K": [[2, 2, 1], [2, 0, 1]], "V": [[3, 1], [1, 2]]},
}


def marked(problem: dict[str, object], text: str) -> Mark:
    marker = Marker(load_problem(problem))
    return marker.mark(read_working(text, marker.key.plan, worked=marker.key.exact))


def verdict(mark: Mark, step: str) -> str:
    return next(one.verdict for one in mark.steps if one.name == step)


def test_a_root_taken_as_a_decimal_is_followed_to_the_digit() -> None:
    assert verdict(marked(ATTENTION, "scaled = [[6.36, 4.05], [2.89, 0.58]]"), "scaled") == "follows"  # 11/1.73, 7/1.73 …
    assert verdict(marked(ATTENTION, "scaled = [[6.37, 4.05], [2.89, 0.58]]"), "scaled") == "wrong"


def test_exponentials_kept_to_two_decimals_are_followed() -> None:
    problem = {
        "kind": "attention",
        "given": {"Q": [[1]], "K": [[3], [2], [1]], "V": [[1], [2], [3]]},
        "options": {"scale": False},
    }
    shares = [20.1, 7.4, 2.7]  # to one decimal: e^3, e^2, e
    row = ", ".join(f"{one / sum(shares):.4f}" for one in shares)
    assert verdict(marked(problem, f"scores = [[3, 2, 1]]\nweights = [[{row}]]"), "weights") == "follows"
    assert verdict(marked(problem, "scores = [[3, 2, 1]]\nweights = [[0.6659, 0.2450, 0.0893]]"), "weights") == "wrong"


def test_an_unwritten_step_rounded_in_the_head_is_followed() -> None:
    problem = {
        "kind": "attention",
        "given": {"Q": [[1.0, 0.5]], "K": [[0.5, 1.0], [1.2, 0.3], [0.4, 0.9]], "V": [[1], [0], [1]]},
    }
    text = "scores = [[1.00, 1.35, 0.85]]\nweights = [[0.316, 0.401, 0.283]]"  # of 0.71, 0.95, 0.60
    assert verdict(marked(problem, text), "weights") == "follows"


def test_a_slip_of_the_pen_is_one_loss() -> None:
    text = "scores = [[11, 9], [5, 1]]\nscaled = [[6.36, 4.05], [2.89, 0.58]]"  # gone on with 7
    mark = marked(ATTENTION, text)
    assert verdict(mark, "scores") == "wrong"
    assert verdict(mark, "scaled") == "follows"


@pytest.mark.parametrize("length", [3, 8])
def test_an_unwritten_chain_does_not_end_in_a_fault(length: int) -> None:
    steps = {f"s[t] for t in 1..{length}": "s[t-1] * w + 0.5"}
    problem = {"kind": "formula", "given": {"s0": 0.3, "w": 0.2}, "steps": steps}
    mark = marked(problem, f"s{length} = 0.6273")
    assert verdict(mark, f"s{length}") in ("right", "wrong", "follows", "unsure")


def test_shares_evened_out_to_one_are_followed() -> None:
    problem = {
        "kind": "attention",
        "given": {"Q": [[1, 1]], "K": [[1, 0], [0, 1], [1, 1]], "V": [[10, 0], [0, 10], [10, 10]]},
    }  # weights 0.24826, 0.24826, 0.50349: rounded they add up to 0.999
    assert verdict(marked(problem, "weights = [[0.248, 0.248, 0.504]]"), "weights") == "follows"
    assert verdict(marked(problem, "weights = [[0.248, 0.247, 0.505]]"), "weights") == "wrong"  # by more than one unit
    assert verdict(marked(problem, "weights = [[0.248, 0.249, 0.504]]"), "weights") == "wrong"  # adds up to 1.001


def test_terms_rounded_one_by_one_are_followed() -> None:
    problem = {
        "kind": "attention",
        "given": {"Q": [[0.35, 0.45, 0.55]], "K": [[0.33, 0.77, 0.15], [0.25, 0.11, 0.31]], "V": [[1], [2]]},
        "options": {"scale": False},
    }  # 0.1155 + 0.3465 + 0.0825 = 0.5445; to two decimals each: 0.12 + 0.35 + 0.08 = 0.55
    assert verdict(marked(problem, "scores = [[0.55, 0.31]]"), "scores") == "follows"  # 0.09 + 0.05 + 0.17
    assert verdict(marked(problem, "scores = [[0.56, 0.31]]"), "scores") == "wrong"


def test_what_lies_between_the_exact_value_and_that_of_the_written_numbers_is_followed() -> None:
    problem = {
        "kind": "attention",
        "given": {"Q": [[1, 0]], "K": [[2, 0], [2, 0], [4, 0]], "V": [[2], [2], [0]]},
    }  # weights 0.16357, 0.16357, 0.67287: 4 · 0.16357 = 0.65428 and 4 · 0.164 = 0.656
    text = "weights = [[0.164, 0.164, 0.673]]\noutput = [[{}]]"
    assert verdict(marked(problem, text.format("0.655")), "output") == "follows"
    assert verdict(marked(problem, text.format("0.658")), "output") == "wrong"
    assert verdict(marked(problem, text.format("0.652")), "output") == "wrong"
