"""Which fonts the letters of other scripts are drawn with, where the one who draws would take any that has the letter.

resvg falls back to the first font that it finds, be it bold, slanted or with feet. So a text of one script names its fonts;
those that are not installed are passed over. A line in which a script that joins its letters, such as Hindi's, comes after
another is shaped by the rules of the first and comes out unjoined: spans of their own would mend it, but resvg 0.48 breaks
down over them. Browsers draw the same SVG rightly.
"""

import re
import unicodedata

from clearhead.pictures.svg import FONT, JOINER

INDIC = ("Nirmala UI",)  # Windows has one font for them all
HAN = ("Noto Sans CJK SC", "Noto Sans SC", "PingFang SC", "Microsoft YaHei", "WenQuanYi Zen Hei", "Droid Sans Fallback")
KANA = ("Noto Sans CJK JP", "Noto Sans JP", "Hiragino Sans", "Yu Gothic", "IPAGothic", *HAN)
HANGUL = ("Noto Sans CJK KR", "Noto Sans KR", "Apple SD Gothic Neo", "Malgun Gothic", "NanumGothic", *HAN)
FONTS = {
    "BENGALI": INDIC,
    "DEVANAGARI": ("Kohinoor Devanagari", *INDIC),
    "EMOJI": ("Noto Color Emoji", "Apple Color Emoji", "Segoe UI Emoji", "Noto Emoji"),
    "ETHIOPIC": ("Kefa", "Ebrima"),
    "GUJARATI": INDIC,
    "GURMUKHI": INDIC,
    "HAN": HAN,
    "HANGUL": HANGUL,
    "KANA": KANA,
    "KANNADA": INDIC,
    "KHMER": ("Leelawadee UI",),
    "LAO": ("Leelawadee UI",),
    "MALAYALAM": INDIC,
    "MYANMAR": ("Myanmar Text",),
    "ORIYA": INDIC,
    "SINHALA": INDIC,
    "TAMIL": INDIC,
    "TELUGU": INDIC,
    "THAI": ("Thonburi", "Leelawadee UI"),
    "TIBETAN": ("Microsoft Himalaya",),
}
"""Fonts beside Noto's, in the order in which they are tried; Noto Sans of a script is called after it."""

OWN = {"CJK": "HAN", "IDEOGRAPHIC": "HAN", "FULLWIDTH": "HAN", "HIRAGANA": "KANA", "KATAKANA": "KANA", "BOPOMOFO": "HAN"}
NAMED = {"HAN", "HANGUL", "KANA", "EMOJI"}  # those whose Noto fonts are not called after the script
WITH_LATIN = {"HAN", "HANGUL", "KANA"}  # those whose fonts have Latin letters too, in the same manner
NEAREST: tuple[str, ...] = ("KANA", "HANGUL", "HAN")  # the first of these that a text has says whose signs all are
TEXT = re.compile(r"<text (?P<rest>[^>]*)>(?P<tip><title>[^<]*</title>)?(?P<words>[^<>]*[^\x00-\u05ff][^<>]*)</text>")


def with_fonts(svg: str) -> str:
    """The same picture, in which texts of other scripts name their fonts; texts in FONT's own letters stay as they are.

    >>> with_fonts('<text x="0">語</text>').startswith("<text font-family=\\"'Noto Sans CJK SC'")
    True
    """
    return TEXT.sub(named, svg)


def named(found: re.Match[str]) -> str:
    """One text with the fonts of its script, if it has one."""
    scripts = scripts_of(found["words"])
    others = set(scripts) - {""}
    if others and others <= WITH_LATIN:
        script = next(name for name in NEAREST if name in others)
    elif others and not any(letter.isalnum() for letter, of in zip(found["words"], scripts, strict=True) if not of):
        script = next(name for name in scripts if name)
    else:
        return found[0]
    return f'<text font-family="{families(script)}" {found["rest"]}>{found["tip"] or ""}{found["words"]}</text>'


def families(script: str) -> str:
    """As `font-family` has them.

    >>> families("THAI")[:40]
    "'Noto Sans Thai', 'Thonburi', 'Leelawade"
    """
    own = [] if script in NAMED else [f"Noto Sans {script.title()}"]
    return ", ".join(f"'{name}'" for name in [*own, *FONTS[script]]) + f", {FONT}"


def scripts_of(words: str) -> list[str]:
    """The script of each letter, as FONTS calls it; empty: letters that FONT has, and signs between words.

    >>> scripts_of("aनि語!")
    ['', 'DEVANAGARI', 'DEVANAGARI', 'HAN', '']
    """
    found: list[str] = []
    for letter in words:
        before = found[-1] if found else ""
        if is_emoji(letter):
            found.append("EMOJI")
        elif unicodedata.category(letter) in ("Mn", "Me", "Cf") or letter == JOINER:
            found.append(before)  # it belongs to the letter before
        else:
            first = unicodedata.name(letter, "").partition(" ")[0].partition("-")[0]
            script = OWN.get(first, first)
            found.append(script if script in FONTS else "")
    return found


def is_emoji(letter: str) -> bool:
    """Pictures of the later planes, flags and skin colours; older signs, such as ✓, are letters of any font."""
    return "\U0001f1e6" <= letter <= "\U0001f1ff" or "\U0001f300" <= letter <= "\U0001faff"
