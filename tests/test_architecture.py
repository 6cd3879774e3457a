"""Imports point one way, between rooms and between modules; rooms are no bags; names name one thing; the map is up to date."""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
import architecture
from architecture import DOCS, ROOT, TOP, graph_of, imports_of, is_ours, knots, modules, room_of

# What a room that does something with a run folder may import.
RUNS = {"errors", "wilson", "saving", "progress", "pictures", "attention", "masks", "heads", "models", "corpora", "training"}

# What each room (or file at the top) may import of clearhead. Read downwards: nothing points back up.
MAY_IMPORT: dict[str, set[str]] = {
    "version": set(),
    "wilson": set(),
    "errors": set(),
    "saving": {"errors"},
    "progress": set(),
    "examples": {"errors"},
    "exact": {"errors"},
    "pictures": {"errors"},
    "working": {"errors", "exact", "saving", "progress", "examples", "pictures"},
    "layers": {"errors", "saving", "examples", "pictures"},
    "tracing": {"errors", "layers"},
    "desk": {"errors", "exact", "examples", "pictures", "working", "layers"},
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
    "exchange": {*RUNS, "version"},
    "experiment": {*RUNS, "answering"},
    "lab": {*RUNS, "working", "exact"},
    "lens": {*RUNS, "sampling"},
    "web": {
        "errors",
        "version",
        "saving",
        "progress",
        "desk",
        "pictures",
        "training",
        "answering",
        "sampling",
        "lab",
        "lens",
        "run",
    },
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
    "lens.capture": {"measures", "causes", "show"},
    "lens.measures": {"show"},
    "lens.causes": {"show"},
    "lab.attention": {"sight", "learning", "nets", "language"},
    "models.parts": {"gpt", "perceiver", "recurrent", "bigram", "averaging", "convnet", "registry"},
}
TORCH_FREE = {"version", "wilson", "errors", "saving", "progress", "examples", "exact", "pictures", "working", "layers", "desk"}
HEAVY = {"torch", "transformers", "sklearn", "tokenizers", "safetensors"}


LINES, MODULES = 320, 16  # about 300 and about 15
# One entry a file behind one interface: such folders may be long, and an entry may be called what it is.
TABLES = {
    "commands",
    "lab.attention",
    "lab.language",
    "lab.learning",
    "lab.nets",
    "lab.sight",
    "models",
    "layers.laws",
    "working.kinds",
    "working.kinds.geometries",
    "working.kinds.gradients",
    "working.marking.reports",
    "working.render.formats",
    "working.rules",
}

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


# ---- rooms and names


def is_table(folder: str) -> bool:
    return folder in TABLES


def folder_of(module: str) -> str:
    """The folder a module lies in, by its dotted name."""
    return module if KNOWN[module].name == "__init__.py" else module.rpartition(".")[0]


def test_no_file_is_long() -> None:
    lines = {module: len(path.read_text(encoding="utf-8").splitlines()) for module, path in KNOWN.items()}
    assert {module: count for module, count in lines.items() if count > LINES} == {}


def test_no_folder_is_a_bag() -> None:
    sizes = Counter(folder_of(module) for module, path in KNOWN.items() if path.name != "__init__.py")
    assert {folder: size for folder, size in sizes.items() if size > MODULES and folder and not is_table(folder)} == {}


def test_a_name_of_a_module_names_one_thing() -> None:
    stems = Counter(
        path.stem for module, path in KNOWN.items() if path.name != "__init__.py" and not is_table(folder_of(module))
    )
    assert {stem: count for stem, count in stems.items() if count > 1} == {}


def test_a_name_of_a_class_names_one_thing() -> None:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in KNOWN.values()]
    classes = Counter(
        node.name
        for tree in trees
        for node in tree.body
        if isinstance(node, ast.ClassDef) and not any(getattr(base, "attr", "") == node.name for base in node.bases)
    )  # the run that people open extends the run of the folder: one thing
    assert {name: count for name, count in classes.items() if count > 1} == {}


def exported() -> Iterator[tuple[str, str]]:
    """Each name that a room's `__init__` offers, with the module where it is made."""
    for room, path in KNOWN.items():
        if path.name != "__init__.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and is_ours(f"{node.module}."):
                for alias in node.names:
                    origin = f"{node.module}.{alias.name}".removeprefix("clearhead.")
                    if origin not in KNOWN:  # a module that is offered whole has a docstring of its own
                        yield str(node.module).removeprefix("clearhead.") or room, alias.name


def has_docstring(tree: ast.Module, name: str) -> bool:
    """Whether a name is made here, with a docstring: inside it, or under it where it is a constant or an alias."""
    for node, following in zip(tree.body, [*tree.body[1:], None], strict=True):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name:
            return ast.get_docstring(node) is not None
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
    return any(isinstance(node, ast.ImportFrom) and name in {a.name for a in node.names} for node in tree.body)


def test_every_name_that_a_room_exports_says_what_it_is() -> None:
    trees = {module: ast.parse(path.read_text(encoding="utf-8")) for module, path in KNOWN.items()}
    assert [
        f"{module}.{name}" for module, name in exported() if module in trees and not has_docstring(trees[module], name)
    ] == []


@pytest.mark.parametrize("source", ["def f():\n    return 1", "f = 3", "class f:\n    x = 1"])
def test_the_check_rejects_a_name_without_a_docstring(source: str) -> None:
    assert not has_docstring(ast.parse(source), "f")


# ---- the map


def test_the_map_is_what_the_imports_say() -> None:
    stale = [path.name for path, content in architecture.drawn().items() if path.read_text(encoding="utf-8") != content]
    assert stale == [], "run: .venv/bin/python tools/architecture.py"


def test_the_walks_lead_through_files_that_exist() -> None:
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:[a-z_]+/)+[a-z_]*(?:\.py)?|[a-z_]+\.py)`", text.partition("## The walks")[2])
    assert len(named) > 30
    assert [name for name in named if not (architecture.SOURCE / name).exists() and not (ROOT / name).exists()] == []
