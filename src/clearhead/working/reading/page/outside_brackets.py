"""Brackets: where one closes, and what stands outside all of them."""

import re


def closing(text: str) -> int:
    depth = 0
    for at, sign in enumerate(text):
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
            if depth == 0:
                return at
    return -1


def split_outside(text: str, sign: "re.Pattern[str]") -> list[str]:
    parts: list[str] = []
    depth = start = at = 0
    while at < len(text):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        found = sign.match(text, at) if depth <= 0 else None
        if found is not None and found.end() > at:
            parts.append(text[start:at])
            start = at = found.end()
        else:
            at += 1
    return [*parts, text[start:]]
