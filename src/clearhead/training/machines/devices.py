"""Where a model computes: the best device that is there, or the one that was asked for."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import torch

from clearhead.errors import InputError
from clearhead.models import Model
from clearhead.training.machines.brief_waits import brief_waits_in_company

DEVICES = ("auto", "cpu", "cuda", "mps")
_asked: ContextVar[str] = ContextVar("device", default="auto")


@contextmanager
def on_device(name: str) -> Iterator[None]:
    """Whatever is opened in here computes on this device."""
    found_device(name)  # refused before anything is read
    before = _asked.set(name)
    try:
        with brief_waits_in_company():
            yield
    finally:
        _asked.reset(before)


def asked_device() -> torch.device:
    """The device that was asked for, or the best that is there."""
    return found_device(_asked.get())


def placed(model: Model) -> Model:
    """The model on the device that was asked for; where nobody asked, on one that can do what it needs."""
    device = asked_device()
    if device.type == "mps" and model.tables():  # Apple's GPUs know no gradients of a few rows
        if _asked.get() == "mps":
            raise InputError("a model with sparse tables cannot be trained on mps; take the CPU.", "(--device cpu)")
        device = torch.device("cpu")
    return model.to(device)


def found_device(name: str = "auto") -> torch.device:
    """The device of a name; `auto` is a GPU where there is one. Of several GPUs each process takes its own."""
    there: dict[str, Callable[[], bool]] = {"cuda": torch.cuda.is_available, "mps": torch.backends.mps.is_available}
    if name not in DEVICES:
        raise InputError(f"device {name!r} is not known; devices: {', '.join(DEVICES)}.")
    if name in there and not there[name]():
        raise InputError(f"there is no {name} device here that this torch can use; take another one.", "(--device auto)")
    if name == "auto":
        name = next((kind for kind, is_there in there.items() if is_there()), "cpu")
    if name != "cuda":
        return torch.device(name)
    own = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")) % torch.cuda.device_count())
    torch.cuda.set_device(own)
    return own
