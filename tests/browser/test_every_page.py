"""What holds of every page: anybody's text is text, no address breaks it, offline, two languages, access, width, print."""

import json
from typing import Any

import pytest

from browser.opened import AXE, LOCAL_FIRST, PATIENCE, Opened, cell, npm_package, remembered, written

pytestmark = pytest.mark.browser
MARKUP = "</script><img src=x onerror=window.hit=1><b>'\"&"

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


# ---- a reader may be quicker than a script


def test_what_is_touched_before_the_script_comes_is_not_lost(browser: Any, local: str) -> None:
    page = browser.new_page()
    held = list[Any]()
    page.route("**/js/home.js", lambda route: held.append(route))
    page.goto(f"{local}/index.html", wait_until="domcontentloaded")
    assert page.locator("#temperature-value").inner_text() == "1.0"  # written into the page
    page.locator("#temperature").fill("0")
    page.wait_for_timeout(500)  # the script is asked for after the first paint
    assert page.locator("#temperature-value").inner_text() == "1.0"
    for route in held:
        route.continue_()
    written(page.locator("#temperature-value"), "0.0")
    assert page.locator(".touch .value").all_inner_texts() == ["0.00", "1.00", "0.00"]
    page.close()


def test_what_is_written_while_the_text_is_on_its_way_is_not_written_over(browser: Any, local: str) -> None:
    page = browser.new_page()
    held = list[Any]()
    page.route("**/desk/read", lambda route: held.append(route))
    page.goto(f"{local}/work.html")
    page.locator("html[data-ready]").wait_for()
    page.get_by_role("tab", name="As text").click()
    source = page.locator("#source")
    source.wait_for()
    assert not source.is_editable()
    held[0].continue_()
    source.fill('kind = "softmax"\n[given]\nz = [1, 1]\n')
    written(page.locator('#steps [data-step="probabilities"] table[role=grid] td').first, "0.5")
    assert "softmax" in source.input_value()
    page.close()


# ---- no address breaks a page


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


def test_the_second_visit_needs_no_network_and_begins_from_the_memory_of_the_first(browser: Any, site: str) -> None:
    context = browser.new_context()
    context.set_default_timeout(PATIENCE["browser"])
    found = Opened(context, site)
    page = found.go("work.html")
    page.locator(".engine[data-state=ready][data-from=nothing]").wait_for(state="attached")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    remembered(page)
    context.set_offline(True)
    page = found.go("work.html")
    page.get_by_label("X row 1 column 2", exact=True).fill("3")
    written(cell(page, "Q", 0, 0), "5.00")
    page.locator(".engine[data-state=ready][data-from=memory]").wait_for(state="attached")
    page = found.go("work.html", "example=lstm")  # a problem that nobody had read when the memory was made
    page.locator('#steps [data-step="h2"]').wait_for()
    assert found.go("layers.html").locator("h1").inner_text() == "Layers of a net"
    page.evaluate("""async () => {
        const store = await caches.open('clearhead-memory');
        for (const one of await store.keys()) await store.put(one, new Response("not a memory"));
    }""")
    page = found.go("work.html")  # what cannot be taken up is thrown away, and all begins from nothing, still offline
    page.locator(".engine[data-state=ready][data-from=nothing]").wait_for(state="attached")
    page.get_by_label("X row 1 column 2", exact=True).fill("3")
    written(cell(page, "Q", 0, 0), "5.00")
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


@pytest.mark.parametrize(
    ("scheme", "width"),
    [
        ("light", 390),
        ("dark", 1280),
        pytest.param("light", 1280, marks=pytest.mark.slow),
        pytest.param("dark", 390, marks=pytest.mark.slow),
    ],
)
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


MOVING = """[...document.querySelectorAll("*")].filter((one) => {
    const { transitionDuration, scrollBehavior } = getComputedStyle(one);
    return parseFloat(transitionDuration) > 0 || scrollBehavior === "smooth";
}).length + document.getAnimations().filter((one) => one.timeline instanceof DocumentTimeline).length"""


def test_nothing_moves_by_itself_where_the_reader_asks_for_that(browser: Any, local: str) -> None:
    moving = {}
    for wish in ("reduce", "no-preference"):
        context = browser.new_context(reduced_motion=wish)
        found = Opened(context, local)
        moving[wish] = [found.go(name).evaluate(MOVING) for name in ("index.html", "work.html", "practise.html")]
        context.close()
    assert moving["reduce"] == [0, 0, 0]
    assert sum(moving["no-preference"]) > 0  # there is something to stop


def test_the_pages_speak_to_a_screen_reader(browser: Any, local: str) -> None:
    """By the tree that Chromium gives to one: a title, one main part, names of all that can be used, and what changed."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE["local"])
    found = Opened(context, local)
    for name in ("index.html", "work.html", "practise.html", "mark.html", "layers.html"):
        page = found.go(name)
        page.wait_for_load_state("networkidle")
        nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
        seen = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if not node.get("ignored")]
        roles = [role for role, _ in seen]
        assert roles.count("main") == 1
        assert roles.count("heading") >= 1
        usable = ("button", "link", "textbox", "checkbox", "slider", "combobox", "spinbutton", "switch")
        assert [role for role, said in seen if role in usable and not said.strip()] == [], name
        assert any(role in usable for role in roles)
    page = found.go("work.html")
    page.get_by_label("X row 1 column 2", exact=True).fill("3")
    written(cell(page, "Q", 0, 0), "5.00")
    assert page.locator("[aria-live]").count() > 0
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
    page.emulate_media(media="screen")
    page = found.go("mark.html")
    page.locator("#working").fill("Q = [[1, 3], [-1, 1], [2.5, 2]]\n")
    page.get_by_role("button", name="Mark it").click()
    page.locator("#page .n.wrong").wait_for()
    page.emulate_media(media="print")
    assert page.locator("#page .n.wrong").is_visible()  # the numbers of a page are buttons, and stay on paper
    assert not page.locator("#mark").is_visible()
    page = found.go("practise.html")
    page.get_by_label("Q row 1 column 1", exact=True).wait_for()
    assert page.locator("#title").is_visible()
    context.close()
    assert found.trouble == []
