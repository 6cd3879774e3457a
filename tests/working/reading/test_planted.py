"""One right number of a stranger's page is changed: it is called wrong or unsure, and nothing right is accused."""

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
spec = importlib.util.spec_from_file_location("planted", ROOT / "benchmarks" / "planted.py")
assert spec is not None
assert spec.loader is not None
planted = importlib.util.module_from_spec(spec)
sys.modules["planted"] = planted
spec.loader.exec_module(planted)

FOLDERS = [Path(__file__).parent / name for name in ("walkthroughs", "strangers", "imitations", "readers")]
CAUGHT, GONE = 0.8, 0.08


def shares(each: int) -> tuple[float, float, float]:
    """Of errors planted in all pages: the share that is called wrong, that has vanished, that makes something right wrong."""
    errors = planted.planted_on(FOLDERS, each)
    caught, gone = (sum(one.verdict == verdict for one in errors) for verdict in ("wrong", "gone"))
    return caught / len(errors), gone / len(errors), sum(bool(one.accused) for one in errors) / len(errors)


def test_most_errors_planted_by_a_machine_are_caught() -> None:
    caught, gone, accused = shares(1)
    assert caught >= CAUGHT
    assert gone <= GONE
    assert accused <= 0.02


@pytest.mark.slow
def test_most_of_many_errors_planted_by_a_machine_are_caught() -> None:
    caught, gone, accused = shares(8)
    assert caught >= CAUGHT
    assert gone <= GONE
    assert accused <= 0.02


def test_a_changed_number_is_another() -> None:
    rng = planted.Random(1)
    assert all(planted.changed(number, rng) != number for number in ("0.25", "-3", "12,5") * 50)
