"""The processes that train one run together (torchrun starts them): how many, which one this is, what only the first does."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import timedelta
from typing import Any, TypeVar

import torch
import torch.distributed as dist
from torch.distributed.distributed_c10d import PrefixStore
from torch.distributed.rendezvous import rendezvous

from clearhead.errors import ClearheadError, InputError, ToldError

PATIENCE = timedelta(hours=12)  # one that dies is noticed by torchrun; one that prepares a large corpus is waited for
MOMENT = timedelta(seconds=3)  # in which processes that fail for the same reason all have failed
LETTING_GO = 0.2  # seconds in which threads of gloo drop their tensors: after the end of Python that would be an abort
Made = TypeVar("Made")
_alone: ContextVar[bool] = ContextVar("alone", default=False)  # while the others wait for this one


def world() -> int:
    """How many processes train together."""
    return dist.get_world_size() if dist.is_available() and dist.is_initialized() and not _alone.get() else 1


def rank() -> int:
    """Which of them this is, from 0; the first one prints and writes."""
    return dist.get_rank() if dist.is_available() and dist.is_initialized() and not _alone.get() else 0


def launched() -> int:
    """How many processes torchrun started, joined already or not."""
    return int(os.environ.get("WORLD_SIZE", "1")) if "RANK" in os.environ else 1


def restarted() -> bool:
    """Whether torchrun started these processes again after one had died: then a run that is there is gone on with."""
    return int(os.environ.get("TORCHELASTIC_RESTART_COUNT", "0")) > 0


@contextmanager
def joined() -> Iterator[None]:
    """Meet the other processes, if torchrun started any: gloo between processors, NCCL between GPUs."""
    if launched() == 1 or dist.is_initialized():
        yield
        return
    try:
        meet()
        yield
        by_the_first(lambda: None)  # nobody leaves while the first has something to do: torch may abort one that leaves early
    except ToldError:
        raise
    except ClearheadError as error:
        raise (ToldError(str(error)) if told_by_the_first() else error) from None
    except RuntimeError as error:
        if "onnect" not in str(error):
            raise
        raise (ToldError if os.environ["RANK"] != "0" else InputError)(
            "another of the processes is gone; go on from the last checkpoint, or let torchrun do that.", "(--max-restarts 3)"
        ) from error
    finally:
        if dist.is_initialized():
            dist.destroy_process_group()
            time.sleep(LETTING_GO)


def meet() -> None:
    """Form a group of all processes. Those that torchrun started again share a board with the dead, whose addresses stand on it
    still: each attempt writes on a part of its own."""
    board, own, count = next(rendezvous("env://", timeout=PATIENCE))
    attempt = PrefixStore(f"attempt {os.environ.get('TORCHELASTIC_RESTART_COUNT', '0')}", board)
    backend = "cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo"
    dist.init_process_group(backend, store=attempt, rank=own, world_size=count, timeout=PATIENCE)


def told_by_the_first() -> bool:
    """Whether the first process has an error to tell too: what all of them refuse is told once."""
    board = dist.distributed_c10d._get_default_store()
    if dist.get_rank() == 0:
        board.set("the first has failed", "yes")
        return False
    try:
        board.wait(["the first has failed"], MOMENT)
    except RuntimeError:
        return False
    return True


def by_the_first(work: Callable[[], Made]) -> Made | None:
    """Let the first process do something while the others wait; where it fails all fail, and it alone says why."""
    if world() == 1:
        return work()
    made: Made | None = None
    failed: list[Any] = [None]
    alone = _alone.set(True)
    try:
        if dist.get_rank() == 0:
            made = work()
    except BaseException as error:
        failed = [str(error)]
        raise
    finally:
        _alone.reset(alone)
        dist.broadcast_object_list(failed, src=0)
    if failed[0] is not None:
        raise ToldError(failed[0])
    return made


def found_by_the_first(work: Callable[[], Made]) -> Made:
    """The same, and everybody hears what it found."""
    found = [by_the_first(work)]
    if world() > 1:
        dist.broadcast_object_list(found, src=0)
    heard: Any = found[0]
    made: Made = heard
    return made


def summed(values: Sequence[float]) -> list[float]:
    """Each number added up over all processes, the same on every one of them."""
    if world() == 1:
        return list(values)
    whole = torch.tensor(values, dtype=torch.float64, device="cpu")
    dist.all_reduce(whole)
    added: list[float] = whole.tolist()
    return added


def said_by_the_first(values: list[float]) -> list[float]:
    """The numbers of the first process, on every one."""
    if world() == 1:
        return values
    told = torch.tensor(values, dtype=torch.float64, device="cpu")
    dist.broadcast(told, src=0)
    heard: list[float] = told.tolist()
    return heard
