"""A problem from a file, a bundled example or a tree already read: every value checked by its kind; and worked."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from clearhead import examples
from clearhead.errors import ClearheadError, InputError
from clearhead.working.fields import did_you_mean, one_line, read_at, read_cell, read_table, read_whole, shown
from clearhead.working.file_tree import read_tree
from clearhead.working.kinds import KINDS, Kind, kind_named
from clearhead.working.problem import Problem
from clearhead.working.steps import Working, work_plan

MOST_DECIMALS = 30  # to which a step may be rounded
MOST_DIGITS = 1_000  # shown where nothing is rounded
LONGEST_TITLE = 300
LONGEST_WORDS = 60
TOP_KEYS = ("kind", "title", "topic", "level", "given", "options", "marks")
ROUND = read_whole(0, MOST_DECIMALS)
DIGITS = read_whole(0, MOST_DIGITS)


def load_problem(source: "str | Path | Mapping[str, Any]") -> Problem:
    """A problem from a file, a bundled example (`examples/self-attention`) or a tree already read.

    >>> load_problem({"kind": "softmax", "given": {"z": [1, 2]}}).kind
    'softmax'
    """
    if isinstance(source, Mapping):
        return checked(source, "problem")
    path = examples.find(str(source), (".toml", ".json"))
    return checked(read_tree(path), str(source))


def work(problem: Problem | str | Path | Mapping[str, Any], *, round: "int | str | None" = None, digits: int = 4) -> Working:
    """Work a problem; `round` overrides what the file says (a number of decimals, or "exact")."""
    read = problem if isinstance(problem, Problem) else load_problem(problem)
    if round is not None:
        kept = {name: value for name, value in read.options.items() if name != "round"}
        read = replace(read, options=kept if round == "exact" else {**kept, "round": read_at(round, "round", ROUND)})
    read_at(digits, "digits", DIGITS)
    plan = read.plan()
    with read.naming_faults("cannot be worked: "):
        return work_plan(plan, read.policy, digits)


def checked(tree: Mapping[str, Any], source: str) -> Problem:
    """Every key known, every value read by its kind's readers."""
    try:
        kind = tree.get("kind")
        if not isinstance(kind, str) or kind not in KINDS:
            hint = did_you_mean(kind, KINDS) if isinstance(kind, str) else f"; known are {', '.join(KINDS)}"
            raise InputError(f"kind: {'is missing' if kind is None else f'{shown(kind)} is unknown'}{hint}")
        readers = kind_named(kind)
        known = (*TOP_KEYS, *readers.tables)
        for key in tree:
            if key not in known:
                raise InputError(f"{shown(key)}: unknown key{did_you_mean(key, known)}")
        title = tree.get("title", kind)
        if not isinstance(title, str) or len(title) > LONGEST_TITLE:
            raise InputError(f"title: must be text of at most {LONGEST_TITLE} characters, but is {shown(title)}")
        return Problem(
            kind=kind,
            title=one_line(title) or kind,
            given=read_givens(table_of(tree, "given"), readers),
            options=read_table(table_of(tree, "options"), {**readers.options, "round": ROUND}, "options"),
            marks={
                name: float(read_at(value, f"marks.{shown(name)[1:-1]}", read_points))
                for name, value in table_of(tree, "marks").items()
            },
            tables={key: read_at(tree[key], key, reader) for key, reader in readers.tables.items() if key in tree},
            topic=read_words(tree, "topic"),
            level=read_words(tree, "level"),
            lay_out=readers.plan,
            source=source,
        )
    except ClearheadError as error:
        raise InputError(one_line(f"{source}: {error}")) from None


def read_givens(given: dict[str, Any], kind: Kind) -> dict[str, Any]:
    """Every given read by the kind's own readers, or all by one."""
    if kind.any_given is None:
        return read_table(given, kind.given, "given")
    return {key: read_at(value, f"given.{shown(key)[1:-1]}", kind.any_given) for key, value in given.items()}


def read_words(tree: Mapping[str, Any], key: str) -> str:
    """A short text at the top of the file."""
    words = tree.get(key, "")
    if not isinstance(words, str) or len(words) > LONGEST_WORDS:
        raise InputError(f"{key}: must be text of at most {LONGEST_WORDS} characters, but is {shown(words)}")
    return one_line(words)


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
