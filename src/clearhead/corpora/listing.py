"""What the store holds and what it could hold, as rows, as text, as JSON."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from clearhead.corpora.catalogue import BUILT_IN, KNOWN, Corpus
from clearhead.corpora.store import Kept, files_of, kept_names, recorded


@dataclass(frozen=True, slots=True)
class Row:
    """One corpus in the list."""

    name: str
    status: str  # built in, here, in part, to get, to add
    bytes: int | None
    checksum: str  # published, recorded, in part, none yet, none
    what: str
    sources: list[str]


def rows() -> list[Row]:
    """The built-in corpora, the known public ones, and your own."""
    built_in = [Row(name, "built in", None, "none", what, []) for name, what in BUILT_IN.items()]
    known = [known_row(corpus) for corpus in KNOWN.values()]
    return [*built_in, *known, *(own_row(name) for name in kept_names() if name not in KNOWN)]


def known_row(corpus: Corpus) -> Row:
    here = {path.name for path in files_of(corpus.name)}
    missing = [file for file in corpus.files if file.name not in here]
    if not missing:
        status = "here"
    elif here:
        status = "in part"
    else:
        status = "to get" if corpus.can_be_fetched else "to add"
    sources = [file.address for file in corpus.files if file.address]
    return Row(corpus.name, status, corpus.size, checksum_of(corpus), corpus.what, sources)


def checksum_of(corpus: Corpus) -> str:
    """Whose word a download of this corpus is held against."""
    published = sum(file.sha256 is not None for file in corpus.files)
    first = sum(f"{corpus.name}/{file.name}" in recorded() for file in corpus.files if file.sha256 is None)
    if published == len(corpus.files):
        return "published"
    if published + first == len(corpus.files):
        return "recorded"
    return f"{published + first} of {len(corpus.files)}" if published + first else "none yet"


def own_row(name: str) -> Row:
    files = files_of(name)
    first = sum(f"{name}/{path.name}" in recorded() for path in files)
    return Row(name, "here", sum(path.stat().st_size for path in files), "recorded" if first else "none", "your own", [])


def as_text(listed: Sequence[Row]) -> str:
    """The list in columns, for people."""
    lines = [("NAME", "STATUS", "SIZE", "SHA-256", "WHAT")]
    lines += [(row.name, row.status, human(row.bytes), row.checksum, row.what) for row in listed]
    widths = [max(len(line[column]) for line in lines) for column in range(4)]
    table = ["  ".join([*(cell.ljust(width) for cell, width in zip(line, widths, strict=False)), line[4]]) for line in lines]
    notes = (
        "",
        "published: a download must match the SHA-256 that comes with Clearhead. none yet: we never held these bytes;",
        "the first download's SHA-256 is recorded, and later ones must match it.",
    )
    return "\n".join([*table, *notes])


def as_json(listed: Sequence[Row]) -> str:
    """The list for programs."""
    return json.dumps([asdict(row) for row in listed], indent=1, ensure_ascii=False)


def kept_text(kept: Sequence[Kept]) -> str:
    """What became of each file, one a line."""
    said = {
        "published": "matches the published SHA-256",
        "first": "no SHA-256 was known; this one is recorded",
        "as before": "matches the SHA-256 recorded before",
        "differs": "note: not the bytes that are known under this name",
    }
    return "\n".join(f"{each.path}  {each.sha256[:16]}…  {said[each.check]}" for each in kept)


def human(size: int | None) -> str:
    """A size as people say it.

    >>> human(419_253), human(84_000_000), human(None)
    ('419 kB', '84 MB', '')
    """
    if size is None:
        return ""
    for unit, power in (("MB", 10**6), ("kB", 10**3)):
        if size >= power:
            number = size / power
            return f"{number:.1f} {unit}" if number < 10 else f"{number:.0f} {unit}"
    return f"{size} B"
