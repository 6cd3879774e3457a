"""`clearhead serve`: the pages and the desk on this machine. No path of a client's reaches the disk."""

import asyncio
import contextlib
import json
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from clearhead.desk import FUNCTIONS
from clearhead.web.front_files import LOCAL_PAGES, PAGES, front_files, tag_of, type_of
from clearhead.web.guards import COOKIE, HEADERS, Guard
from clearhead.web.worker_pool import WorkerPool, complaint

SECONDS = 20.0  # for one question
TORCH_SECONDS = 900.0  # for a claim of the lab
WORKERS = 2
LARGEST_BODY = 15_000_000
WARM = 'work\n{"example": "self-attention"}'
MOST_FRAMES = 8
FRAMED = {
    "Content-Security-Policy": "sandbox allow-scripts allow-downloads; default-src 'none'; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
    "X-Frame-Options": "SAMEORIGIN",
    "Cache-Control": "no-store",
}
"""A page with its own script inside may use that and nothing else: no origin, no network, no other frame."""
SLOW_BODY = 20.0  # seconds in which a question must have arrived

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """What a person asks of `clearhead serve`."""

    host: str = "127.0.0.1"
    port: int = 8765
    token: str = ""
    runs: Path | None = None


class Guarded:
    """Every request past the guard, every answer with its headers."""

    def __init__(self, app: Any, guard: Guard) -> None:
        self.app, self.guard = app, guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope, receive)
        status, why = self.guard.refusal(request.method, request.headers, request.cookies)
        token = request.query_params.get("token", "")
        if status == 401 and token and self.guard.has_token({"authorization": f"Bearer {token}"}, {}):
            reply = RedirectResponse(request.url.path, status_code=303)
            reply.set_cookie(COOKIE, token, httponly=True, samesite="strict", max_age=30 * 86_400)
            await reply(scope, receive, with_headers(send))
            return
        if status:
            await PlainTextResponse(f"{why}\n", status)(scope, receive, with_headers(send))
            return
        await self.app(scope, receive, with_headers(send))


def with_headers(send: Send) -> Send:
    async def sent(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            has = {name.lower() for name, _ in message.get("headers", [])}
            more = [
                (name.lower().encode(), value.encode()) for name, value in HEADERS.items() if name.lower().encode() not in has
            ]
            message = {**message, "headers": [*message.get("headers", []), *more]}
        await send(message)

    return sent


def application(options: ServeOptions) -> Any:
    """The whole server as an ASGI application."""
    has_torch = is_installed("torch")
    files = front_files("local", PAGES | (LOCAL_PAGES if has_torch else {}))
    tags = {path: tag_of(content) for path, content in files.items()}
    desk = WorkerPool("desk", WORKERS, SECONDS)
    runs = WorkerPool("runs", 1, TORCH_SECONDS)
    frames = Frames()

    async def file(request: Request) -> Response:
        path = request.path_params["path"] or "index.html"
        if path not in files:
            return PlainTextResponse("there is no such page\n", 404)
        headers = {"ETag": f'"{tags[path]}"', "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == headers["ETag"]:
            return Response(status_code=304, headers=headers)
        return Response(files[path], media_type=type_of(path), headers=headers)

    async def ask(request: Request) -> Response:
        name = request.path_params["name"]
        local = name.startswith("local_")
        if name not in FUNCTIONS and not (local and has_torch):
            return answer(complaint("there is nothing of that name"), 404)
        text = await body_of(request, LARGEST_BODY if local else FUNCTIONS[name][1])
        if text is None:
            return answer(complaint("that is too long, or did not arrive in time"), 413)
        if local:
            asked = json.dumps({"runs": str(options.runs) if options.runs else "", "asked": text})
            return await until_gone(request, frames.kept(runs.ask(name, asked)))
        return await until_gone(request, desk.ask(name, text))

    async def frame(request: Request) -> Response:
        page = frames.pages.get(request.path_params["name"])
        return (
            PlainTextResponse("that page is gone\n", 404)
            if page is None
            else Response(page, headers=FRAMED, media_type="text/html")
        )

    @contextlib.asynccontextmanager
    async def alive(app: Starlette) -> AsyncIterator[None]:
        await desk.start(WARM)
        await runs.start()
        try:
            yield
        finally:
            await desk.close()
            await runs.close()

    routes = [
        Route("/desk/{name}", ask, methods=["POST"]),
        Route("/lens/{name}", frame),
        Route("/{path:path}", file, methods=["GET"]),
    ]
    return Guarded(Starlette(routes=routes, lifespan=alive), Guard(options.port, options.token))


class Frames:
    """Pages that are shown in a frame of their own: the last few, each under a name that nobody can guess."""

    def __init__(self) -> None:
        self.pages: dict[str, str] = {}

    async def kept(self, asking: Awaitable[str]) -> str:
        """An answer whose page is kept here and named instead."""
        found = json.loads(await asking)
        page = found["value"].pop("html", None) if found["ok"] else None
        if page is not None:
            name = secrets.token_hex(16)
            self.pages[name] = page
            found["value"]["page"] = f"lens/{name}"
            while len(self.pages) > MOST_FRAMES:
                del self.pages[next(iter(self.pages))]
        return json.dumps(found)


def is_installed(package: str) -> bool:
    from importlib.util import find_spec

    return find_spec(package) is not None


def answer(text: str, status: int = 200) -> Response:
    return Response(text, status, media_type="application/json", headers={"Cache-Control": "no-store"})


async def body_of(request: Request, most: int) -> str | None:
    """The text of a question; None where it is longer than it may be, takes too long to come, or is no text."""
    announced = request.headers.get("content-length", "0")
    if not announced.isdigit() or int(announced) > 4 * most:  # a character has at most four bytes
        return None
    found = bytearray()
    try:
        async with asyncio.timeout(SLOW_BODY):
            async for piece in request.stream():
                found += piece
                if len(found) > 4 * most:
                    return None
        return found.decode()
    except (TimeoutError, UnicodeDecodeError):
        return None


async def until_gone(request: Request, asking: Awaitable[str]) -> Response:
    """The answer; where the client goes away first, the computation is stopped with its worker."""
    task = asyncio.ensure_future(asking)
    gone = asyncio.ensure_future(disconnected(request))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return answer(task.result())
        return Response(status_code=499)
    finally:
        for one in (task, gone):
            if not one.done():
                one.cancel()
        await asyncio.gather(task, gone, return_exceptions=True)


async def disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        continue


def serve(options: ServeOptions, started: Callable[[str], None]) -> None:
    """Serve until it is stopped; `started` is told the address."""
    import uvicorn

    config = uvicorn.Config(
        application(options),
        host=options.host,
        port=options.port,
        log_level="warning",
        access_log=False,
        server_header=False,
        limit_concurrency=500,
        timeout_keep_alive=20,
        h11_max_incomplete_event_size=32_768,
        timeout_graceful_shutdown=2,
    )
    host = f"[{options.host}]" if ":" in options.host else options.host
    started(f"http://{host}:{options.port}/" + (f"?token={options.token}" if options.token else ""))
    uvicorn.Server(config).run()
