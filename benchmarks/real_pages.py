"""How well pages as people write them are read and marked: cells read, right cells accused, planted errors caught, time.

Run: python benchmarks/real_pages.py [FOLDER …]   (default: the walkthroughs and imitations among the tests)
A folder holds NAME.toml (the problem), the page NAME.md, .txt, .html, .ipynb …, and NAME.json (what the page states).
"""

import json
import math
import re
import sys
import time
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from clearhead.working import load_problem
from clearhead.working.marking import Mark, Marker
from clearhead.working.marking.class_folder import mark_file

PAGES = Path(__file__).parent.parent / "tests" / "working" / "reading"


@dataclass
class Figures:
    """What came of one page."""

    name: str
    stated: int
    read: int = 0
    unsure: int = 0
    planted: int = 0
    caught: int = 0
    false: list[str] = field(default_factory=list)  # right cells that were called wrong
    seconds: float = 0.0


def pages_in(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.json"))


def figures_of(case: Path) -> Figures:
    """The figures of one page, marked from its file."""
    told = json.loads(case.read_text(encoding="utf-8"))
    page = next(p for p in sorted(case.parent.glob(f"{case.stem}.*")) if p.suffix not in (".toml", ".json"))
    marker = Marker(load_problem(case.with_suffix(".toml")))
    start = time.perf_counter()
    mark = mark_file(marker, page)
    seconds = time.perf_counter() - start
    stated = {(each["step"], tuple(each["cell"])): each for each in told["stated"]}
    return scored(mark, stated, case.stem, seconds)


def scored(mark: Mark, stated: dict, name: str, seconds: float) -> Figures:
    planted = {key for key, each in stated.items() if each["truth"] == "wrong"}
    figures = Figures(name, len(stated), planted=len(planted), seconds=seconds)
    for step in mark.steps:
        for cell in step.cells:
            key = step.name, (cell.cell[0] + 1, cell.cell[1] + 1)
            each = stated.get(key)
            as_stated = each is not None and same(cell.got, each["written"])
            figures.read += as_stated and cell.verdict != "unsure"
            figures.unsure += cell.verdict == "unsure"
            if cell.verdict == "wrong":
                if as_stated and key in planted:
                    figures.caught += 1
                else:
                    figures.false.append(f"{step.name} {key[1]}: {cell.got}")
        if step.verdict == "wrong" and not step.cells:
            figures.false.append(f"{step.name}: shape")
    return figures


def same(got: str, written: str) -> bool:
    """Whether two written numbers are one: signs, blanks, percents and thousands aside."""
    a, b = number(got), number(written)
    if a is None or b is None:
        return got.replace(" ", "") == written.replace(" ", "")
    if math.isinf(a) or math.isinf(b):
        return a == b
    return any(abs(abs(a) * factor - abs(b)) <= 1e-9 * max(1, abs(b)) for factor in (1, 100, 0.01))


def number(text: str) -> float | None:
    bare = text.strip().replace("−", "-").replace("≈", "").replace("∞", "inf").replace(" ", "")
    bare = re.sub(r"(?<=\d),(?=\d{3}(\D|$))", "", bare).replace(",", ".").rstrip("%")
    try:
        return float(Fraction(bare)) if "/" in bare else float(bare)
    except (ValueError, ZeroDivisionError):
        return None


def table(folder: Path) -> list[str]:
    found = [figures_of(case) for case in pages_in(folder)]
    lines = [
        "| page | stated | read | unsure | planted | caught | accused | ms |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    lines += [row(figures) for figures in found]
    stated, read = sum(f.stated for f in found), sum(f.read for f in found)
    planted, caught = sum(f.planted for f in found), sum(f.caught for f in found)
    accused = sum(bool(f.false) for f in found)
    slowest = max((f.seconds for f in found), default=0.0)
    total = f"{len(found)} pages: {accused} with a right cell accused; {read} of {stated} cells read"
    return [*lines, "", f"{total}; {caught} of {planted} errors caught; slowest {1000 * slowest:.0f} ms"]


def row(f: Figures) -> str:
    said = "; ".join(f.false[:2])
    counts = f"{f.stated} | {f.read} | {f.unsure} | {f.planted} | {f.caught}"
    return f"| {f.name} | {counts} | {said} | {1000 * f.seconds:.0f} |"


if __name__ == "__main__":
    for chosen in [Path(name) for name in sys.argv[1:]] or [PAGES / "walkthroughs", PAGES / "imitations"]:
        print("\n".join(table(chosen)), "\n")
