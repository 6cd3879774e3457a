"""Write a file whole or not at all: the one way in which any file of ours appears."""

import os
from pathlib import Path

from clearhead.errors import InputError


def save(content: str | bytes, path: Path) -> Path:
    """Put the content where the path says; what stood there before stays until the new file is complete."""
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    try:
        target = path.resolve()
        if target.exists() and not target.is_file():
            if target.is_dir():
                raise InputError(f"{path} is a folder; name a file in it.")
            target.write_bytes(data)  # a device or a pipe has no half-written state
            return path
        part = target.with_name(f".{target.name[:200]}.{os.getpid()}.part")
        try:
            part.write_bytes(data)
            os.replace(part, target)
        finally:
            part.unlink(missing_ok=True)
    except (OSError, ValueError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"{path} cannot be written: {reason}; name a file in a folder that exists and is yours.") from None
    return path


def write_whole(path: Path, text: str) -> None:
    """The same for a file of a folder that is ours to make."""
    path.parent.mkdir(parents=True, exist_ok=True)
    save(text, path)
