"""Variants are equally hard, the filter says no where they are not, and a seed gives the same files again."""

from pathlib import Path
from typing import Any

import pytest

from clearhead import examples
from clearhead.cli import main
from clearhead.errors import InputError
from clearhead.exact.decimals import as_float
from clearhead.working import Working, load_problem, work
from clearhead.working.variants import toml, worksheet
from clearhead.working.variants.fairness import why_not
from clearhead.working.variants.variant_folder import files_of
from clearhead.working.variants.variants import vary

NAMES = [name.removesuffix(".toml") for name in examples.names((".toml",))]


def rows_of(working: Working) -> list[list[float]]:
    return [
        [as_float(cell) for cell in row] for step in working.plan.steps if step.rule for row in working.values[step.name].rows
    ]


@pytest.mark.parametrize("name", NAMES)
def test_every_problem_has_variants_of_the_same_shape_and_size(name: str) -> None:
    original = work(name)
    variants = list(vary(name, 2, seed=7))
    givens = [str(dict(variant.tree["given"])) + str(variant.tree.get("options")) for variant in variants]
    assert len({*givens}) == 2
    for variant in variants:
        made = variant.working
        assert [step.name for step in made.plan.steps] == [step.name for step in original.plan.steps]
        assert [len(row) for row in rows_of(made)] == [len(row) for row in rows_of(original)]
        assert rows_of(made) != rows_of(original)
        zero = [sum(not any(row) for row in rows_of(working)) for working in (made, original)]
        assert zero[0] <= zero[1]
        largest = [max(abs(x) for row in rows_of(working) for x in row if abs(x) < 1e300) for working in (made, original)]
        assert largest[0] <= max(20, 2 * largest[1])


def pair(steps: dict[str, str], before: Any, after: Any) -> tuple[Working, Working]:
    made = [work({"kind": "formula", "given": {"x": x}, "steps": steps}) for x in (before, after)]
    return made[0], made[1]


@pytest.mark.parametrize(
    ("steps", "before", "after", "reason"),
    [
        ({"h": "relu(x)"}, [[1, 2], [3, 1]], [[-1, -2], [3, 1]], "a row of zeros"),
        ({"h": "2 x"}, [[1, 2], [3, 1]], [[2, 2], [3, 1]], "a row of equal numbers"),
        ({"p": "softmax(x)"}, [[1, 2, 0]], [[2, 1, 2]], "a tie for the largest share"),
        ({"p": "softmax(x)"}, [[1, 2, 0]], [[9, 1, 2]], "one share takes more than 99 %"),
        ({"h": "x^3"}, [[1, 2]], [[9, 2]], "numbers too large"),
        ({"h": "1 / x"}, [[1, 2]], [[97, 2]], "fractions too long"),
        ({"u": "sum(x)"}, [[1, 2]], [[2, 1]], "the same results"),
        ({"m": "causal_mask(x)", "n": "m[1, 1]"}, [[1, 2], [3, 4]], [[2, 2], [3, 4]], ""),
        ({"p": "softmax(x)"}, [[2, 2, 0]], [[3, 3, 1]], ""),  # the original had a tie too
    ],
)
def test_the_filter_says_why_not(steps: dict[str, str], before: Any, after: Any, reason: str) -> None:
    assert why_not(*pair(steps, before, after)) == reason


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others() -> None:
    def made(seed: int) -> list[dict[str, str | bytes]]:
        return [files_of(variant) for variant in vary("examples/mlp", 2, seed)]

    first, again, other = made(7), made(7), made(8)
    assert first == again
    assert all(a["problem.toml"] != b["problem.toml"] for a, b in zip(first, other, strict=True))
    assert [dict(v.tree) for v in vary("examples/mlp", 1, 7)] == [dict(v.tree) for v in vary("examples/mlp", 2, 7)][:1]


@pytest.mark.parametrize(
    "name", ["examples/lstm", "examples/sorter", "examples/convolution", "examples/gradient-rnn", "examples/clip"]
)
def test_a_variant_written_and_read_again_is_the_same_problem(name: str, tmp_path: Path) -> None:
    [variant] = vary(name, 1, seed=3)
    path = tmp_path / "problem.toml"
    path.write_text(toml.written(variant.tree), encoding="utf-8")
    assert work(load_problem(path)).values == variant.working.values


def test_a_worksheet_shows_every_formula_and_no_result() -> None:
    working = work("examples/rnn")
    page = worksheet.markdown(working)
    boxes = sum(value.shape[0] for name, value in working.values.items() if name not in working.plan.given)
    assert page.count("| **") == boxes
    assert all(step.name in page for step in working.plan.steps)
    blank = {"kind": "formula", "given": {"x": [[123, 456]]}, "steps": {"u": "3 x"}}
    assert "369" not in worksheet.markdown(work(blank))
    assert "123" in worksheet.markdown(work(blank))
    assert worksheet.pdf(work(blank)).startswith(b"%PDF")


def test_the_command_writes_a_folder_a_variant(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vary", "examples/softmax", "--count", "2", "--seed", "1", "--out", str(tmp_path / "v")]) == 0
    assert "2 variants" in capsys.readouterr().out
    names = {path.name for path in (tmp_path / "v" / "02").iterdir()}
    assert names == {"problem.toml", "worksheet.md", "worksheet.pdf", "key.md", "key.pdf", "sheet.xlsx"}
    assert main(["vary", "examples/softmax", "--count", "0", "--out", str(tmp_path / "w")]) == 2


def test_a_problem_without_room_is_told_so() -> None:
    with pytest.raises(InputError, match="no variant 1 as hard"):
        list(vary({"kind": "formula", "given": {"x": [0, 0]}, "steps": {"u": "x + 1"}}, 1))


def test_labels_of_plus_and_minus_one_stay_labels_and_other_tables_do_not() -> None:
    given = {"X": [[1, 2], [2, -1], [-1, 1]], "y": [[1], [-1], [1]], "w": [[1], [-1]]}
    steps = {"m": "1 - y ⊙ (X w)", "loss": "1/2 sum(w^2) + sum(relu(m))"}
    variants = list(vary({"kind": "formula", "given": given, "steps": steps}, 6, seed=1))
    labels = [sorted({cell for row in variant.tree["given"]["y"] for cell in row}) for variant in variants]
    assert labels == [[-1, 1]] * 6
    assert any(abs(cell) > 1 for variant in variants for row in variant.tree["given"]["w"] for cell in row)


def test_a_problem_of_a_start_and_a_rate_alone_has_variants_too() -> None:
    tree = {
        "kind": "formula",
        "given": {"th0": 0, "eta": 0.1},
        "steps": {"th[t] for t in 1..2": "th[t-1] - eta · 2 (th[t-1] - 3)"},
    }
    variants = list(vary(tree, 5, seed=1))
    assert len({str(variant.tree["given"]) for variant in variants}) == 5
    assert all(0 < float(variant.tree["given"]["eta"]) < 1 for variant in variants)


def test_a_worksheet_names_rows_by_what_is_given_and_never_by_what_is_to_be_found() -> None:
    eye = [[1, 0], [0, 1]]
    given = {"tokens": ["cat", "sat"], "X": [[1, 2], [0, 1]], "W_Q": eye, "W_K": eye, "W_V": eye}
    named = work({"kind": "attention", "given": given})
    assert worksheet.markdown(named).count("| **cat** |") == len(named.plan.steps)
    assert worksheet.pdf(named).startswith(b"%PDF")
    assert "| **1** |" in worksheet.markdown(work("examples/bpe"))
