"""The pages: how soon they stand there and live, how quick a key is, how large the site is, what fifty clients do to `serve`.

Run: .venv/bin/python benchmarks/pages.py [--seconds 60] [--keys 40] [--rounds 3]; the result goes to benchmarks/pages.md.
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
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from machine import described

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))  # the browser and the server that the tests start

from browser.opened import FLAGS, chromium_here, npm_package, remembered, static  # noqa: E402
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


def visit(context: Any, site: str, *, short: bool = False) -> tuple[float, float, float]:
    """Seconds until the default problem stands there, until Python lives, and until a key typed at once is answered.

    The reader stays until the page has put away what the next visit begins with, unless the visit is short."""
    page = context.new_page()
    began = time.perf_counter()
    page.goto(f"{site}/work.html", wait_until="commit")
    until(page, '#steps [data-step="output"]')
    stands = time.perf_counter() - began
    page.get_by_label("X row 1 column 2", exact=True).fill("3")
    until(page, ".engine[data-state=ready]")
    lives = time.perf_counter() - began
    until(page, "#steps[data-took]")
    answers = time.perf_counter() - began
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    if not short:
        remembered(page)
    page.close()
    return stands, lives, answers


def visits(browser: Any, site: str, rounds: int) -> dict[str, list[float]]:
    """First and second visits by turns with the bare loads that they are compared with, each time as a new reader."""
    found: dict[str, list[float]] = defaultdict(list)
    for _ in range(rounds):
        reader, hurried, other = (browser.new_context() for _ in range(3))
        found["bare"].append(bare_load(other, site))
        stands, lives, answers = visit(reader, site)
        found["bare again"].append(bare_load(other, site))
        _, again, again_answers = visit(reader, site)
        visit(hurried, site, short=True)
        _, _, hurried_answers = visit(hurried, site, short=True)
        for name, value in (("stands", stands), ("first", lives), ("first key", answers)):
            found[name].append(value)
        for name, value in (("second", again), ("second key", again_answers), ("hurried key", hurried_answers)):
            found[name].append(value)
        for context in (reader, hurried, other):
            context.close()
    return found


PAINTED = """() => new Promise((done) => {
  let last = 0;
  const watch = new PerformanceObserver((seen) => {
    for (const one of seen.getEntries()) last = Math.max(last, one.startTime);
  });
  for (const type of ["paint", "largest-contentful-paint"]) watch.observe({ type, buffered: true });
  setTimeout(() => done(last), 500);
})"""
"""Milliseconds, by the browser's own clock, from the beginning of the navigation until the largest part is painted."""


def first_page(context: Any, base: str) -> tuple[float, float]:
    """Milliseconds until a reader who never was here sees the page, and until the problem is there by Playwright's clock."""
    page = context.new_page()
    began = time.perf_counter()
    page.goto(f"{base}/work.html", wait_until="commit")
    until(page, '#steps [data-step="output"]')
    took = 1000 * (time.perf_counter() - began)
    painted = float(page.evaluate(PAINTED))
    page.close()
    return painted, took


def first_pages(browser: Any, base: str, rounds: int) -> list[tuple[float, float]]:
    """The same for several readers, each with an empty browser."""
    found = []
    for _ in range(rounds):
        context = browser.new_context()
        found.append(first_page(context, base))
        context.close()
    return found


KEYS = """async (count) => {
  const field = document.querySelector(".grid:not(.words) input"), steps = document.querySelector("#steps"), found = [];
  const painted = () => new Promise((done) => requestAnimationFrame(() => {
    const after = new MessageChannel();
    after.port1.onmessage = done;
    after.port2.postMessage(0);
  }));
  for (let at = 0; at < count; at++) {
    steps.removeAttribute("data-took");
    field.value = String(at % 7 + 2);
    const began = performance.now();
    field.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((done) => {
      const seen = new MutationObserver(() => { if (steps.dataset.took) { seen.disconnect(); done(); } });
      seen.observe(steps, { attributes: true });
    });
    await painted();
    found.push(performance.now() - began);
    await new Promise((done) => setTimeout(done, 120));
  }
  return found;
}"""
"""A cell of the first table changed again and again: milliseconds from each key to the frame that shows the new steps."""


def keys(context: Any, base: str, example: str, count: int) -> list[float]:
    page = context.new_page()
    page.goto(f"{base}/work.html#example={example}")
    until(page, "#steps .clearhead .step")
    page.locator(".grid:not(.words) input").first.wait_for(timeout=180_000)
    found = page.evaluate(KEYS, count + 3)
    page.close()
    return list(found[3:])


# ---- against the server


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


def ratio(what: str, took: float, bare: float, most: float) -> tuple[str, str, str, bool]:
    said = f"{took:.2f} s, bare `loadPyodide()` {bare:.2f} s: {took / bare:.2f} ×"
    return what, said, f"≤ {most} ×", took <= most * bare


def told(what: str, took: float, bare: float) -> tuple[str, str, str, bool]:
    what, said, _, _ = ratio(what, took, bare, 0)
    return what, said, "told", True


def key_row(engine: str, took: list[float]) -> tuple[str, str, str, bool]:
    slow = percentile(took, 0.95)
    said = f"{statistics.median(took):.0f} ms, p95 {slow:.0f} ms"
    return f"a key to the frame with the new steps, sorter, {engine}", said, "p95 ≤ 100 ms", slow <= 100


def measured(seconds: float, count: int, rounds: int, tell: Callable[[str], None]) -> list[tuple[str, str, str, bool]]:
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
            found = {name: statistics.median(values) for name, values in visits(browser, site, rounds).items()}
            rows += [
                ("default problem stands there", f"{found['stands']:.2f} s", "≤ 0.5 s", found["stands"] <= 0.5),
                ratio("live, first visit", found["first"], found["bare"], 1.5),
                ratio("… and a key typed at once is answered", found["first key"], found["bare"], 1.5),
                ratio("live, second visit", found["second"], found["bare again"], 1.2),
                ratio("… and a key typed at once is answered", found["second key"], found["bare again"], 1.2),
                told("… the same where the first visit was left at once", found["hurried key"], found["bare again"]),
            ]
            tell("the site: keys")
            context = browser.new_context()
            rows.append(key_row("Pyodide", keys(context, site, "sorter", count)))
            context.close()
        with serving() as server:
            tell("serve: first page, keys, a crowd")
            context = browser.new_context()
            painted, first = (
                statistics.median(side) for side in zip(*first_pages(browser, server.address, rounds), strict=True)
            )
            rows.append(("`serve`: first page, painted with its steps", f"{painted:.0f} ms", "≤ 300 ms", painted <= 300))
            rows.append(("… its steps, and the way to Playwright and back", f"{first:.0f} ms", "told", True))
            began = time.perf_counter()
            server.get("/work.html")
            alone = 1000 * (time.perf_counter() - began)
            rows.append(("… the server's answer alone", f"{alone:.0f} ms", "≤ 300 ms", alone <= 300))
            rows.append(key_row("`serve`", keys(context, server.address, "sorter", count)))
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
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--out", type=Path, default=HERE / "pages.md")
    asked = options.parse_args()
    rows = measured(asked.seconds, asked.keys, asked.rounds, print)
    lines = ["# The pages", "", described(), "", "| what | measured | wanted | |", "| --- | --- | --- | --- |"]
    lines += [f"| {what} | {value} | {wanted} | {'yes' if holds else '**no**'} |" for what, value, wanted, holds in rows]
    lines += [
        "",
        "Both sides of a ratio by turns in one run, medians of the rounds. The second visit follows a first that lasted until "
        "Python's memory was put away (some ten seconds). The first page of `serve` is timed by the browser's own clock, from "
        "the beginning of the navigation until the largest part is painted, each time in an empty browser. "
        "Shown by: `python benchmarks/pages.py`",
        "",
    ]
    asked.out.write_text("\n".join(lines), encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
