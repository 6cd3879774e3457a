"""One picture in other colours: dark, for a dark screen, and grey, for a printer that knows no colours."""

import colorsys
import re
from typing import Literal, get_args

from clearhead.errors import InputError

Theme = Literal["light", "dark", "grey"]
"""As drawn, for a dark screen, or without colours."""

COLOUR = re.compile(r"#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})\b")
DARKEST, LIGHTEST = 0.09, 0.94  # of a dark picture: neither black on a screen nor white that dazzles


def themed(svg: str, theme: str) -> str:
    """The same picture; light is as it was drawn. What was dark on white becomes light on dark, in its own hue.

    >>> themed('fill="#ffffff"', "dark"), themed('fill="#0072b2"', "grey")
    ('fill="#171717"', 'fill="#5e5e5e"')
    """
    if theme not in get_args(Theme):
        raise InputError(f"a picture is {', '.join(get_args(Theme))}; not {theme!r}.")
    if theme == "light":
        return svg
    return COLOUR.sub(inverted if theme == "dark" else greyed, svg)


def inverted(found: re.Match[str]) -> str:
    """Lightness turned round, hue and saturation kept."""
    hue, light, saturation = colorsys.rgb_to_hls(*(int(part, 16) / 255 for part in found.groups()))
    return written(colorsys.hls_to_rgb(hue, DARKEST + (LIGHTEST - DARKEST) * (1 - light), saturation))


def greyed(found: re.Match[str]) -> str:
    """As bright as the colour looks."""
    red, green, blue = (int(part, 16) / 255 for part in found.groups())
    bright = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return written((bright, bright, bright))


def written(colour: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(255 * part):02x}" for part in colour)
