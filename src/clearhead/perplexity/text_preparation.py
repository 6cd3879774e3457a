"""Named steps that make a text more like what a model has read; each changes the text, and says so."""

import re
import unicodedata
from collections.abc import Callable

SIGNS = str.maketrans(
    {"“": '"', "”": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "…": "...", "(": ",", ")": ",", "[": ",", "]": ","}
)
SPEAKER = re.compile(r"^[A-Z][A-Za-z' ]{0,40}:[ \t]*\n", re.MULTILINE)


def lower_cased(text: str) -> str:
    return text.lower()


def plain_letters(text: str) -> str:
    """Letters without their marks (ā becomes a), and what else Unicode calls compatible.

    >>> plain_letters("Māori ﬁne")
    'Maori fine'
    """
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def plain_signs(text: str) -> str:
    """Typographic quotes and dashes as typewriters have them, brackets as commas."""
    return text.translate(SIGNS)


def numbers_folded(text: str) -> str:
    """Every digit as 3, the one digit that the Shakespeare text knows; for a model of words it changes nothing.

    >>> numbers_folded("in 1987")
    'in 3333'
    """
    return re.sub(r"\d", "3", text)


def speakers_dropped(text: str) -> str:
    """Without lines that only name who speaks.

    >>> speakers_dropped("First Citizen:\\nSpeak.\\n")
    'Speak.\\n'
    """
    return SPEAKER.sub("", text)


STEPS: dict[str, Callable[[str], str]] = {
    "lower-casing": lower_cased,
    "letters without marks": plain_letters,
    "plain punctuation": plain_signs,
    "numbers folded": numbers_folded,
    "speaker lines dropped": speakers_dropped,
}
