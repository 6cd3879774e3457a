"""The page of a working in a real browser: every number of every product, by pointer and by keyboard, without a network."""

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from browser.opened import offline_files
from clearhead.exact.decimals import as_float
from clearhead.exact.expressions import Cell
from clearhead.exact.matrices import Matrix, transposed
from clearhead.working import Working, work
from clearhead.working.render import render
from clearhead.working.rules.products import Product, ProductTransposed

pytestmark = pytest.mark.browser


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Any]:
    with offline_files(browser) as open_file:

        def opened(working: Working, **settings: Any) -> Any:
            file = tmp_path / "working.html"
            file.write_text(str(render(working, "html")), encoding="utf-8", errors="replace")
            return open_file(file, **settings)

        yield opened


def numbers_in(told: str) -> list[float]:
    return [float(Fraction(n.replace("−", "-"))) for n in re.findall(r"[−-]?\d+(?:\.\d+|/\d+)?", told)]


def check_sum(told: str, name: str, i: int, j: int, row: tuple[Cell, ...], column: tuple[Cell, ...], value: Cell) -> list[str]:
    """What is wrong with a sum on the page, against the working's own numbers."""
    found = re.fullmatch(rf"{name}\[{i + 1},{j + 1}\] [=≈] (.*) [=≈] ([−\d.]+)(; exactly .*)?", told)
    if found is None:
        return [f"cannot be read: {told}"]
    terms = [numbers_in(term) for term in found[1].split(" + ")]
    wanted = [[as_float(a), as_float(b)] for a, b in zip(row, column, strict=True)]
    close = len(terms) == len(wanted) and all(
        len(t) == 2 and abs(t[0] - w[0]) <= 6e-5 and abs(t[1] - w[1]) <= 6e-5 for t, w in zip(terms, wanted, strict=True)
    )
    faults = [] if close else [f"terms {terms} for {wanted}"]
    return faults if abs(numbers_in(found[2])[0] - as_float(value)) <= 6e-5 else [*faults, f"value {found[2]}"]


def products_of(working: Working) -> list[tuple[str, Matrix, Matrix]]:
    found = []
    for step in working.plan.steps:
        if isinstance(step.rule, Product | ProductTransposed):
            a, b = working.inputs(step)
            found.append((step.name, a, transposed(b) if isinstance(step.rule, ProductTransposed) else b))
    return found


CROSS = {
    "kind": "attention",
    "title": "Cross",
    "given": {
        "tokens1": ["<b>", "y"],
        "X1": [[1, 2, "1/3"], [0, 1, -1]],
        "X2": [[1, 0, 0], [0, "-0.5", 1], [2, 1, 1]],
        "W_Q": [[1, 0], [0, 1], [1, 1]],
        "W_K": [[1, 1], [0, 1], [0, -1]],
        "W_V": [[2, 0, 1], [0, 2, 1], [1, 0, 1]],
        "W_O": [[1, 0], [0, 1], [1, 1]],
    },
}


@pytest.mark.parametrize("problem", ["examples/self-attention", CROSS], ids=["self", "cross"])
@pytest.mark.parametrize("policy", [2, "exact"])
def test_every_number_of_every_product_shows_its_sum_and_where_it_came_from(open_page: Any, problem: Any, policy: Any) -> None:
    working = work(problem, round=policy)
    page = open_page(working)
    products = products_of(working)
    assert len(products) >= 5
    for name, a, b in products:
        step = page.locator("section.step").filter(has=page.locator(f'table[role=grid][data-name="{name}"]'))
        left, right = step.locator("table[data-role=row]"), step.locator("table[data-role=column]")
        for i, j in working.values[name].places():
            step.locator("table[role=grid] tbody tr").nth(i).locator("td").nth(j).click()
            told = step.locator(".sum").inner_text()
            assert check_sum(told, name, i, j, a.rows[i], b.column(j), working.values[name][i, j]) == []
            assert left.evaluate(LIT) == [[i, k] for k in range(a.shape[1])]
            assert right.evaluate(LIT) == [[k, j] for k in range(b.shape[0])]
            assert page.locator("td.chosen").count() == 1


LIT = """table => [...table.tBodies[0].rows].flatMap((row, i) =>
    [...row.cells].filter(c => c.tagName === "TD").flatMap((c, j) => c.classList.contains("from") ? [[i, j]] : []))"""


def test_the_check_of_sums_rejects_a_wrong_one() -> None:
    working = work("examples/self-attention")
    q, k = working.values["Q"], working.values["K"]
    value = working.values["scores"][0, 0]
    assert check_sum("scores[1,1] = 1·3 + 3·(−0.5) = 1.50", "scores", 0, 0, q.rows[0], k.rows[0], value) == []
    for wrong in ("1·3 + 3·0.5 = 1.50", "1·3 = 1.50", "1·3 + 3·(−0.5) = 1.60", "1·2 + 3·(−0.5) = 1.50"):
        assert check_sum(f"scores[1,1] = {wrong}", "scores", 0, 0, q.rows[0], k.rows[0], value) != []


def test_the_keyboard_reaches_every_number(open_page: Any) -> None:
    page = open_page(work("examples/self-attention"))
    page.locator('table[role=grid][data-name="Q"] td').first.focus()
    told = page.locator("section.step").first.locator(".sum")
    assert told.inner_text().startswith("Q[1,1] = ")
    for key, cell in (("ArrowRight", "Q[1,2]"), ("ArrowDown", "Q[2,2]"), ("ArrowDown", "Q[3,2]"), ("ArrowDown", "Q[3,2]")):
        page.keyboard.press(key)
        assert told.inner_text().startswith(f"{cell} = ")
    for _ in range(3):  # a box that scrolls may take the focus in between
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('table')?.dataset.name") == "K":
            break
    assert page.locator(".sum").nth(1).inner_text().startswith("K[1,1] = ")
    page.keyboard.press("Escape")
    assert page.locator("td.chosen").count() == 0


def test_other_steps_explain_themselves_too(open_page: Any) -> None:
    page = open_page(work("examples/self-attention", round="exact"))
    page.locator('table[role=grid][data-name="weights"] td').nth(3).click()
    told = page.locator(".sum").nth(4).inner_text()
    assert told.startswith(
        "weights[2,1] = e^(−3.5) / (e^(−3.5) + e^(−3.5) + e^(6)) ≈ 0.0001; exactly e^(−7/2) / (2e^(−7/2) + e^6)"
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone(open_page: Any, scheme: str) -> None:
    page = open_page(work("examples/sorter"), viewport={"width": 360, "height": 640}, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    ink, paper = page.evaluate(
        "(e => [getComputedStyle(e).color, getComputedStyle(e).backgroundColor])(document.querySelector('.clearhead'))"
    )
    assert abs(sum(numbers_in(ink)[:3]) - sum(numbers_in(paper)[:3])) > 400


def test_nonsense_runs_nothing(open_page: Any) -> None:
    tokens = ["<script>window.hit = 1</script>", "<img onerror=window.hit=1>", "\u202e\"'><svg onload=window.hit=1>"]
    given = {"tokens": tokens, "X": [[1], [2], [3]], "W_Q": [[1]], "W_K": [[1]], "W_V": [[1]]}
    page = open_page(work({"kind": "attention", "title": "</title><script>window.hit = 1</script>", "given": given}))
    assert page.evaluate("window.hit") is None
    assert page.locator("h1").inner_text() == "</title><script>window.hit = 1</script>"


def test_two_workings_on_one_page_do_not_mix(browser: Any) -> None:
    one, two = work("examples/self-attention"), work("examples/cross-attention")
    page = browser.new_page()
    page.set_content(f"<!doctype html>{one._repr_html_()}{two._repr_html_()}")
    page.locator(".clearhead").nth(1).locator('table[role=grid][data-name="Q"] td').first.click()
    assert page.locator(".clearhead").nth(0).locator(".from, .chosen").count() == 0
    assert page.locator(".clearhead").nth(1).locator(".sum").first.inner_text().startswith("Q[1,1] = ")
    page.close()
