"""Threads wait briefly where others compute too: seen in time, undone in time, and without a bit of difference."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import torch

from clearhead.training.machines import brief_waits
from clearhead.training.machines.brief_waits import Sleepers, brief_waits_in_company, in_company, queue_times, share_queued

WATCHER = "queue watcher"
linux = pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="this kernel does not say who waits for a core")


def watchers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == WATCHER]


def test_the_share_is_that_of_the_threads_that_were_there_all_along() -> None:
    before = {"1": (10**9, 0), "2": (10**9, 10**9), "3": (5 * 10**9, 5 * 10**9)}
    now = {"1": (2 * 10**9, 0), "2": (2 * 10**9, 2 * 10**9), "4": (7 * 10**9, 0)}  # 1 s and 1 s computing, 0 and 1 queueing
    assert share_queued(before, now) == pytest.approx(1 / 3)
    assert share_queued(before, before) is None
    assert share_queued({}, now) is None


def test_a_share_between_the_limits_changes_nothing() -> None:
    state, seen = False, []
    for share in (0.0, 0.1, 0.2, 0.1, 0.06, None, 0.04, 0.1, 0.149):
        state = in_company(share, state)
        seen.append(state)
    assert seen == [False, False, True, True, True, True, False, False, False]


@linux
def test_the_queue_of_this_process_can_be_read() -> None:
    times = queue_times()
    assert str(os.getpid()) in times
    assert all(computing >= 0 and queued >= 0 for computing, queued in times.values())


def test_nobody_watches_for_one_thread_nor_where_the_kernel_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(torch, "get_num_threads", lambda: 1)
        with brief_waits_in_company():
            assert not watchers()
    monkeypatch.setattr(torch, "get_num_threads", lambda: 2)
    monkeypatch.setattr(brief_waits, "THREADS", Path("nowhere"))
    with brief_waits_in_company():
        assert not watchers()


@linux
def test_one_watches_however_often_it_is_asked_and_goes_with_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch, "get_num_threads", lambda: 2)

    def failing() -> None:
        with brief_waits_in_company(), brief_waits_in_company():
            assert len(watchers()) == 1
            raise ZeroDivisionError

    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            failing()
        assert not watchers()


def test_sleepers_come_once_and_all_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brief_waits, "needed", lambda: 3)
    before, sleepers = threading.active_count(), Sleepers()
    for wanted, count in ((False, 0), (True, 3), (True, 3), (False, 0), (False, 0), (True, 3), (False, 0)):
        sleepers.keep(wanted)
        assert threading.active_count() - before == len(sleepers.threads) == count


@pytest.mark.parametrize(("cores", "threads"), [(2, 2), (8, 8), (64, 32), (64, 2), (3, 2), (2, 1), (128, 127)])
def test_with_the_sleepers_there_are_more_threads_than_cores(cores: int, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(cores)), raising=False)
    monkeypatch.setattr(torch, "get_num_threads", lambda: threads)
    count = brief_waits.needed()
    assert threads == 1 or threads + count * (threads - 1) > cores
    assert count == 0 or threads + (count - 1) * (threads - 1) <= cores, "no more of them than it takes"


ALONE_AND_IN_COMPANY = """
import os, sys, time
from pathlib import Path
import torch
from clearhead.training import named_recipe, start_run, train_run
from clearhead.training.machines import brief_waits

def threads():
    return len(os.listdir("/proc/self/task"))

def comes(condition):  # the kernel takes a moment to end a thread that Python has joined
    for _ in range(1000):
        if condition():
            return True
        time.sleep(0.01)
    return False

def weights(folder):
    train_run(start_run(named_recipe("fast", SMALL), Path(folder)))
    return next(Path(folder).glob("checkpoints/*/weights.safetensors")).read_bytes()

SMALL = ["corpus=world:people=20", "vocabulary.size=300", "model.width=64", "model.memory=64", "model.heads=2",
         "training.batch=1024", "epochs=0", "training.tokens=8000"]
brief_waits.LOOK = 0.01
alone = weights(sys.argv[1] + "/alone")
time.sleep(1.0)  # the watcher of that training ends
before = threads()
brief_waits.share_queued = lambda before, now: 0.5
with brief_waits.brief_waits_in_company():
    assert comes(lambda: threads() >= before + 3), "the watcher, a sleeper, and a thread of OpenMP that it has"
    company = weights(sys.argv[1] + "/company")
    brief_waits.share_queued = lambda before, now: 0.0
    assert comes(lambda: threads() <= before + 1), "let go again: with them go their threads"
assert comes(lambda: threads() <= before)
assert alone == company
print("equal", torch.get_num_threads())
"""


@linux
def test_what_is_computed_in_company_is_the_same_bit_for_bit(tmp_path: Path) -> None:
    told = {**os.environ, "OMP_NUM_THREADS": "2", "MKL_NUM_THREADS": "2"}
    child = subprocess.run(
        [sys.executable, "-c", ALONE_AND_IN_COMPANY, str(tmp_path)], env=told, capture_output=True, text=True, timeout=300
    )
    assert child.stdout == "equal 2\n", child.stderr
