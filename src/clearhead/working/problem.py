"""Read a problem file (TOML, or the same tree as JSON) and check it; lay it out as a plan; work it."""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

from clearhead import examples
from clearhead.errors import ClearheadError, InputError
from clearhead.working.fields import did_you_mean, read_at, read_cell, read_table, read_whole, shown
from clearhead.working.kinds import KINDS, kind_named
from clearhead.working.numbers import EXACT, Policy
from clearhead.working.steps import Plan, Working, work_plan

LARGEST_FILE = 1_000_000  # bytes
MOST_DECIMALS = 30
DIGITS_KEPT = 300  # longer runs are cut: no such number can be worked, and the cut one is refused by its key
LONG_DIGITS = re.compile(rf"[0-9_]{{{DIGITS_KEPT},}}")
TOP_KEYS = ("kind", "title", "given", "options", "marks")
ROUND = read_whole(0, MOST_DECIMALS)

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Problem:
    """A problem as its file states it, every value read and checked by its kind."""

    kind: str
    title: str
    given: Mapping[str, Any]
    options: Mapping[str, Any]
    marks: Mapping[str, float]
    source: str = "problem"

    @property
    def policy(self) -> Policy:
        return Policy(self.options["round"]) if "round" in self.options else EXACT

    def require(self, *keys: str) -> list[Any]:
        """Givens that must be there."""
        for key in keys:
            if key not in self.given:
                raise InputError(f"given.{key} is missing; `clearhead kinds {self.kind}` prints a template")
        return [self.given[key] for key in keys]

    def option(self, key: str, default: T) -> T:
        value: T = self.options.get(key, default)
        return value

    def plan(self) -> Plan:
        """The steps of this problem; what does not fit together is said with the file's name."""
        try:
            plan = kind_named(self.kind).plan(self)
        except ClearheadError as error:
            raise InputError(f"{self.source}: {error}") from None
        unknown = [name for name in self.marks if name not in {step.name for step in plan.steps}]
        if unknown:
            hint = did_you_mean(unknown[0], [step.name for step in plan.steps])
            raise InputError(f"{self.source}: marks.{unknown[0]}: no such step{hint}")
        return plan


def load_problem(source: "str | Path | Mapping[str, Any]") -> Problem:
    """A problem from a file, a bundled example (`examples/self-attention`) or a tree already read.

    >>> load_problem({"kind": "softmax", "given": {"z": [1, 2]}}).kind
    'softmax'
    """
    if isinstance(source, Mapping):
        return checked(source, "problem")
    path = examples.find(str(source), (".toml", ".json"))
    return checked(read_tree(path), str(source))


def work(problem: "Problem | str | Path | Mapping[str, Any]", *, round: "int | str | None" = None, digits: int = 4) -> Working:
    """Work a problem; `round` overrides what the file says (a number of decimals, or "exact")."""
    read = problem if isinstance(problem, Problem) else load_problem(problem)
    policy = read.policy if round is None else EXACT if round == "exact" else Policy(ROUND(round))
    plan = read.plan()
    try:
        return work_plan(plan, policy, digits)
    except ArithmeticError as error:
        raise InputError(f"{read.source}: cannot be worked: {error}") from None


def read_tree(path: Path) -> Mapping[str, Any]:
    """The file as nested tables, decimals kept as the text that was written."""
    try:
        data = path.read_bytes() if path.stat().st_size <= LARGEST_FILE else None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    if data is None:
        raise InputError(f"{path}: {path.stat().st_size:,} bytes; a problem file has at most {LARGEST_FILE:,}")
    try:
        text = LONG_DIGITS.sub(lambda run: run[0][:DIGITS_KEPT], data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start + 1} is not UTF-8; save the file as UTF-8") from None
    reader = read_json if path.suffix == ".json" or text.lstrip().startswith("{") else read_toml
    try:
        tree = reader(text)
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise InputError(f"{path}: not valid {'JSON' if reader is read_json else 'TOML'}: {reason}") from None
    if not isinstance(tree, dict):
        raise InputError(f"{path}: must be a table with kind and given, but is {shown(tree)}")
    return tree


def read_toml(text: str) -> Any:
    return tomllib.loads(text, parse_float=str)


def read_json(text: str) -> Any:
    return json.loads(text, parse_float=str, parse_constant=str)


def checked(tree: Mapping[str, Any], source: str) -> Problem:
    """Every key known, every value read by its kind's readers."""
    try:
        for key in tree:
            if key not in TOP_KEYS:
                raise InputError(f"{shown(key)}: unknown key{did_you_mean(key, TOP_KEYS)}")
        kind = tree.get("kind")
        if not isinstance(kind, str) or kind not in KINDS:
            hint = did_you_mean(kind, KINDS) if isinstance(kind, str) else f"; known are {', '.join(KINDS)}"
            raise InputError(f"kind: {'is missing' if kind is None else f'{shown(kind)} is unknown'}{hint}")
        readers = kind_named(kind)
        title = tree.get("title", kind)
        if not isinstance(title, str):
            raise InputError(f"title: must be text, but is {shown(title)}")
        return Problem(
            kind=kind,
            title=" ".join(title.split()) or kind,
            given=read_table(table_of(tree, "given"), readers.given, "given"),
            options=read_table(table_of(tree, "options"), {**readers.options, "round": ROUND}, "options"),
            marks={
                name: float(read_at(value, f"marks.{name}", read_points)) for name, value in table_of(tree, "marks").items()
            },
            source=source,
        )
    except ClearheadError as error:
        raise InputError(f"{source}: {error}") from None


def table_of(tree: Mapping[str, Any], key: str) -> dict[str, Any]:
    table = tree.get(key, {})
    if not isinstance(table, dict):
        raise InputError(f"{key}: must be a table, but is {shown(table)}")
    return table


def read_points(raw: Any) -> Fraction:
    points = read_cell(raw)
    if points < 0:
        raise InputError(f"must be 0 or more, but is {points}")
    return points
