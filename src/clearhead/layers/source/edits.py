"""Edits of a source text, and two texts as a diff."""

import difflib
from itertools import groupby
from typing import NamedTuple

from clearhead.layers.source.file_text import lines_in


class Edit(NamedTuple):
    """Write `text` over the bytes from `start` to `end` of the source."""

    start: int
    end: int
    text: str

    def apply(self, source: str) -> str:
        data = source.encode()
        return (data[: self.start] + self.text.encode() + data[self.end :]).decode()


def diff_of(given: str, edited: str, title: str) -> str:
    """A unified diff with one line of context. Line against line where no line was added, which the general search for
    equal runs would not find among a thousand equal layers."""
    before, after = lines_in(given), lines_in(edited)
    if len(before) != len(after):
        return "\n".join(difflib.unified_diff(before, after, "as it is", title, lineterm="", n=1))
    changed = [at for at, (one, other) in enumerate(zip(before, after, strict=True)) if one != other]
    found = ["--- as it is", f"+++ {title}"]
    while changed:
        end = 1
        while end < len(changed) and changed[end] - changed[end - 1] <= 3:
            end += 1
        first, last = max(0, changed[0] - 1), min(len(before), changed[end - 1] + 2)
        found.append(f"@@ -{first + 1},{last - first} +{first + 1},{last - first} @@")
        for same, run in groupby(range(first, last), lambda at: before[at] == after[at]):
            places = list(run)
            signs = [(" ", before)] if same else [("-", before), ("+", after)]
            found += [f"{sign}{lines[at]}" for sign, lines in signs for at in places]
        changed = changed[end:]
    return "\n".join(found)
