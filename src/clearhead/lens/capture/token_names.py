"""What each token is called, and where in the text it stands."""

from collections.abc import Callable, Sequence

from clearhead.corpora import Vocabulary

BROKEN = "\ufffd"  # what half a letter decodes to
PART = "·"


def token_names(vocabulary: Vocabulary, ids: Sequence[int]) -> list[str]:
    """The text of each token, as `named_by` finds it."""
    return named_by(vocabulary.decode, ids)


def named_by(decode: Callable[[Sequence[int]], str], ids: Sequence[int]) -> list[str]:
    """The text of each token; of a letter that is spelled by several, the last is called by it and the others `·`."""
    names = []
    start = 0
    for place in range(len(ids)):
        said = decode(ids[start : place + 1])
        if BROKEN in said and place - start < 4 and place + 1 < len(ids):
            names.append(PART)
            continue
        names.append(said or PART)
        start = place + 1
    return names


def spans_of_tokens(names: Sequence[str], joint: str = "") -> list[tuple[int, int]]:
    """Where each token stands in the text that they spell: (start, end).

    >>> spans_of_tokens(["Ada", " Lind", "?"])
    [(0, 3), (3, 8), (8, 9)]
    """
    spans, at = [], 0
    for name in names:
        size = 0 if name == PART else len(name)
        spans.append((at, at + size))
        at += size + len(joint)
    return spans


def tokens_within(names: Sequence[str], spans: Sequence[tuple[int, int]], joint: str = "") -> list[int]:
    """The tokens that share a letter with any of the spans.

    >>> tokens_within(["Where", " was", " Ada", " Lind", " born?"], [(10, 18)])
    [2, 3]
    """
    stand = spans_of_tokens(names, joint)
    return [place for place, (start, end) in enumerate(stand) if any(start < last and end > first for first, last in spans)]
