"""Files that the practice page wrote, as a teacher marks them: each says its problem, its seed and a checksum."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from clearhead.desk.practice import FORMAT, checksum, variant_of
from clearhead.errors import InputError
from clearhead.working.problem_file import tree_of
from clearhead.working.variants import toml

LARGEST = 1_000_000  # bytes


class HandedIn(NamedTuple):
    """One practice file: where it lies, its seed, its problem, and whether it is as it was written."""

    path: Path
    seed: int
    problem: str
    whole: bool


def drawn_for(problem: str, names: Sequence[str]) -> "tuple[str | Mapping[str, Any], list[str]]":
    """The problem that practice files answer, drawn by their seed; and what a teacher should know about them.

    Where no practice file is among the workings the problem is what it was.
    """
    found = [one for name in names for path in files_in(Path(name)) if (one := handed_in_at(path)) is not None]
    if not found:
        return problem, []
    seeds = sorted({one.seed for one in found})
    if len(seeds) > 1:
        said = ", ".join(f"{one.path.name}: {one.seed}" for one in found[:4])
        raise InputError(f"these were practised with different seeds ({said}); mark those of one seed at a time")
    tree, _ = tree_of(problem)
    told = [f"{one.path.name}: changed since it was written (its checksum differs)" for one in found if not one.whole]
    same = toml.written({key: value for key, value in tree.items() if key not in ("topic", "level")})
    told += [f"{one.path.name}: practised on another problem than {problem}" for one in found if one.problem != same]
    return (problem if seeds[0] == 0 else variant_of(tree, seeds[0])), told


def files_in(path: Path) -> list[Path]:
    return sorted(path.glob("*.json")) if path.is_dir() else [path] if path.suffix == ".json" and path.is_file() else []


def handed_in_at(path: Path) -> HandedIn | None:
    """The practice file at a path; None where it is something else."""
    try:
        if path.stat().st_size > LARGEST:
            return None
        tree = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(tree, dict) or tree.get("format") != FORMAT:
            return None
        kept = {key: tree[key] for key in ("format", "problem", "seed", "steps")}
        return HandedIn(path, int(tree["seed"]), str(tree["problem"]), tree.get("checksum") == checksum(kept))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
