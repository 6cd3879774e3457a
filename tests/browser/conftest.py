"""What the stories share: a browser a module, one local server and one built site a session, a context for each engine."""

from collections.abc import Iterator
from typing import Any

import pytest

from browser.opened import PATIENCE, Opened, chromium, npm_package, static
from clearhead.web.site_folder import write_site
from web.served import serving


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Closed with its module: Playwright keeps an event loop that other tests must not meet."""
    with chromium() as found:
        yield found


@pytest.fixture(scope="session")
def local() -> Iterator[str]:
    """The address of a `clearhead serve`."""
    with serving() as server:
        yield server.address


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a static site under a sub-path of its host."""
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
    """A page of the engine that the test names; in the end nothing may have gone wrong on it."""
    base = request.getfixturevalue("local" if request.param == "local" else "site")
    if request.param not in contexts:
        contexts[request.param] = browser.new_context(accept_downloads=True, locale="en-GB")
        contexts[request.param].set_default_timeout(PATIENCE[request.param])
    found = Opened(contexts[request.param], base)
    yield found
    trouble = found.trouble
    found.page.close()
    assert trouble == []
