"""The lines of the text renderer in colour, for a terminal that can show them."""

from clearhead.working.render.formats.text import lines
from clearhead.working.steps import Working

STYLES = {"title": "bold underline", "heading": "bold cyan", "why": "italic", "note": "dim", "number": "", "": ""}


def painted(working: Working) -> str:
    """The text with the terminal's own codes for bold, dim and colour."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    with console.capture() as captured:
        for role, words in lines(working):
            console.print(Text(words.rstrip(), STYLES[role]))
    return captured.get()
