"""The page of a store in PostgreSQL: what it holds is shown and changed, and a database that goes away is told of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.interfaces.serve.conftest import Server, ended
from tests.postgres import Cluster, new_template
from tests.web.conftest import serving
from tests.web.going import at, settled
from tests.web.test_memories import asked, rows, toast, told
from tests.web.test_memory import button, remembered

_VIEWS = ("overview", "memories", "memories?view=timeline", "plans", "plans/receipts", "policies", "policies/compare")
_MORE_VIEWS = ("review", "sessions", "entities", "erase?scope=%2Foffice", "welcome")


@pytest.fixture
def served(cluster: Cluster, tmp_path: Path) -> Iterator[Server]:
    server = serving(tmp_path, cluster.url(new_template(cluster)))
    for number, name in enumerate(("Maria Lindqvist", "Ewa Nowak", "Aiko Tanaka") * 4):
        remembered(server, f"{name} looks after release {number} of the checkout", scope="/office/atlas")
    yield server
    ended(server)


def test_every_view_shows_what_the_database_holds(page: Page, served: Server) -> None:
    for view in (*_VIEWS, *_MORE_VIEWS):
        at(page, view)
        expect(page.locator("#main").get_by_role("alert")).to_have_count(0)
    at(page, "memories?q=who+looks+after+release+7")
    expect(rows(page).first).to_contain_text("release 7")
    at(page, "memories")
    expect(told(page)).to_contain_text("12 live memories")


def test_what_is_done_is_undone(page: Page, served: Server) -> None:
    id = remembered(served, "The gate of the northern yard is opened at six", scope="/office/yard")
    at(page, f"memory/{id}")
    button(page, "Edit…").click()
    page.get_by_role("dialog").get_by_label("Text").fill("The gate of the northern yard is opened at seven")
    page.get_by_role("dialog").get_by_role("button", name="Save as a new version").click()
    expect(page.get_by_role("region", name="The memory")).to_contain_text("opened at seven")
    (newest,) = asked(served, "GET", "/memories", params={"scope": "/office/yard"})["items"]
    assert newest["version"] == 2
    at(page, f"memory/{newest['id']}")
    button(page, "Forget…").click()
    page.get_by_role("dialog").get_by_role("button", name="Forget").click()
    toast(page).locator(".toast").filter(has_text="Forg").get_by_role("button", name="Undo").click()
    expect(button(page, "Forget…")).to_be_visible()
    assert asked(served, "GET", f"/memories/{newest['id']}")["state"] == "live"


def test_a_database_that_goes_away_and_comes_back(tmp_path: Path, open_page: Callable[..., Page]) -> None:
    cluster = Cluster()
    server = serving(tmp_path, cluster.url(new_template(cluster)))
    try:
        remembered(server, "The tram to the harbor leaves at six")
        page = open_page(server)
        at(page, "memories")
        page.expected += ["answered 503", "failed:"]  # type: ignore[attr-defined]
        cluster.stop("immediate")
        page.get_by_role("navigation", name="Pages").get_by_role("link", name="Review").click()
        wrong = page.locator("#main").get_by_role("alert").first
        expect(wrong).to_contain_text("127.0.0.1")
        assert cluster.password not in page.content()
        cluster.start()
        wrong.get_by_role("button", name="Try again").click()
        settled(page)
        expect(page.locator("#main").get_by_role("alert")).to_have_count(0)
        at(page, "memories")
        expect(rows(page).first).to_contain_text("The tram to the harbor")
    finally:
        ended(server)
        cluster.close()
