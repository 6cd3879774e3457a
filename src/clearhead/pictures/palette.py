"""What tells several lines or bars apart: colours that the colour-blind tell apart too, and strokes where there is no colour.

The colours are near those of Okabe and Ito, chosen so that the first four are at least 20 apart (CIE L*a*b*) for every kind of
eye, and can be read as labels on white and on dark.
"""

COLOURS = ("#1f5fae", "#d55e00", "#0a9a66", "#b0578d", "#9a6f00", "#3b87c8")
"""In this order: the first few are the farthest apart for every kind of eye."""

DASHES = ("none", "8 3", "2 3", "10 3 2 3", "5 2", "1 5")
"""One stroke for each line, so that lines are told apart in black and white."""


def line_style(number: int) -> tuple[str, str]:
    """Colour and dashes of line number …, from 0; when both are used up they come again, shifted against each other.

    >>> line_style(0), line_style(6)
    (('#1f5fae', 'none'), ('#1f5fae', '8 3'))
    """
    return COLOURS[number % len(COLOURS)], DASHES[(number + number // len(COLOURS)) % len(DASHES)]
