"""`clearhead data shard`: parts of files to shards, several at once; stopped anywhere, it goes on with what is missing."""

import json
import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import numpy as np

from clearhead.corpora.shards.raw_parts import PART, RawPart, documents_of, files_under, parts_of
from clearhead.corpora.shards.shard_folder import (
    MANIFEST,
    TOKENIZER,
    Shard,
    ShardFolder,
    digest_of,
    is_shard_folder,
    open_shards,
)
from clearhead.corpora.vocabularies.byte_pairs import BytePairVocabulary
from clearhead.corpora.vocabularies.characters import CharacterVocabulary
from clearhead.corpora.vocabularies.encoded_text import LARGEST_SMALL_ID
from clearhead.corpora.vocabularies.saved_vocabulary import load_vocabulary
from clearhead.corpora.vocabularies.vocabulary import Vocabulary
from clearhead.errors import InputError
from clearhead.progress import Bar, Shown, unseen
from clearhead.saving import write_whole

PLAN = "plan.json"  # while it is being made
SAMPLED_PARTS, SAMPLED_EACH = 64, 1 << 18  # parts that byte pairs are learned from, and characters of each
KINDS = ("byte-pairs", "characters")
Made = TypeVar("Made")


@dataclass(frozen=True, kw_only=True)
class ShardWish:
    """How shards are to be made."""

    column: str = "text"  # of JSON lines and Parquet
    vocabulary: str = "byte-pairs"  # or characters, or a run folder or tokenizer.json whose one is taken
    size: int = 2048  # of byte pairs
    processes: int = 0  # 0: one a core
    part: int = PART  # bytes of a file that one shard is made of

    @property
    def workers(self) -> int:
        return self.processes or os.cpu_count() or 1


def sharded(places: Sequence[Path], out: Path, wish: ShardWish, bar: Bar = unseen) -> ShardFolder:
    """Make a folder of shards, or what is missing of it; one that is finished is verified."""
    if wish.processes < 0 or wish.part < 1:
        raise InputError(f"processes must be 0 or more; got {wish.processes}.")
    if not places:
        found = open_shards(out)
        found.verify(bar)
        return found
    if is_shard_folder(out):
        raise InputError(f"{out} holds finished shards already; verify them by naming no files, or take another folder.")
    require_vocabulary(wish.vocabulary)
    paths = files_under(places)
    parts = parts_of(paths, wish.column, wish.part)
    keep_plan(out, parts, paths, wish)
    with bar("sharding", "bytes") as shown:
        vocabulary = kept_vocabulary(out, parts, wish)
        shards = made(parts, out, wish, sum(path.stat().st_size for path in paths), shown)
    kind = "uint16" if vocabulary.size <= LARGEST_SMALL_ID else "uint32"
    folder = ShardFolder(out, kind, tuple(shard for shard in shards if shard.tokens), tuple(path.name for path in paths))
    if not folder.tokens:
        raise InputError(f"{paths[0]}: there is nothing to learn from: no text stands in the files.")
    folder.save()
    for leftover in [out / PLAN, *(out / record_name(number) for number in range(len(parts)))]:
        leftover.unlink(missing_ok=True)
    return folder


def require_vocabulary(name: str) -> None:
    """Refuse, before anything is written, a vocabulary that is neither a kind nor there."""
    if name not in KINDS:
        if not Path(name).exists():
            raise InputError(f"vocabulary {name!r} is not known: take {' or '.join(KINDS)}, a run folder or a tokenizer.json.")
        load_vocabulary(Path(name))


def keep_plan(out: Path, parts: Sequence[RawPart], paths: Sequence[Path], wish: ShardWish) -> None:
    """Write down what is to be made; what was begun otherwise is not gone on with."""
    inputs = [[str(path.resolve()), path.stat().st_size, path.stat().st_mtime_ns] for path in paths]
    how = asdict(replace(wish, processes=0))
    plan = json.dumps({"inputs": inputs, "parts": [asdict(part) for part in parts], "how": how}, indent=1)
    if (out / PLAN).exists():
        if (out / PLAN).read_text(encoding="utf-8") != plan:
            raise InputError(f"{out} was begun with other files or settings; take another folder, or remove this one.")
        return
    if out.exists() and any(out.iterdir()):
        raise InputError(f"{out} is there already and not empty; name another folder.")
    write_whole(out / PLAN, plan)


def kept_vocabulary(out: Path, parts: Sequence[RawPart], wish: ShardWish) -> Vocabulary:
    """The vocabulary of the folder: taken over, or learned, once."""
    place = out / TOKENIZER
    if not place.exists():
        if wish.vocabulary not in KINDS:
            load_vocabulary(Path(wish.vocabulary)).save(place)
        elif wish.vocabulary == "characters":
            characters: set[str] = {"\n"}
            for found in in_parallel(characters_of, parts, wish.workers):
                characters |= found[1]
            CharacterVocabulary.of("".join(characters)).save(place)
        else:
            BytePairVocabulary.of(list(sample_of(parts)), wish.size).save(place)
    return load_vocabulary(place)


def sample_of(parts: Sequence[RawPart]) -> Iterator[str]:
    """Some text of parts that are spread over all of them."""
    step = max(1, len(parts) // SAMPLED_PARTS)
    for part in parts[::step][:SAMPLED_PARTS]:
        left = SAMPLED_EACH
        for document in documents_of(part):
            yield document[:left]
            left -= len(document)
            if left <= 0:
                break


def characters_of(number: int, part: RawPart) -> set[str]:
    """Every character of a part."""
    return set().union(*map(set, documents_of(part)))


def made(parts: Sequence[RawPart], out: Path, wish: ShardWish, total: int, shown: Shown) -> list[Shard]:
    """The shards of all parts; those that are there already are left alone."""
    shards: dict[int, Shard] = {}
    for number in range(len(parts)):
        kept = kept_shard(out, number)
        if kept is not None:
            shards[number] = kept
    missing = [number for number in range(len(parts)) if number not in shards]
    for number, shard in in_parallel(partial(make_shard, out), [parts[each] for each in missing], wish.workers, missing):
        shards[number] = shard
        shown(total * len(shards) // len(parts), total)
    return [shards[number] for number in range(len(parts))]


def in_parallel(
    work: Callable[[int, RawPart], Made], parts: Sequence[RawPart], workers: int, numbers: Sequence[int] | None = None
) -> Iterator[tuple[int, Made]]:
    """(number, what the work made of the part), as they come; with few parts here, else in processes of their own."""
    pairs = list(zip(range(len(parts)) if numbers is None else numbers, parts, strict=True))
    if workers == 1 or len(pairs) < 2:
        yield from ((number, work(number, part)) for number, part in pairs)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(workers, len(pairs)), mp_context=context) as pool:
        waiting = iter(pairs)
        running = {pool.submit(work, *pair): pair[0] for pair in islice(waiting, 2 * workers)}
        try:
            while running:
                done = next(as_completed(running))
                number = running.pop(done)
                yield number, done.result()
                running |= {pool.submit(work, *pair): pair[0] for pair in islice(waiting, 1)}
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def make_shard(out: Path, number: int, part: RawPart) -> Shard:
    """One part encoded into one file, which appears whole, and its record after it."""
    vocabulary = vocabulary_of(out)
    kind = np.dtype(np.uint16 if vocabulary.size <= LARGEST_SMALL_ID else np.uint32)
    name = f"{number:06}.npy"
    half = out / f".{name}.part"
    tokens, documents = 0, 0
    with half.open("wb") as file:
        start = write_header(file, kind, 0)
        for document in documents_of(part):
            ids = vocabulary.encode(document)
            if not part.running:
                ids = [*ids, vocabulary.mask]
            np.asarray(ids, kind).tofile(file)
            tokens, documents = tokens + len(ids), documents + (not part.running)
        file.seek(0)
        if write_header(file, kind, tokens) != start:
            raise InputError(f"{half}: numpy wrote a header of another length; report it.")
        file.flush()
        os.fsync(file.fileno())
    half.replace(out / name)
    shard = Shard(name, tokens, documents, digest_of(out / name), start)
    write_whole(out / record_name(number), json.dumps(asdict(shard)))
    return shard


_loaded: dict[str, Vocabulary] = {}


def vocabulary_of(out: Path) -> Vocabulary:
    """The vocabulary of a folder, read once in a process."""
    place = str((out / TOKENIZER).resolve())
    if place not in _loaded:
        _loaded[place] = load_vocabulary(Path(place))
    return _loaded[place]


def write_header(file: BinaryIO, kind: np.dtype[Any], tokens: int) -> int:
    """The header of a .npy file of so many numbers; it is as long for any count."""
    np.lib.format.write_array_header_1_0(
        file, {"descr": np.lib.format.dtype_to_descr(kind), "fortran_order": False, "shape": (tokens,)}
    )
    return file.tell()


def record_name(number: int) -> str:
    return f"{number:06}.json"


def kept_shard(out: Path, number: int) -> Shard | None:
    """A shard that an earlier sitting finished; None where it is missing or not what was written."""
    try:
        shard = Shard(**json.loads((out / record_name(number)).read_text(encoding="utf-8")))
        return shard if digest_of(out / shard.file) == shard.sha256 else None
    except (OSError, ValueError, TypeError, InputError):
        return None


def shards_told(folder: ShardFolder, verified: bool) -> str:
    """What was made, or found whole."""
    what = "every byte is what was written" if verified else f"train on it: clearhead train RECIPE --set corpus={folder.folder}"
    documents = f"{folder.documents:,} documents, " if folder.documents else ""
    return f"{folder.folder}: {documents}{folder.tokens:,} tokens in {len(folder.shards):,} shards ({MANIFEST}); {what}"
