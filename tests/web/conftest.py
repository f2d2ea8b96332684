"""A real browser on the real page of a real server, on a store with a year in it.

`page` is open with the owner's token; what it complains of fails the test. Tests that change nothing share a server,
one a worker; those that carry the mark `writes` get a copy of the store, and a server, of their own. The store is built
once a run, whatever the number of workers; a worker has one browser, and uses its pages again. With
REMANENCE_TEST_STORE=postgres each server is given a database with the same in it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import socket
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from remanence.places import ARTIFACTS, beside
from tests.conftest import STAND_IN
from tests.interfaces.serve.conftest import Server, ended, started
from tests.interfaces.serve.forked import Forked
from tests.web.going import OUTSIDE, enter
from tests.web.pages import MILLISECONDS, Chromium, Pages
from tests.web.watching import Watch
from tests.web.year import build

STORE = "memory.db"
expect.set_options(timeout=MILLISECONDS)
_BUILDING_SECONDS = 600
"""The first test waits until the store is built, or until another worker has built it."""
_PORTS = range(20_000, 30_000)
"""None of these is given to a connection, so one that is free now is free later."""
_FIRST = ("test_hostile.py", "test_shell.py", "test_welcome.py")
_CHROMIUM = Chromium()


def pytest_configure(config: pytest.Config) -> None:
    # xdist would begin with the files of most tests, as if tests were alike: `_begun` knows better.
    config.option.loadscopereorder = False


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    of_page = [item for item in items if item.path.is_relative_to(here)]
    for item in of_page:
        if item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(_BUILDING_SECONDS))
    many = Counter(item.path for item in of_page)
    of_page.sort(key=lambda item: (_begun(item.path.name), -many[item.path], item.path))
    items[:] = [item for item in items if not item.path.is_relative_to(here)] + of_page


def _begun(file: str) -> int:
    """Which files are begun first: while one worker builds the store the other has tests that need none."""
    return _FIRST.index(file) if file in _FIRST else len(_FIRST)


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


def serving(folder: Path, db: Path | str, *arguments: str, **env: str) -> Server:
    # The page shows what meaning finds, so the embedder is the real one; the timer would change the store meanwhile.
    # The store is the usual one of its environment, so that commands need not name it.
    usual = {"REMANENCE_EMBEDDER": "bundled", "REMANENCE_DB": str(db), **_home(folder)}
    return started(folder, "--no-upkeep", *arguments, db=db, launch=Forked, **usual | env)


def _home(folder: Path) -> dict[str, str]:
    """Where a server keeps what belongs to a store in a database."""
    return {"XDG_DATA_HOME": str(folder)}


@contextmanager
def _stood_in_for(file: Path) -> Iterator[Path | str]:
    """The file, or a database in its place, with the artifacts that were written beside the file."""
    if STAND_IN is None:
        yield file
        return
    address = STAND_IN.copy_of(file)
    written = Path(f"{file}{ARTIFACTS}")
    if written.is_dir():
        shutil.copytree(written, beside(address, _home(file.parent)) + ARTIFACTS)
    yield address
    STAND_IN.drop(address)


@pytest.fixture(scope="session")
def port() -> int:
    """Where the servers of a worker's tests listen, one after the other: what a page keeps of its files stays good."""
    for number in range(_PORTS.start + os.getpid() % len(_PORTS), _PORTS.stop):
        with socket.socket() as one, suppress(OSError):
            one.bind(("127.0.0.1", number))
            return number
    return 0


@pytest.fixture
def serve(tmp_path: Path, port: int) -> Iterator[Callable[..., Server]]:
    """Starts servers, on an empty store unless one is given, and ends them when the test is over."""
    with ExitStack() as stack:
        places: dict[Path, Path | str] = {}

        def one(db: Path | None = None, *arguments: str, **env: str) -> Server:
            if db is None:
                db = tmp_path / f"empty-{len(places)}" / STORE
                db.parent.mkdir()
            if not places:
                arguments = ("--port", str(port), *arguments)
            if db not in places:
                places[db] = stack.enter_context(_stood_in_for(db))
            server = serving(db.parent, places[db], *arguments, **env)
            stack.callback(ended, server)
            return server

        yield one


@pytest.fixture(scope="session")
def shared(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server of a worker's tests that change nothing."""
    file = _copied(built, tmp_path_factory.mktemp("shared") / "store")
    with _stood_in_for(file) as place:
        server = serving(file.parent, place)
        yield server
        ended(server)
    assert [line for line in server.logged() if line["level"] in ("error", "critical")] == []


@pytest.fixture
def served(request: pytest.FixtureRequest) -> Iterator[Server]:
    """The server of this test: the one they share, or one of its own if it writes."""
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


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Generator[None, None, None]:
    """Chromium runs for the tests of the page alone: while it does no test of this process can run an event loop."""
    try:
        yield
    finally:
        if nextitem is None or not nextitem.path.is_relative_to(Path(__file__).parent):
            _CHROMIUM.end()


@pytest.fixture
def pages() -> Pages:
    return _CHROMIUM.pages()


@pytest.fixture
def browser(pages: Pages) -> Browser:
    return pages.browser


@pytest.fixture
def look(request: pytest.FixtureRequest) -> str:
    """light, unless a test is parametrized with LOOKS, indirectly."""
    return str(getattr(request, "param", "light"))


@pytest.fixture
def open_page(request: pytest.FixtureRequest, pages: Pages) -> Iterator[Callable[..., Page]]:
    """Opens pages, each in an empty profile; when the test is over none has complained of what it did not expect.

    With the owner's token, another, or none (""). One that has a token begins outside, where going to a view is the
    first thing that is loaded, or at the overview where a file says BEGINS = "/"; one without begins at the door.
    A page that a test would leave changed, its clock for example, is opened with is_kept=False.
    """
    begins = getattr(request.module, "BEGINS", OUTSIDE)
    watches: list[Watch] = []
    done: list[Callable[[], None]] = []

    def one(server: Server, look: str = "light", *, token: str | None = None, is_kept: bool = True) -> Page:
        page = pages.taken(server.url, look) if is_kept else pages.new(server.url, look)
        done.append(partial(pages.given_back, page, server.url, look) if is_kept else page.context.close)
        watches.append(Watch(page, server.url))
        secret = server.token if token is None else token
        if not secret:
            page.goto("/")
        elif begins == OUTSIDE:
            enter(page, secret)
        else:
            page.goto(f"{begins}#token={secret}")
        return page

    yield one
    complaints = [complaint for watch in watches for complaint in watch.end()]
    for end in done:
        end()
    assert complaints == [], "\n".join(complaints)


@pytest.fixture
def page(open_page: Callable[..., Page], served: Server, look: str) -> Page:
    """The page of the store with a year in it, with the owner's token."""
    return open_page(served, look)
