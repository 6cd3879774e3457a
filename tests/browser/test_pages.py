"""A whole story a page in Chromium, with the local Python and with Pyodide: no console error, no request to another host."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser.opened import Opened, chromium, npm_package, static
from clearhead.web.site_folder import write_site
from web.served import serving

pytestmark = pytest.mark.browser
PATIENCE = {"local": 20_000, "browser": 90_000}  # milliseconds: Pyodide on a busy machine
BOTH = pytest.mark.parametrize("opened", ["local", "browser"], indirect=True)
LOCAL_FIRST = pytest.mark.parametrize("opened", ["local", pytest.param("browser", marks=pytest.mark.slow)], indirect=True)
AXE = """axe.run().then((found) => found.violations.map((one) =>
    [one.id, one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160))]))"""
MARKUP = "</script><img src=x onerror=window.hit=1><b>'\"&"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def local() -> Iterator[str]:
    with serving() as server:
        yield server.address


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("host")
    write_site(folder / "a" / "sub-path", npm_package("pyodide"))
    with static(folder) as address:
        yield f"{address}/a/sub-path"


@pytest.fixture(scope="module")
def contexts(browser: Any) -> Iterator[dict[str, Any]]:
    """One for each engine: what a browser keeps, it keeps from story to story."""
    kept: dict[str, Any] = {}
    yield kept
    for context in kept.values():
        context.close()


@pytest.fixture
def opened(request: pytest.FixtureRequest, browser: Any, contexts: dict[str, Any]) -> Iterator[Opened]:
    base = request.getfixturevalue("local" if request.param == "local" else "site")
    if request.param not in contexts:
        contexts[request.param] = browser.new_context(accept_downloads=True, locale="en-GB")
        contexts[request.param].set_default_timeout(PATIENCE[request.param])
    found = Opened(contexts[request.param], base)
    yield found
    trouble = found.trouble
    found.page.close()
    assert trouble == []


def cell(page: Any, step: str, i: int, j: int) -> Any:
    """The number (i, j) of a step, counted from 0."""
    return page.locator(f'#steps [data-step="{step}"] table[role=grid] tbody tr').nth(i).locator("td").nth(j)


def written(locator: Any, text: str) -> None:
    """Wait until a number is what it should be."""
    from playwright.sync_api import expect

    expect(locator).to_have_text(text, timeout=PATIENCE["browser"] if "sub-path" in locator.page.url else PATIENCE["local"])


# ---- work


@BOTH
def test_work_edit_touch_slide_export_reopen(opened: Opened, tmp_path: Path) -> None:
    page = opened.go("work.html")
    written(cell(page, "Q", 0, 0), "1.00")
    page.get_by_label("X row 1 column 2", exact=True).fill("3")  # Q(1, 1) = 0 + 3 + 0 + 2
    written(cell(page, "Q", 0, 0), "5.00")
    page.get_by_label("X row 1 column 2", exact=True).fill("1/2")
    written(cell(page, "Q", 0, 0), "2.50")

    cell(page, "Q", 0, 0).click()
    said = page.locator('[data-step="Q"] .sum').inner_text()
    assert said.startswith("Q[1,1] = 1·0 + 0.5·1")
    assert page.get_by_label("X row 1 column 2", exact=True).get_attribute("class") == "origin"
    assert page.get_by_label("X row 2 column 2", exact=True).get_attribute("class") in (None, "")
    assert page.locator('[data-step="scores"] td.goes').count() == 3

    page.get_by_label("Divide by √d").check()
    page.locator('#steps [data-step="scaled"]').wait_for()
    page.locator("#option-temperature").fill("0")
    written(cell(page, "weights", 0, 0), "1.00")
    page.locator("#option-round").select_option("exact")
    page.get_by_label("Heatmap").check()
    page.locator("#steps .picture rect").first.wait_for()
    opened.shot(f"work-{opened.base[-4:].strip('/')}")

    for kind, start in (("latex", "\\documentclass"), ("toml", "kind"), ("svg", "<svg"), ("xlsx", "PK")):
        with page.expect_download() as kept:
            page.locator(f'[data-export="{kind}"]').click()
        file = tmp_path / kept.value.suggested_filename
        kept.value.save_as(file)
        assert file.read_bytes().startswith(start.encode())

    page.wait_for_timeout(400)  # the address is written when the typing rests
    fragment = page.url.partition("#")[2]
    assert fragment.startswith("s=")
    again = opened.go("work.html", fragment)
    written(cell(again, "Q", 0, 0), "2.5")
    assert again.get_by_label("X row 1 column 2", exact=True).input_value() == "1/2"


@LOCAL_FIRST
def test_work_says_which_cell_is_wrong_and_goes_on(opened: Opened) -> None:
    page = opened.go("work.html")
    field = page.get_by_label("X row 2 column 1", exact=True)
    field.fill("two")
    page.locator("#fault").wait_for()
    assert "is not a number" in page.locator("#fault").inner_text()
    assert field.get_attribute("aria-invalid") == "true"
    field.fill("2")
    page.locator("#fault").wait_for(state="hidden")
    assert field.get_attribute("aria-invalid") is None
    page.get_by_role("button", name="Add a row to X").click()
    page.get_by_label("X row 4 column 1", exact=True).wait_for()
    written(cell(page, "Q", 3, 0), "0.00")


@LOCAL_FIRST
def test_work_by_keyboard_and_from_a_spreadsheet(opened: Opened) -> None:
    page = opened.go("work.html")
    page.get_by_label("X row 1 column 1", exact=True).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "X row 2 column 2"
    page.get_by_label("X row 1 column 1", exact=True).evaluate(
        """(field) => { const data = new DataTransfer();
        data.setData("text", "1\\t2\\t3\\t4\\n5\\t6\\t7\\t8\\n9\\t10\\t11\\t12\\n1\\t1\\t1\\t1");
        field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true })); }"""
    )
    assert page.get_by_label("X row 4 column 4", exact=True).input_value() == "1"
    written(cell(page, "Q", 0, 0), "4.50")  # 0 + 2 − 1.5 + 4


@LOCAL_FIRST
def test_work_chooses_a_problem_and_a_formula_is_written(opened: Opened) -> None:
    page = opened.go("work.html")
    page.get_by_role("button", name="Choose a problem").click()
    page.get_by_role("searchbox").fill("lstm")
    page.locator("dialog .choices button").first.click()
    page.locator('#steps [data-step="f1"]').wait_for()
    assert page.url.endswith("#example=lstm")
    page = opened.go("work.html", "example=matrix-product")
    box = page.locator("textarea.formulas")
    box.wait_for()
    assert box.input_value().startswith("AB = A B\nBA = B A\n")
    box.fill("AB = A B\ntwice = 2 AB")
    page.locator('#steps [data-step="twice"]').wait_for()


# ---- practise


@BOTH
def test_practise_slip_hint_right_and_handed_in(opened: Opened, tmp_path: Path) -> None:
    page = opened.go("practise.html", "example=self-attention")
    task = page.locator('.task[data-step="Q"]')
    values = [["1", "3"], ["-1", "-1"], ["2.5", "-2"]]  # (2, 2) should be 1
    for i, row in enumerate(values):
        for j, value in enumerate(row):
            task.get_by_label(f"Q row {i + 1} column {j + 1}", exact=True).fill(value)
    task.get_by_role("button", name="Check this step").click()
    task.locator(".verdict.wrong").wait_for()
    wrong = task.get_by_label("Q row 2 column 2", exact=True)
    assert "wrong" in (wrong.get_attribute("class") or "")
    wrong.focus()
    for said in ("Which rule", "= ?", "= 1.00"):
        task.get_by_role("button", name="Hint").click()
        task.locator(".hintbox").get_by_text(said, exact=False).first.wait_for()
    wrong.fill("1")
    task.get_by_role("button", name="Check this step").click()
    task.locator(".verdict.right").wait_for()
    opened.shot(f"practise-{opened.base[-4:].strip('/')}")
    with page.expect_download() as kept:
        page.get_by_role("button", name="Save to hand in").click()
    file = tmp_path / "practice.json"
    kept.value.save_as(file)
    assert json.loads(file.read_text(encoding="utf-8"))["steps"]["Q"] == [["1", "3"], ["-1", "1"], ["2.5", "-2"]]
    page = opened.go("practise.html", "example=self-attention")  # what was filled in is still there
    page.locator('.task[data-step="Q"]').wait_for()
    assert page.get_by_label("Q row 2 column 2", exact=True).input_value() == "1"
    page.get_by_role("button", name="New numbers").click()
    page.locator("#seed", has_text="Variant").wait_for()
    assert page.get_by_label("Q row 2 column 2", exact=True).input_value() == ""


# ---- mark


@BOTH
def test_mark_first_error_and_a_corrected_reading(opened: Opened) -> None:
    page = opened.go("mark.html")
    page.locator("#working").fill("Q = [[1, 3], [-1, 1], [2.5, 2]]\n")
    page.get_by_role("button", name="Mark it").click()
    page.get_by_role("heading", name="The first error").wait_for()
    assert "Q (3, 2)" in page.locator("#first").inner_text()
    opened.shot(f"mark-{opened.base[-4:].strip('/')}")
    page.locator("#page .n.wrong").click()
    page.get_by_role("dialog").get_by_label("A cell of").select_option("")
    page.get_by_role("button", name="Take this").click()
    page.get_by_role("heading", name="No error found").wait_for()
    page.get_by_role("button", name="Take the correction back").click()
    page.get_by_role("heading", name="The first error").wait_for()
    page.locator("#page .n.wrong").drag_to(page.locator('[data-step="K"] .marks td').first)
    page.locator('[data-step="K"] td.wrong').wait_for()


# ---- layers


@BOTH
def test_layers_broken_and_repaired(opened: Opened) -> None:
    page = opened.go("layers.html")
    page.get_by_role("heading", name="It breaks in line 7").wait_for()
    opened.shot(f"layers-{opened.base[-4:].strip('/')}")
    page.get_by_role("button", name="Apply the repair").click()
    page.get_by_role("heading", name="It runs").wait_for()
    assert "nn.Linear(144, 10)" in page.locator("#source").input_value()
    assert page.locator("#drawing svg").count() == 1
    page.locator("#source").fill("import os")
    page.locator("#fault").wait_for()


# ---- home


@BOTH
def test_home_moves_when_touched_and_leads_on(opened: Opened) -> None:
    page = opened.go("index.html")
    assert page.locator("#temperature-value").inner_text() == "1.0"
    page.locator("#temperature").fill("0")
    assert page.locator(".touch .value").all_inner_texts() == ["0.00", "1.00", "0.00"]
    opened.shot("home")
    page.locator(".hero").get_by_role("link", name="Work a problem").click()
    page.locator('#steps [data-step="output"]').wait_for()


# ---- anybody's text is text


@LOCAL_FIRST
def test_markup_in_every_field_is_text(opened: Opened) -> None:
    page = opened.go("work.html")
    page.get_by_role("tab", name="As text").click()
    for text in (
        f"kind = {json.dumps(MARKUP)}",
        f'kind = "softmax"\ntitle = {json.dumps(MARKUP)}\n[given]\nz = [1, 2]',
        f'kind = "attention"\n[given]\ntokens = [{json.dumps(MARKUP)}, "b"]\nX = [[1], [2]]\n'
        "W_Q = [[1]]\nW_K = [[1]]\nW_V = [[1]]",
        f'kind = "formula"\n[given]\nx = 1\n[steps]\ny = "2 x"\n[why]\ny = {json.dumps(MARKUP)}',
    ):
        page.locator("#source").fill(text)
        page.wait_for_timeout(500)
    page.locator('#steps [data-step="y"]').wait_for()
    page.get_by_role("tab", name="Tables").click()
    page = opened.go("work.html", f"example={MARKUP}")
    page.locator("#fault").wait_for()
    page = opened.go("mark.html")
    page.locator("#working").fill(f"Q = [[1, {MARKUP}]]\n{MARKUP} 1 2 3")
    page.locator("#file").set_input_files(
        {"name": f"{MARKUP.replace('/', '')}.md", "mimeType": "text/plain", "buffer": f"Q(1,1) = 1 {MARKUP}".encode()}
    )
    page.locator("#result").wait_for()
    page = opened.go("layers.html")
    page.locator("#source").fill(f"from torch import nn\nnet = nn.Sequential(nn.Linear(3, 4))  # {MARKUP}")
    page.locator("#input").fill(MARKUP)
    page.locator("#fault").wait_for()
    page = opened.go("practise.html", f"example={MARKUP}")
    page.locator("#fault").wait_for()
    assert page.evaluate("window.hit") is None
    assert page.locator("img").count() == 0


@pytest.mark.parametrize("fragment", ["s=", "s=%%%", "s=AAAA", "example=", "x" * 3000, "s=" + "A" * 300_000])
def test_no_address_breaks_a_page(browser: Any, local: str, fragment: str) -> None:
    context = browser.new_context()
    found = Opened(context, local)
    for page in ("work.html", "practise.html", "mark.html", "layers.html"):
        found.go(page, fragment)
        found.page.wait_for_timeout(150)
    context.close()
    assert found.trouble == []


# ---- offline, languages, access


def test_the_site_works_offline_after_one_visit(browser: Any, site: str) -> None:
    context = browser.new_context()
    context.set_default_timeout(PATIENCE["browser"])
    found = Opened(context, site)
    page = found.go("work.html")
    page.locator(".engine[data-state=ready]").wait_for(state="attached")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    context.set_offline(True)
    page = found.go("work.html")
    page.get_by_label("X row 1 column 2", exact=True).fill("3")
    written(cell(page, "Q", 0, 0), "5.00")
    assert found.go("layers.html").locator("h1").inner_text() == "Layers of a net"
    context.close()
    assert found.trouble == []


def test_the_other_language_is_there_and_stays(browser: Any, local: str) -> None:
    context = browser.new_context(locale="de-DE")
    found = Opened(context, local)
    page = found.go("work.html")
    page.get_by_role("button", name="Aufgabe wählen").wait_for()
    assert page.locator("html").get_attribute("lang") == "de"
    assert page.locator("#steps").get_attribute("lang") == "en"
    page.locator(".bar select").select_option("en")
    page.get_by_role("button", name="Choose a problem").wait_for()
    assert found.go("mark.html").locator("h1").inner_text() == "Mark a working"
    context.close()
    assert found.trouble == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_every_page_passes_axe_and_no_page_is_wider_than_its_window(browser: Any, local: str, scheme: str, width: int) -> None:
    source = (npm_package("axe-core") / "axe.min.js").read_text(encoding="utf-8")
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 844}, locale="en-GB")
    found = Opened(context, local)
    for name in ("index.html", "work.html", "practise.html", "mark.html", "layers.html"):
        page = found.go(name)
        page.wait_for_load_state("networkidle")
        if name == "mark.html":
            page.get_by_role("button", name="Try it on an example").click()
            page.locator("#result").wait_for()
        page.wait_for_timeout(200)
        found.shot(f"{name.removesuffix('.html')}-{scheme}-{width}")
        page.evaluate(source)
        faults = page.evaluate(AXE)
        assert faults == [], name
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, name
    context.close()
    assert found.trouble == []


def test_print_shows_the_givens_and_the_steps_and_no_controls(browser: Any, local: str) -> None:
    context = browser.new_context()
    found = Opened(context, local)
    page = found.go("work.html")
    page.emulate_media(media="print")
    assert page.locator("#steps .given").is_visible()
    assert page.locator('#steps [data-step="output"]').is_visible()
    assert not page.locator(".editor").is_visible()
    assert not page.locator("#choose").is_visible()
    context.close()
    assert found.trouble == []
