"""Work in Chromium, with the local Python and with Pyodide: edit, touch, slide, export, reopen."""

from pathlib import Path

import pytest

from browser.opened import BOTH, LOCAL_FIRST, Opened, cell, written

pytestmark = pytest.mark.browser


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
    page.locator("#drawn rect").first.wait_for()
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
    page.get_by_role("tab", name="Tables").focus()
    page.keyboard.press("ArrowRight")
    page.locator("#source").wait_for()
    assert page.evaluate("document.activeElement.id") == "tab-text"
    page.keyboard.press("Home")
    page.get_by_label("X row 4 column 4", exact=True).wait_for()


@LOCAL_FIRST
def test_a_key_touches_only_what_changes(opened: Opened) -> None:
    page = opened.go("work.html")
    cell(page, "weights", 2, 0).click()
    page.locator("#option-temperature").fill("0")
    written(cell(page, "weights", 2, 0), "1.00")
    assert "chosen" in (cell(page, "weights", 2, 0).get_attribute("class") or "")
    assert page.locator('[data-step="weights"] .sum').inner_text().startswith("weights[3,1] = 1")
    page.evaluate(
        """() => { window.touched = []; new MutationObserver((all) => all.forEach((one) => {
        const step = (one.target.parentElement ?? one.target).closest(".step"); if (step) touched.push(step.dataset.step); }))
        .observe(document.querySelector("#steps"), { subtree: true, childList: true, characterData: true });
        document.querySelector('[data-step="V"]').kept = document.querySelector('[data-step="scores"] math').kept = true; }"""
    )
    page.get_by_label("X row 1 column 2", exact=True).fill("3")
    written(cell(page, "Q", 0, 0), "5.00")
    assert page.evaluate("""document.querySelector('[data-step="V"]').kept""")  # the very same elements stand there
    assert page.evaluate("""document.querySelector('[data-step="scores"] math').kept""")
    assert page.locator('[data-step="Q"] td.goes').count() == 2  # the row that the edited cell goes into
    page.evaluate("touched.length = 0")
    page.get_by_label("W_V row 1 column 1", exact=True).fill("2")  # V and what follows from it, and nothing before
    written(cell(page, "V", 0, 0), "1.50")
    assert set(page.evaluate("touched")) <= {"V", "output"}


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


@BOTH
def test_a_long_computation_is_stopped_and_the_next_one_is_worked(opened: Opened) -> None:
    rows = [[(7 * i + 3 * j) % 11 - 5 for j in range(4)] for i in range(120)]  # a minute of exact arithmetic
    square = [[(5 * i + 2 * j) % 7 - 3 for j in range(4)] for i in range(4)]
    page = opened.go("work.html")
    page.get_by_role("tab", name="As text").click()
    long = f'kind = "attention"\n[given]\nX = {rows}\nW_Q = {square}\nW_K = {square}\nW_V = {square}\n'
    page.locator("#source").fill(long)
    page.get_by_role("button", name="Stop", exact=True).click()
    page.locator("#fault", has_text="Stopped").wait_for()
    page.locator("#source").fill('kind = "softmax"\n[given]\nz = [1, 1]\n')
    written(page.locator('#steps [data-step="probabilities"] table[role=grid] td').first, "0.5")
    page.get_by_role("button", name="Stop", exact=True).wait_for(state="hidden")
