"""The signs between the sides of a statement: =, →, ← and the colon."""

import re

SIGN = re.compile(r"=|→|←|:(?=\s|$|[\[({0-9+-]|\*\*|__)")
PART = re.compile(r"[,;]\s+(?:(?:and|und|et|y|e|i|и|so|then)\s+)?|\s(?:and|und|et|y|e|и)\s+(?=\S{1,24}\s*[=→])")


def split_signs(text: str) -> list[tuple[str, str]]:
    """The sides of a statement, each with the sign before it; signs inside brackets split nothing.

    >>> split_signs("Row 1: softmax([1, 2]) = [0.27, 0.73]")
    [('', 'Row 1'), (':', ' softmax([1, 2]) '), ('=', ' [0.27, 0.73]')]
    """
    for mind_brackets in (True, False):
        parts: list[tuple[str, str]] = []
        depth, start, sign = 0, 0, ""
        marks = {mark.start(): mark[0] for mark in SIGN.finditer(text)}
        for at, letter in enumerate(text):
            depth += (letter in "([{") - (letter in ")]}")
            if at in marks and (depth <= 0 or not mind_brackets):
                parts.append((sign, text[start:at]))
                start, sign = at + 1, marks[at]
        parts.append((sign, text[start:]))
        if depth <= 0:
            break
    return parts


def several(text: str) -> list[str]:
    """The statements that one line holds where each has a sign of its own; the line itself where not.

    >>> several("divide: 3/2 = 1.5, 1/2 = 0.5 and 2/2 = 1"), several("scores = 1, 2 and 3")
    (['divide: 3/2 = 1.5', 'divide: 1/2 = 0.5', 'divide: 2/2 = 1'], ['scores = 1, 2 and 3'])
    """
    if sum(text.count(sign) for sign in "=→") < 2:
        return [text]
    pieces: list[str] = []
    start = depth = 0
    cuts = {mark.start(): mark.end() for mark in PART.finditer(text)}
    for at, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if at in cuts and depth <= 0 and at >= start:
            pieces.append(text[start:at])
            start = cuts[at]
    pieces.append(text[start:])
    told = [piece for piece in pieces if re.search(r"[=→]\s*\S", piece)]
    if len(pieces) < 2 or len(told) < len(pieces):
        return [text]
    prefix, colon, rest = pieces[0].partition(":")
    if not colon or re.search(r"[=→\[(]", prefix) or not rest.strip():
        return pieces
    return [pieces[0], *(piece if ":" in piece else f"{prefix}: {piece}" for piece in pieces[1:])]
