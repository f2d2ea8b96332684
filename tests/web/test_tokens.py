"""Whose page it is: tokens that addresses and other tabs bring, questions of somebody else, tabs nobody looks at."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from remanence.places import shown
from tests.interfaces.serve.conftest import Server
from tests.web.commands import check_commands
from tests.web.going import at

_SEEN = """(isSeen) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => !isSeen });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
_KEPT = "() => localStorage.getItem('remanence.token')"


def led_to(page: Page, token: str) -> None:
    """As a link of another site leads there."""
    page.evaluate("(hash) => { location.hash = hash }", f"#token={token}")


def test_an_address_with_a_token_that_is_none_signs_nobody_out(page: Page, served: Server) -> None:
    page.expected.append("answered 401")  # type: ignore[attr-defined]
    for brought in ("junk", "%00", "a" * 4000, "rem_00000000_" + "x" * 43):
        at(page, "review")
        led_to(page, brought)
        expect(page.get_by_role("heading", level=1, name="Overview")).to_be_visible()
        assert page.evaluate(_KEPT) == served.token
        assert "token" not in page.url


def test_another_good_token_is_taken_only_if_the_person_wants_it(page: Page, served: Server) -> None:
    other = served.token_for("visitor", read_only=True)
    at(page, "review")
    led_to(page, other)
    question = page.get_by_role("dialog", name="Sign in with another token?")
    expect(question).to_contain_text("visitor")
    question.get_by_role("button", name="Cancel").click()
    assert page.evaluate(_KEPT) == served.token
    led_to(page, other)
    question.get_by_role("button", name="Sign in with it").click()
    expect(page.locator("#banners")).to_contain_text("it may read and change nothing")
    assert page.evaluate(_KEPT) == other


def test_what_is_no_token_is_said_to_be_none(served: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(served, token="")
    page.get_by_label("Token").fill("a b\u00e9")
    page.get_by_role("button", name="Enter").click()
    expect(page.get_by_role("alert")).to_contain_text("That is no token")


@pytest.mark.writes
def test_a_question_goes_when_another_tab_takes_another_token(page: Page, served: Server) -> None:
    with served.client() as api:
        id = api.post("/v1/memories", json={"text": "Crates are red", "scope": "/crate"}).json()["memory"]["id"]
        at(page, "erase?scope=/crate")
        page.get_by_role("button", name="Erase 1 memory…").click()
        expect(page.get_by_role("dialog")).to_be_visible()
        second = page.context.new_page()
        second.goto(f"{served.url}/page/mark.svg")
        other = served.token_for("elsewhere", namespace="side")
        second.evaluate("(token) => localStorage.setItem('remanence.token', token)", other)
        expect(page.get_by_role("dialog")).to_have_count(0)
        at(page, "memories")
        assert all(one.startswith("rem --namespace side ") for one in check_commands(page))
        assert api.get(f"/v1/memories/{id}").status_code == 200
        second.evaluate("() => localStorage.removeItem('remanence.token')")
        expect(page.get_by_role("heading", level=1, name="This memory is private")).to_be_visible()


@pytest.mark.writes
def test_a_tab_that_nobody_looks_at_gives_up_its_connection_and_catches_up(page: Page, served: Server) -> None:
    at(page, "memories")
    with page.expect_event("requestfailed", lambda request: "/v1/events" in request.url):
        page.evaluate(_SEEN, False)
    with served.client() as api:
        api.post("/v1/memories", json={"text": "Crates are red"})
    with page.expect_request(lambda request: "/v1/events?after=" in request.url):
        page.evaluate(_SEEN, True)
    expect(page.get_by_text("1 change")).to_be_visible()


def test_what_was_set_stays_while_the_server_is_away(
    store: Path, serve: Callable[..., Server], open_page: Callable[..., Page]
) -> None:
    first = serve(store)
    page = open_page(first)
    at(page, "policies/change")
    name = page.get_by_label("Name", exact=True)
    name.fill("calm")
    page.expected += ["failed:", "ERR_", "answered"]  # type: ignore[attr-defined]
    first.stop()
    page.evaluate("() => fetch('/healthz').catch(() => null)")
    page.locator("#main input[type=range]").first.press("ArrowRight")
    expect(page.locator("#banners")).to_contain_text("The server does not answer.")
    serve(store, "--port", str(first.port))
    expect(page.locator("#banners")).to_contain_text("The server answers again.", timeout=30_000)
    expect(name).to_have_value("calm")
    page.get_by_role("button", name="Draw the page anew").click()
    expect(name).not_to_have_value("calm")


def test_what_was_written_is_dropped_by_the_second_escape(page: Page) -> None:
    at(page, "review")
    page.keyboard.press("n")
    question = page.get_by_role("dialog", name="Remember something")
    question.get_by_label("What").fill("Half a thought")
    page.keyboard.press("Escape")
    expect(question).to_contain_text("Press Escape once more")
    page.keyboard.press("Escape")
    expect(question).to_have_count(0)


def test_commands_name_a_store_that_is_not_the_usual_one(
    store: Path, serve: Callable[..., Server], open_page: Callable[..., Page], tmp_path: Path
) -> None:
    server = serve(store, REMANENCE_DB=str(tmp_path / "usual.db"))
    page = open_page(server)
    at(page, "memories?kind=fact")
    assert {one.partition(" list ")[0] for one in check_commands(page)} == {f"rem --db {shown(server.store)}"}


def test_an_address_with_a_token_that_is_none_says_so_to_who_is_not_here(
    served: Server, open_page: Callable[..., Page]
) -> None:
    page = open_page(served, token="")
    expect(page.get_by_role("heading", level=1, name="This memory is private")).to_be_visible()
    led_to(page, "rem_cut-off")
    expect(page.get_by_role("alert")).to_contain_text("That is no token")
    assert "token" not in page.url
