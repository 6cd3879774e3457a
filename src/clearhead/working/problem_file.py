"""A problem from a file, a bundled example or a tree already read: every value checked by its kind; and worked."""

import sys
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any
from unicodedata import normalize

from clearhead import examples
from clearhead.errors import InputError
from clearhead.working.fields import did_you_mean, one_line, read_at, read_cell, read_table, read_whole, shown
from clearhead.working.file_tree import read_stream, read_tree
from clearhead.working.kinds import KINDS, Kind, kind_named
from clearhead.working.problem import Problem, naming
from clearhead.working.python_values import plain_values
from clearhead.working.steps import Working, work_plan

MOST_DECIMALS = 30  # to which a step may be rounded
MOST_DIGITS_SHOWN = 1_000  # shown where nothing is rounded
LONGEST_TITLE = 300
LONGEST_WORDS = 60
TOP_KEYS = ("kind", "title", "topic", "level", "given", "options", "marks")
REQUIRED = ("cells", "steps", "answer")
ROUND = read_whole(0, MOST_DECIMALS)
DIGITS = read_whole(0, MOST_DIGITS_SHOWN)


def load_problem(source: "str | Path | Mapping[str, Any]") -> Problem:
    """A problem from a file (`-`: standard input), a bundled example (`examples/self-attention`) or a tree already read.

    >>> load_problem({"kind": "softmax", "given": {"z": [1, 2]}}).kind
    'softmax'
    """
    return checked(*tree_of(source))


def tree_of(source: "str | Path | Mapping[str, Any]") -> tuple[Mapping[str, Any], str]:
    """The tree that a source holds, and what the source is called."""
    if isinstance(source, Mapping):
        return plain_values(source), "problem"
    if str(source) == "-":
        return read_stream(sys.stdin.buffer, "standard input"), "standard input"
    return read_tree(examples.find(str(source), (".toml", ".json"))), str(source)


def work(
    problem: "Problem | str | Path | Mapping[str, Any] | None" = None,
    *,
    round: "int | str | None" = None,
    digits: int = 4,
    **parts: Any,
) -> Working:
    """Work a problem: a file, an example, a tree, or its parts by name, `work(kind="softmax", z=[1, 2])`; arrays are fine.

    Parts named beside a file or a tree replace what it has; `lambda_` is lambda. `round` is a number of decimals, or "exact".

    >>> work(kind="softmax", z=[0, 0])["probabilities"].tolist()
    [0.5, 0.5]
    """
    read = problem if isinstance(problem, Problem) and not parts else posed(problem, parts)
    if round is not None:
        kept = {name: value for name, value in read.options.items() if name != "round"}
        read = replace(read, options=kept if round == "exact" else {**kept, "round": read_at(round, "round", ROUND)})
    read_at(digits, "digits", DIGITS)
    plan = read.plan()
    with read.naming_faults("cannot be worked: "):
        return work_plan(plan, read.policy, digits)


def posed(problem: "Problem | str | Path | Mapping[str, Any] | None", parts: dict[str, Any]) -> Problem:
    """A problem from a source, from parts by name, or from both."""
    if isinstance(problem, Problem):
        raise InputError("a Problem is read already; to change its parts, give the file or the tree that it came from")
    if problem is None and "kind" not in parts:
        raise InputError('a problem needs a file, or kind and its parts: work(kind="softmax", z=[1, 2])')
    tree, source = ({}, "problem") if problem is None else tree_of(problem)
    with naming(source):
        whole = {**tree, **placed(parts, tree)} if parts else tree
    return checked(whole, source)


def placed(parts: Mapping[str, Any], tree: Mapping[str, Any]) -> dict[str, Any]:
    """Parts by name where a file would have them: options among the options, tables at the top, all else among the givens."""
    named = {name.removesuffix("_"): plain_values(value) for name, value in parts.items()}  # lambda_ is lambda
    kind = kind_of({**tree, **named})
    top = {name: value for name, value in named.items() if name in TOP_KEYS or name in kind.tables}
    options = {name: value for name, value in named.items() if name in kind.options and name not in top}
    given = {name: value for name, value in named.items() if name not in top and name not in options}
    top["given"] = {**table_of(tree, "given"), **table_of(top, "given"), **given}
    top["options"] = {**table_of(tree, "options"), **table_of(top, "options"), **options}
    return top


def kind_of(tree: Mapping[str, Any]) -> Kind:
    """The kind that a tree names."""
    kind = tree.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        hint = did_you_mean(kind, KINDS) if isinstance(kind, str) else f"; known are {', '.join(KINDS)}"
        raise InputError(f"kind: {'is missing' if kind is None else f'{shown(kind)} is unknown'}{hint}")
    return kind_named(kind)


def checked(tree: Mapping[str, Any], source: str) -> Problem:
    """Every key known, every value read by its kind's readers."""
    with naming(source):
        readers, kind = kind_of(tree), str(tree["kind"])
        require_known_keys(tree, readers)
        title = tree.get("title", kind)
        if not isinstance(title, str) or len(title) > LONGEST_TITLE:
            raise InputError(f"title: must be text of at most {LONGEST_TITLE} characters, but is {shown(title)}")
        return Problem(
            kind=kind,
            title=one_line(title) or kind,
            given=read_givens(table_of(tree, "given"), readers),
            options=read_table(table_of(tree, "options"), {**readers.options, "round": ROUND, "digits": ROUND}, "options"),
            marks={
                name: float(read_at(value, f"marks.{shown(name)[1:-1]}", read_points))
                for name, value in table_of(tree, "marks").items()
                if name != "require"
            },
            required=read_required(table_of(tree, "marks")),
            tables={key: read_at(tree[key], key, reader) for key, reader in readers.tables.items() if key in tree},
            topic=read_words(tree, "topic"),
            level=read_words(tree, "level"),
            lay_out=readers.plan,
            source=source,
        )


def require_known_keys(tree: Mapping[str, Any], kind: Kind) -> None:
    """Every key must stand where it belongs: what is known elsewhere is sent there."""
    tops = (*TOP_KEYS, *kind.tables)
    homes = dict.fromkeys(kind.given, "given") | dict.fromkeys((*kind.options, "round"), "options") | dict.fromkeys(tops, "")
    for key in tree:
        if key not in tops and key in homes:
            raise InputError(f"{key}: stands at the top of the file; it belongs under [{homes[key]}]")
        if key not in tops:
            raise InputError(f"{shown(key)}: unknown key{did_you_mean(key, tops)}")
    for where, known in (("given", kind.given), ("options", {**kind.options, "round": ROUND, "digits": ROUND})):
        for key in table_of(tree, where) if where == "options" or kind.any_given is None else ():
            if key not in known and key in homes:
                right = f"under [{homes[key]}]" if homes[key] else "at the top, before any table"
                raise InputError(f"{where}.{key}: stands under [{where}]; it belongs {right}")


def read_givens(given: dict[str, Any], kind: Kind) -> dict[str, Any]:
    """Every given read by the kind's own readers, or all by one."""
    if kind.any_given is None:
        return read_table(given, kind.given, "given")
    return {normalize("NFC", key): read_at(value, f"given.{shown(key)[1:-1]}", kind.any_given) for key, value in given.items()}


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


def read_required(marks: Mapping[str, Any]) -> str:
    """What of a working counts: the cells of written steps, all steps, or only the answer."""
    required = marks.get("require", REQUIRED[0])
    if required not in REQUIRED:
        raise InputError(f"marks.require: must be one of {', '.join(REQUIRED)}, but is {shown(required)}")
    return str(required)


def read_points(raw: Any) -> Fraction:
    points = read_cell(raw)
    if points < 0:
        raise InputError(f"must be 0 or more, but is {points}")
    return points
