"""The library of bundled problems: listed, searched, shown and copied out."""

import json
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from clearhead import examples
from clearhead.errors import InputError
from clearhead.saving import save
from clearhead.working.file_tree import read_tree

LEVELS = ("easy", "medium", "hard")
SUFFIX = ".toml"


@dataclass(frozen=True, slots=True)
class LibraryEntry:
    """One problem as the list shows it."""

    name: str
    level: str
    topic: str
    kind: str
    title: str


@cache
def entries() -> tuple[LibraryEntry, ...]:
    """Every bundled problem, by topic, the easy ones first."""
    found = []
    for name in examples.names((SUFFIX,)):
        tree = read_tree(examples.find(name, (SUFFIX,)))
        words = [str(tree.get(key, "")) for key in ("level", "topic", "kind", "title")]
        found.append(LibraryEntry(name.removeprefix("examples/").removesuffix(SUFFIX), *words))
    return tuple(sorted(found, key=lambda entry: (entry.topic.lower(), LEVELS.index(entry.level), entry.name)))


def matching(words: str = "") -> tuple[LibraryEntry, ...]:
    """The problems in which every one of some words stands: in name, topic, kind, level, title or the file itself.

    >>> [entry.name for entry in matching("gelu")]
    ['feed-forward-gelu']
    """
    wanted = words.lower().split()
    found = []
    for entry in entries():
        said = " ".join(asdict(entry).values()).lower()
        if all(word in said or word in source_of(entry.name).lower() for word in wanted):
            found.append(entry)
    if not found:
        topics = sorted({entry.topic for entry in entries()}, key=str.lower)
        raise InputError(f"no bundled problem has {words!r} in it; topics are {', '.join(topics)}")
    return tuple(found)


def listed(found: tuple[LibraryEntry, ...]) -> str:
    """One a line: name, level, topic, title."""
    widths = [max(len(getattr(entry, key)) for entry in found) for key in ("name", "level", "topic")]
    lines = (f"{e.name:{widths[0]}}  {e.level:{widths[1]}}  {e.topic:{widths[2]}}  {e.title}" for e in found)
    return "".join(f"{line}\n" for line in lines)


def as_json(found: tuple[LibraryEntry, ...]) -> str:
    return json.dumps([asdict(entry) for entry in found], ensure_ascii=False, indent=1) + "\n"


def source_of(name: str) -> str:
    """The file of a problem as it is."""
    short = name.removeprefix("examples/").removesuffix(SUFFIX)
    known = [entry.name for entry in entries()]
    if short not in known:
        raise InputError(f"there is no bundled problem {name!r}{near(short, known)}")
    return examples.find(f"examples/{short}", (SUFFIX,)).read_text(encoding="utf-8")


def near(name: str, known: list[str]) -> str:
    from difflib import get_close_matches

    found = get_close_matches(name, known, n=3, cutoff=0.5)
    return f"; did you mean {' or '.join(found)}?" if found else "; `clearhead examples` lists them"


def copied(name: str, folder: Path) -> Path:
    """The file of a problem, copied into a folder; one that is there already stays."""
    source = source_of(name)
    path = folder / f"{name.removeprefix('examples/').removesuffix(SUFFIX)}{SUFFIX}"
    if path.exists():
        raise InputError(f"{path} is there already; move it away, or copy into another folder with --out")
    return save(source, path)
