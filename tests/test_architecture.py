"""Imports point one way, between rooms and between modules; the map is up to date."""

import ast
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
import architecture
from architecture import TOP, graph_of, imports_of, is_ours, knots, modules, room_of

# What a room that does something with a run folder may import.
RUNS = {"errors", "saving", "progress", "pictures", "attention", "masks", "heads", "models", "corpora", "training"}

# What each room (or file at the top) may import of clearhead. Read downwards: nothing points back up.
MAY_IMPORT: dict[str, set[str]] = {
    "version": set(),
    "errors": set(),
    "saving": {"errors"},
    "progress": set(),
    "examples": {"errors"},
    "exact": {"errors"},
    "pictures": {"errors"},
    "working": {"errors", "exact", "saving", "progress", "examples", "pictures"},
    "layers": {"errors", "saving", "examples", "pictures"},
    "tracing": {"errors", "layers"},
    "masks": {"errors"},
    "attention": {"errors", "masks"},
    "heads": {"errors", "attention", "masks"},
    "corpora": {"errors", "saving", "progress"},
    "models": {"errors", "attention", "masks", "heads"},
    "training": {"errors", "saving", "progress", "pictures", "attention", "masks", "heads", "models", "corpora"},
    "sampling": RUNS,
    "answering": RUNS,
    "perplexity": RUNS,
    "mistakes": RUNS,
    "experiment": {*RUNS, "answering"},
    "lab": {*RUNS, "working", "exact"},
}

# What a part of a room must not import of its own room.
WALLS: dict[str, set[str]] = {
    "working.rules": {"kinds", "reading", "marking", "render", "steps", "problem"},
    "working.kinds": {"reading", "marking", "render", "variants"},
    "working.reading": {"kinds", "marking", "render", "variants"},
    "working.marking": {"kinds", "render", "variants"},
    "working.render": {"kinds", "reading", "marking", "variants"},
    "layers.source": {"interpreter", "laws", "operations", "repairs", "report"},
    "layers.laws": {"interpreter", "repairs", "report"},
    "layers.interpreter": {"repairs", "report"},
    "corpora.store": {"examples", "vocabularies"},
    "corpora.vocabularies": {"examples"},
    "lab.attention": {"sight", "learning", "nets", "language"},
    "models.parts": {"gpt", "perceiver", "recurrent", "bigram", "averaging", "convnet", "registry"},
}
TORCH_FREE = {"version", "errors", "saving", "progress", "examples", "exact", "pictures", "working", "layers"}
HEAVY = {"torch", "transformers", "sklearn", "tokenizers", "safetensors"}


KNOWN = modules()
GRAPH = graph_of(KNOWN)


# ---- one way


def faults_of(module: str, source: str) -> list[str]:
    """What a module imports that it must not."""
    room = room_of(module)
    if room in TOP:
        return []
    faults = []
    for imported in imports_of(ast.parse(source)):
        package, _, rest = imported.partition(".")
        if package in HEAVY and room in TORCH_FREE:
            faults.append(f"{module} must not import {imported}")
        other = room_of(rest)
        if not is_ours(imported) or not other:
            continue
        if other != room and other not in MAY_IMPORT[room]:
            faults.append(f"{module} must not import clearhead.{other}")
        if {room, other} <= {"working", "layers", "pictures"} and room != other and f"clearhead.{other}.{rest}".count(".") > 3:
            faults.append(f"{module} must take the public names of {other}, not its insides: {imported}")
        for part, hidden in WALLS.items():
            if f"{module}.".startswith(f"{part}.") and other == room and rest.split(".")[1:2] and rest.split(".")[1] in hidden:
                faults.append(f"{module} is in {part}, which must not import {imported}")
    return faults


def test_imports_point_one_way() -> None:
    assert [fault for module, path in KNOWN.items() for fault in faults_of(module, path.read_text(encoding="utf-8"))] == []


def test_every_room_and_every_wall_stands() -> None:
    assert {room_of(module) for module in KNOWN} - MAY_IMPORT.keys() - TOP == set()
    assert {part for part in WALLS if part not in KNOWN} == set()


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("working.steps", "import torch"),
        ("layers.analysis", "def f():\n    from torch import nn"),
        ("attention", "from clearhead.models import gpt"),
        ("working.steps", "from clearhead import attention"),
        ("pictures.heatmap", "import clearhead.working.steps"),
        ("working.render.page", "from clearhead.pictures.svg import line"),
        ("working.rules.softmax", "def f():\n    from clearhead.working.kinds import kind"),
        ("layers.laws.dense", "from clearhead.layers.interpreter import calls"),
    ],
)
def test_the_check_rejects_a_back_arrow(module: str, source: str) -> None:
    assert faults_of(module, source) != []


def test_the_table_itself_has_no_cycle() -> None:
    assert knots({room: set(needs) for room, needs in MAY_IMPORT.items()}) == []


def test_no_module_leads_back_to_itself() -> None:
    """Imports inside functions and for types count: a knot that is tied late is still a knot."""
    assert knots(GRAPH) == []


def test_the_check_rejects_a_knot(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("from clearhead.b import f", encoding="utf-8")
    (tmp_path / "b.py").write_text("def f():\n    from clearhead.a import g", encoding="utf-8")
    (tmp_path / "c.py").write_text("from clearhead.a import g", encoding="utf-8")
    assert knots(graph_of(modules(tmp_path))) == [["a", "b"]]


# ---- the map


def test_the_map_is_what_the_imports_say() -> None:
    stale = [path.name for path, content in architecture.drawn().items() if path.read_text(encoding="utf-8") != content]
    assert stale == [], "run: .venv/bin/python tools/architecture.py"
