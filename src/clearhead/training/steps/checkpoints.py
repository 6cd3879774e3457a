"""Everything a run needs to go on, in a folder that appears whole or not at all: safetensors and JSON, no pickle.

checkpoints/<step>/weights.safetensors    the model
checkpoints/<step>/optimisers.safetensors momenta and the like, and the random state
checkpoints/<step>/state.json             counters, position in the data, SHA-256 of the two files; written last
"""

import errno
import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor
from torch.amp import GradScaler
from torch.optim import Optimizer

from clearhead.errors import InputError
from clearhead.models import Model
from clearhead.training.machines.cut_files import read_cut, write_cut
from clearhead.training.machines.processes import by_the_first
from clearhead.training.machines.row_states import whole_state
from clearhead.training.machines.weight_shards import any_cut

WEIGHTS, OPTIMISERS, STATE = "weights.safetensors", "optimisers.safetensors", "state.json"
RANDOM = "random.torch"
KEPT = 2  # checkpoints that stay; the newest may be damaged later, and then the one before it serves


@dataclass(slots=True)
class Progress:
    """How far a run is."""

    step: int = 0
    tokens: int = 0  # real tokens seen
    seconds: float = 0.0  # spent, over all sittings
    best_loss: float | None = None  # the smallest loss on what is held out, where that is looked at ...
    best_step: int = 0  # ... and when that was


def save_checkpoint(
    folder: Path,
    model: Model,
    optimisers: list[Optimizer],
    progress: Progress,
    position: list[int],
    scaler: GradScaler | None = None,
) -> Path:
    """Write a checkpoint beside the others and then move it into its place; older ones go only after that.

    Every process must take part. The first one writes, unless weights are cut among them: then all do.
    """
    final = folder / str(progress.step)
    part = folder / f".{progress.step}.part"
    tensors, scalars = flattened(optimisers)
    tensors[RANDOM] = torch.get_rng_state()
    files = {WEIGHTS: whole_state(model), OPTIMISERS: tensors}
    state: dict[str, Any] = {"progress": asdict(progress), "position": position, "optimisers": scalars}
    if scaler is not None and scaler.is_enabled():
        state["scaler"] = scaler.state_dict()
    try:
        by_the_first(lambda: empty_folder(part))
        if any_cut(files[WEIGHTS]):
            tensors[RANDOM] = tensors[RANDOM].float()  # bytes; what puts parts together knows floating point only
            for name, named in files.items():  # it also makes 0 of a number that has no axis
                write_cut(part / name, {key: value.reshape(1) if value.dim() == 0 else value for key, value in named.items()})
            files = {name: {} for name in files}
        by_the_first(lambda: put_in_place(part, final, files, state))
    except (OSError, SafetensorError) as error:
        shutil.rmtree(part, ignore_errors=True)
        raise InputError(could_not_save(folder, error)) from error
    by_the_first(lambda: drop_old(folder, progress.best_step))
    return final


def empty_folder(part: Path) -> None:
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)


def put_in_place(part: Path, final: Path, files: dict[str, dict[str, Tensor]], state: dict[str, Any]) -> None:
    """Write what is not written yet, the state last, and let the checkpoint appear."""
    for name, tensors in files.items():
        if tensors:
            write_tensors(part / name, tensors)
        else:
            make_lasting(part / name)
    state["sha256"] = {name: sha256(part / name) for name in files}
    write_synced(part / STATE, json.dumps(state, indent=1).encode())
    if is_sound(final):  # the same step saved again holds the same bytes
        shutil.rmtree(part)
    else:
        shutil.rmtree(final, ignore_errors=True)  # one that was damaged, if any
        part.replace(final)
        sync_folder(final.parent)


def drop_old(folder: Path, best: int) -> None:
    """All but the last two go, and the one that did best on what is held out."""
    for older in steps_in(folder)[:-KEPT]:
        if older != best:
            shutil.rmtree(folder / str(older), ignore_errors=True)


def could_not_save(folder: Path, error: Exception) -> str:
    """One sentence on a checkpoint that could not be written."""
    full = getattr(error, "errno", None) == errno.ENOSPC or "No space left" in str(error)
    reason = "the disk is full" if full else f"writing failed ({error})"
    steps = steps_in(folder)
    last = f"the last good one is {folder / str(steps[-1])}" if steps else "there is no earlier one"
    return f"{folder}: no checkpoint could be saved, {reason}; {last}. Make room and go on from there."


def load_checkpoint(
    checkpoint: Path, model: Model, optimisers: list[Optimizer] | None = None, scaler: GradScaler | None = None
) -> tuple[Progress, list[int]]:
    """Put a checkpoint into a model and, to go on training, into its optimisers and the random state.

    `latest` finds one whose files are what was written. Weights that are cut among processes are read part by part.
    """
    try:
        state = json.loads((checkpoint / STATE).read_text(encoding="utf-8"))
        weights = model.state_dict()
        if any_cut(weights):
            read_cut(checkpoint, weights)
        else:
            weights = load_file(checkpoint / WEIGHTS)
        model.load_state_dict(weights)
        if optimisers is not None:
            tensors = optimiser_tensors(checkpoint / OPTIMISERS, optimisers)
            torch.set_rng_state(tensors.pop(RANDOM).to(torch.uint8))
            counts = {name: value.reshape(()) for name, value in tensors.items() if name.endswith("/step")}
            restore(optimisers, tensors | counts, state["optimisers"])
        if scaler is not None and "scaler" in state:
            scaler.load_state_dict(state["scaler"])
        return Progress(**state["progress"]), list(state["position"])
    except (OSError, SafetensorError, RuntimeError, KeyError, TypeError, ValueError, IndexError) as error:
        reason = " ".join(str(error).split())[:200]
        raise InputError(f"{checkpoint}: this checkpoint does not fit its recipe.toml: {reason}.") from error


def optimiser_tensors(file: Path, optimisers: list[Optimizer]) -> dict[str, Tensor]:
    """The tensors of optimisers from a file, those of weights that are cut among processes cut likewise."""
    weights = [[w for group in each.param_groups for w in group["params"]] for each in optimisers]
    if not any_cut({str(w): weight for w, weight in enumerate(w for some in weights for w in some)}):
        return load_file(file)
    tensors: dict[str, Tensor] = {}
    with safe_open(file, "pt") as opened:
        for name in opened.keys():  # noqa: SIM118  (it is no dict)
            size, kind = opened.get_slice(name).get_shape(), opened.get_slice(name).get_dtype()
            owner, _, place = name.partition("/")
            like = weights[int(owner)][int(place.split("/")[0])] if place else None
            cut = like is not None and list(like.shape) == size and size
            tensors[name] = torch.zeros_like(like) if like is not None and cut else blank(size, kind)
    read_cut(file.parent, tensors)
    return tensors


def blank(size: list[int], kind: str) -> Tensor:
    """Room for a small tensor that every process has whole; safetensors' names of types are its own."""
    return torch.zeros(size, dtype=torch.uint8 if kind == "U8" else torch.float32, device="cpu")


def latest(folder: Path) -> tuple[Path | None, list[str]]:
    """The newest checkpoint that is undamaged, and a note on each damaged one that was passed over."""
    notes: list[str] = []
    for step in reversed(steps_in(folder)):
        try:
            verified_state(folder / str(step))
        except InputError as error:
            notes.append(str(error))
        else:
            return folder / str(step), notes
    if notes:
        raise InputError(f"{notes[0]} No other checkpoint is left; start again in another folder.")
    return None, notes


def verified_state(checkpoint: Path) -> dict[str, Any]:
    """The state of a checkpoint whose files are all what was written."""
    try:
        state: dict[str, Any] = json.loads((checkpoint / STATE).read_text(encoding="utf-8"))
        for name, wanted in state["sha256"].items():
            if sha256(checkpoint / name) != wanted:
                raise InputError(f"{checkpoint / name} is damaged: its bytes are not those that were saved.")
    except (OSError, ValueError, KeyError, AttributeError, TypeError) as error:
        raise InputError(f"{checkpoint} is damaged: {type(error).__name__} {error}.") from error
    return state


def is_sound(checkpoint: Path) -> bool:
    """Whether there is a checkpoint here whose files are all what was written."""
    try:
        verified_state(checkpoint)
    except InputError:
        return False
    return True


def progress_in(folder: Path) -> Progress:
    """How far the newest checkpoint of a folder is, by its own word; nowhere if there is none."""
    steps = steps_in(folder)
    try:
        state = json.loads((folder / str(steps[-1]) / STATE).read_text(encoding="utf-8"))
        return Progress(**state["progress"])
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        return Progress()


def steps_in(folder: Path) -> list[int]:
    """The steps of all checkpoints in a folder, in order."""
    if not folder.is_dir():
        return []
    return sorted(int(path.name) for path in folder.iterdir() if path.name.isdigit())


def flattened(optimisers: list[Optimizer]) -> tuple[dict[str, Tensor], list[dict[str, Any]]]:
    """The state of optimisers as named tensors, and the plain numbers among it apart."""
    tensors: dict[str, Tensor] = {}
    scalars: list[dict[str, Any]] = []
    for number, optimiser in enumerate(optimisers):
        plain: dict[str, Any] = {}
        for weight, name, value in entries(optimiser):
            if isinstance(value, Tensor):
                tensors[f"{number}/{weight}/{name}"] = value
            else:
                plain[f"{weight}/{name}"] = value
        scalars.append(plain)
    return tensors, scalars


def entries(optimiser: Optimizer) -> Iterator[tuple[int, str, Any]]:
    for weight, state in optimiser.state_dict()["state"].items():
        for name, value in state.items():
            yield weight, name, value


def restore(optimisers: list[Optimizer], tensors: dict[str, Tensor], scalars: list[dict[str, Any]]) -> None:
    """The reverse of `flattened`; the rates come from the recipe and the schedule."""
    for number, optimiser in enumerate(optimisers):
        state: dict[int, dict[str, Any]] = {}
        for name, value in (tensors | {f"{number}/{key}": value for key, value in scalars[number].items()}).items():
            owner, weight, key = name.split("/")
            if int(owner) == number:
                state.setdefault(int(weight), {})[key] = value
        optimiser.load_state_dict({"state": state, "param_groups": optimiser.state_dict()["param_groups"]})


def write_tensors(path: Path, tensors: dict[str, Tensor]) -> None:
    save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, path)
    make_lasting(path)


def make_lasting(path: Path) -> None:
    """On the disk, not only on its way there; and readable by whom new files are."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())
    mask = os.umask(0)
    os.umask(mask)
    path.chmod(0o666 & ~mask)  # the library lets its owner read it and nobody else


def write_synced(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Make a rename last through a loss of power, where the system lets one."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        os.fsync(handle)
        os.close(handle)


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
