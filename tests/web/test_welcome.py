"""The first visit to an empty store: the demo, and the ways to connect an agent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, Route, expect

from tests.interfaces.serve.conftest import Server
from tests.web.commands import check_commands
from tests.web.going import at, usable
from tests.web.looks import LOOKS
from tests.web.shots import shot

BEGINS = "/"


def shortly(route: Route) -> None:
    """A few days will do: a year takes minutes."""
    if route.request.method == "POST":
        route.continue_(post_data='{"days": 14}')
    else:
        route.continue_()


def test_the_first_visit_is_usable_and_something_is_remembered(serve: Callable[..., Server], open_page: Any) -> None:
    server = serve()
    for look in LOOKS:
        page = open_page(server, look)
        expect(page.get_by_role("heading", level=1, name="A memory that knows how to forget")).to_be_visible()
        expect(page.get_by_text(f"{server.url}/mcp")).to_be_visible()
        usable(page)
        shot(page, f"welcome-{look}")
    for host in ("codex", "cursor", "gemini"):
        page.get_by_label("Agent").select_option(host)
        assert f"rem connect {host}" in check_commands(page)
    page.get_by_role("button", name="Remember something").click()
    page.get_by_role("dialog").get_by_label("What").fill("Tea is at four")
    page.get_by_role("dialog").get_by_role("button", name="Remember").click()
    expect(page.locator("#main")).to_have_attribute("data-shown", "memory")


def test_the_demo_is_made_visited_and_taken_away(serve: Callable[..., Server], open_page: Any) -> None:
    server = serve()
    page: Page = open_page(server)
    page.route("**/v1/demo", shortly)
    page.get_by_role("button", name="Show me a demo").click()
    expect(page.get_by_role("status").filter(has_text="Living a year")).to_be_visible()
    banner = page.get_by_text("This is the demo:")
    expect(banner).to_be_visible(timeout=120_000)
    expect(page.get_by_role("button", name="Show me a demo")).to_have_count(0)
    page.get_by_role("button", name="Back to my memory").click()
    expect(banner).to_have_count(0)
    with server.client() as client:
        assert client.get("/v1/count", params={"state": "all"}).json()["count"] == 0
    page.expected.append("answered 409")  # type: ignore[attr-defined]
    page.get_by_role("button", name="Show me a demo").click()
    expect(banner).to_be_visible()
    at(page, "welcome")
    expect(page.get_by_role("heading", name="You are in the demo")).to_be_visible()
    usable(page)
    page.get_by_role("button", name="Take the demo away").click()
    assert "rem demo --remove --yes" in check_commands(page)
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Take the demo away").click()
    page.get_by_role("dialog").get_by_role("button", name="Take it away").click()
    expect(banner).to_have_count(0, timeout=60_000)
    with server.client(**{"Remanence-Namespace": "demo"}) as client:
        assert client.get("/v1/count", params={"state": "all"}).json()["count"] == 0


def test_what_is_called_a_demo_and_is_none_is_not_taken_for_one(serve: Callable[..., Server], open_page: Any) -> None:
    server = serve()
    with server.client(**{"Remanence-Namespace": "demo-mine"}) as client:
        client.post("/v1/memories", json={"text": "This is mine, and no demo"})
    page = open_page(server, token=server.token_for("mine", namespace="demo-mine"))
    at(page, "welcome")
    expect(page.get_by_role("heading", name="Look around first")).to_be_visible()
    expect(page.get_by_role("button", name="Take the demo away")).to_have_count(0)
    expect(page.get_by_text("This is the demo:")).to_have_count(0)


def test_a_demo_of_another_name_is_named_in_the_command_and_taken_away(
    serve: Callable[..., Server], open_page: Any
) -> None:
    server = serve()
    with server.client(**{"Remanence-Namespace": "demo-of mine"}) as client:
        made = client.post("/v1/demo", json={"days": 14}, timeout=120)
        assert "event: answer" in made.text
        page = open_page(server, token=server.token_for("other", namespace="demo-of mine"))
        at(page, "welcome")
        page.get_by_role("button", name="Take the demo away").click()
        assert "rem --namespace 'demo-of mine' demo --remove --yes" in check_commands(page)
        page.get_by_role("dialog").get_by_role("button", name="Take it away").click()
        expect(page.get_by_role("heading", name="Look around first")).to_be_visible(timeout=60_000)
        assert client.get("/v1/count", params={"state": "all"}).json()["count"] == 0


def test_where_no_demo_can_be_made(serve: Callable[..., Server], open_page: Any) -> None:
    server = serve()
    with server.client(**{"Remanence-Namespace": "demo"}) as client:
        client.post("/v1/memories", json={"text": "This is mine, and no demo"})
    page = open_page(server)
    page.expected.append("answered 409")
    page.get_by_role("button", name="Show me a demo").click()
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_text("This is the demo:")).to_have_count(0)
    bound = open_page(server, token=server.token_for("bound", namespace="mine"))
    at(bound, "welcome")
    expect(bound.get_by_text("make it on the command line")).to_be_visible()
    expect(bound.get_by_role("button", name="Show me a demo")).to_have_count(0)
    reader = open_page(server, token=server.token_for("reader", read_only=True))
    at(reader, "welcome")
    expect(reader.get_by_text("the owner makes the demo")).to_be_visible()
