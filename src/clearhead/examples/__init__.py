"""The bundled examples, and the one function that finds them; everything else in this folder is data."""

from difflib import get_close_matches
from importlib import resources
from pathlib import Path, PurePosixPath

from clearhead.errors import InputError

__all__ = ["find", "names"]


def find(path: str, suffixes: tuple[str, ...]) -> Path:
    """The file that a person means: an existing file, or `examples/NAME` of the package, with or without its suffix.

    >>> find("examples/nets/exam-net", (".py",)).name
    'exam-net.py'
    """
    if is_file(Path(path)):
        return Path(path)
    wanted = PurePosixPath(path.replace("\\", "/"))
    if wanted.parts[:1] == ("examples",) and ".." not in wanted.parts:
        inside, shelf = wanted.relative_to("examples"), home()
        for name in (inside, *(PurePosixPath(f"{inside}{suffix}") for suffix in suffixes)):
            if name.suffix in suffixes and not name.name.startswith("_") and is_file(shelf / name):
                return shelf / name
    if is_folder(Path(path)):
        raise InputError(f"{path} is a folder; name one file in it.")
    bundled = names(suffixes)
    near = (
        get_close_matches(str(wanted), bundled, n=3, cutoff=0.6) or [n for n in bundled if wanted.stem and wanted.stem in n][:3]
    )
    hint = f" Did you mean {' or '.join(near)}?" if near else " Bundled ones start with examples/."
    raise InputError(f"there is no file {path!r}, here or among the bundled examples.{hint}")


def names(suffixes: tuple[str, ...]) -> list[str]:
    """The bundled examples that end in one of the suffixes, as a person writes them: `examples/…`."""
    shelf = home()
    inside = (file.relative_to(shelf) for file in shelf.rglob("*") if file.suffix in suffixes)
    return sorted(f"examples/{name.as_posix()}" for name in inside if not name.name.startswith("_"))


def home() -> Path:
    """Where the installed package keeps its examples."""
    return Path(str(resources.files("clearhead.examples")))


def is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that no file can have: too long, or with a null byte
        return False


def is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False
