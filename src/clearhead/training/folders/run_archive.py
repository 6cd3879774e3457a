"""A run folder as one file that can be carried elsewhere: recipe, vocabulary, last checkpoint, figures; no data."""

import io
import tarfile
from pathlib import Path

from clearhead.errors import InputError
from clearhead.saving import save
from clearhead.training.folders.run_folder import CHECKPOINTS, LOCK, RECIPE, WRITER
from clearhead.training.steps.checkpoints import latest


def pack_run(folder: Path, file: Path) -> Path:
    """Write a run folder, and the runs inside it, as a .tar.gz; of each its last good checkpoint."""
    if not (folder / RECIPE).exists():
        raise InputError(f"{folder} holds no run: there is no {RECIPE} in it.")
    if not file.name.endswith((".tar.gz", ".tgz")):
        raise InputError(f"{file}: a packed run is a .tar.gz file; name it so.")
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for path in files_to_pack(folder):
            archive.add(path, Path(folder.resolve().name) / path.relative_to(folder), recursive=False)
    return save(packed.getvalue(), file)


def files_to_pack(folder: Path) -> list[Path]:
    """Every file of a run folder but locks, half-written ones and older checkpoints."""
    newest = {checkpoints: latest(checkpoints)[0] for checkpoints in folder.rglob(CHECKPOINTS) if checkpoints.is_dir()}
    chosen = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        inside = next((checkpoints for checkpoints in newest if checkpoints in path.parents), None)
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        old = inside is not None and newest[inside] not in path.parents
        if path.name not in (LOCK, WRITER) and not hidden and not old:
            chosen.append(path)
    return chosen


def unpack_run(file: Path, into: Path) -> Path:
    """Put a packed run into a folder, under its own name; a file that would lie elsewhere is refused."""
    try:
        with tarfile.open(file, "r:gz") as archive:
            names = {Path(name).parts[0] for name in archive.getnames() if Path(name).parts}
            if len(names) != 1:
                raise InputError(f"{file}: one packed run was expected; it holds {len(names)} folders.")
            target = into / names.pop()
            if target.exists():
                raise InputError(f"{target} is there already; unpack into another folder.")
            into.mkdir(parents=True, exist_ok=True)
            archive.extractall(into, filter="data")
    except (OSError, tarfile.TarError, EOFError) as error:
        raise InputError(f"{file}: a packed run was expected; {error}.") from error
    return target
