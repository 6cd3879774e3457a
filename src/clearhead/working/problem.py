"""Read a problem file (TOML, or the same tree as JSON) and check it; lay it out as a plan; work it."""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

from clearhead import examples
from clearhead.errors import ClearheadError, InputError
from clearhead.exact.policies import EXACT, Policy
from clearhead.working.fields import did_you_mean, one_line, read_at, read_cell, read_table, read_whole, shown
from clearhead.working.kinds import KINDS, kind_named
from clearhead.working.steps import Plan, Working, work_plan

LARGEST_FILE = 256_000  # bytes
MOST_DECIMALS = 30
MOST_DIGITS = 5_000
LONGEST_TITLE = 300
DIGITS_KEPT = 300  # longer runs are cut: no such number can be worked, and the cut one is refused by its key
LONG_DIGITS = re.compile(rf"[0-9_]{{{DIGITS_KEPT},}}")
DOTTED = re.compile(
    r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){8}"""
)  # tomllib takes long ones to pieces slowly
TOP_KEYS = ("kind", "title", "given", "options", "marks")
ROUND = read_whole(0, MOST_DECIMALS)
DIGITS = read_whole(0, MOST_DIGITS)

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
            for name in self.marks:
                if name not in {step.name for step in plan.steps}:
                    hint = did_you_mean(name, [step.name for step in plan.steps])
                    raise InputError(f"marks.{shown(name)[1:-1]}: no such step{hint}")
        except ClearheadError as error:
            raise InputError(one_line(f"{self.source}: {error}")) from None
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
    if round is not None:
        kept = {name: value for name, value in read.options.items() if name != "round"}
        read = replace(read, options=kept if round == "exact" else {**kept, "round": read_at(round, "round", ROUND)})
    read_at(digits, "digits", DIGITS)
    plan = read.plan()
    try:
        return work_plan(plan, read.policy, digits)
    except (ArithmeticError, ClearheadError) as error:
        raise InputError(one_line(f"{read.source}: cannot be worked: {error}")) from None


def read_tree(path: Path) -> Mapping[str, Any]:
    """The file as nested tables, decimals kept as the text that was written."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
        if len(data) > LARGEST_FILE:
            raise InputError(f"more than {LARGEST_FILE:,} bytes; a problem file is at most that long")
        text = LONG_DIGITS.sub(lambda run: run[0][:DIGITS_KEPT], data.decode("utf-8-sig"))
        tree = read_text(text, path.suffix == ".json" or text.lstrip().startswith("{"))
        if not isinstance(tree, dict):
            raise InputError(f"must be a table with kind and given, but is {shown(tree)}")
    except OSError as error:
        raise InputError(one_line(f"{path}: {error.strerror or error}")) from None
    except UnicodeDecodeError as error:
        raise InputError(one_line(f"{path}: byte {error.start + 1} is not UTF-8; save the file as UTF-8")) from None
    except InputError as error:
        raise InputError(one_line(f"{path}: {error}")) from None
    return tree


def read_text(text: str, as_json: bool) -> Any:
    language = "JSON" if as_json else "TOML"
    try:
        return read_json(text) if as_json else read_toml(text)
    except RecursionError:
        raise InputError(f"not valid {language} for a problem: nested too deeply") from None
    except ValueError as error:
        raise InputError(f"not valid {language}: {error}") from None


def read_toml(text: str) -> Any:
    if DOTTED.search(text):
        raise InputError("not valid TOML for a problem: a key with more than 8 parts; keys look like given.X")
    return tomllib.loads(text, parse_float=str)


def read_json(text: str) -> Any:
    return json.loads(text, parse_float=str, parse_constant=str, object_pairs_hook=read_pairs)


def read_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; a key that stands there twice would silently hide the first."""
    table = dict(pairs)
    if len(table) < len(pairs):
        twice = next(key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i]))
        raise InputError(f"{shown(twice)} stands twice in one object; keep one")
    return table


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
        if not isinstance(title, str) or len(title) > LONGEST_TITLE:
            raise InputError(f"title: must be text of at most {LONGEST_TITLE} characters, but is {shown(title)}")
        return Problem(
            kind=kind,
            title=one_line(title) or kind,
            given=read_table(table_of(tree, "given"), readers.given, "given"),
            options=read_table(table_of(tree, "options"), {**readers.options, "round": ROUND}, "options"),
            marks={
                name: float(read_at(value, f"marks.{shown(name)[1:-1]}", read_points))
                for name, value in table_of(tree, "marks").items()
            },
            source=source,
        )
    except ClearheadError as error:
        raise InputError(one_line(f"{source}: {error}")) from None


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
