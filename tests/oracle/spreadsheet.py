"""A small spreadsheet engine: the formulas of an .xlsx, worked out from its givens alone. Knows nothing of clearhead.

Reads the file as the zip of XML that it is; stored values of formulas are never looked at unless asked for.
"""

import io
import math
import re
import zipfile
from xml.etree import ElementTree

SPACE = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
REFERENCE = re.compile(r"(?<![A-Z0-9.])([A-Z]{1,3})(\d+)(?![(\d])")


def power(a: float, b: float) -> float:
    return a**b


def rounded(x: float, digits: int) -> float:
    """Half away from zero, of the number as a person sees it (fifteen digits)."""
    scaled = float(f"{abs(x) * 10**digits:.15g}")
    return math.copysign(math.floor(scaled + 0.5) / 10**digits, x)


FUNCTIONS = {
    "EXP": lambda x: 0.0 if x < -700 else math.exp(x), "LN": math.log, "SQRT": math.sqrt, "ABS": abs, "TANH": math.tanh,
    "SIN": math.sin, "COS": math.cos, "ERF": math.erf, "POWER": power, "MAX": max, "ROUND": rounded,
}  # fmt: skip


class Workbook:
    """The first sheet: its numbers, its formulas and its texts."""

    def __init__(self, data: bytes) -> None:
        archive = zipfile.ZipFile(io.BytesIO(data))
        strings = [
            "".join(part.text or "" for part in item.iter(f"{SPACE}t"))
            for item in ElementTree.fromstring(archive.read("xl/sharedStrings.xml")).iter(f"{SPACE}si")
        ]
        self.numbers: dict[str, float] = {}
        self.formulas: dict[str, str] = {}
        self.stored: dict[str, float] = {}
        self.texts: dict[str, str] = {}
        for cell in ElementTree.fromstring(archive.read("xl/worksheets/sheet1.xml")).iter(f"{SPACE}c"):
            place, formula, value = cell.get("r", ""), cell.find(f"{SPACE}f"), cell.find(f"{SPACE}v")
            if formula is not None:
                self.formulas[place] = formula.text or ""
                self.stored[place] = float(value.text or "nan") if value is not None else math.nan
            elif cell.get("t") == "s" and value is not None:
                self.texts[place] = strings[int(value.text or 0)]
            elif value is not None:
                self.numbers[place] = float(value.text or "nan")

    def worked(self, **changed: float) -> dict[str, float]:
        """Every formula from the givens, some of them perhaps changed."""
        known = {**self.numbers, **changed}
        for place in sorted(
            self.formulas, key=lambda name: (int(re.sub(r"\D", "", name)), name)
        ):  # written from above to below
            known[place] = self.value(self.formulas[place], known)
        return known

    def value(self, formula: str, known: dict[str, float]) -> float:
        python = REFERENCE.sub(lambda found: f"K[{found[0]!r}]", formula)
        python = re.sub(r"\bIF\(", "IF(lambda:", python)
        return float(eval(lazy(python), {"__builtins__": {}, **FUNCTIONS, "IF": choose, "K": known}))


def choose(condition: object, then: object, otherwise: object) -> float:
    """As a spreadsheet does: only the branch that is taken is worked out."""
    return then() if condition() else otherwise()  # type: ignore[operator]


def lazy(formula: str) -> str:
    """The three parts of every IF as functions, and `=` inside a condition as a comparison."""
    found, stack, at = [], [], 0
    while at < len(formula):
        if formula.startswith("IF(lambda:", at):
            stack.append(["IF", 0])
            found.append("IF(lambda:(")
            at += len("IF(lambda:")
            continue
        sign = formula[at]
        if sign == "(":
            stack.append(["", 0])
        elif sign == ")":
            kind = stack.pop()
            sign = "))" if kind[0] == "IF" else ")"
        elif sign == "," and stack and stack[-1][0] == "IF":
            sign = "),lambda:("
        elif sign == "=" and formula[at - 1] not in "<>":
            sign = "=="
        found.append(sign)
        at += 1
    return "".join(found)
