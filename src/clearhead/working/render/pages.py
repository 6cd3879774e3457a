"""How a working shows itself: printed, in a notebook, saved, and as a picture. Each format is imported when it is asked for."""

from pathlib import Path

from clearhead.saving import save as save_file
from clearhead.working.render.renderers import form_for, render
from clearhead.working.steps import Working

PICTURE_SUFFIXES = (".svg", ".png")


class Picture(str):
    """An SVG that a notebook draws."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def text(working: Working) -> str:
    """Every step as text of 80 columns."""
    return str(render(working, "text"))


def html(working: Working) -> str:
    """The page as one element."""
    from clearhead.working.render.formats.html import fragment

    return fragment(working)


def latex(working: Working) -> str:
    """The equations alone."""
    from clearhead.working.render.formats.latex import fragment

    return fragment(working)


def markdown(working: Working) -> str:
    """Markdown with dollars, which Jupyter knows, for fences."""
    from clearhead.working.render.formats.markdown import notebook

    return notebook(working)


def picture(working: Working, style: str = "") -> Picture:
    """The attention maps as SVG."""
    from clearhead.working.render.page.map_picture import picture as drawn

    return Picture(drawn(working, style))


def save(working: Working, path: Path) -> Path:
    """A page by the suffix of the name, or a picture of the maps."""
    if path.suffix.lower() in PICTURE_SUFFIXES:
        from clearhead.pictures import picture_file

        return save_file(picture_file(picture(working), path), path)
    return save_file(render(working, form_for(path.name)), path)
