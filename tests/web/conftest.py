"""A real browser on the real page of a real server, on a store with a year in it.

`page` is open with the owner's token; what it complains of fails the test. Tests that change nothing share a server,
one a file; those that carry the mark `writes` get a copy of the store, and a server, of their own. The store is built
once a run, whatever the number of workers.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.interfaces.serve.conftest import Server, ended, started
from tests.web.going import OUTSIDE, enter
from tests.web.looks import options
from tests.web.watching import Watch
from tests.web.year import build

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
STORE = "memory.db"
_MILLISECONDS = 15_000.0
"""How long an action may take, and what is expected: other tests run beside it."""
expect.set_options(timeout=_MILLISECONDS)
_BUILDING_SECONDS = 600
"""The first test waits until the store is built, or until another worker has built it."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here) and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(_BUILDING_SECONDS))


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the store that all copies are made of; nobody opens it.

    Whoever runs these tests again and again sets REMANENCE_YEAR to a folder, where it stays and is found the next time.
    """
    base = tmp_path_factory.getbasetemp()
    shared = Path(os.environ.get("REMANENCE_YEAR") or (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base))
    shared.mkdir(parents=True, exist_ok=True)
    folder = shared / "year"
    with (shared / "year.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.is_dir():
            making = shared / "year.making"
            shutil.rmtree(making, ignore_errors=True)
            making.mkdir()
            build(making / STORE)
            making.rename(folder)
    return folder


def _copied(built: Path, folder: Path) -> Path:
    shutil.copytree(built, folder)
    return folder / STORE


@pytest.fixture
def store(built: Path, tmp_path: Path) -> Path:
    """A copy of the store for this test alone."""
    return _copied(built, tmp_path / "store")


def _serving(db: Path, *arguments: str, **env: str) -> Server:
    # The page shows what meaning finds, so the embedder is the real one; the timer would change the store meanwhile.
    # The store is the usual one of its environment, so that commands need not name it.
    usual = {"REMANENCE_EMBEDDER": "bundled", "REMANENCE_DB": str(db)}
    return started(db.parent, "--no-upkeep", *arguments, db=db, **usual | env)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts servers, on an empty store unless one is given, and ends them when the test is over."""
    running: list[Server] = []

    def one(db: Path | None = None, *arguments: str, **env: str) -> Server:
        if db is None:
            db = tmp_path / f"empty-{len(running)}" / STORE
            db.parent.mkdir()
        running.append(_serving(db, *arguments, **env))
        return running[-1]

    yield one
    for server in running:
        ended(server)


@pytest.fixture(scope="module")
def shared(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server of a file's tests that change nothing."""
    server = _serving(_copied(built, tmp_path_factory.mktemp("shared") / "store"))
    yield server
    ended(server)
    assert [line for line in server.logged() if line["level"] in ("error", "critical")] == []


@pytest.fixture
def served(request: pytest.FixtureRequest) -> Iterator[Server]:
    """The server of this test: the file's, or one of its own if it writes."""
    if request.node.get_closest_marker("writes") is not None:
        yield request.getfixturevalue("serve")(request.getfixturevalue("store"))
        return
    server: Server = request.getfixturevalue("shared")
    before = _newest(server)
    yield server
    assert _newest(server) == before, "This test changed the store that others share: mark it with pytest.mark.writes"


def _newest(server: Server) -> Any:
    with server.client() as client:
        return client.get("/v1/journal", params={"limit": 1}).json()["items"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium. For a file, not for the run: while it lives no test of this process can run an event loop."""
    executable = next(filter(None, map(shutil.which, BROWSERS)), None)
    assert executable is not None, f"None of {', '.join(BROWSERS)} is installed. Run: make browser"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=list(ARGUMENTS))
        yield chromium
        chromium.close()


@pytest.fixture
def look(request: pytest.FixtureRequest) -> str:
    """light, unless a test is parametrized with LOOKS, indirectly."""
    return str(getattr(request, "param", "light"))


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens pages, each in an empty profile; when the test is over none has complained of what it did not expect."""
    watches: list[Watch] = []
    pages: list[Page] = []

    def one(server: Server, look: str = "light", *, path: str = "/", token: bool = True, **more: Any) -> Page:
        context = browser.new_context(base_url=server.url, **{**options(look), **more})
        context.set_default_timeout(_MILLISECONDS)
        context.set_default_navigation_timeout(_MILLISECONDS)
        page = context.new_page()
        pages.append(page)
        watches.append(Watch(page, server.url))
        page.goto(f"{path}#token={server.token}" if token else path)
        return page

    yield one
    complaints = [complaint for watch in watches for complaint in watch.end()]
    for page in pages:
        page.context.close()
    assert complaints == [], "\n".join(complaints)


@pytest.fixture
def page(request: pytest.FixtureRequest, open_page: Callable[..., Page], served: Server, look: str) -> Page:
    """The page of the store with a year in it: at the overview where a file says BEGINS = "/", else still outside."""
    if getattr(request.module, "BEGINS", None) == "/":
        return open_page(served, look)
    page = open_page(served, look, path=OUTSIDE, token=False)
    enter(page, served.token)
    return page
