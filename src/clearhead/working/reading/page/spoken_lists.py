"""Numbers told one after the other in a sentence: 0.71, 0.95 and 0.60; 49% bake, 49% a, 3% cake."""

import re

DECIMAL = r"[+-]?(?:\d+\.\d+|\.\d+)%?"
AND = r"(?:[,;、，]\s*(?:(?:and|und|et|y|e|i|и|en|ve)\s)?|\s(?:and|und|et|y|e|i|и|en|ve)\s|和|と|및|與|그리고)"
TOLD = re.compile(
    rf"(?<![\w.,/·×*^=(\[-])(?<![·×*/+=-] ){DECIMAL}(?:\s*{AND}\s*{DECIMAL})+(?![\w.]*[\d(\[]|\s*[·×*/+^=-]|\s+(?:is|are)\b)"
)
PERCENT = r"\d{1,3}(?:\.\d+)?\s?%"
SHARES = re.compile(rf"(?<![\w.,]){PERCENT}(?:[^%.\d\n=]{{1,40}}{PERCENT})+")
ONE = re.compile(rf"{PERCENT}|{DECIMAL}")


def spoken_lists(text: str) -> list[tuple[int, int, list[str]]]:
    """Where each such list begins and ends, and its numbers as written.

    >>> spoken_lists("we get 0.71, 0.95 and 0.60."), spoken_lists("about 91.0% and 9.0% of it")
    ([(7, 26, ['0.71', '0.95', '0.60'])], [(6, 20, ['91.0%', '9.0%'])])
    """
    found = [*SHARES.finditer(text)] or [*TOLD.finditer(text)]
    return [
        (mark.start(), mark.end(), [one[0] for one in ONE.finditer(mark[0])])
        for mark in found
        if not is_inside_brackets(text[: mark.start()])
    ]


def is_inside_brackets(before: str) -> bool:
    return any(before.count(opening) > before.count(shut) for opening, shut in ("[]", "()", "{}"))
