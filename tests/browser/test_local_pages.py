"""The pages that need torch, in Chromium: a run asked, looked into and worked by hand; a curve, a sample, a claim."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser.opened import AXE, ROOT, Opened, npm_package
from web.served import serving

pytestmark = [pytest.mark.browser, pytest.mark.slow]
OLD = ROOT / "tests" / "training" / "folders" / "old_runs" / "birthplaces"


@pytest.fixture(scope="module")
def context(browser: Any) -> Iterator[Any]:
    found = browser.new_context(locale="en-GB")
    found.set_default_timeout(300_000)
    yield found
    found.close()


def require_access(page: Any) -> None:
    """What axe-core finds nothing wrong with, at both widths and in both schemes; no page is wider than its window."""
    page.evaluate((npm_package("axe-core") / "axe.min.js").read_text(encoding="utf-8"))
    for width, scheme in ((1280, "light"), (390, "dark")):
        page.set_viewport_size({"width": width, "height": 844})
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(AXE) == [], (width, scheme)
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, width
    page.set_viewport_size({"width": 1280, "height": 844})


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    runs: Path = tmp_path_factory.mktemp("runs")
    shutil.copytree(OLD, runs / "first")
    with serving("--runs", str(runs)) as server:
        yield server.address


def test_ask_why_look_work_this_head(context: Any, address: str) -> None:
    found = Opened(context, address)
    page = found.go("ask.html")
    page.locator("#run option", has_text="first (").first.wait_for(state="attached")
    page.locator("#run").select_option("first")
    page.locator("#question").fill("Where was Ada born?")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator("#result").wait_for()
    assert page.locator("#answer").inner_text()
    assert page.locator("#drawing svg").count() == 1
    found.shot("ask")
    require_access(page)
    page.locator("#look").click()
    page.locator("iframe#lens").wait_for()
    page.frame_locator("#lens").locator("h1").first.wait_for()
    page.wait_for_timeout(500)
    found.shot("look")
    require_access(page)
    page.get_by_role("button", name="Work this head").click()
    page.locator('#steps [data-step="weights"]').wait_for()
    page.close()
    assert found.trouble == []


def test_runs_with_their_curve_and_a_sample(context: Any, address: str) -> None:
    found = Opened(context, address)
    page = found.go("runs.html")
    page.get_by_role("button", name="first/pretrain", exact=True).click()
    page.locator("#drawing svg").wait_for()
    page.get_by_role("button", name="Draw a text").click()
    page.locator("#text:not(:empty)").wait_for()
    found.shot("runs")
    require_access(page)
    page.close()
    assert found.trouble == []


def test_a_claim_is_rerun_on_a_click(context: Any, address: str) -> None:
    found = Opened(context, address)
    page = found.go("lab.html")
    claim = page.locator('[data-claim="identical-heads"]')
    claim.get_by_role("button", name="Rerun: identical-heads").click()
    claim.get_by_role("progressbar").wait_for(state="attached")
    claim.locator("svg").wait_for()
    assert "holds" in claim.inner_text()
    found.shot("lab")
    require_access(page)
    page.close()
    assert found.trouble == []
