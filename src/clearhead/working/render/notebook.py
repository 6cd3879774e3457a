"""What a notebook shows where the last line of a cell is a working."""

from clearhead.working.steps import Working


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
