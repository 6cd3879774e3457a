"""The page of a look in a real browser: views, hover, keys, sorting, exports; without a network, light and dark."""

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from browser.opened import offline_files
from clearhead import look, work
from clearhead.exact.decimals import as_float
from clearhead.lens.capture.run_look import layers_of
from clearhead.lens.look import Look
from clearhead.lens.looks import LayerLook
from clearhead.working import load_problem
from lens.models_to_look_at import TOKENS, model_of

pytestmark = pytest.mark.browser
RUN = Path(__file__).parent.parent / "training" / "folders" / "old_runs" / "birthplaces"


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Any]:
    with offline_files(browser) as open_file:

        def open_it(seen: Look, **settings: Any) -> Any:
            page = open_file(seen.save(tmp_path / "look.html"), accept_downloads=True, **settings)
            page.wait_for_selector("body[data-ready]")
            return page

        yield open_it


def small(n: int = 6) -> Look:
    names = [f"t{token}" for token in TOKENS[:n]]
    return Look("small", " ".join(names), layers_of(model_of("gpt course"), TOKENS[:n], names))


def status(page: Any) -> str:
    return str(page.locator("#said").inner_text())


def test_pointing_at_a_token_tells_what_it_looks_at(opened: Any) -> None:
    seen = small()
    page = opened(seen)
    assert page.locator(".tile").count() == 9
    page.locator(".tile").nth(4).click()  # head 2.2
    page.locator(".token.from").nth(5).hover()
    told = re.findall(r"(t\d+) ([\d.]+) %", status(page).partition("looks at")[2])
    layer, head = seen.head("2.2")
    wanted = sorted(zip(layer.columns, layer.weights[head][5], strict=True), key=lambda pair: -pair[1])
    assert [name for name, _ in told] == [name for name, _ in wanted]
    assert [float(share) for _, share in told] == pytest.approx([100 * float(w) for _, w in wanted], abs=0.6)
    page.locator(".token.to").nth(0).hover()
    assert "is looked at by" in status(page)


def test_the_keyboard_goes_everywhere(opened: Any) -> None:
    page = opened(small())
    page.locator("#view").focus()
    page.keyboard.press("h")
    for key, head in (("ArrowRight", "1.2"), ("]", "2.2"), ("[", "1.2"), ("ArrowLeft", "1.1"), ("ArrowLeft", "3.3")):
        page.keyboard.press(key)
        assert page.locator("#head option:checked").inner_text() == head
    page.keyboard.press("ArrowDown")
    assert status(page).startswith("1 t3 looks at")
    page.keyboard.press("ArrowDown")
    assert status(page).startswith("2 t7 looks at")
    page.keyboard.press("n")
    assert page.locator("table.neurons tbody tr").count() == 2
    page.keyboard.press("Escape")
    page.keyboard.press("m")
    assert page.locator(".tile").count() == 9


def test_heads_are_sorted_by_any_measure_and_lines_cut(opened: Any) -> None:
    seen = small()
    page = opened(seen)
    for measure in ("entropy", "distance", "previous"):
        page.select_option("#sort", measure)
        names = [each.split(" · ")[0] for each in page.locator(".tile span").all_inner_texts()]
        values = [getattr(seen.measures[name], measure) for name in names]
        assert values == sorted(values, reverse=True)
    page.keyboard.press("h")
    page.locator("#top").fill("1")
    page.locator(".token.from").nth(5).hover()
    assert len(re.findall(r"t\d+ [\d.]+ %", status(page).partition("looks at")[2])) == 1


def test_the_neuron_view_shows_the_sum_that_a_working_shows(opened: Any) -> None:
    seen = small()
    page = opened(seen)
    page.locator("#view").focus()
    page.keyboard.press("n")
    layer, head = seen.head("1.1")
    assert layer.scores is not None
    assert layer.scaled is not None
    cells = page.locator("table.neurons tbody tr").all()
    for j, row in enumerate(cells):
        score, scaled, weight = (float(text.replace("−", "-")) for text in row.locator("td.n").all_inner_texts())
        assert score == pytest.approx(float(layer.scores[head][5][j]), abs=0.006)
        assert scaled == pytest.approx(float(layer.scaled[head][5][j]), abs=0.006)
        assert weight == pytest.approx(float(layer.weights[head][5][j]), abs=6e-5)
    cells[2].hover()
    told = status(page)
    terms = re.findall(r"\(?([−\d.]+)\)?·\(?([−\d.]+)\)?", told.partition(" = ")[2].partition(" = ")[0])
    assert len(terms) == 4
    total = sum(float(a.replace("−", "-")) * float(b.replace("−", "-")) for a, b in terms)
    assert total == pytest.approx(float(layer.scores[head][5][2]), abs=0.1)


def test_what_positions_add_is_in_the_sum(opened: Any) -> None:
    """As in T5: scores, no scale, and a bias for each pair of places."""
    q, bias = np.ones((1, 2, 2), dtype=np.float32), np.array([[[0.25, -1.5], [0.5, 2.0]]], dtype=np.float32)
    scaled = q @ q.swapaxes(1, 2) + bias
    weights = np.exp(scaled) / np.exp(scaled).sum(-1, keepdims=True)
    page = opened(Look("t5", "a b", (LayerLook("1", ("a", "b"), ("a", "b"), weights, q=q, k=q, v=q, scale=1.0, bias=bias),)))
    page.locator("#view").focus()
    page.keyboard.press("n")
    found = [[float(text) for text in row.locator("td.n").all_inner_texts()] for row in page.locator("tbody tr").all()]
    assert found == [[2, 2.5, pytest.approx(weights[0, 1, 0], abs=1e-4)], [2, 4, pytest.approx(weights[0, 1, 1], abs=1e-4)]]
    page.locator("tbody tr").nth(0).hover()
    assert "scaled[2,1] = 2.00 + 0.50 (what the positions add) = 2.50" in status(page)


def test_pointing_at_the_map_brings_the_token_into_sight(opened: Any) -> None:
    n = 120
    seen = look(np.tril(np.ones((n, n))) / np.arange(1, n + 1)[:, None], [f"w{k}" for k in range(n)])
    page = opened(seen, viewport={"width": 1280, "height": 1000})
    box = page.locator(".map").bounding_box()
    page.mouse.move(box["x"] + 2, box["y"] + box["height"] - 2)
    assert status(page).startswith(f"{n} w{n - 1} looks at 1 w0")
    lit, frame = page.locator(".token.from.held").bounding_box(), page.locator(".lines").bounding_box()
    assert frame["y"] <= lit["y"] <= frame["y"] + frame["height"]


def test_work_this_head_hands_over_a_problem_that_agrees(opened: Any, tmp_path: Path) -> None:
    seen = small()
    page = opened(seen)
    page.locator(".tile").nth(4).click()
    with page.expect_download() as download:
        page.locator("#work").click()
    file = tmp_path / "head.toml"
    download.value.save_as(file)
    assert file.read_text(encoding="utf-8") == seen.problem("2.2", digits=3)
    page.locator("#digits").fill("1")
    with page.expect_download() as download:
        page.locator("#work").click()
    download.value.save_as(tmp_path / "short.toml")
    assert (tmp_path / "short.toml").read_text(encoding="utf-8") == seen.problem("2.2", digits=1)
    working = work(load_problem(str(file)), round=4)
    found = [[as_float(cell) for cell in row] for row in working.values["weights"].rows]
    np.testing.assert_allclose(found, seen.head("2.2")[0].weights[1], atol=5e-3)


@pytest.mark.parametrize("view", ["m", "h", "n", "g"])
def test_what_is_shown_is_exported(opened: Any, tmp_path: Path, view: str) -> None:
    page = opened(look(RUN, "Ada Lind", controls=0))
    page.locator("#view").focus()
    page.keyboard.press(view)
    for kind, beginning in (("svg", b"<svg"), ("png", b"\x89PNG")):
        with page.expect_download() as download:
            page.locator(f"#{kind}").click()
        file = tmp_path / f"out.{kind}"
        download.value.save_as(file)
        assert file.read_bytes().startswith(beginning)
        assert file.stat().st_size > 1000


def test_any_script_and_nonsense_run_nothing_and_stay_in_order(opened: Any, tmp_path: Path) -> None:
    tokens = ["<img onerror=window.hit=1 src=x>", "שלום", "مرحبا", "नमस्ते", "語", "\u202eevil", "👩‍👩‍👧"]
    n = len(tokens)
    page = opened(look(np.tril(np.ones((n, n))) / np.arange(1, n + 1)[:, None], tokens))
    assert page.evaluate("window.hit") is None
    assert page.locator(".token.from bdi").nth(1).evaluate("e => getComputedStyle(e).direction") == "rtl"
    assert page.locator(".token.from").count() == n
    page.locator(".token.from").nth(2).hover()
    assert "\u2068שלום\u2069 33 %" in status(page)  # the number stays behind its word
    with page.expect_download() as download:
        page.locator("#svg").click()
    download.value.save_as(tmp_path / "out.svg")
    drawn = ElementTree.parse(tmp_path / "out.svg").getroot()
    words = [each.text for each in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert all(words.count(token) == 2 for token in tokens), words


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone_and_can_be_read(opened: Any, scheme: str) -> None:
    page = opened(small(), viewport={"width": 360, "height": 640}, color_scheme=scheme)
    page.locator("#view").focus()
    for key in "mhn":
        page.keyboard.press(key)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    ink, paper = page.evaluate("[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]")
    bright = [sum(int(x) for x in re.findall(r"\d+", colour)[:3]) for colour in (ink, paper)]
    assert abs(bright[0] - bright[1]) > 400


def test_in_a_frame_of_a_notebook_it_draws_too(browser: Any) -> None:
    page = browser.new_page()
    page.set_content(f"<!doctype html><body>{small()._repr_html_()}{small(3)._repr_html_()}</body>")
    for number in (0, 1):
        frame = page.frame_locator("iframe").nth(number)
        frame.locator(".tile").first.wait_for()
        assert frame.locator(".tile").count() == 9
    page.close()


# What the notebooks of VS Code put around an output: a sandbox and a policy that the frame inherits.
SANDBOX = "allow-scripts allow-same-origin allow-forms allow-pointer-lock allow-downloads"
AROUND = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src https: http: data:; "
    "font-src https:; connect-src https:; child-src https: data:"
)


def test_in_a_sandbox_with_a_strict_policy_it_draws_and_exports(browser: Any, tmp_path: Path) -> None:
    page = browser.new_page(accept_downloads=True)
    page.context.set_offline(True)
    output = f'<meta http-equiv="Content-Security-Policy" content="{AROUND}"><body><div id="output"></div></body>'
    page.set_content(f'<iframe id="webview" sandbox="{SANDBOX}" style="width:900px;height:900px"></iframe>')
    page.evaluate("html => { document.getElementById('webview').srcdoc = html; }", output)
    page.frame_locator("#webview").locator("#output").evaluate("(e, html) => { e.innerHTML = html; }", small()._repr_html_())
    frame = page.frame_locator("#webview").frame_locator("iframe")
    frame.locator(".tile").first.wait_for()
    frame.locator(".tile").nth(4).click()
    frame.locator(".token.from").nth(5).hover()
    assert "looks at" in frame.locator("#said").inner_text()
    for kind in ("svg", "png", "work"):
        with page.expect_download() as download:
            frame.locator(f"#{kind}").click()
        download.value.save_as(tmp_path / kind)
        assert (tmp_path / kind).stat().st_size > 500
    page.close()
