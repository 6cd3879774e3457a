"""Practise, Mark, Layers and Home in Chromium, a whole story a page, with the local Python and with Pyodide."""

import json
from pathlib import Path

import pytest

from browser.opened import BOTH, Opened

pytestmark = pytest.mark.browser

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
    scores = page.locator('.task[data-step="scores"]')
    scores.get_by_label("scores row 2 column 2", exact=True).focus()
    scores.get_by_role("button", name="Hint").click()
    scores.get_by_text("Look at Q, row 2, column 2 first").wait_for()
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
    page.locator("#working").fill("My first try:\nQ = [[1, 3], [-1, 1], [2.5, 2]]\n")
    page.get_by_role("button", name="Mark it").click()  # the line is as it was, and so is its correction
    page.locator("#page", has_text="My first try").locator(".n.mended").wait_for()
    page.get_by_role("heading", name="No error found").wait_for()
    page.get_by_role("button", name="Take the correction back").click()
    page.get_by_role("heading", name="The first error").wait_for()
    page.locator("#page .n.wrong").drag_to(page.locator('[data-step="K"] .marks td').first)
    page.locator('[data-step="K"] td.wrong').wait_for()


@BOTH
def test_mark_takes_notebooks_and_pdf(opened: Opened) -> None:
    code = {"cell_type": "code", "metadata": {}, "execution_count": 1, "source": ["Q = X @ W_Q\n", "print('Q =', Q)"]}
    said = {"output_type": "stream", "name": "stdout", "text": ["Q = [[ 1.  3. ]\n", " [-1.  1. ]\n", " [ 2.5 2. ]]\n"]}
    notebook = {"cells": [{**code, "outputs": [said]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    page = opened.go("mark.html")
    page.locator("#file").set_input_files(
        {"name": "mine.ipynb", "mimeType": "application/json", "buffer": json.dumps(notebook).encode()}
    )
    page.get_by_role("heading", name="The first error").wait_for()
    assert "Q (3, 2)" in page.locator("#first").inner_text()
    pdf = printed("Q = [[1, 3], [-1, 1], [2.5, -2]]")
    page.locator("#file").set_input_files({"name": "mine.pdf", "mimeType": "application/pdf", "buffer": pdf})
    page.get_by_role("heading", name="No error found").wait_for()
    assert page.locator('[data-step="Q"] td.right').count() == 6


def printed(line: str) -> bytes:
    """A PDF of one line."""
    drawn = f"BT /F1 12 Tf 72 720 Td ({line}) Tj ET"
    parts = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    text, places = "%PDF-1.4\n", []
    for number, part in enumerate(parts, start=1):
        places.append(len(text))
        text += f"{number} 0 obj\n{part}\nendobj\n"
    rows = "".join(f"{place:010} 00000 n \n" for place in places)
    table = f"xref\n0 6\n0000000000 65535 f \n{rows}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n{len(text)}\n%%EOF\n"
    return (text + table).encode()


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
