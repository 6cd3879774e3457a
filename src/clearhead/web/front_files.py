"""The front end as a table of files, ready to be served or written: pages made from their templates."""

import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import PurePosixPath
from typing import Any

from clearhead.desk import answer
from clearhead.version import __version__
from clearhead.web.guards import POLICY

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
    ".zip": "application/zip",
    ".wasm": "application/wasm",
}
PAGES = {"index": "index.html", "work": "work.html", "practise": "practise.html", "mark": "mark.html", "layers": "layers.html"}
"""Each page with its file; they run on both engines."""
LOCAL_PAGES = {"runs": "runs.html", "ask": "ask.html", "look": "look.html", "lab": "lab.html"}
"""Pages that need the local Python and torch."""
SCRIPTS = {"index": "home"}
BROWSER_ONLY = ("python_worker.js", "python_start.js", "memory_worker.js", "offline.js")
IMPORTED = re.compile(r'^import .* from "\./([\w.]+)";', re.MULTILINE)
TOKENS = ("the", "cat", "sat")
DEFAULT = "self-attention"
FRAMES = 41  # temperatures of the example on the first page: 0 to 4 by tenths
MIDDLE = 10


def asked(name: str, **question: Any) -> Any:
    """What the desk says to a question of our own."""
    found = json.loads(answer(name, json.dumps(question)))
    assert found["ok"], found
    return found["value"]


def front_files(engine: str, pages: Mapping[str, str]) -> dict[str, bytes]:
    """Every file of the front end by its path, for an engine: "local" or "browser"."""
    files = {path: content for path, content in static_files().items() if engine == "browser" or path not in browser_only()}
    for page in pages:
        files[pages[page]] = page_html(page, engine, pages).encode()
    return files


def browser_only() -> set[str]:
    return {f"js/{name}" for name in BROWSER_ONLY} | set(BROWSER_ONLY)


@cache
def static_files() -> dict[str, bytes]:
    """What is the same for every page and engine; the strings as one module, the steps' own style and script beside ours."""
    front = resources.files("clearhead.web") / "front"
    parts = resources.files("clearhead.working.render.formats") / "html_parts"
    files = {"icon.svg": (front / "icon.svg").read_bytes(), "offline.js": (front / "offline.js").read_bytes()}
    for folder in ("css", "fonts", "js"):
        for file in sorted((front / folder).iterdir(), key=lambda file: file.name):
            files[f"{folder}/{file.name}"] = file.read_bytes()
    files["css/steps.css"] = (parts / "page.css").read_bytes()
    files["js/steps_touch.js"] = (parts / "page.js").read_bytes()
    table = json.dumps(strings(), ensure_ascii=False)
    files["js/strings_table.js"] = f"export const STRINGS = {table};\n".encode()
    return files


@cache
def strings() -> dict[str, dict[str, str]]:
    """Every string of the pages by its key, in every language."""
    text = (resources.files("clearhead.web") / "front" / "strings.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = json.loads(text)
    return found


def page_html(page: str, engine: str, pages: Mapping[str, str]) -> str:
    """One page as a whole document."""
    from markupsafe import Markup

    first = asked("work", example=DEFAULT) if page == "work" else {}
    shown = home_frames()[MIDDLE] if page == "index" else {}
    start: dict[str, Any] = {}
    if page == "index":
        start = {"frames": home_frames()}
    elif page == "work":
        start = {"first": {key: value for key, value in first.items() if key != "html"}}  # that stands on the page
    if page in ("work", "practise", "mark", "layers"):
        start["library"] = asked("library")
    return str(
        templates()
        .get_template(f"{page}.html")
        .render(
            page=page,
            script=SCRIPTS.get(page, page),
            engine=engine,
            pages=[(name, file) for name, file in pages.items() if name != "index"],
            policy=POLICY,
            version=__version__,
            first=first,
            first_html=Markup(first.get("html", "")),
            start=Markup(embedded(start)) if start else "",
            modules=modules_of(SCRIPTS.get(page, page)),
            shown=shown,
            weights=list(zip(TOKENS, shown.get("weights", TOKENS), strict=True)),
            middle=MIDDLE,
            frames=FRAMES,
        )
    )


@cache
def modules_of(script: str) -> tuple[str, ...]:
    """A page's script and every module that it imports, however deep: named in the page, they all come at once."""
    found = [f"js/{script}.js"]
    for path in found:
        text = static_files()[path].decode()
        found += [f"js/{name}" for name in IMPORTED.findall(text) if f"js/{name}" not in found]
    return tuple(found)


@cache
def templates() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    found = Environment(
        loader=PackageLoader("clearhead.web", "front/pages"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    found.globals["t"] = lambda key: strings()[key]["en"]
    return found


def embedded(tree: Mapping[str, Any]) -> str:
    """JSON that may stand inside a script element: no sign in it can end the element."""
    text = json.dumps(tree, ensure_ascii=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e").replace("\u2028", "\\u2028")


@cache
def home_frames() -> list[dict[str, Any]]:
    """One query over three tokens at every temperature, worked once: the first page moves without any engine."""
    frames = []
    for tenths in range(FRAMES):
        given = {"Q": [[2, 1]], "K": [[1, 0], [1, 1], [0, 2]], "V": [[1, 0], [0, 1], [1, 1]]}
        options = {"temperature": f"{tenths // 10}.{tenths % 10}", "round": 2}
        problem = {"kind": "attention", "given": given, "options": options}
        worked = {s["name"]: s["value"] for s in json.loads(asked("export", problem=problem, to="json")["text"])["steps"]}
        weights = [f"{weight:.2f}" for weight in worked["weights"][0]]
        output = "(" + ", ".join(f"{cell:.2f}" for cell in worked["output"][0]) + ")"
        frames.append({"temperature": f"{tenths / 10:.1f}", "weights": weights, "output": output})
    return frames


def type_of(path: str) -> str:
    return TYPES.get(PurePosixPath(path).suffix, "application/octet-stream")


def tag_of(content: bytes) -> str:
    """An ETag, and the name of a version."""
    return hashlib.sha256(content).hexdigest()[:20]
