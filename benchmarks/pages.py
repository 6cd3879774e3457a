"""The pages: how soon they stand there and live, how quick a key is, how large the site is, what fifty clients do to `serve`.

Run: .venv/bin/python benchmarks/pages.py [--seconds 60] [--keys 40]; the result goes to benchmarks/pages.md.
"""

import argparse
import asyncio
import http.client
import json
import math
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from machine import described

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))  # the browser and the server that the tests start

from browser.opened import FLAGS, chromium_here, npm_package, static  # noqa: E402
from clearhead.desk import answer  # noqa: E402
from clearhead.web.site_folder import write_site  # noqa: E402
from web.served import Served, serving  # noqa: E402

CLIENTS = 50
WORKING = "Q = [[1, 3], [-1, 1], [2.5, -2]]\nK = [[3, -0.5], [2, -1.5], [-2.5, 3.5]]\n"
BARE = """<!doctype html><title>bare</title><script type="module">
import { loadPyodide } from "./pyodide/pyodide.mjs";
const began = performance.now();
await loadPyodide({ indexURL: new URL("pyodide/", location).href });
document.title = `took ${performance.now() - began}`;
</script>"""


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, math.ceil(share * len(values)) - 1)]


# ---- in the browser


def until(page: Any, selector: str) -> None:
    page.locator(selector).first.wait_for(state="attached", timeout=180_000)


def bare_load(context: Any, site: str) -> float:
    """What `loadPyodide()` alone takes on a page of the same host, in seconds."""
    page = context.new_page()
    page.goto(f"{site}/bare.html")
    page.wait_for_function("() => document.title.startsWith('took')", timeout=180_000)
    took = float(page.title().split()[1]) / 1000
    page.close()
    return took


def visit(context: Any, site: str) -> tuple[float, float]:
    """Seconds until the default problem stands there, and until Python lives."""
    page = context.new_page()
    began = time.perf_counter()
    page.goto(f"{site}/work.html", wait_until="commit")
    until(page, '#steps [data-step="output"]')
    stands = time.perf_counter() - began
    until(page, ".engine[data-state=ready]")
    lives = time.perf_counter() - began
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    page.close()
    return stands, lives


def keys(context: Any, base: str, example: str, count: int) -> list[float]:
    """Milliseconds from a key to the new steps on the page, a cell of the first table changed again and again."""
    page = context.new_page()
    page.goto(f"{base}/work.html#example={example}")
    until(page, "#steps .clearhead .step")
    field = page.locator(".grid:not(.words) input").first
    field.wait_for(timeout=180_000)
    found = []
    for at in range(count + 3):
        page.evaluate("() => document.querySelector('#steps').removeAttribute('data-took')")
        field.fill(str(at % 7 + 2))
        until(page, "#steps[data-took]")
        found.append(float(page.locator("#steps").get_attribute("data-took")))
    page.close()
    return found[3:]


# ---- against the server


def first_page(server: Served) -> float:
    began = time.perf_counter()
    server.get("/work.html")
    return 1000 * (time.perf_counter() - began)


async def client(server: Served, number: int, until_time: float, took: list[float], errors: list[str]) -> None:
    """One person: works, practises and marks in turn, a little pause between."""
    problem = json.loads(answer("read", '{"example": "self-attention"}'))["value"]["problem"]
    turn = number
    while time.perf_counter() < until_time:
        turn += 1
        problem["given"]["X"][0][0] = str(turn % 9)
        name, asked = (
            ("work", {"problem": problem}),
            ("check", {"example": "self-attention", "cells": {"Q": [["1", "3"], ["-1", str(turn % 3)], ["", ""]]}}),
            ("mark", {"example": "self-attention", "working": WORKING}),
        )[turn % 3]
        began = time.perf_counter()
        status, body = await asyncio.to_thread(posted, server.port, name, json.dumps(asked))
        took.append(time.perf_counter() - began)
        if status != 200 or not json.loads(body)["ok"]:
            errors.append(f"{status} {body[:100]}")
        await asyncio.sleep(0.5)


def posted(port: int, name: str, text: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    try:
        connection.request("POST", f"/desk/{name}", text.encode(), {"Content-Type": "application/json"})
        reply = connection.getresponse()
        return reply.status, reply.read().decode()
    finally:
        connection.close()


def memory(pid: int) -> float:
    """Resident MB of a process and its children, where /proc tells."""
    total = 0
    for one in [pid, *children(pid)]:
        try:
            total += int(Path(f"/proc/{one}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except OSError:
            continue
    return total / 1e6


def children(pid: int) -> list[int]:
    try:
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


async def crowd(server: Served, seconds: float) -> dict[str, float]:
    took: list[float] = []
    errors: list[str] = []
    sizes: list[float] = []
    stop = time.perf_counter() + seconds

    async def watch() -> None:
        while time.perf_counter() < stop:
            sizes.append(memory(server.process))
            await asyncio.sleep(1)

    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(CLIENTS))
    await asyncio.gather(watch(), *(client(server, number, stop, took, errors) for number in range(CLIENTS)))
    third = max(1, len(sizes) // 3)
    return {
        "requests": len(took),
        "errors": len(errors),
        "median": 1000 * statistics.median(took),
        "p99": 1000 * percentile(took, 0.99),
        "memory early": statistics.median(sizes[third : 2 * third] or sizes),
        "memory late": statistics.median(sizes[-third:]),
    }


# ---- the table


def measured(seconds: float, count: int, tell: Callable[[str], None]) -> list[tuple[str, str, str, bool]]:
    from playwright.sync_api import sync_playwright

    rows: list[tuple[str, str, str, bool]] = []
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        folder = Path(place) / "sub"
        written = write_site(folder, npm_package("pyodide"))
        (folder / "bare.html").write_text(BARE, encoding="utf-8")
        rows.append(("size of the site", f"{written.size / 1e6:.1f} MB", "≤ 20 MB", written.size <= 20e6))
        browser = playwright.chromium.launch(executable_path=chromium_here(), args=FLAGS)
        with static(Path(place)) as address:
            site = f"{address}/sub"
            tell("the site: visits")
            bare_context = browser.new_context()
            bare = bare_load(bare_context, site)
            context = browser.new_context()
            stands, first = visit(context, site)
            bare_again = bare_load(bare_context, site)
            _, second = visit(context, site)
            rows += [
                ("default problem stands there", f"{stands:.2f} s", "≤ 0.5 s", stands <= 0.5),
                ("live, first visit", f"{first:.1f} s, bare loadPyodide() {bare:.1f} s", "≤ 1.5 ×", first <= 1.5 * bare),
                ("live, second visit", f"{second:.1f} s, bare {bare_again:.1f} s", "≤ 1.2 ×", second <= 1.2 * bare_again),
            ]
            tell("the site: keys")
            slow = percentile(keys(context, site, "sorter", count), 0.95)
            rows.append(("a key to new steps, sorter, Pyodide (p95)", f"{slow:.0f} ms", "≤ 100 ms", slow <= 100))
            context.close()
        with serving() as server:
            tell("serve: first page, keys, a crowd")
            began = first_page(server)
            rows.append(("`serve`: first page", f"{began:.0f} ms", "≤ 300 ms", began <= 300))
            context = browser.new_context()
            slow = percentile(keys(context, server.address, "sorter", count), 0.95)
            rows.append(("a key to new steps, sorter, `serve` (p95)", f"{slow:.0f} ms", "≤ 100 ms", slow <= 100))
            context.close()
            with ThreadPoolExecutor(1) as apart:  # Playwright has this thread's loop
                found = apart.submit(lambda: asyncio.run(crowd(server, seconds))).result()
            flat = found["memory late"] <= 1.1 * found["memory early"] + 5
            rows += [
                (
                    f"{CLIENTS} clients, {seconds:g} s: errors",
                    f"{found['errors']:.0f} of {found['requests']:.0f}",
                    "0",
                    not found["errors"],
                ),
                (
                    "… memory, middle and last third",
                    f"{found['memory early']:.0f}, {found['memory late']:.0f} MB",
                    "flat",
                    flat,
                ),
                ("… answer, median and p99", f"{found['median']:.0f}, {found['p99']:.0f} ms", "told", True),
            ]
        browser.close()
    return rows


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--keys", type=int, default=40)
    options.add_argument("--out", type=Path, default=HERE / "pages.md")
    asked = options.parse_args()
    rows = measured(asked.seconds, asked.keys, print)
    lines = ["# The pages", "", described(), "", "| what | measured | wanted | |", "| --- | --- | --- | --- |"]
    lines += [f"| {what} | {value} | {wanted} | {'yes' if holds else '**no**'} |" for what, value, wanted, holds in rows]
    lines += ["", "Both sides of each ratio are measured in one run. Shown by: `python benchmarks/pages.py`", ""]
    asked.out.write_text("\n".join(lines), encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
