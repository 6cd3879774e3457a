"""Some workers, each in a process of its own: a question that takes too long, or that nobody waits for, ends its worker."""

import asyncio
import contextlib
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator

from clearhead.web.worker_process import HEADER

MOST_ANSWERS = 500  # of one worker, which is then replaced: what it has kept goes with it
MOST_WAITING = 200


class Busy(Exception):
    """More wait than can be served in a while."""


class Worker:
    """One process, started when it is first asked."""

    def __init__(self, desk: str) -> None:
        self.desk = desk
        self.process: Process | None = None
        self.answers = 0

    async def start(self) -> Process:
        if self.process is None or self.process.returncode is not None:
            command = (sys.executable, "-m", "clearhead.web.worker_process", self.desk)
            self.process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE)
            self.answers = 0
        return self.process

    async def ask(self, name: str, text: str) -> str:
        """One question and its answer; a worker that dies over it has none."""
        process = await self.start()
        assert process.stdin is not None
        assert process.stdout is not None
        message = f"{name}\n{text}".encode()
        process.stdin.write(b"%08x" % len(message) + message)
        await process.stdin.drain()
        size = int(await process.stdout.readexactly(HEADER), 16)
        self.answers += 1
        return (await process.stdout.readexactly(size)).decode()

    async def stop(self) -> None:
        process, self.process = self.process, None
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


class WorkerPool:
    """So many workers of one desk."""

    def __init__(self, desk: str, size: int, seconds: float) -> None:
        self.seconds = seconds
        self.size = size
        self.waiting = 0
        self.workers = [Worker(desk) for _ in range(size)]
        self.free: asyncio.Queue[Worker] = asyncio.Queue()

    async def start(self, warm: str = "") -> None:
        """Every worker started; with `warm`, once asked, so that the first person does not wait for imports."""
        for worker in self.workers:
            self.free.put_nowait(worker)
            if warm:
                name, _, text = warm.partition("\n")
                await worker.ask(name, text)

    @contextlib.asynccontextmanager
    async def worker(self) -> AsyncIterator[Worker]:
        """A free worker; it comes back whole, or as a fresh one."""
        if self.waiting >= MOST_WAITING:
            raise Busy
        self.waiting += 1
        try:
            worker = await self.free.get()
        finally:
            self.waiting -= 1
        done = False
        try:
            yield worker
            done = worker.answers < MOST_ANSWERS
        finally:
            if not done:
                await asyncio.shield(worker.stop())
            self.free.put_nowait(worker)

    async def ask(self, name: str, text: str, seconds: float | None = None) -> str:
        """The answer, or in its place a complaint that says what happened."""
        limit = seconds or self.seconds
        try:
            async with self.worker() as worker:
                return await asyncio.wait_for(worker.ask(name, text), limit)
        except TimeoutError:
            return complaint(f"this took more than {limit:g} seconds and was stopped; give fewer or shorter numbers")
        except (asyncio.IncompleteReadError, ConnectionError):
            return complaint("this took more than the worker had, and ended it; give fewer or shorter numbers")
        except Busy:
            return complaint("too many are waiting; try again in a moment")

    async def close(self) -> None:
        for worker in self.workers:
            await worker.stop()


def complaint(sentence: str) -> str:
    """An error as the desk says it."""
    return json.dumps({"ok": False, "error": sentence, "bug": False, "at": None})
