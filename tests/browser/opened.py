"""Chromium, both engines, and a page that keeps what went wrong on it."""

import functools
import http.server
import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent
NPM = ROOT / "tools" / "site"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = {"local": 20_000, "browser": 90_000}  # milliseconds: Pyodide on a busy machine
BOTH = pytest.mark.parametrize("opened", ["local", "browser"], indirect=True)
LOCAL_FIRST = pytest.mark.parametrize("opened", ["local", pytest.param("browser", marks=pytest.mark.slow)], indirect=True)
AXE = """axe.run().then((found) => found.violations.map((one) =>
    [one.id, one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160))]))"""
SHOTS = os.environ.get("CLEARHEAD_SCREENSHOTS", "")


def chromium_here() -> str:
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("there is no Chromium here")
    return found


@contextmanager
def chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    path = chromium_here()
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield launched
        launched.close()


def npm_package(name: str) -> Path:
    """A package of the lock file, fetched once; where it cannot be had, the tests that need it say so."""
    folder = NPM / "node_modules" / name
    if not folder.is_dir():
        npm = shutil.which("npm")
        if npm is not None:
            command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
            subprocess.run(command, cwd=NPM, capture_output=True, check=False, timeout=300)
    if not folder.is_dir():
        pytest.skip(f"npm's {name} cannot be had here")
    return folder


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Python's own static server, without its log."""

    def log_message(self, *words: object) -> None:
        return


@contextmanager
def static(folder: Path) -> Iterator[str]:
    """A folder served as any host would; the address of its root."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


class Opened:
    """A page, and all that went wrong on it: errors, messages of the console, requests to another host."""

    def __init__(self, context: Any, base: str) -> None:
        self.base, self.trouble = base, list[str]()
        self.page = context.new_page()
        self.page.on("pageerror", lambda error: self.trouble.append(f"error: {error}"))
        self.page.on(
            "console", lambda said: self.trouble.append(f"console: {said.text}") if said.type in ("error", "warning") else None
        )
        self.page.on("request", self.asked)
        self.page.on("requestfailed", self.failed)

    def asked(self, request: Any) -> None:
        if not request.url.startswith((f"{self.base}/", "data:", "blob:")):
            self.trouble.append(f"another host: {request.url}")

    def failed(self, request: Any) -> None:
        if "ERR_ABORTED" not in str(request.failure):  # what a page no longer waits for when it is left
            self.trouble.append(f"failed: {request.url} {request.failure}")

    def go(self, page: str, fragment: str = "") -> Any:
        self.page.goto("about:blank")
        self.page.goto(f"{self.base}/{page}{'#' + fragment if fragment else ''}")
        self.page.locator("html[data-ready]").wait_for()  # before it a click goes nowhere
        return self.page

    def shot(self, name: str) -> None:
        """Kept as an artefact where somebody wants them."""
        if SHOTS:
            Path(SHOTS).mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=str(Path(SHOTS) / f"{name}.png"), full_page=True)


def cell(page: Any, step: str, i: int, j: int) -> Any:
    """The number (i, j) of a step, counted from 0."""
    return page.locator(f'#steps [data-step="{step}"] table[role=grid] tbody tr').nth(i).locator("td").nth(j)


def remembered(page: Any) -> None:
    """Wait until the page has put Python's memory away for the next visit."""
    page.evaluate("""async () => {
        const store = await caches.open("clearhead-memory");
        for (let tries = 0; !(await store.keys()).length; tries++) {
            if (tries > 450) throw new Error("no memory was put away");
            await new Promise((done) => setTimeout(done, 200));
        }
    }""")


def written(locator: Any, text: str) -> None:
    """Wait until a number is what it should be."""
    from playwright.sync_api import expect

    expect(locator).to_have_text(text, timeout=PATIENCE["browser"] if "sub-path" in locator.page.url else PATIENCE["local"])


@contextmanager
def offline_files(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens files of this machine without a network; in the end none may have had an error or asked for anything."""
    pages = []

    def opened(file: Path, **settings: Any) -> Any:
        page = browser.new_page(**settings)
        page.context.set_offline(True)
        page.trouble = []
        page.on("pageerror", lambda error: page.trouble.append(str(error)))
        page.on("console", lambda said: page.trouble.append(said.text) if said.type == "error" else None)
        page.on("request", lambda r: None if r.url.startswith(("file:", "data:", "blob:")) else page.trouble.append(r.url))
        page.goto(file.as_uri())
        pages.append(page)
        return page

    yield opened
    for page in pages:
        assert page.trouble == []
        page.close()
