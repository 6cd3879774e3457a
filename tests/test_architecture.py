"""Imports point one way, and the torch-free rooms stay torch-free."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "clearhead"

# What a room that does something with a run folder may import.
RUNS = {"errors", "saving", "pictures", "attention", "masks", "heads", "models", "corpora", "training"}

# What each room (or file at the top) may import of clearhead. Read downwards: nothing points back up.
MAY_IMPORT: dict[str, set[str]] = {
    "version": set(),
    "errors": set(),
    "saving": {"errors"},
    "examples": {"errors"},
    "exact": {"errors"},
    "pictures": {"errors"},
    "working": {"errors", "exact", "saving", "examples", "pictures"},
    "layers": {"errors", "saving", "examples", "pictures"},
    "masks": {"errors"},
    "attention": {"errors", "masks"},
    "heads": {"errors", "attention", "masks"},
    "corpora": {"errors", "saving"},
    "models": {"errors", "attention", "masks", "heads"},
    "training": {"errors", "saving", "pictures", "attention", "masks", "heads", "models", "corpora"},
    "sampling": RUNS,
    "answering": RUNS,
    "perplexity": RUNS,
    "mistakes": RUNS,
    "experiment": {*RUNS, "answering"},
}
TORCH_FREE = {"version", "errors", "saving", "examples", "exact", "pictures", "working", "layers"}
TOP = {"__init__", "__main__", "cli", "commands"}  # these may import every room
HEAVY = {"torch", "transformers", "sklearn", "tokenizers", "safetensors"}


def imports_of(tree: ast.AST) -> Iterator[str]:
    """Every module name that a source imports, wherever in the file it stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "write imports from the root: from clearhead.room import name"
            yield node.module or ""
            if node.module == "clearhead":
                yield from (f"clearhead.{alias.name}" for alias in node.names)


def faults_of(room: str, source: str) -> list[str]:
    """What a file of a room imports that it must not."""
    if room in TOP:
        return []
    faults = []
    for module in imports_of(ast.parse(source)):
        package, _, rest = module.partition(".")
        if package in HEAVY and room in TORCH_FREE:
            faults.append(f"{room} must not import {module}")
        other = rest.partition(".")[0]
        if package == "clearhead" and other and other != room and other not in MAY_IMPORT[room]:
            faults.append(f"{room} must not import clearhead.{other}")
        insides = (
            package == "clearhead" and "." in rest and {room, other} <= {"working", "layers", "pictures"} and room != other
        )
        if insides:
            faults.append(f"{room} must take the public names of {other}, not its insides: {module}")
    return faults


def rooms() -> Iterator[tuple[str, Path]]:
    for path in sorted(SOURCE.rglob("*.py")):
        inside = path.relative_to(SOURCE)
        if inside.parts[0] == "examples" and len(inside.parts) > 2:
            continue  # example networks are read as text, never imported
        yield (inside.parts[0] if len(inside.parts) > 1 else inside.stem), path


def test_imports_point_one_way() -> None:
    faults = [f"{path.name}: {fault}" for room, path in rooms() for fault in faults_of(room, path.read_text(encoding="utf-8"))]
    assert faults == []


def test_every_room_is_in_the_table() -> None:
    unknown = {room for room, _ in rooms()} - MAY_IMPORT.keys() - TOP
    assert unknown == set()


@pytest.mark.parametrize(
    ("room", "source"),
    [
        ("working", "import torch"),
        ("layers", "def f():\n    from torch import nn"),
        ("attention", "from clearhead.models import gpt"),
        ("working", "from clearhead import attention"),
        ("pictures", "import clearhead.working.steps"),
        ("working", "from clearhead.pictures.svg import line"),
    ],
)
def test_the_check_rejects_a_back_arrow(room: str, source: str) -> None:
    assert faults_of(room, source) != []


def test_the_table_itself_has_no_cycle() -> None:
    seen: set[str] = set()
    waiting = dict(MAY_IMPORT)
    while waiting:
        free = [room for room, needs in waiting.items() if needs <= seen]
        assert free, f"a cycle among {sorted(waiting)}"
        seen.update(free)
        for room in free:
            del waiting[room]
