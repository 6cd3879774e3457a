"""The table of output formats: a name and the suffix of its files; `formats/` has a file of each, with `render(working)`."""

from importlib import import_module
from pathlib import PurePath

from clearhead.errors import InputError
from clearhead.working.steps import Working

RENDERERS = {
    "text": ".txt",
    "markdown": ".md",
    "latex": ".tex",
    "html": ".html",
    "pdf": ".pdf",
    "json": ".json",
}
"""Each format with the suffix of its files."""


def render(working: Working, form: str = "text") -> str | bytes:
    """A working as text, Markdown, LaTeX, HTML, JSON (all `str`) or PDF (`bytes`)."""
    if form not in RENDERERS:
        raise InputError(f"there is no format {form!r}; there are {', '.join(RENDERERS)}")
    written: str | bytes = import_module(f"clearhead.working.render.formats.{form}").render(working)
    return written


def form_for(name: str) -> str:
    """The format that a file's name asks for; text where it has no suffix.

    >>> form_for("key.pdf"), form_for("key")
    ('pdf', 'text')
    """
    suffix = PurePath(name).suffix.lower()
    form = next((form for form, known in RENDERERS.items() if suffix == known), None)
    if form is None and suffix:
        raise InputError(f"{name}: no format has the suffix {suffix}; there are {', '.join(RENDERERS.values())}")
    return form or "text"
