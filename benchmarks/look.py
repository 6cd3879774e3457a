"""Page size and time to first view: `look(model, ids).page()` and bertviz on the same tiny GPT-2, in one run.

    python benchmarks/look.py [MODULES]

bertviz (`pip install --no-deps bertviz`) makes pages that load three scripts from another host; here they come from npm, or
from the node_modules named, and are handed to the browser from the disk, which is faster than any network. Each page is made
and opened three times, and the middle time counts; one that takes over 15 s to open, once.
"""

import json
import math
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import types
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import torch
import transformers
from machine import described as machine

from clearhead import look

LENGTHS = (32, 128, 512)
TIMES = 3
PATIENCE = 120  # seconds for a first view
LONG = 15  # seconds: a page that takes longer is opened once
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]
WATCH = """() => { // from the moment the browser got the mouse's move to the end of the frame that shows the answer
  window.spent = [];
  const channel = new MessageChannel();
  let begun = [];
  channel.port1.onmessage = () => { for (const then of begun) spent.push(performance.now() - then); begun = []; };
  const answered = then => requestAnimationFrame(() => { begun.push(then); channel.port2.postMessage(0); });
  document.addEventListener("mousemove", e => answered(e.timeStamp), true);
}"""
PAINTED = """() => [...document.querySelectorAll(".tile canvas")].every(each => each.dataset.painted
  || each.getBoundingClientRect().top > innerHeight)"""  # all that can be seen
STOPS = 40  # places that the mouse is moved to, of each kind


def tiny_gpt2(layers: int, heads: int) -> Any:
    """Random, and sharp enough to look like something."""
    torch.manual_seed(0)
    config = transformers.GPT2Config(
        n_layer=layers, n_head=heads, n_embd=8 * heads, vocab_size=1000, n_positions=512, initializer_range=0.3,
        attn_implementation="eager",
    )  # fmt: skip
    return transformers.GPT2LMHeadModel(config).eval()


def our_page(model: Any, ids: list[int]) -> str:
    return look(model, ids, controls=0).page()  # no labels held against blank models: bertviz has none either


def bertviz_pages() -> dict[str, Callable[[Any, list[str]], str]]:
    """bertviz imports IPython for two classes that hold text; small ones stand in where it is not installed."""
    try:
        import IPython.display  # noqa: F401
    except ImportError:
        display = types.ModuleType("IPython.display")
        holds_text = type("Text", (), {"__init__": lambda self, data: setattr(self, "data", data)})
        display.display, display.HTML, display.Javascript = print, holds_text, holds_text  # type: ignore[attr-defined]
        sys.modules["IPython"], sys.modules["IPython.display"] = types.ModuleType("IPython"), display
    from bertviz import head_view, model_view

    return {
        "bertviz head view": lambda a, t: str(head_view(a, t, html_action="return").data),
        "bertviz model view": lambda a, t: str(model_view(a, t, html_action="return").data),
    }


def opened(browser: Any, file: Path, ready: str, modules: Path) -> tuple[Any, float]:
    """A page and the seconds until the first view stands; infinity where it does not come."""
    names = {"d3.min": "d3/dist/d3.min.js", "jquery.min": "jquery/dist/jquery.min.js", "require.min": "requirejs/require.js"}
    page = browser.new_page(viewport={"width": 1280, "height": 800})

    def serve(route: Any) -> None:
        found = next((path for name, path in names.items() if name in route.request.url), None)
        if found is None:
            route.abort()
        else:
            route.fulfill(body=(modules / found).read_bytes(), content_type="text/javascript")

    page.route(re.compile("^https://"), serve)
    since = time.perf_counter()
    try:
        page.goto(file.as_uri(), timeout=PATIENCE * 1000)
        page.wait_for_selector(ready, state="attached", timeout=PATIENCE * 1000)
        if "tile" in ready:
            page.wait_for_function(PAINTED, polling="raf")
        page.evaluate("() => new Promise(requestAnimationFrame)")
    except Exception as error:
        print(f"{type(error).__name__} after {time.perf_counter() - since:.0f} s", file=sys.stderr)
        return page, math.inf
    return page, time.perf_counter() - since


def hovers(page: Any) -> list[float]:
    """Milliseconds that answers to a real mouse take: over heads, tokens that look and are looked at, and the map's cells."""
    page.evaluate(WATCH)
    tiles = [tile.bounding_box() for tile in page.locator(".tile").all()[:STOPS]]
    for tile in tiles:
        moved(page, tile["x"] + tile["width"] / 2, tile["y"] + tile["height"] / 2)
    page.locator("#view").focus()
    page.keyboard.press("h")
    page.wait_for_timeout(300)
    lines, cells = (page.locator(name).bounding_box() for name in (".lines", ".map"))
    for scrolled in (0, 100_000):
        page.locator(".lines").evaluate("(box, to) => { box.scrollTop = to; }", scrolled)
        for side in (0.2, 0.8):
            for k in range(STOPS // 2):
                moved(page, lines["x"] + side * lines["width"], lines["y"] + lines["height"] * (0.5 + k * 7 % 20) / 20)
    for k in range(STOPS):
        moved(
            page, cells["x"] + cells["width"] * (0.5 + k * 13 % STOPS) / STOPS, cells["y"] + cells["height"] * (0.5 + k) / STOPS
        )
    return [float(each) for each in page.evaluate("spent")]


def moved(page: Any, x: float, y: float) -> None:
    """The mouse to a place, and time enough for the answer."""
    page.mouse.move(x, y)
    page.wait_for_timeout(60)


def seconds_told(value: float) -> str:
    return f"{value:.2f} s" if value < math.inf else f"not within {PATIENCE} s"


def middle(values: list[float]) -> float:
    return statistics.median(values)


def main(modules: Path) -> None:
    from playwright.sync_api import sync_playwright

    transformers.logging.set_verbosity_error()
    rows = []
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "page.html")
        cases = [(4, 4, n) for n in LENGTHS] + [(12, 12, 512)]
        for layers, heads, n in cases:
            model = tiny_gpt2(layers, heads)
            ids = torch.randint(1000, (1, n), generator=torch.Generator().manual_seed(1))
            tokens = [f"t{each}" for each in ids[0].tolist()]
            made = {"clearhead": partial(our_page, model, ids[0].tolist())}
            if (layers, heads) == (4, 4):
                with torch.no_grad():
                    weights = model(ids, output_attentions=True).attentions
                for name, make in bertviz_pages().items():
                    made[name] = partial(make, weights, tokens)
            for name, make in made.items():
                making, opening, answers, size = [], [], [], 0
                for _ in range(TIMES):
                    since = time.perf_counter()
                    text = make()
                    making.append(time.perf_counter() - since)
                    size = len(text.encode())
                    file.write_text(text if "<html" in text else f"<!doctype html><meta charset=utf-8><body>{text}</body>")
                    ready = "body[data-ready] .tile" if name == "clearhead" else "svg *"
                    browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)  # what hangs goes with it
                    page, seconds = opened(browser, file, ready, modules)
                    opening.append(seconds)
                    if name == "clearhead":
                        answers += hovers(page)
                    browser.close()
                    if seconds > LONG:
                        break
                hover = f"{middle(answers):.0f} ms, at most {max(answers):.0f} ms" if answers else "–"
                row = [
                    f"{layers} × {heads}",
                    str(n),
                    name,
                    f"{size / 1e6:.2f} MB",
                    seconds_told(middle(making)),
                    seconds_told(middle(opening)),
                    hover,
                ]
                rows.append(row)
                print(json.dumps(row), file=sys.stderr)
    head = ["layers × heads", "tokens", "page of", "size", "made in", "first view after", "a hover answers in"]
    table = [f"| {' | '.join(each)} |" for each in (head, ["---"] * len(head), *rows)]
    text = f"# Look\n\n{machine()}\n\n" + "\n".join(table) + "\n\n" + NOTE
    Path(__file__).with_suffix(".md").write_text(text, encoding="utf-8")
    print(text)


NOTE = """A random GPT-2. Our page holds every view (model, head, and neuron where q and k fit) and loads nothing; bertviz makes
a page for each view, which loads three scripts from another host, here handed over from the disk. A hover is timed from the
moment the browser gets the mouse's move to the end of the frame that shows the answer: at 160 heads, tokens and cells of a map,
three times. A head view draws one layer first, a model view all of them, as ours does; our first view stands when every head in
sight is painted, theirs when the first shape is there. A page that takes over 15 s to open was opened once, the others three
times: the middle counts. After the key that opens the head view the mouse waits 300 ms: the change of view is not timed.

Shown by: `python benchmarks/look.py`
"""


def scripts_of_bertviz(folder: Path) -> Path:
    """What bertviz's pages load, from npm."""
    names = ["d3@5.7.0", "jquery@2.1.0", "requirejs@2.3.6"]
    subprocess.run(["npm", "install", "--silent", "--no-save", "--prefix", str(folder), *names], check=True)
    return folder / "node_modules"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        main(Path(sys.argv[1]) if len(sys.argv) > 1 else scripts_of_bertviz(Path(place)))
