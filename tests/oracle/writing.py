"""Workings written out as people write them: numbers in many forms, tables in many styles."""

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from oracle.people import headed, prose, tokens
from oracle.stages import Again, Number, Rows, Stage, settled

HALVES = {Fraction(1, 2): "½", Fraction(1, 4): "¼", Fraction(3, 4): "¾"}


@dataclass(frozen=True)
class Entry:
    """One number as written: its text, what it says, and its decimals (None: it says it exactly)."""

    text: str
    value: Number
    decimals: int | None


class Page(dict[str, list[list[Entry]]]):
    """What stands on a page, step by step, and of which rank each step is: 0 a number, 1 a vector, 2 a table."""

    def __init__(self, entries: dict[str, list[list[Entry]]], stages: list[Stage]) -> None:
        super().__init__(entries)
        self.ranks = {stage.name: stage.rank for stage in stages}
        self.needs = {stage.name: stage.needs for stage in stages}

    def is_number(self, name: str) -> bool:
        return self.ranks[name] == 0


@dataclass(frozen=True)
class Hand:
    """How one person writes: decimals, forms of fractions, the minus sign, zeros at the end."""

    decimals: int
    forms: tuple[str, ...] = ("decimal",)  # of fractions: decimal, fraction, mixed
    trims: bool = False  # 2.50 as 2.5
    minus: str = "-"


def write_number(x: Number, hand: Hand, rng: Random, style: str) -> Entry:
    """A number in this person's hand; one that cannot be written truly in so many digits is drawn again."""
    if isinstance(x, float) and math.isinf(x):
        return Entry({"latex": r"-\infty", "markdown": r"$-\infty$"}.get(style, "-inf"), x, None)
    minus = hand.minus if x < 0 and style in ("latex", "markdown", "grid", "rows", "elements") else "-" if x < 0 else ""
    if isinstance(x, Fraction):
        form = rng.choice(hand.forms)
        if x.denominator == 1:
            return Entry(f"{minus}{abs(x)}", x, 0)  # no digits behind the point: all that rounds to it agrees
        if form != "decimal" and style not in ("csv", "json", "matlab"):
            return Entry(minus + fraction_text(abs(x), form, style), x, None)
    shown = settled(x, hand.decimals)
    size = f"{abs(int(Fraction(shown) * 10**hand.decimals)):0{hand.decimals + 1}d}"
    text = f"{size[: -hand.decimals]}.{size[-hand.decimals :]}"
    if hand.trims and x == shown:
        text = text.rstrip("0").rstrip(".")
    decimals = len(text.partition(".")[2])
    return Entry((minus if shown else "") + text, shown, decimals)


def fraction_text(size: Fraction, form: str, style: str) -> str:
    whole, rest = divmod(size.numerator, size.denominator)
    below = size.denominator
    if form == "mixed" and whole and Fraction(rest, below) in HALVES and style != "numpy":
        return f"{whole}{HALVES[Fraction(rest, below)]}"
    if style == "latex":
        mixed = form == "mixed" and whole
        return rf"{whole}\frac{{{rest}}}{{{below}}}" if mixed else rf"\frac{{{size.numerator}}}{{{below}}}"
    if form == "mixed" and whole and style == "markdown":
        return f"{whole} {rest}/{below}"
    return f"{size.numerator}/{below}"


def write_page(values: dict[str, Rows], stages: list[Stage], hand: Hand, rng: Random, style: str) -> Page:
    return Page(
        {stage.name: [[write_number(x, hand, rng, style) for x in row] for row in values[stage.name]] for stage in stages},
        stages,
    )


# ── styles ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def parted(name: str) -> tuple[str, str]:
    """A step's base name and its head's number."""
    base = name.rstrip("0123456789")
    return base, name[len(base) :]


GREEK = {"theta": r"\theta", "lambda": r"\lambda", "y_hat": r"\hat{y}"}


def latex_label(name: str, rng: Random, needs: tuple[str, ...] = ()) -> str:
    if name[:2] == "d_":
        return rf"\frac{{\partial J}}{{\partial {latex_label(name[2:], rng)}}}"
    if name[:4] == "new_":
        return rf"{latex_label(name[4:], rng)}^{{\text{{new}}}}"
    if name in GREEK:
        return GREEK[name]
    if "_" in name:
        start, _, end = name.partition("_")
        return rf"{start}_{{{end}}}" if len(start) == 1 else rf"\text{{{start}}}_{{\text{{{end}}}}}"
    base, head = parted(name)
    index = f"_{{{head}}}" if head else ""
    letters = {
        "scores": [rf"\mathrm{{scores}}{index}", *products_of(needs, index)],
        "Q": [f"Q{index}", rf"\mathbf{{Q}}{index}"],
    }
    return rng.choice(letters.get(base, [f"{base}{index}" if len(base) == 1 else rf"\text{{{base}}}{index}"]))


def products_of(needs: tuple[str, ...], index: str) -> list[str]:
    """QK^T and the like, where scores are such a product."""
    if len(needs) != 2 or needs[1].rstrip("0123456789") != "K":
        return []
    left = needs[0].rstrip("0123456789")
    return [f"{left}{index}K{index}^T", rf"\mathbf{{{left}}}{index}\mathbf{{K}}{index}^\top"]


def as_latex(page: Page, rng: Random) -> str:
    said = ["We work it step by step."]
    for name, rows in page.items():
        body = r" \\ ".join(" & ".join(entry.text for entry in row) for row in rows)
        kind = rng.choice(["bmatrix", "pmatrix"])
        value = rows[0][0].text if page.is_number(name) else rf"\begin{{{kind}}} {body} \end{{{kind}}}"
        said.append(f"$$ {latex_label(name, rng, page.needs[name])} = {value} $$")
    return "\n\n".join(said) + "\n"


def as_markdown(page: Page, rng: Random) -> str:
    said = []
    for name, rows in page.items():
        said.append(f"### {name}\n")
        lines = ["| " + " | ".join(entry.text for entry in row) + " |" for row in rows]
        blank = "|" + " |" * len(rows[0])
        said.append(
            "\n".join([blank, "|" + "---|" * len(rows[0]), *lines])
            if not page.is_number(name)
            else f"{name} = {rows[0][0].text}"
        )
        said.append("")
    return "\n".join(said)


def as_grid(page: Page, rng: Random) -> str:
    said = []
    for name, rows in page.items():
        if page.is_number(name):
            said.append(f"{name} = {rows[0][0].text}\n")
            continue
        width = max(len(entry.text) for row in rows for entry in row)
        said.append(f"{name}{rng.choice([':', ' ='])}")
        said += ["  " + "  ".join(entry.text.rjust(width) for entry in row) for row in rows]
        said.append("")
    return "\n".join(said)


def as_rows(page: Page, rng: Random) -> str:
    said = []
    for name, rows in page.items():
        if page.is_number(name):
            said.append(f"{name} = {rows[0][0].text}")
            continue
        if page.ranks[name] == 1:
            said += [f"{name} = [{', '.join(entry.text for entry in rows[0])}]", ""]
            continue
        letters = name in ("Q", "K", "V") and rng.random() < 0.7
        said += [] if letters else [f"{name}:"]
        for i, row in enumerate(rows, start=1):
            label = f"{name.lower()}_{i} =" if letters else f"Row {i}:"
            said.append(f"{label} [{', '.join(entry.text for entry in row)}]")
        said.append("")
    return "\n".join(said)


def as_elements(page: Page, rng: Random) -> str:
    said = []
    zero_based = rng.random() < 0.3
    for name, rows in page.items():
        if page.is_number(name):
            said.append(f"{name} = {rows[0][0].text}")
            continue
        base, head = parted(name)
        worded = "_" in name or head  # d_W1: an index goes into brackets
        for i, row in enumerate(rows):
            for j, entry in enumerate(row):
                if page.ranks[name] == 1:
                    place = f"_{{{j + 1}}}" if not worded else f"[{j}]" if zero_based else f"[{j + 1}]"
                elif zero_based or worded:
                    place = f"[{i}][{j}]" if zero_based else f"[{i + 1},{j + 1}]"
                else:
                    place = f"_{{{i + 1}{j + 1}}}"
                said.append(f"{base}{head}{place} = {entry.text}")
        said.append("")
    return "\n".join(said)


def as_numpy(page: Page, rng: Random) -> str:
    said = ["import numpy as np", ""]
    for name, rows in page.items():
        inner = ", ".join("[" + ", ".join(entry.text.replace("-inf", "-np.inf") for entry in row) + "]" for row in rows)
        inner = inner if page.ranks[name] == 1 else f"[{inner}]"
        said.append(f"{name} = {rows[0][0].text}" if page.is_number(name) else f"{name} = np.array({inner})")
    return "\n".join(said) + "\n"


def as_matlab(page: Page, rng: Random) -> str:
    return "\n".join(
        f"{name} = {rows[0][0].text}"
        if page.is_number(name)
        else f"{name} = [{'; '.join(' '.join(e.text for e in row) for row in rows)}]"
        for name, rows in page.items()
    )


def as_csv(page: Page, rng: Random) -> str:
    lines = ["step,row,column,value"]
    for name, rows in page.items():
        lines += [f"{name},{i},{j},{entry.text}" for i, row in enumerate(rows, 1) for j, entry in enumerate(row, 1)]
    return "\n".join(lines) + "\n"


def listed(cells: list[list[str]], rank: int) -> str:
    rows = ", ".join(f"[{', '.join(row)}]" for row in cells)
    return rows if rank == 1 else f"[{rows}]"


def as_json(page: Page, rng: Random) -> str:
    """Numbers with the digits as written, so they stand unquoted; −∞ as text."""
    tables = {}
    for name, rows in page.items():
        cells = [[entry.text if "inf" not in entry.text else '"-inf"' for entry in row] for row in rows]
        tables[name] = cells[0][0] if page.is_number(name) else listed(cells, page.ranks[name])
    if rng.random() < 0.5:
        return "{" + ", ".join(f"{json.dumps(name)}: {value}" for name, value in tables.items()) + "}"
    steps = ", ".join(f'{{"name": {json.dumps(name)}, "value": {value}}}' for name, value in tables.items())
    return f'{{"steps": [{steps}]}}'


STYLES: dict[str, tuple[str, Callable[[Page, Random], str]]] = {
    "latex": (".md", as_latex),
    "markdown": (".md", as_markdown),
    "grid": (".txt", as_grid),
    "rows": (".txt", as_rows),
    "elements": (".txt", as_elements),
    "numpy": (".py", as_numpy),
    "matlab": (".m", as_matlab),
    "csv": (".csv", as_csv),
    "json": (".json", as_json),
    "prose": (".md", prose),
    "headed": (".md", headed),
    "tokens": (".md", tokens),
}
WHOLE_TABLES = ("latex", "markdown", "grid", "numpy", "matlab", "json")
"""Styles in which a table that lacks a row is a wrong shape, and not work left out."""


def random_hand(rng: Random, decimals: int | None, rounded: bool) -> Hand:
    """Any number of decimals for exact work; what was asked for, or more, where the problem says how many."""
    least = decimals or 1
    forms = rng.choice(
        [("decimal",), ("decimal",), ("fraction",), ("decimal", "fraction"), ("mixed", "decimal"), ("mixed", "fraction")]
    )
    return Hand(
        decimals=least if rounded else rng.randint(least, 6),
        forms=("decimal",) if rounded else forms,
        trims=rng.random() < 0.4,
        minus=rng.choice(["-", "-", "−"]),
    )


__all__ = ["STYLES", "WHOLE_TABLES", "Again", "Entry", "Hand", "Page", "random_hand", "write_page"]
