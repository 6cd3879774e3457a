"""JSON: our own working, plain {"Q": [[…]]}, lists of records."""

import json
from typing import Any

from clearhead.exact.decimals import as_float
from clearhead.working.reading.files.markup import plain_notation
from clearhead.working.reading.files.sheets import long_columns, read_record
from clearhead.working.reading.first_look.findings import near
from clearhead.working.reading.first_look.placement import Placing
from clearhead.working.reading.names.labels import Label
from clearhead.working.reading.numbers.amounts import BLANK, Amount, ReadCell, Unread, read_amount

DEEPEST = 8
MOST_DIGITS = 13  # a float with more was printed by a program: its exact twin is the better witness


def parse_tree(text: str) -> Any:
    """The JSON tree with every number kept as the text that was written; None where it is no JSON object or list."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        tree = json.loads(text, parse_float=str, parse_int=str, parse_constant=str)
    except (ValueError, RecursionError):
        return None
    return tree if isinstance(tree, dict) or (isinstance(tree, list) and tree and isinstance(tree[0], dict)) else None


class TreeReader:
    """Walks a tree; `text` is where the lines are counted."""

    def __init__(self, text: str, placing: Placing) -> None:
        self.text, self.placing = text, placing
        self.at = 0

    def read(self, tree: Any, head: str = "", depth: int = 0) -> None:
        if depth > DEEPEST:
            return
        if isinstance(tree, list):
            self.read_records(tree, head, depth)
        elif isinstance(tree, dict):
            for key, value in tree.items():
                self.read_entry(str(key), value, head, depth)

    def read_records(self, records: list[Any], head: str, depth: int) -> None:
        """A list of steps with their values, or of cells."""
        unknown: set[str] = set()
        for record in records:
            if not isinstance(record, dict):
                continue
            if isinstance(name := record.get("name", record.get("step")), str) and ("row" in record or "i" in record):
                columns = long_columns([str(key) for key in record])
                values = list(record.values())
                cells = {key: str(values[at]) if at >= 0 else "" for key, at in (columns or {}).items()}
                if columns:
                    read_record(cells, self.line_of(name), self.placing, unknown)
            elif isinstance(name, str) and "value" in record:
                self.read_value(name, record["value"], record.get("exact"), head)
            else:
                self.read(record, head, depth + 1)

    def read_entry(self, key: str, value: Any, head: str, depth: int) -> None:
        inner = self.placing.names.head_named(key)
        if isinstance(value, dict):
            if "value" in value and self.placing.names.resolve(plain_notation(key), head):
                self.read_value(key, value["value"], value.get("exact"), head)
            else:
                self.read(value, inner or head, depth + 1)
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            self.read(value, inner or head, depth + 1)
        else:
            self.read_value(key, value, None, head)

    def line_of(self, name: str) -> int:
        """The line of the next mention of a name."""
        found = self.text.find(f'"{name}"', self.at)
        if found >= 0:
            self.at = found
        return self.text.count("\n", 0, max(found, 0)) + 1

    def read_value(self, name: str, value: Any, exact: Any, head: str) -> None:
        label = self.placing.names.resolve(plain_notation(name), head)
        if label is None or not label.names or not isinstance(value, list | str | int | None):
            return
        line = self.line_of(name)
        if isinstance(value, list) and any(isinstance(row, list) for row in value):
            self.read_table(label, value, exact, line)
        elif isinstance(value, list):
            twins = exact if isinstance(exact, list) and len(exact) == len(value) else [None] * len(value)
            cells = [read_twin(cell, twin) for cell, twin in zip(value, twins, strict=True)]
            self.placing.place_cells(label, cells, line)
        else:
            self.placing.place_cells(label, [read_twin(value, exact)], line)

    def read_table(self, label: Label, value: list[Any], exact: Any, line: int) -> None:
        rows: list[list[ReadCell]] = []
        for i, row in enumerate(value):
            twins = exact[i] if isinstance(exact, list) and i < len(exact) and isinstance(exact[i], list) else []
            listed = row if isinstance(row, list) else [row]
            rows.append([read_twin(cell, twins[j] if j < len(twins) else None) for j, cell in enumerate(listed)])
        if any(rows):
            name = self.placing.sizes.chosen(label, len(rows), max(map(len, rows)))
            self.placing.gathering.add_table(name, rows, [line] * len(rows), label.turned)


def read_twin(value: Any, exact: Any) -> ReadCell:
    """A cell as its value says; as `exact` says where the value is null, or a float printed in full that agrees with it."""
    first = read_scalar(value)
    if not isinstance(exact, str):
        return first
    second = read_scalar(exact)
    if not isinstance(second, Amount):
        return first
    if first is BLANK:
        return second
    printed = isinstance(first, Amount) and isinstance(value, str) and len(value) > MOST_DIGITS
    return second if printed and isinstance(first, Amount) and near(first, as_float(second.value)) else first


def read_scalar(value: Any) -> ReadCell:
    if value is None:
        return BLANK
    return read_amount(plain_notation(value)) if isinstance(value, str) else Unread(str(value)[:40])
