"""Which data a run learned from: where every file lay, and its SHA-256, in `data.json`."""

import hashlib
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from clearhead.corpora.corpus import Corpus
from clearhead.corpora.store.store_folder import kept_names
from clearhead.errors import InputError
from clearhead.saving import write_whole
from clearhead.training.folders.run_folder import DATA


@dataclass(frozen=True, slots=True)
class FileRecord:
    """One file as it was: where it lay, seen from anywhere and from the run folder, and what it held."""

    path: str
    relative: str
    bytes: int
    sha256: str

    def found_again(self, folder: Path) -> Path | None:
        """Where the file is now, if it or the run folder together with it was moved; None: nowhere known."""
        places = (Path(self.path), Path(os.path.normpath(folder / self.relative)))
        return next((place for place in places if place.exists()), None)


@dataclass(frozen=True, slots=True)
class DataRecord:
    """Everything that a run read to learn from."""

    corpus: str  # the name that was typed
    files: tuple[FileRecord, ...]  # none where the corpus is made on the spot

    @property
    def fingerprint(self) -> str:
        """One number for all of it: the same bytes have the same, wherever they lie."""
        parts = [record.sha256 for record in self.files] or [self.corpus]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    def changed(self, now: "DataRecord") -> str:
        """What is other than it was, in a few words; empty: nothing."""
        if self.fingerprint == now.fingerprint:
            return ""
        if len(self.files) != len(now.files):
            return f"it had {len(self.files):,} files, and now has {len(now.files):,}"
        pairs = zip(self.files, now.files, strict=True)
        before, after = next(((old, new) for old, new in pairs if old.sha256 != new.sha256), (None, None))
        if before is None or after is None:
            return f"it was {self.corpus}, and now is {now.corpus}"
        return f"{after.path} had the SHA-256 {before.sha256[:12]}…, and now has {after.sha256[:12]}…"


def record_of(corpus: Corpus, folder: Path) -> DataRecord:
    """The data of a corpus as it is now, seen from a run folder."""
    return DataRecord(corpus.name, tuple(file_record(path, folder) for path in corpus.files()))


def file_record(path: Path, folder: Path) -> FileRecord:
    """A file as it is now."""
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            size = file.tell()
    except OSError as error:
        raise InputError(f"{path}: cannot be read, {error.strerror}.") from error
    return FileRecord(str(path.resolve()), os.path.relpath(path.resolve(), folder.resolve()), size, digest)


def save_record(record: DataRecord, folder: Path) -> None:
    """Write it into a run folder."""
    tree = {"corpus": record.corpus, "fingerprint": record.fingerprint, "files": [asdict(each) for each in record.files]}
    write_whole(folder / DATA, json.dumps(tree, indent=1, ensure_ascii=False) + "\n")


def read_record(folder: Path) -> DataRecord | None:
    """What a run folder says of its data; None where it says nothing, as those of earlier versions."""
    try:
        tree = json.loads((folder / DATA).read_text(encoding="utf-8"))
        return DataRecord(str(tree["corpus"]), tuple(FileRecord(**each) for each in tree["files"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{folder / DATA}: what a run learned from was expected, as JSON; {error}.") from error


def lasting_name(name: str) -> str:
    """A name that means the same from every folder: a path becomes absolute; a kept corpus keeps its name, as any other."""
    is_path = name and name not in kept_names() and Path(name).exists()
    return str(Path(name).resolve()) if is_path else name


def place_now(name: str, record: DataRecord | None, folder: Path) -> str:
    """Where what a recipe names is now: as it says, or beside the run folder if both were moved together."""
    if record is None or not Path(name).is_absolute() or Path(name).exists():
        return name
    moved = [moved_to(Path(name), each, folder) for each in record.files]
    return next((str(place) for place in moved if place is not None), name)


def moved_to(old: Path, record: FileRecord, folder: Path) -> Path | None:
    """Where a file, or the folder that holds it, is now, told by one file of it that is found again."""
    now, was = record.found_again(folder), Path(record.path)
    if now is None or not (was == old or old in was.parents):
        return None
    up = len(was.relative_to(old).parts) if was != old else 0
    return [now, *now.parents][up]
