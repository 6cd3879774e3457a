"""A look as a file, by the suffix of its name."""

from pathlib import Path

from clearhead.errors import InputError
from clearhead.lens.looks import Seen
from clearhead.lens.show.head_problem import head_problem
from clearhead.lens.show.look_pictures import look_picture
from clearhead.lens.show.look_text import look_json
from clearhead.pictures import picture_file, themed
from clearhead.saving import save

SUFFIXES = {
    ".html": "a page",
    ".svg": "a picture",
    ".png": "a picture",
    ".json": "numbers",
    ".toml": "one head as a problem to work by hand",
}


def require_look_name(path: Path) -> None:
    """Refuse a name that nothing can be written under, before anything is computed for it."""
    if path.suffix.lower() not in SUFFIXES:
        known = ", ".join(f"{suffix} ({what})" for suffix, what in SUFFIXES.items())
        raise InputError(f"{path}: by its name it is none of {known}; name it so.")


def save_look(look: Seen, path: Path, head: str = "", digits: int = 3, theme: str = "light") -> Path:
    """Write it; a problem is of one head, which must be named."""
    require_look_name(path)
    suffix = path.suffix.lower()
    if suffix == ".toml":
        if not head:
            raise InputError(f"{path}: a problem is made of one head; name it, such as 1.1.", "Add --head 1.1.")
        return save(head_problem(look, head, digits), path)
    if suffix == ".json":
        return save(look_json(look), path)
    if suffix == ".html":
        from clearhead.lens.show.look_page import look_page

        return save(look_page(look, head), path)
    return save(picture_file(themed(look_picture(look, head), theme), path), path)
