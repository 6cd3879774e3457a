"""How many errors are caught: one right number of a page is changed, and the page is marked again.

Run: python benchmarks/planted.py [EACH] [FOLDER …]   (default: 8 errors in each page of strangers among the tests)
A number is changed that stands on its page once: one of its first digits, or its sign. Everything else on the page stays right.
"""

import json
import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random

from clearhead.working import load_problem
from clearhead.working.marking import Mark, Marker
from clearhead.working.reading import read_working

PAGES = Path(__file__).parent.parent / "tests" / "working" / "reading"
NEAR = 8  # lines between where a number stands and where its table begins
TEXTS = (".md", ".txt", ".html", ".rst", ".tex", ".c")
Cell = tuple[str, tuple[int, int]]


@dataclass(frozen=True)
class Planted:
    """One changed number: where, what became of it (a verdict, or "gone"), and right cells, as they were, that were accused."""

    page: str
    cell: Cell
    was: str
    now: str
    verdict: str
    accused: tuple[Cell, ...]


def marked(marker: Marker, text: str) -> Mark:
    return marker.mark(read_working(text, marker.key.plan, worked=marker.key.exact))


def verdicts(mark: Mark) -> dict[Cell, tuple[str, str]]:
    return {(step.name, cell.cell): (cell.verdict, cell.got) for step in mark.steps for cell in step.cells}


def changed(number: str, rng: Random) -> str:
    """Another number that nobody would round to this one."""
    if rng.random() < 1 / 3 and number.strip("+-−0.,"):
        return number[1:] if number[0] in "-−" else f"-{number}"
    at = rng.choice([k for k, sign in enumerate(number) if sign.isdigit()][:4])
    digit = (int(number[at]) + rng.randint(2, 7)) % 10
    return f"{number[:at]}{digit}{number[at + 1 :]}"


def planted_in(case: Path, each: int) -> list[Planted]:
    """So many errors in one page, drawn by its name."""
    page = next(p for p in sorted(case.parent.glob(f"{case.stem}.*")) if p.suffix not in (".toml", ".json"))
    if page.suffix not in TEXTS:
        return []
    text = page.read_text(encoding="utf-8")
    stated = {(one["step"], (one["cell"][0] - 1, one["cell"][1] - 1)) for one in json.loads(case.read_text())["stated"]}
    marker = Marker(load_problem(case.with_suffix(".toml")))
    mark = marked(marker, text)
    before = verdicts(mark)
    lines = {(step.name, cell.cell): cell.line for step in mark.steps for cell in step.cells}
    rng = Random(case.stem)
    found: list[Planted] = []
    cells = [cell for cell, (verdict, _) in before.items() if verdict == "right" and cell in stated]
    for cell in rng.sample(cells, len(cells)):
        number = before[cell][1]
        places = list(re.finditer(rf"(?<![\d.,]){re.escape(number)}(?!\d|[.,]\d)", text)) if re.search(r"\d", number) else []
        here = len(places) == 1 and abs(text.count("\n", 0, places[0].start()) + 1 - lines[cell]) <= NEAR
        if here and len(found) < each:
            other = changed(number, rng)
            after = verdicts(marked(marker, text[: places[0].start()] + other + text[places[0].end() :]))
            accused = [c for c, (v, got) in after.items() if v == "wrong" and c != cell and before.get(c) == ("right", got)]
            verdict = after.get(cell, ("gone", ""))[0]
            found.append(Planted(case.stem, cell, number, other, verdict, tuple(accused)))
    return found


def planted_on(folders: list[Path], each: int) -> list[Planted]:
    return [one for folder in folders for case in sorted(folder.glob("*.json")) for one in planted_in(case, each)]


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    chosen = [Path(name) for name in sys.argv[2:]] or [
        PAGES / name for name in ("walkthroughs", "strangers", "imitations", "readers")
    ]
    errors = planted_on(chosen, count)
    for one in errors:
        if one.verdict != "wrong" or one.accused:
            print(f"{one.page} {one.cell[0]} {one.cell[1]}: {one.was} → {one.now}: {one.verdict} {one.accused or ''}")
    told = Counter(one.verdict for one in errors)
    print(f"{len(errors)} errors: {dict(told)}; in {sum(bool(one.accused) for one in errors)} pages something right accused")
