"""Pages that write 0,62 for 0.62: told by the page as a whole, read with points, and shown as they were written."""

import re
from dataclasses import replace

from clearhead.working.written import Reading

BRACED = re.compile(r"(?<=\d)\{,\}\s?(?=\d)")  # LaTeX's 0{,}62
NO_SPACE = re.compile(r",(?<=\d,)\d")  # looked for by its comma
PAIR = re.compile(r"(?<![\d.,_])(?<!_\{)(\d+),(\d+)(?!\d|,\d)")
THOUSANDS = re.compile(r"[1-9]\d{0,2},\d{3}")
DECIMALS = re.compile(r"0,\d+|\d+,(?:\d\d|\d{4,})")
POINT = re.compile(r"(?<![\d.,])\d+\.\d+(?![\d.])")
LISTED = re.compile(r"\[\s*[−-]?\d+,[−-]?\d+\s*\]|(?<![·*×+/(=-] )(?<![·*×+/(=-])\(\s*-?\d+,-?\d+\s*\)")
PARTED = re.compile(r"[\[(]\s*[+-]?\d+,\d+\s*;[^\[\]()\n]*[\])]")  # (0,19; 0,44)
ROW = re.compile(r"[\[(](?:\s*[+−-]?\d+(?:\.\d+)?\s*;)+\s*[+−-]?\d+(?:\.\d+)?\s*[\])]")  # parted by semicolons: no column
HEADING = re.compile(r"^\s*(?:#+|\d+\.)[^\n]*$", re.MULTILINE)
FEWEST = 3  # decimal commas before a page is said to use them
MORE = 3  # times as many as points


def uses_commas(text: str) -> bool:
    """Whether a page writes its decimals with commas.

    >>> uses_commas("0,19 + 0,44 = 0,63"), uses_commas("[1,2] . [0,1] = 2, then 0.25, 0,5 and 0.75")
    (True, False)
    """
    if NO_SPACE.search(text) is None and "{,}" not in text:
        return False
    pairs = [pair[0] for pair in PAIR.finditer(LISTED.sub(" ", BRACED.sub(",", text)))]
    commas = [pair for pair in pairs if not THOUSANDS.fullmatch(pair)]
    if len(commas) < FEWEST:
        return False
    plain = all(DECIMALS.fullmatch(pair) for pair in commas)  # no list of single digits among them
    return plain or len(commas) >= MORE * len(POINT.findall(HEADING.sub("", text)))


def with_points(text: str) -> str:
    """The text with points for decimal commas, sign for sign in the same place but for LaTeX's {,}.

    >>> with_points("(0,19; 0,44), [1,2] and 12,80")
    '(0.19, 0.44), [1,2] and 12.80'
    >>> with_points("(0,19; 0,44), (0,5; 1), (2,21), [1,2]")  # whoever parts lists so has one number in (2,21)
    '(0.19, 0.44), (0.5, 1), (2.21), [1,2]'
    """
    commas = uses_commas(text)
    if "{,}" in text:
        text = BRACED.sub(".", text)
    if not commas:
        return text
    kept = [(mark.start(), mark.end()) for mark in LISTED.finditer(text)]
    parted = len(PARTED.findall(text)) > 1

    def pointed(pair: "re.Match[str]") -> str:
        inside = any(start <= pair.start() < end for start, end in kept)
        alone = parted and text[text.rfind("(", 0, pair.start()) + 1 : pair.start()].strip(" +-") == ""
        listed = inside and not (alone and DECIMALS.fullmatch(pair[0]))
        return pair[0] if listed else f"{pair[1]}.{pair[2]}"

    return ROW.sub(lambda row: row[0].replace(";", ","), PAIR.sub(pointed, text))


def as_on_page(reading: Reading) -> Reading:
    """A reading of such a page with its numbers as they stand there."""
    if not reading.page or not uses_commas(reading.page):
        return reading
    steps = {
        name: replace(step, cells={p: c._replace(text=c.text.replace(".", ",")) for p, c in step.cells.items()})
        for name, step in reading.steps.items()
    }
    return replace(reading, steps=steps)
