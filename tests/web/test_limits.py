"""Limits of `clearhead serve`, each with what it refuses: addresses, time, memory, and what nobody waits for any more."""

import asyncio
import json
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request

from clearhead.errors import InputError
from clearhead.web import server as server_module
from clearhead.web.server import body_of
from clearhead.web.torch_desk import answer, run_in
from web.served import serving

ROWS = [[(7 * i + 3 * j) % 11 - 5 for j in range(4)] for i in range(120)]
SQUARE = [[(5 * i + 2 * j) % 7 - 3 for j in range(4)] for i in range(4)]
LONG = json.dumps({"problem": {"kind": "attention", "given": {"X": ROWS, "W_Q": SQUARE, "W_K": SQUARE, "W_V": SQUARE}}})
"""A question that takes a minute."""


def children(pid: int) -> set[int]:
    return {int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()}


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="this system does not tell of its processes")
def test_a_computation_that_nobody_waits_for_ends_with_its_worker_and_only_this_machine_is_listened_to() -> None:
    with serving() as server:
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.2", server.port), timeout=5)
        before = children(server.process)
        with socket.create_connection(("127.0.0.1", server.port)) as asking:
            head = f"POST /desk/work HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Type: application/json\r\n"
            asking.sendall(f"{head}Content-Length: {len(LONG)}\r\n\r\n{LONG}".encode())
            time.sleep(0.3)
            assert children(server.process) == before
        until = time.monotonic() + 10
        while children(server.process) >= before and time.monotonic() < until:
            time.sleep(0.05)
        assert len(before - children(server.process)) == 1  # the worker that computed is gone, the other lives
        assert server.ask("work", example="softmax")["ok"]


def test_a_question_that_does_not_arrive_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "SLOW_BODY", 0.05)

    async def receive() -> dict[str, Any]:
        if not sent:
            sent.append(True)
            return {"type": "http.request", "body": b"{", "more_body": True}
        await asyncio.sleep(60)
        raise AssertionError

    sent: list[bool] = []
    request = Request({"type": "http", "headers": [], "method": "POST", "path": "/"}, receive)
    assert asyncio.run(body_of(request, 100)) is None


@pytest.mark.skipif(sys.platform != "linux", reason="other systems may not limit memory")
def test_a_worker_that_wants_more_memory_than_it_may_have_is_refused_it() -> None:
    script = "from clearhead.web.worker_process import limit_memory; limit_memory(2**28); x = bytearray(2**29)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stderr.strip().endswith("MemoryError")


@pytest.mark.parametrize("name", ["..", "../runs", "/etc", "first/../../x", "", "first\0", None, 3, ["first"]])
def test_a_run_is_chosen_from_those_there_are_whatever_a_client_says(tmp_path: Path, name: Any) -> None:
    (tmp_path / "runs").mkdir()
    with pytest.raises(InputError, match="there is no such run"):
        run_in(str(tmp_path / "runs"), {"run": name})
    found = json.loads(answer("local_run", json.dumps({"runs": str(tmp_path / "runs"), "asked": json.dumps({"run": name})})))
    assert found["ok"] is False
