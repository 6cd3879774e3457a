"""A local HTTP server that does to a download whatever the network may do."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CONTENT = bytes(range(256)) * 400  # 102,400 bytes


@dataclass
class Script:
    """How the server behaves; `faults` are used up one a request, after that it behaves."""

    content: bytes = CONTENT
    faults: list[str] = field(default_factory=list)
    always: str = ""
    etag: str | None = '"one"'
    ranges: bool = True
    requests: list[dict[str, str]] = field(default_factory=list)
    address: str = ""
    hung: threading.Event = field(default_factory=threading.Event)


@contextmanager
def serving(script: Script) -> Iterator[Script]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            script.requests.append(dict(self.headers))
            fault = script.faults.pop(0) if script.faults else script.always
            answer(self, script, fault)
            self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.handle_error = lambda *of: None  # type: ignore[method-assign]  # a client that hangs up is no news
    script.address = f"http://127.0.0.1:{server.server_address[1]}/file.bin"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield script
    finally:
        script.hung.set()
        server.shutdown()
        thread.join()
        server.server_close()


def answer(handler: BaseHTTPRequestHandler, script: Script, fault: str) -> None:
    start = first_byte(handler, script)
    if fault.isdigit() or (start and start >= len(script.content)):
        handler.send_response(int(fault) if fault.isdigit() else 416)
        handler.send_header("Content-Length", "0")
        handler.end_headers()
        return
    body = script.content[start:]
    if fault == "other bytes":
        body = bytes(255 - byte for byte in body)
    handler.send_response(206 if start else 200)
    if start:
        told = start - 7 if fault == "another range" else start
        handler.send_header("Content-Range", f"bytes {told}-{len(script.content) - 1}/{len(script.content)}")
    if script.etag:
        handler.send_header("ETag", script.etag)
    length = len(body) + {"claims more": 500, "claims less": -500}.get(fault, 0)
    if fault not in ("no length", "endless"):
        handler.send_header("Content-Length", str(length))
    handler.send_header("Connection", "close")
    handler.end_headers()
    send(handler, script, body, fault)


def first_byte(handler: BaseHTTPRequestHandler, script: Script) -> int:
    wanted = handler.headers.get("Range", "")
    same = handler.headers.get("If-Range") in (None, script.etag)
    return int(wanted.removeprefix("bytes=").rstrip("-")) if wanted and script.ranges and same else 0


def send(handler: BaseHTTPRequestHandler, script: Script, body: bytes, fault: str) -> None:
    if fault == "truncates":
        handler.wfile.write(body[: len(body) // 2])
    elif fault == "stalls":
        handler.wfile.write(body[:1000])
        handler.wfile.flush()
        script.hung.wait(20)
    elif fault == "trickles":
        for place in range(len(body)):
            handler.wfile.write(body[place : place + 1])
            handler.wfile.flush()
            time.sleep(0.02)
    elif fault == "endless":
        for _ in range(1000):
            handler.wfile.write(body)
    else:
        handler.wfile.write(body)
