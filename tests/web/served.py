"""A real `clearhead serve` in a process of its own, for tests."""

import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class Served:
    """Where it listens."""

    port: int
    process: int

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def get(self, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
        return self.send("GET", path, None, headers)

    def post(self, path: str, body: bytes, **headers: str) -> tuple[int, dict[str, str], bytes]:
        return self.send("POST", path, body, {"Content-Type": "application/json"} | headers)

    def ask(self, name: str, **asked: Any) -> Any:
        status, _, body = self.post(f"/desk/{name}", json.dumps(asked).encode())
        assert status == 200
        return json.loads(body)

    def send(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
            reply = connection.getresponse()
            return reply.status, {name.lower(): value for name, value in reply.getheaders()}, reply.read()
        finally:
            connection.close()


@contextmanager
def serving(*options: str) -> Iterator[Served]:
    """A server on a free port, stopped at the end."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "clearhead", "serve", "--port", str(port), *options]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=os.environ | {"OMP_NUM_THREADS": "1"}
    )
    try:
        until_open(port, process)
        yield Served(port, process.pid)
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)


def until_open(port: int, process: "subprocess.Popen[str]") -> None:
    began = time.monotonic()
    while time.monotonic() - began < PATIENCE:
        assert process.poll() is None, process.communicate()[0]
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("the server did not start")
