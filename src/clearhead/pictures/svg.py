"""SVG as text: escaped, in a fixed order, with numbers written the same on every machine."""

import unicodedata
from collections.abc import Iterable

FONT = "'DejaVu Sans', 'Liberation Sans', Arial, Helvetica, 'DejaVu Sans Mono', sans-serif"
INK, FAINT, PAPER, ACCENT = "#1c2430", "#9aa4b2", "#ffffff", "#1f5fae"
QUIET = "#5f6a78"  # words beside the matter; FAINT is for lines

JOINER = "\u200d"


def digits(x: float) -> str:
    """A length to two decimals, without a trailing zero, and never −0.

    >>> digits(2.50), digits(-0.001)
    ('2.5', '0')
    """
    written = f"{x:.2f}".rstrip("0").rstrip(".")
    return "0" if written == "-0" else written


def escape(words: str) -> str:
    """Words as XML may hold them: no control characters, no lone surrogates, no markup."""
    kept = "".join(" " if unicodedata.category(c) in {"Cc", "Cs", "Co", "Cn"} else c for c in words)
    return kept.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def shortened(words: str, most: int) -> str:
    """Cut where a letter ends: never between a letter and its marks, nor inside a joined sign.

    >>> shortened("interpretability", 8), shortened("abcde\u0301fg", 6)
    ('interpr…', 'abcd…')
    """
    if len(words) <= most:
        return words
    end = most - 1
    while end and (unicodedata.category(words[end]) in {"Mn", "Mc", "Me"} or JOINER in (words[end], words[end - 1])):
        end -= 1
    return words[:end] + "…"


def element(tag: str, inside: str = "", **attributes: str | float) -> str:
    """One element; `stroke_width` becomes `stroke-width`, numbers are written by `digits`."""
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(value) if isinstance(value, str) else digits(value)}"'
        for name, value in attributes.items()
    )
    return f"<{tag}{written}>{inside}</{tag}>" if inside else f"<{tag}{written}/>"


def label(words: str, x: float, y: float, *, anchor: str = "start", size: float = 14, fill: str = INK, most: int = 18) -> str:
    """A line of text centred on y; a long one is cut and told in full by its tooltip."""
    short = shortened(words, most)
    tip = element("title", escape(words)) if short != words else ""
    return element("text", tip + escape(short), x=x, y=y + size * 0.35, text_anchor=anchor, font_size=size, fill=fill)


def document(width: float, height: float, title: str, body: Iterable[str]) -> str:
    """A whole picture on white, with a title for those who cannot see it."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {digits(width)} {digits(height)}" width="{digits(width)}" '
        f'height="{digits(height)}" role="img" font-family="{FONT}">'
    )
    paper = element("rect", width=width, height=height, fill=PAPER)
    return "\n".join([head, element("title", escape(title)), paper, *body, "</svg>"]) + "\n"
