"""The rooms as they are, read from the imports: the graph that the architecture test checks, and the map in docs/.

Run: .venv/bin/python tools/architecture.py; a test fails while the picture or the table in docs/architecture.md is stale.
"""

import ast
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from statistics import fmean

from clearhead.pictures.svg import ACCENT, FAINT, INK, document, element, label

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "clearhead"
DOCS = ROOT / "docs"
BEGIN, END = "<!-- rooms: made by tools/architecture.py -->", "<!-- end of rooms -->"
GROUND = {"errors", "saving", "version"}  # nearly every room stands on these: no arrows, one slab at the bottom
TOP = {"__init__", "__main__", "cli", "commands", "run"}  # these may import every room

Graph = dict[str, set[str]]
"""Each module with the modules it imports, by their dotted names below `clearhead`."""

# ---- source → graph


def modules(source: Path = SOURCE) -> dict[str, Path]:
    """Every module of the package by its dotted name; a folder's `__init__` has the folder's name, the package's own none."""
    found = {}
    for path in sorted(source.rglob("*.py")):
        inside = path.relative_to(source)
        if inside.parts[0] == "examples" and len(inside.parts) > 2:
            continue  # example networks are read as text, never imported
        found[".".join(inside.with_suffix("").parts).removesuffix("__init__").rstrip(".") or "__init__"] = path
    return found


def imports_of(tree: ast.AST) -> Iterator[str]:
    """Every module or name that a source imports, wherever in the file it stands: inside functions and for types too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "write imports from the root: from clearhead.room import name"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def graph_of(known: Mapping[str, Path]) -> Graph:
    """Who imports whom. `from clearhead.room import name` is an arrow to the module `name`, or to the room where it is none."""
    graph: Graph = {}
    for name, path in known.items():
        wanted = (found.split(".")[1:] for found in imports_of(ast.parse(path.read_text(encoding="utf-8"))) if is_ours(found))
        targets = {nearest(parts, known) for parts in wanted}
        graph[name] = {target for target in targets if target is not None and target != name}
    return graph


def is_ours(imported: str) -> bool:
    return imported.split(".")[0] == "clearhead"


def nearest(parts: list[str], known: Mapping[str, Path]) -> str | None:
    """The module that a dotted name leads to: itself, or the one that holds it."""
    names = [".".join(parts[:length]) for length in range(len(parts), 0, -1)]
    return next((name for name in names if name in known), None)


def room_of(module: str) -> str:
    return module.partition(".")[0]


def between_rooms(graph: Graph) -> Graph:
    """The same arrows, room to room."""
    rooms: Graph = {room_of(module): set() for module in graph}
    for module, targets in graph.items():
        rooms[room_of(module)] |= {room_of(target) for target in targets} - {room_of(module)}
    return rooms


def knots(graph: Graph) -> list[list[str]]:
    """Modules that lead back to themselves, each knot once."""
    reached = {module: reachable(module, graph) for module in graph}
    found = {tuple(sorted(other for other in reached[m] if m in reached[other])) for m in graph if m in reached[m]}
    return [list(knot) for knot in sorted(found)]


def reachable(start: str, graph: Graph) -> set[str]:
    seen: set[str] = set()
    waiting = list(graph[start])
    while waiting:
        module = waiting.pop()
        if module not in seen:
            seen.add(module)
            waiting += graph.get(module, ())
    return seen


# ---- graph → map

WIDE, HIGH, ACROSS, DOWN, EDGE = 132.0, 40.0, 26.0, 46.0, 24.0
Stop = tuple[str, str, int]
"""Where a long arrow passes a level between its two rooms: from, to, level."""


def picture(rooms: Graph) -> str:
    """The rooms in levels, each above all that it imports; an arrow is drawn where no longer way leads there."""
    drawn = {room: targets - GROUND - TOP for room, targets in rooms.items() if room not in GROUND | TOP}
    height = {room: level(room, drawn) for room in drawn}
    ways = [way(room, target, height) for room in sorted(drawn) for target in sorted(shortest(room, drawn))]
    rows = arranged(height, ways)
    width = max(extent(row) for row in rows) + 2 * EDGE
    tops = {h: EDGE + (len(rows) - h) * (HIGH + DOWN) for h in range(len(rows))}
    middles = {place: x for row in rows for place, x in placed(row, width)}
    body = [arrow([(middles[p], tops[height[p] if isinstance(p, str) else p[2]]) for p in passed]) for passed in ways]
    bottom = tops[0] + HIGH + DOWN
    body += slab("cli · commands", "one file a command, over every room", EDGE, width)
    body += slab(" · ".join(sorted(GROUND)), "under every room", bottom, width)
    for room in sorted(drawn):
        body += box(room, middles[room] - WIDE / 2, tops[height[room]])
    return document(width, bottom + HIGH + EDGE, "The rooms of Clearhead; each stands above what it imports", body)


def level(room: str, rooms: Graph) -> int:
    return 1 + max((level(target, rooms) for target in rooms[room]), default=-1)


def shortest(room: str, rooms: Graph) -> set[str]:
    """What a room imports that nothing else it imports leads to."""
    return {t for t in rooms[room] if not any(t in reachable(other, rooms) for other in rooms[room] - {t})}


def way(room: str, target: str, height: Mapping[str, int]) -> list[str | Stop]:
    """From a room down to what it imports, with a stop at each level between."""
    return [room, *((room, target, h) for h in range(height[room] - 1, height[target], -1)), target]


def arranged(height: Mapping[str, int], ways: list[list[str | Stop]]) -> list[list[str | Stop]]:
    """The levels from the lowest, each in an order that keeps what is joined near: sweeps of means, up and down."""
    levels = range(max(height.values()) + 1)
    rows: list[list[str | Stop]] = [sorted(room for room in height if height[room] == h) for h in levels]
    for passed in ways:
        for place in passed[1:-1]:
            rows[int(place[2])].append(place)
    joined = [pair for passed in ways for pair in pairwise(passed)]
    for sweep in range(24):
        spot = {place: x for row in rows for place, x in placed(row, 0)}
        for h in levels if sweep % 2 else reversed(levels):
            near = {p: [spot[b if a == p else a] for a, b in joined if p in (a, b)] or [spot[p]] for p in rows[h]}
            rows[h].sort(key=lambda place: (fmean(near[place]), str(place)))
            spot |= dict(placed(rows[h], 0))
    return rows


def placed(row: list[str | Stop], width: float) -> Iterator[tuple[str | Stop, float]]:
    """The middle of each place of a level, the level centred."""
    x = (width - extent(row)) / 2
    for place in row:
        wide = WIDE if isinstance(place, str) else 0.0
        yield place, x + wide / 2
        x += wide + ACROSS


def extent(row: list[str | Stop]) -> float:
    return sum(isinstance(place, str) for place in row) * WIDE + (len(row) - 1) * ACROSS


def arrow(passed: list[tuple[float, float]]) -> str:
    """A curve from under the first room past every stop to the top of the last."""
    (x, y), *rest = passed
    path = f"M{x:.1f},{y + HIGH:.1f}"
    for number, (x2, y2) in enumerate(rest, start=1):
        y1, bend = y + HIGH, (y2 - y - HIGH) * 0.5
        path += f" C{x:.1f},{y1 + bend:.1f} {x2:.1f},{y2 - bend:.1f} {x2:.1f},{y2 - (6 if number == len(rest) else 0):.1f}"
        path += "" if number == len(rest) else f" V{y2 + HIGH:.1f}"
        x, y = x2, y2
    head = f"{x - 4:.1f},{y - 8:.1f} {x + 4:.1f},{y - 8:.1f} {x:.1f},{y:.1f}"
    return element("path", d=path, fill="none", stroke=FAINT, stroke_width=1.4) + element("polygon", points=head, fill=FAINT)


def box(room: str, x: float, y: float) -> list[str]:
    return [
        element("rect", x=x, y=y, width=WIDE, height=HIGH, rx=7.0, fill="#eef4fc", stroke=ACCENT),
        label(room, x + WIDE / 2, y + HIGH / 2, anchor="middle", size=15),
    ]


def slab(name: str, told: str, y: float, width: float) -> list[str]:
    return [
        element("rect", x=EDGE, y=y, width=width - 2 * EDGE, height=HIGH, rx=7.0, fill="#f4f5f7", stroke=INK),
        label(name, width / 2, y + 14, anchor="middle", size=15, most=60),
        label(told, width / 2, y + 30, anchor="middle", size=11, fill="#5a6472", most=60),
    ]


# ---- graph → table


def table(rooms: Graph, known: Mapping[str, Path]) -> str:
    """Each room with the first sentence of its own docstring and what it imports, lowest first."""
    order = sorted(rooms.keys() - {"__init__", "__main__"}, key=lambda room: (level(room, rooms), room))
    lines = ["| room | what it holds | imports |", "| --- | --- | --- |"]
    lines += [
        f"| `{room}` | {first_line(known[room])} | {' '.join(f'`{t}`' for t in sorted(rooms[room])) or '–'} |" for room in order
    ]
    return "\n".join(lines)


def first_line(path: Path) -> str:
    return (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").partition("\n")[0].replace("|", "\\|")


def with_table(text: str, made: str) -> str:
    """The page with the table between its two marks replaced."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{made}\n{END}{after}"


def drawn() -> dict[Path, str]:
    """Each file of the map with what it should hold."""
    known = modules()
    rooms = between_rooms(graph_of(known))
    page = DOCS / "architecture.md"
    return {
        DOCS / "architecture.svg": picture(rooms),
        page: with_table(page.read_text(encoding="utf-8"), table(rooms, known)),
    }


def main() -> None:
    for path, content in drawn().items():
        path.write_text(content, encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
