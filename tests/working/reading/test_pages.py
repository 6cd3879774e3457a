"""Pages as strangers write them, imitated in our own words and numbers: no right cell is accused, nearly all is read."""

import importlib.util
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[2]

spec = importlib.util.spec_from_file_location("real_pages", ROOT / "benchmarks" / "real_pages.py")
assert spec is not None
assert spec.loader is not None
real_pages = importlib.util.module_from_spec(spec)
sys.modules["real_pages"] = real_pages
spec.loader.exec_module(real_pages)

PAGES = [*real_pages.pages_in(HERE / "walkthroughs"), *real_pages.pages_in(HERE / "imitations")]


@pytest.fixture(scope="module")
def figures() -> dict[str, real_pages.Figures]:  # type: ignore[name-defined]
    return {case.stem: real_pages.figures_of(case) for case in PAGES}


# Pages by people who had seen neither the reading nor the other pages.
UNSEEN = [case for folder in ("strangers", "readers", "learners") for case in real_pages.pages_in(HERE / folder)]


@pytest.fixture(scope="module")
def unseen() -> dict[str, real_pages.Figures]:  # type: ignore[name-defined]
    return {case.stem: real_pages.figures_of(case) for case in UNSEEN}


@pytest.mark.parametrize("name", [case.stem for case in UNSEEN])
def test_no_right_cell_of_an_unseen_page_is_accused(name: str, unseen: dict[str, real_pages.Figures]) -> None:  # type: ignore[name-defined]
    assert unseen[name].false == []


def test_nine_cells_in_ten_of_the_unseen_pages_are_read(unseen: dict[str, real_pages.Figures]) -> None:  # type: ignore[name-defined]
    assert sum(one.read for one in unseen.values()) >= 0.95 * sum(one.stated for one in unseen.values())


def test_most_errors_planted_in_them_are_caught(unseen: dict[str, real_pages.Figures]) -> None:  # type: ignore[name-defined]
    assert sum(one.caught for one in unseen.values()) >= 0.92 * sum(one.planted for one in unseen.values())


# Others, written later, and harder: errors told in prose, several chains to a line, all heads in one table.
# Then pages that imitate what real passers-by wrote where the reading had failed.
NEWCOMERS = [case for folder in ("newcomers", "passersby") for case in real_pages.pages_in(HERE / folder)]


@pytest.fixture(scope="module")
def newcomers() -> dict[str, real_pages.Figures]:  # type: ignore[name-defined]
    return {case.stem: real_pages.figures_of(case) for case in NEWCOMERS}


@pytest.mark.parametrize("name", [case.stem for case in NEWCOMERS])
def test_no_right_cell_of_a_newcomer_is_accused(name: str, newcomers: dict[str, real_pages.Figures]) -> None:  # type: ignore[name-defined]
    assert newcomers[name].false == []


def test_most_of_what_newcomers_state_is_read(newcomers: dict[str, real_pages.Figures]) -> None:  # type: ignore[name-defined]
    assert sum(one.read for one in newcomers.values()) >= 0.85 * sum(one.stated for one in newcomers.values())
    assert sum(one.caught for one in newcomers.values()) >= 0.7 * sum(one.planted for one in newcomers.values())


@pytest.mark.parametrize("name", [case.stem for case in PAGES])
def test_no_right_cell_is_accused(name: str, figures: dict[str, real_pages.Figures]) -> None:  # type: ignore[name-defined]
    assert figures[name].false == []


def test_nine_cells_in_ten_are_read(figures: dict[str, real_pages.Figures]) -> None:  # type: ignore[name-defined]
    read, stated = (sum(getattr(one, what) for one in figures.values()) for what in ("read", "stated"))
    assert read >= 0.9 * stated


def test_planted_errors_are_caught(figures: dict[str, real_pages.Figures]) -> None:  # type: ignore[name-defined]
    caught, planted = (sum(getattr(one, what) for one in figures.values()) for what in ("caught", "planted"))
    assert planted >= 37
    assert caught >= 0.92 * planted


def test_the_score_itself_counts_an_accusation() -> None:
    """The judge of these tests: a right cell called wrong is found out."""
    case = HERE / "walkthroughs" / "w01.json"
    told = {("weights", (2, 1)): {"written": "0.38", "truth": "right"}}
    marker = real_pages.Marker(real_pages.load_problem(case.with_suffix(".toml")))
    mark = real_pages.mark_file(marker, case.with_suffix(".md"))
    assert any(said.startswith("weights (2, 1)") for said in real_pages.scored(mark, told, "w01", 0.0).false)
