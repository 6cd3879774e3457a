"""The folder where corpora are kept: `CLEARHEAD_DATA`, or one in the user's home; each corpus is a folder in it."""

import hashlib
import json
import os
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import platformdirs

from clearhead.corpora.corpus_kinds import BUILT_IN
from clearhead.corpora.store.catalogue import KNOWN, PublicCorpus, PublicFile
from clearhead.corpora.store.download import Patience, download
from clearhead.errors import InputError
from clearhead.progress import Bar, unseen
from clearhead.saving import write_whole

NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")
RECORD = "checksums.json"  # SHA-256 of what was first downloaded or added, by corpus/file
WORKSHOP = ".partial"  # half files live here, never beside whole ones


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file of the store, and what is known of its bytes."""

    path: Path
    sha256: str
    check: Literal["published", "first", "as before", "differs"]
    """As published here; the first of its kind, now recorded; the same as recorded; or other than published."""


def data_folder() -> Path:
    """Where corpora live."""
    named = os.environ.get("CLEARHEAD_DATA")
    if named:
        return Path(named).expanduser()
    return platformdirs.user_data_path("clearhead", appauthor=False)


def folder_of(name: str) -> Path:
    """Where the corpus of this name is or would be; a name cannot lead out of the data folder."""
    if name in BUILT_IN:
        raise InputError(f"{name!r} is built in and needs no folder; see it with: clearhead data show {name}")
    if not NAME.fullmatch(name):
        raise InputError(f"a corpus name is made of small letters, digits, dots and dashes; got {name!r}.")
    return data_folder() / name


def files_of(name: str) -> list[Path]:
    """The files of a kept corpus, in order."""
    folder = folder_of(name)
    return sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else []


def kept_names() -> list[str]:
    """The names of every corpus in the data folder."""
    folder = data_folder()
    inside = sorted(folder.iterdir()) if folder.is_dir() else []
    return [path.name for path in inside if path.is_dir() and NAME.fullmatch(path.name) and path.name not in BUILT_IN]


def places_meant(name: str) -> list[Path]:
    """Where what a name means may lie, the likeliest first: a kept corpus wins over a file or folder here of the same name."""
    here, kept = Path(name), data_folder() / name
    return [kept, here] if name in kept_names() else [here, kept]


def get_corpus(name: str, bar: Bar = unseen, patience: Patience | None = None) -> list[KeptFile]:
    """Download what is missing of a known corpus; what is there already is verified and left alone."""
    if name in BUILT_IN:
        raise InputError(f"{name!r} is built in: nothing to download. See it with: clearhead data show {name}")
    if name not in KNOWN:
        raise InputError(f"no public corpus is called {name!r}; known: {', '.join(KNOWN)}. Your own: clearhead data add")
    return [get_file(KNOWN[name], file, bar, patience) for file in KNOWN[name].files]


def get_file(corpus: PublicCorpus, file: PublicFile, bar: Bar, patience: Patience | None) -> KeptFile:
    """One file of a known corpus, downloaded if it is not there."""
    target = folder_of(corpus.name) / file.name
    if target.exists():
        kept = verified(corpus.name, target, digest_of(target))
        if kept.check == "differs":
            raise InputError(
                f"{target}: these are not the bytes that are known under this name; remove the file and get it again."
            )
        return kept
    if file.address is None:
        names = " ".join(each.name for each in corpus.files)
        raise InputError(
            f"{corpus.name} stands at no public address that lasts; "
            f"with your own copy: clearhead data add {corpus.name} {names}"
        )
    expected = file.sha256 or recorded().get(f"{corpus.name}/{file.name}")
    with bar(f"{corpus.name}/{file.name}", "bytes") as progress:
        found = download(
            file.address,
            target,
            data_folder() / WORKSHOP / corpus.name,
            size=file.size if file.sha256 else None,
            sha256=expected,
            patience=patience,
            progress=progress,
        )
    return verified(corpus.name, target, found)


def add_files(name: str, files: Sequence[Path]) -> list[KeptFile]:
    """Copy your own files into the store under a name; nothing that is there already is overwritten."""
    folder = folder_of(name)
    require_addable(folder, files)
    kept = []
    for file in files:
        target = folder / file.name
        if not target.exists():
            try:
                copy_whole(file, target, data_folder() / WORKSHOP / name)
            except OSError as error:
                raise InputError(
                    f"{target}: cannot be written, {error.strerror}; CLEARHEAD_DATA can name another folder."
                ) from error
        kept.append(verified(name, target, digest_of(target)))
    return kept


def require_addable(folder: Path, files: Sequence[Path]) -> None:
    """Refuse before anything is copied: what is no file, two of one name, another file already there."""
    if not files:
        raise InputError(f"at least one file is needed; for instance: clearhead data add {folder.name} my.txt")
    for file in files:
        target = folder / file.name
        if not file.is_file():
            raise InputError(f"{file}: a file was expected; {'this is a folder' if file.is_dir() else 'there is none'}.")
        if [other.name for other in files].count(file.name) > 1:
            raise InputError(f"{file.name}: two files of one name cannot be added at once; rename one.")
        if target.exists() and digest_of(target) != digest_of(file):
            raise InputError(f"{target}: another file of this name is there already; remove it or rename yours.")


def copy_whole(file: Path, target: Path, workshop: Path) -> None:
    """Copy so that the target appears whole or not at all."""
    workshop.mkdir(parents=True, exist_ok=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    half = workshop / f"{file.name}.copy"
    try:
        shutil.copyfile(file, half)
        half.replace(target)
    finally:
        half.unlink(missing_ok=True)


def verified(name: str, file: Path, sha256: str) -> KeptFile:
    """Compare a kept file with what is published here or was recorded; the first of its kind is recorded."""
    published = {public.name: public.sha256 for public in KNOWN[name].files} if name in KNOWN else {}
    wanted = published.get(file.name)
    if wanted is not None:
        return KeptFile(file, sha256, "published" if sha256 == wanted else "differs")
    key, record = f"{name}/{file.name}", recorded()
    if key not in record:
        write_whole(data_folder() / RECORD, json.dumps(record | {key: sha256}, indent=1, sort_keys=True) + "\n")
        return KeptFile(file, sha256, "first")
    return KeptFile(file, sha256, "as before" if record[key] == sha256 else "differs")


def recorded() -> dict[str, str]:
    """The SHA-256 of each first download or addition."""
    file = data_folder() / RECORD
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise InputError(f"{file}: JSON was expected; {error}. Remove the file to record anew.") from error
    if not isinstance(record, dict) or not all(isinstance(value, str) for value in record.values()):
        raise InputError(f"{file}: an object of SHA-256 strings was expected. Remove the file to record anew.")
    return record


def digest_of(file: Path) -> str:
    try:
        with file.open("rb") as bytes_of:
            return hashlib.file_digest(bytes_of, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{file}: cannot be read, {error.strerror}.") from error
