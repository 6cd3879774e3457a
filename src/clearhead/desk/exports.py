"""A working as a file to keep: LaTeX, SVG, TOML, spreadsheet, HTML, Markdown, text, JSON. PDF is the browser's own print."""

import base64
import re
from collections.abc import Callable, Mapping
from typing import Any

from clearhead.desk.worked import working_in
from clearhead.errors import InputError
from clearhead.working import Working
from clearhead.working.fields import did_you_mean
from clearhead.working.render.renderers import render
from clearhead.working.variants import toml

Tree = Mapping[str, Any]
LONGEST_NAME = 60


def spreadsheet_of(tree: Tree, working: Working) -> bytes:
    from clearhead.working.variants.spreadsheet import spreadsheet

    return spreadsheet(working)


def worksheet_of(tree: Tree, working: Working) -> str:
    from clearhead.working.variants.worksheet import markdown

    return markdown(working)


FORMS: dict[str, tuple[str, str, Callable[[Tree, Working], str | bytes]]] = {
    "latex": (".tex", "text/x-tex", lambda tree, working: render(working, "latex")),
    "svg": (".svg", "image/svg+xml", lambda tree, working: str(working.picture())),
    "toml": (".toml", "text/plain", lambda tree, working: toml.written(tree)),
    "xlsx": (".xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", spreadsheet_of),
    "html": (".html", "text/html", lambda tree, working: render(working, "html")),
    "markdown": (".md", "text/markdown", lambda tree, working: render(working, "markdown")),
    "text": (".txt", "text/plain", lambda tree, working: render(working, "text")),
    "json": (".json", "application/json", lambda tree, working: render(working, "json")),
    "worksheet": (".worksheet.md", "text/markdown", worksheet_of),
}
"""Each kind of file: its suffix, its type, and how it is made."""


def export(asked: Tree) -> dict[str, str]:
    """One file: its name, its type, and what it holds, as text or in base64."""
    form = str(asked.get("to", ""))
    if form not in FORMS:
        raise InputError(f"there is no export {form[:40]!r}{did_you_mean(form[:40], FORMS)}")
    tree, working = working_in(asked)
    suffix, kind, make = FORMS[form]
    content = make(tree, working)
    held = {"base64": base64.b64encode(content).decode()} if isinstance(content, bytes) else {"text": content}
    return {"name": f"{file_stem(working.plan.title)}{suffix}", "type": kind, **held}


def file_stem(title: str) -> str:
    """A name that every disk takes.

    >>> file_stem("Q / K: what?"), file_stem("…")
    ('q-k-what', 'working')
    """
    return re.sub(r"[^a-z0-9]+", "-", title.lower())[:LONGEST_NAME].strip("-") or "working"
