"""What the store holds and what it could hold, as rows, as text, as JSON."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass

from clearhead.corpora.corpus_kinds import BUILT_IN
from clearhead.corpora.store.catalogue import KNOWN, PublicCorpus
from clearhead.corpora.store.store_folder import KeptFile, files_of, kept_names, recorded


@dataclass(frozen=True, slots=True)
class FileRow:
    """One file of a corpus in the list."""

    name: str
    source: str | None
    bytes: int
    sha256: str | None  # published with Clearhead, else recorded from the first download, else not known
    here: bool


@dataclass(frozen=True, slots=True)
class CorpusRow:
    """One corpus in the list."""

    name: str
    status: str  # built in, here, in part, own files, to get, to add
    bytes: int
    checksum: str  # published, recorded, none yet, or how many of its files have one
    what: str
    files: list[FileRow]


def rows() -> list[CorpusRow]:
    """The built-in corpora, the known public ones, and your own."""
    built_in = [CorpusRow(name, "built in", 0, "not needed", what, []) for name, what in BUILT_IN.items()]
    record = recorded()
    known = [known_row(corpus, record) for corpus in KNOWN.values()]
    return [*built_in, *known, *(own_row(name, record) for name in kept_names() if name not in KNOWN)]


def known_row(corpus: PublicCorpus, record: Mapping[str, str]) -> CorpusRow:
    here = {path.name for path in files_of(corpus.name)}
    files = [
        FileRow(file.name, file.address, file.size, file.sha256 or record.get(f"{corpus.name}/{file.name}"), file.name in here)
        for file in corpus.files
    ]
    published = all(file.sha256 for file in corpus.files)
    checksum = "published" if published else checksums(files)
    return CorpusRow(corpus.name, status_of(corpus, files, here), corpus.size, checksum, corpus.what, files)


def status_of(corpus: PublicCorpus, files: Sequence[FileRow], here: Collection[str]) -> str:
    if all(file.here for file in files):
        return "here"
    if any(file.here for file in files):
        return "in part"
    if here:
        return "own files"
    return "to get" if corpus.can_be_fetched else "to add"


def checksums(files: Sequence[FileRow]) -> str:
    """How many files have a SHA-256 to be held against."""
    having = sum(file.sha256 is not None for file in files)
    if having == len(files):
        return "recorded"
    return f"{having} of {len(files)}" if having else "none yet"


def own_row(name: str, record: Mapping[str, str]) -> CorpusRow:
    files = [FileRow(path.name, None, path.stat().st_size, record.get(f"{name}/{path.name}"), True) for path in files_of(name)]
    return CorpusRow(name, "here", sum(file.bytes for file in files), checksums(files), "your own", files)


def as_text(listed: Sequence[CorpusRow]) -> str:
    """The list in columns, for people; under each corpus where it comes from."""
    lines = [("NAME", "STATUS", "SIZE", "SHA-256", "WHAT")]
    lines += [(row.name, row.status, human(row.bytes), row.checksum, row.what) for row in listed]
    widths = [max(len(line[column]) for line in lines) for column in range(4)]
    table = []
    for line, row in zip(lines, [None, *listed], strict=True):
        table.append("  ".join([*(cell.ljust(width) for cell, width in zip(line, widths, strict=False)), line[4]]))
        sources = [file.source for file in row.files if file.source] if row else []
        if sources:
            more = f" and {len(sources) - 1} more" if len(sources) > 1 else ""
            table.append(" " * (sum(widths) + 8) + sources[0] + more)
    notes = (
        "",
        "published: a download must match the SHA-256 that comes with Clearhead. none yet: we never held these bytes;",
        "the first download's SHA-256 is recorded, and later ones must match it.",
    )
    return "\n".join([*table, *notes])


def as_json(listed: Sequence[CorpusRow]) -> str:
    """The list for programs."""
    return json.dumps([asdict(row) for row in listed], indent=1, ensure_ascii=False)


def kept_text(kept: Sequence[KeptFile]) -> str:
    """What became of each file, one a line."""
    said = {
        "published": "matches the published SHA-256",
        "first": "no SHA-256 was known; this one is recorded",
        "as before": "matches the SHA-256 recorded before",
        "differs": "note: not the bytes that are known under this name",
    }
    return "\n".join(f"{each.path}  {each.sha256[:16]}…  {said[each.check]}" for each in kept)


def human(size: int) -> str:
    """A size as people say it.

    >>> human(419_253), human(1_115_394), human(0)
    ('419 kB', '1.1 MB', '')
    """
    for unit, power in (("MB", 10**6), ("kB", 10**3)):
        if size >= power:
            number = size / power
            return f"{number:.1f} {unit}" if number < 10 else f"{number:.0f} {unit}"
    return f"{size} B" if size else ""
