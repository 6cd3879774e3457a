"""Fetch one file over HTTP: go on where it stopped, verify, and let it appear whole or not at all."""

import hashlib
import http.client
import json
import os
import socket
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

from clearhead.errors import InputError

Progress = Callable[[int, int | None], None]
"""Told how many bytes are there and how many there will be, where that is known."""

CHUNK = 1 << 16
SLOWEST = 1024  # fewer bytes than this within the patience counts as a stall


@dataclass(frozen=True, kw_only=True)
class Patience:
    """How long to wait, and how often to try again."""

    seconds: float = 20.0  # for the server's next answer
    attempts: int = 6
    pause: float = 1.0  # before the second attempt; doubled each time


class Interrupted(Exception):
    """An attempt that failed in a way that another may not."""


def download(
    address: str,
    target: Path,
    workshop: Path,
    *,
    size: int | None = None,
    sha256: str | None = None,
    patience: Patience | None = None,
    progress: Progress = lambda done, total: None,
) -> str:
    """Fetch `address` to `target` and return its SHA-256; until it is whole and verified it stays in `workshop`.

    A file that is not what was promised is thrown away. One that merely stopped stays in the workshop, and the next
    call goes on from there, provided that the server says it is still the same file.
    """
    patience = patience or Patience()
    require_web_address(address)
    try:
        part = PartialFile.open(workshop, target.name, address, verifiable=sha256 is not None)
        fetch_whole(part, size, patience, progress)
        found = part.digest()
        if sha256 is not None and found != sha256:
            part.discard()
            raise InputError(
                f"{address}: the SHA-256 should be {sha256[:16]}…, the download has {found[:16]}…; "
                "it was thrown away. The source has changed or is not to be trusted."
            )
        target.parent.mkdir(parents=True, exist_ok=True)
        part.body.replace(target)
        part.discard()
    except OSError as error:
        raise InputError(
            f"{target}: cannot be written, {error.strerror or error}; free some space, or set CLEARHEAD_DATA."
        ) from error
    return found


@dataclass(frozen=True, slots=True)
class PartialFile:
    """What has come so far of one file, and which version of it that was."""

    address: str
    body: Path
    note: Path
    verifiable: bool  # a checksum will tell in the end whether the pieces belong together

    @classmethod
    def open(cls, workshop: Path, name: str, address: str, verifiable: bool) -> "PartialFile":
        """The part left by an earlier attempt at the same address, or an empty one."""
        workshop.mkdir(parents=True, exist_ok=True)
        part = cls(address, workshop / f"{name}.part", workshop / f"{name}.part.json", verifiable)
        if part.noted().get("address") != address:
            part.discard()
        return part

    @property
    def size(self) -> int:
        return self.body.stat().st_size if self.body.exists() else 0

    def noted(self) -> dict[str, Any]:
        try:
            note = json.loads(self.note.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return note if isinstance(note, dict) else {}

    def start_over(self, version: str | None) -> None:
        """Forget what came, and note the version of what will."""
        self.body.write_bytes(b"")
        self.note.write_text(json.dumps({"address": self.address, "version": version}), encoding="utf-8")

    def discard(self) -> None:
        self.body.unlink(missing_ok=True)
        self.note.unlink(missing_ok=True)

    def digest(self) -> str:
        with self.body.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


def fetch_whole(part: PartialFile, size: int | None, patience: Patience, progress: Progress) -> None:
    """Attempt after attempt until every byte is there."""
    for attempt in range(1, patience.attempts + 1):
        try:
            return fetch(part, size, patience, progress)
        except (Interrupted, urllib.error.URLError, http.client.HTTPException, TimeoutError, ConnectionError) as error:
            require_worth_retrying(part.address, error)
            if attempt == patience.attempts:
                came = (
                    f"{part.size:,} bytes came and are kept; run it again to go on from there" if part.size else "nothing came"
                )
                raise InputError(f"{part.address}: gave up after {attempt} attempts ({reason(error)}); {came}.") from error
            time.sleep(patience.pause * 2 ** (attempt - 1))
    return None


def fetch(part: PartialFile, size: int | None, patience: Patience, progress: Progress) -> None:
    """One attempt: ask for what is missing, and take it."""
    headers = {"User-Agent": "clearhead", "Accept-Encoding": "identity"}
    version = part.noted().get("version")
    if part.size and (version or part.verifiable):
        headers |= {"Range": f"bytes={part.size}-"} | ({"If-Range": version} if version else {})
    try:
        answer = urllib.request.urlopen(urllib.request.Request(part.address, headers=headers), timeout=patience.seconds)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            part.discard()  # more came than there is: what we have is of another file
        raise
    with answer:
        total = begin(part, answer)
        if size is not None and total not in (None, size):
            part.discard()
            raise InputError(f"{part.address}: should have {size:,} bytes, the server offers {total:,}; nothing was kept.")
        take(part, answer, total if size is None else size, patience, progress)


def begin(part: PartialFile, answer: Any) -> int | None:
    """Settle where the answer starts in the file, and return how long the whole file is, if the server says."""
    length = answer.headers.get("Content-Length", "")
    if answer.status == http.HTTPStatus.PARTIAL_CONTENT:
        place, _, total = answer.headers.get("Content-Range", "").removeprefix("bytes ").partition("/")
        if place.partition("-")[0] == str(part.size):
            return int(total) if total.isdigit() else None
        part.discard()
        raise Interrupted("the server sent another part of the file than was asked for")
    etag = answer.headers.get("ETag", "")
    part.start_over(etag if etag.startswith('"') else answer.headers.get("Last-Modified"))
    return int(length) if length.isdigit() else None


def take(part: PartialFile, answer: Any, total: int | None, patience: Patience, progress: Progress) -> None:
    """Append what comes to the part; too little, too much or too slowly is said."""
    done = part.size
    progress(done, total)
    with part.body.open("ab") as file:
        window, came = time.monotonic(), 0
        while chunk := next_chunk(answer):
            done, came = done + len(chunk), came + len(chunk)
            if total is not None and done > total:
                break
            file.write(chunk)
            progress(done, total)
            if time.monotonic() - window > patience.seconds:
                if came < SLOWEST:
                    raise Interrupted(f"under {SLOWEST} bytes came in {patience.seconds:g} s")
                window, came = time.monotonic(), 0
        settle(file)
    if total is not None and done > total:
        part.discard()
        raise InputError(f"{part.address}: should have {total:,} bytes, the server sends more; nothing was kept.")
    if total is not None and done < total:
        raise Interrupted(f"the connection ended after {done:,} of {total:,} bytes")


def next_chunk(answer: Any) -> bytes:
    """What comes next; a broken connection is told apart from a broken disk."""
    try:
        chunk: bytes = answer.read1(CHUNK)
    except OSError as error:
        raise Interrupted(reason(error)) from error
    return chunk


def settle(file: IO[bytes]) -> None:
    """Make sure that the bytes are on the disk before the file gets its name."""
    file.flush()
    os.fsync(file.fileno())


def require_worth_retrying(address: str, error: Exception) -> None:
    """A refusal that will not change is reported at once."""
    cause = getattr(error, "reason", None)
    if isinstance(error, urllib.error.HTTPError) and not (error.code in (408, 416, 425, 429) or error.code >= 500):
        raise InputError(f"{address}: the server answers {error.code} ({error.reason}); the address may have moved.") from error
    if isinstance(cause, socket.gaierror):
        raise InputError(f"{address}: the host cannot be found; is this machine on the network?") from error
    if isinstance(cause, ssl.SSLCertVerificationError):
        raise InputError(f"{address}: the server's certificate cannot be verified ({cause.verify_message}).") from error


def require_web_address(address: str) -> None:
    if urlsplit(address).scheme not in ("http", "https"):
        raise InputError(f"{address}: an http or https address was expected.")


def reason(error: Exception) -> str:
    """What went wrong, in a few words."""
    cause = getattr(error, "reason", None) or error
    return "the server stopped answering" if isinstance(cause, TimeoutError) else str(cause) or type(cause).__name__
