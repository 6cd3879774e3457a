"""What `clearhead look` does: look, or trace, write a file if one is wanted, and say what was seen."""

import json as notation
from pathlib import Path

from clearhead.errors import InputError
from clearhead.lens.looking import Wanted, look_at_folder
from clearhead.lens.show.look_files import require_look_name, save_look
from clearhead.lens.show.look_text import look_json, look_text
from clearhead.pictures import picture_file, require_picture_name, themed
from clearhead.saving import save


def look_command(
    folder: Path,
    text: str,
    wanted: Wanted,
    out: Path | None = None,
    head: str = "",
    digits: int = 3,
    json: bool = False,
    theme: str = "light",
) -> str:
    """Look at a text in a run or a Hugging Face folder; the answer is text or JSON, the file whatever its name says."""
    if out is not None:
        require_look_name(out)
        themed("", theme)
    seen = look_at_folder(folder, text, wanted)
    if head:
        seen.head(head)
    if out is not None:
        save_look(seen, out, head, digits, theme)
    if json:
        return look_json(seen, weights=False) if out is not None else look_json(seen)
    return look_text(seen) + ("" if out is None else f"\nwritten: {out}")


def trace_command(
    folder: Path,
    text: str,
    other: str,
    wanted: Wanted,
    out: Path | None = None,
    json: bool = False,
    theme: str = "light",
) -> str:
    """Trace where an answer comes from, with another text; the file is a picture."""
    from clearhead.lens.causes.traced_run import traced_run
    from clearhead.lens.show.trace_text import trace_picture, trace_text, trace_tree
    from clearhead.training.folders.runs import trained

    for name in wanted.asked("without", "temperature", "answer", "write", "target"):
        raise InputError(f"--trace follows a model as it was trained: it does not go together with --{name}.")
    if out is not None:
        require_picture_name(out)
        themed("", theme)
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder; name a run folder, such as clearhead runs lists.")
    found = traced_run(trained(folder), text, other)
    if out is not None:
        save(picture_file(themed(trace_picture(found.traced, found.answers), theme), out), out)
    if json:
        return notation.dumps(trace_tree(found.traced, found.answers), ensure_ascii=False)
    told = "\n".join([*(f"note: {note}" for note in found.notes), trace_text(found.traced, found.answers, found.tokens)])
    return told + ("" if out is None else f"\nwritten: {out}")
