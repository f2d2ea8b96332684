"""The list of memories: search while typing, filters in the address, table and timeline, and what is chosen."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.interfaces.serve.conftest import Server
from tests.web import axe
from tests.web.commands import check_commands, shown
from tests.web.going import fits, go
from tests.web.looks import LOOKS
from tests.web.shots import shot


def at(page: Page, address: str = "memories") -> None:
    """Go to an address of the page, and wait until its list is there."""
    go(page, f"{address}")
    expect(page.get_by_role("heading", level=1, name="Memories")).to_be_visible()
    expect(page.locator("#main .waiting")).to_have_count(0)
    expect(page.locator(".results")).not_to_have_attribute("aria-busy", "true")


def rows(page: Page) -> Locator:
    return page.locator("#main [data-row]")


def told(page: Page) -> Locator:
    return page.get_by_role("region", name="The memories").get_by_role("status").first


def chosen(page: Page) -> Locator:
    return page.get_by_role("region", name="Chosen memories")


def toast(page: Page) -> Locator:
    return page.get_by_role("region", name="What was done")


def asked(server: Server, method: str, path: str, **more: Any) -> Any:
    with server.client() as client:
        answer = client.request(method, f"/v1{path}", **more)
    assert answer.status_code < 400, answer.text
    return answer.json()


@pytest.mark.parametrize("look", LOOKS, indirect=True)
def test_it_is_usable_in_every_look(page: Page, look: str) -> None:
    at(page)
    expect(rows(page)).to_have_count(50)
    axe.check(page)
    fits(page)
    check_commands(page)
    shot(page, f"memories-{look}")
    at(page, "memories?q=maria+checkout")
    page.get_by_role("button", name=re.compile("^Rank .*: its parts")).first.click()
    if look == "phone":
        page.locator("summary").filter(has_text="Filters").click()
    expect(page.get_by_label("While searching")).to_be_visible()
    axe.check(page)
    fits(page)
    shot(page, f"search-{look}")
    at(page, "memories?view=timeline")
    expect(page.get_by_role("button", name=re.compile("^[A-Z][a-z]+ 20.*: .* memories$")).first).to_be_visible()
    rows(page).first.get_by_role("checkbox").check()
    axe.check(page)
    fits(page)
    shot(page, f"timeline-{look}")


def test_what_is_typed_is_found_and_says_why(page: Page) -> None:
    at(page)
    field = page.get_by_role("searchbox", name="Search memories")
    field.press_sequentially("maria check")
    expect(told(page)).to_have_text("20 hits, best first")
    field.press_sequentially("out")
    expect(rows(page).first).to_contain_text("Maria Lindqvist")
    expect(page).to_have_url(re.compile(r"#/memories\?q=maria\+checkout$"))
    expect(page.locator(".results")).not_to_have_attribute("aria-busy", "true")
    expect(page.get_by_role("heading", name="Archived, and would have been among these")).to_be_visible()
    rank = rows(page).first.get_by_role("button", name=re.compile("its parts"))
    rank.click()
    expect(rank).to_have_attribute("aria-expanded", "true")
    for part in ("answer", "text", "vector", "retention", "worth", "trust"):
        expect(rows(page).first.locator(".meter").filter(has_text=part)).to_be_visible()
    expect(rows(page).first).to_contain_text("How near it is in meaning")
    rank.click()
    expect(rows(page).first.locator(".parts")).to_be_hidden()
    page.get_by_role("button", name="Show more").click()
    expect(told(page)).to_have_text("40 hits, best first")
    assert any("--no-reinforce" in one for one in check_commands(page))
    field.fill("")
    expect(told(page)).to_contain_text("live memories, 1 to 50")


def test_the_old_hits_stay_until_the_new_ones_are_there(page: Page) -> None:
    at(page, "memories?q=maria")
    first = rows(page).first.inner_text()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/v1/recall", hold)
    with page.expect_request("**/v1/recall"):
        page.get_by_role("searchbox", name="Search memories").fill("maria osaka")
    expect(page.locator(".results")).to_have_attribute("aria-busy", "true")
    assert rows(page).first.inner_text() == first
    held[-1].continue_()
    expect(rows(page).first).to_contain_text("Osaka")


def test_why_a_memory_does_not_come(page: Page) -> None:
    at(page, "memories?q=harbor+heating")
    page.get_by_role("button", name="Why does one not come?").click()
    box = page.get_by_role("dialog")
    box.get_by_label("Words it holds, or its id").fill("Maria Lindqvist visited Osaka")
    box.get_by_role("list").get_by_role("button").first.click()
    expect(box).to_contain_text("It does not come.")
    expect(box.get_by_role("listitem").last).to_be_visible()
    assert any("--why-not" in one for one in check_commands(page))
    box.get_by_role("button", name="Close").click()
    expect(page.get_by_role("button", name="Why does one not come?")).to_be_focused()


def test_pages_and_the_way_back(page: Page) -> None:
    at(page)
    first = rows(page).first.get_attribute("data-row")
    pages = page.get_by_role("navigation", name="Pages of the list")
    pages.get_by_role("link", name="Older").click()
    expect(told(page)).to_contain_text("51 to 100")
    second = rows(page).first.get_attribute("data-row")
    assert second != first
    pages.get_by_role("link", name="Older").click()
    expect(told(page)).to_contain_text("101 to 150")
    expect(page).to_have_url(re.compile("page=3&after="))
    pages.get_by_role("link", name="Newer").click()
    expect(told(page)).to_contain_text("51 to 100")
    assert rows(page).first.get_attribute("data-row") == second
    page.go_back()
    expect(told(page)).to_contain_text("101 to 150")
    page.reload()
    expect(told(page)).to_contain_text("101 to 150")
    pages.get_by_role("link", name="Newer").click()  # without the cursor, which went with the page
    expect(told(page)).to_contain_text("51 to 100")
    assert rows(page).first.get_attribute("data-row") == second
    assert any("--offset 50" in one for one in check_commands(page))


def test_filters_stand_in_the_address(page: Page, served: Server) -> None:
    at(page)
    scopes = page.get_by_role("group", name="Scopes")
    scopes.get_by_role("button", name="Scopes below /office", exact=True).press("Enter")
    scopes.get_by_role("button", name=re.compile("^atlas")).click()
    expect(page).to_have_url(re.compile("scope=%2Foffice%2Fatlas$"))
    expect(scopes.get_by_role("button", name=re.compile("^atlas"))).to_have_attribute("aria-pressed", "true")
    page.get_by_label(re.compile("^Layer")).select_option("semantic")
    page.get_by_label(re.compile("^Kind")).select_option("fact")
    page.get_by_label(re.compile("^Source")).select_option("human")
    page.get_by_label(re.compile("^State")).select_option("all")
    page.get_by_role("button", name="A year").click()
    expect(page).to_have_url(
        re.compile(r"scope=%2Foffice%2Fatlas&kind=fact&layer=semantic&source=human&since=\d{4}-\d\d-\d\d&state=all$")
    )
    since = page.get_by_label("From", exact=True).input_value()
    wanted = {"scope": "/office/atlas", "kind": "fact", "layer": "semantic", "source": "human", "state": "all"}
    count = asked(served, "GET", "/count", params={**wanted, "since": since})["count"]
    expect(told(page)).to_contain_text(f"{count:,} memories")
    check_commands(page)
    page.reload()
    expect(told(page)).to_contain_text(f"{count:,} memories")
    expect(page.get_by_label(re.compile("^Layer"))).to_have_value("semantic")
    expect(page.get_by_role("button", name="A year")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Remove the filter layer semantic").click()
    expect(page.get_by_label(re.compile("^Layer"))).to_have_value("")
    page.get_by_label("To", exact=True).fill(since)
    page.get_by_label("To", exact=True).press("Tab")
    expect(page).to_have_url(re.compile(f"until={since}"))
    page.get_by_role("link", name="Clear all").click()
    expect(told(page)).to_contain_text("live memories, 1 to 50")
    page.get_by_role("button", name="Today", exact=True).click()
    expect(page.get_by_role("button", name="Today", exact=True)).to_have_attribute("aria-pressed", "true")
    with served.client() as api:
        archived = api.get("/v1/memories", params={"state": "archived", "limit": 1}).json()["items"][0]
    at(page, f"memories?q={quote(archived['text'])}")
    page.get_by_label("While searching").select_option("archived")
    expect(rows(page).filter(has_text="archived").first).to_be_visible()
    expect(page).to_have_url(re.compile("state=archived"))


def test_a_search_knows_every_state(page: Page, served: Server) -> None:
    for state in ("superseded", "forgotten", "quarantined"):
        one = asked(served, "GET", "/memories", params={"state": state, "limit": 1})["items"][0]
        at(page, f"memories?q={quote(one['text'])}&state={state}")
        expect(page.get_by_label("While searching")).to_have_value(state)
        expect(told(page)).to_contain_text(f"{state} memor")
        expect(page.locator(f"[data-row='{one['id']}']")).to_contain_text(state)
        assert any(f"--state {state} --words" in command for command in check_commands(page))
    page.get_by_role("button", name="Remove the filter state quarantined").click()
    expect(told(page)).to_contain_text("best first")
    expect(page.get_by_role("button", name=re.compile("^Rank .*: its parts")).first).to_be_visible()


def test_the_list_has_an_order_of_ones_choice(page: Page, served: Server) -> None:
    at(page)
    order = page.get_by_label("Order", exact=True)
    said = {
        "importance": r"importance [01]\.\d\d",
        "recalled": "recalled .+ ago",
        "recalls": r"\d+ recalls?",
        "oldest": "ago",
    }
    for name, value in said.items():
        order.select_option(name)
        expect(page).to_have_url(re.compile(f"order={name}"))
        first = asked(served, "GET", "/memories", params={"order": name, "limit": 1})["items"][0]
        expect(rows(page).first).to_have_attribute("data-row", first["id"])
        expect(rows(page).first.locator(".since")).to_have_text(re.compile(value))
        assert any(f"--order {name}" in command for command in check_commands(page))
    order.select_option("recalls")
    page.get_by_role("navigation", name="Pages of the list").get_by_role("link", name="Next").click()
    expect(told(page)).to_contain_text("51 to 100")
    second = asked(served, "GET", "/memories", params={"order": "recalls", "limit": 1, "offset": 50})["items"][0]
    expect(rows(page).first).to_have_attribute("data-row", second["id"])
    page.get_by_role("link", name="Timeline").click()
    expect(order).to_be_hidden()


def test_counts_beside_filters_are_of_what_the_others_leave(page: Page, served: Server) -> None:
    at(page, "memories?state=forgotten&source=human")
    wanted = {"state": "forgotten", "source": "human"}
    scopes = asked(served, "GET", "/counts", params={"of": "scope", **wanted})
    office = sum(number for scope, number in scopes.items() if scope.startswith("/office/"))
    tree = page.get_by_role("group", name="Scopes")
    expect(tree.get_by_role("button", name=f"Everything {sum(scopes.values()):,}")).to_be_visible()
    tree.get_by_role("button", name=f"office {office:,}", exact=True).click()
    expect(tree.get_by_role("button", name=f"office {office:,}", exact=True)).to_be_focused()
    kinds = asked(served, "GET", "/counts", params={"of": "kind", "scope": "/office", **wanted})
    name, number = next(iter(kinds.items()))
    kind = page.get_by_label(re.compile("^Kind"))
    expect(kind.locator("option").nth(1)).to_have_text(f"{name.replace('_', ' ')} ({number:,})")
    kind.select_option(name)
    expect(told(page)).to_contain_text(f"{number:,} forgotten memor")


def test_back_shows_what_was_shown(page: Page) -> None:
    at(page)
    link = rows(page).nth(30).get_by_role("link").first
    link.scroll_into_view_if_needed()
    down = page.evaluate("() => window.scrollY")
    assert down > 500
    link.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Memory")
    page.wait_for_function("() => window.scrollY === 0")
    page.go_back()
    expect(link).to_be_focused()
    page.wait_for_function("(down) => Math.abs(window.scrollY - down) < 2", arg=down)
    page.get_by_role("link", name="Older").click()
    expect(told(page)).to_contain_text("51 to 100")
    page.wait_for_function("() => window.scrollY === 0")
    page.go_back()
    expect(told(page)).to_contain_text("1 to 50")
    page.wait_for_function("() => window.scrollY > 500")
    at(page, "memories?q=maria")
    page.get_by_role("button", name="Show more").click()
    expect(rows(page).nth(39)).to_be_visible()
    rows(page).nth(35).get_by_role("link").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Memory")
    page.go_back()
    expect(told(page)).to_contain_text("40 hits")
    page.wait_for_function("() => window.scrollY > 500")


def test_the_timeline_narrows_the_time(page: Page) -> None:
    at(page)
    page.get_by_role("link", name="Timeline").click()
    expect(page).to_have_url(re.compile("view=timeline"))
    bar = (
        page.get_by_role("group", name="Memories over time").get_by_role("button", name=re.compile(r"20\d\d: ")).nth(3)
    )
    name = bar.get_attribute("aria-label") or ""
    bar.click()
    month, count = re.fullmatch(r"(\w+) 20\d\d: ([\d,]+) memories", name).groups()  # type: ignore[union-attr]
    expect(told(page)).to_contain_text(f"{count} live memories")
    assert month in page.get_by_role("region", name="The memories").get_by_role("heading", level=2).first.inner_text()
    days = page.get_by_role("group", name="Memories over time").get_by_role("button", name=re.compile("memor(y|ies)$"))
    expect(days.nth(27)).to_be_visible()
    assert 28 <= days.count() <= 31
    days.filter(has_not=page.locator("[disabled]")).first.click()
    expect(page).to_have_url(re.compile(r"since=(\S+)&until=\1&view=timeline"))
    page.get_by_role("button", name="All of the time").click()
    expect(told(page)).to_contain_text("1 to 50")
    at(page, "memories?q=maria&view=timeline")
    expect(page.get_by_text("Of the hits shown.")).to_be_visible()
    page.get_by_role("link", name="Table").click()
    expect(page.get_by_role("button", name=re.compile("its parts")).first).to_be_visible()


def test_a_long_time_is_drawn_to_its_end_and_an_impossible_one_is_said(page: Page) -> None:
    over_time = page.get_by_role("group", name="Memories over time")
    bars = over_time.get_by_role("group", name="Bars").get_by_role("button")
    now = datetime.now(UTC)
    at(page, "memories?view=timeline&since=1980-05-01")
    assert bars.first.get_attribute("aria-label") == "1980–1981: 0 memories"
    assert (bars.last.get_attribute("aria-label") or "").startswith(f"{now.year - now.year % 2}–{now.year}: ")
    counts = [re.search(r": ([\d,]+) mem", bar.get_attribute("aria-label") or "") for bar in bars.all()]
    total = sum(int(count.group(1).replace(",", "")) for count in counts if count)
    expect(told(page)).to_contain_text(f"{total:,} live memories")
    at(page, "memories?view=timeline&since=0080-01-01")
    assert bars.first.get_attribute("aria-label") == "0080–0099: 0 memories"
    assert bars.count() <= 30
    at(page, "memories?view=timeline&since=2026-03-01&until=2026-02-01")
    expect(over_time).to_contain_text("No day lies between: 2026-03-01 is after 2026-02-01.")
    at(page, f"memories?view=timeline&since={now.year + 1}-03-01")
    expect(over_time).to_contain_text(re.compile(": 0 memories"))
    over_time.get_by_role("button", name="All of the time").click()
    expect(told(page)).to_contain_text("1 to 50")


def test_keys_and_the_choice(page: Page) -> None:
    at(page)
    page.get_by_role("heading", level=1).focus()
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(rows(page).nth(1).get_by_role("link").first).to_be_focused()
    page.keyboard.press("x")
    expect(chosen(page)).to_contain_text("1 chosen")
    page.keyboard.press("k")
    expect(rows(page).nth(0).get_by_role("link").first).to_be_focused()
    rows(page).nth(4).get_by_role("checkbox").click(modifiers=["Shift"])
    expect(chosen(page)).to_contain_text("4 chosen")
    expect(rows(page).nth(3).get_by_role("checkbox")).to_be_checked()
    page.get_by_role("link", name="Older").click()
    expect(chosen(page)).to_contain_text("4 chosen · 4 not on this page")
    page.get_by_role("checkbox", name="Choose all on this page").check()
    expect(chosen(page)).to_contain_text("54 chosen")
    page.get_by_role("checkbox", name="Choose all on this page").uncheck()
    chosen(page).get_by_role("button", name="Choose none").click()
    expect(chosen(page)).to_be_hidden()
    first = rows(page).first.get_attribute("data-row")
    page.get_by_role("heading", level=1).focus()
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"#/memory/{first}$"))


@pytest.mark.writes
def test_what_others_do_waits_until_it_is_wanted(page: Page, served: Server) -> None:
    at(page)
    first = rows(page).first.get_attribute("data-row")
    asked(served, "POST", "/memories", json={"text": "The lighthouse on the northern shore is painted white"})
    button = page.get_by_role("button", name=re.compile(r"^\d+ changes?: show$"))
    expect(button).to_be_visible()
    assert rows(page).first.get_attribute("data-row") == first
    button.click()
    expect(rows(page).first).to_contain_text("northern shore")
    expect(button).to_have_count(0)


def test_states_without_anything(page: Page) -> None:
    at(page, "memories?q=zzzxqv&scope=/office/notes/03&kind=lesson")
    expect(page.get_by_text("No memory answers that")).to_be_visible()
    page.get_by_role("button", name="Look among archived ones too").click()
    expect(page).to_have_url(re.compile("state=archived"))
    page.get_by_role("button", name="Look among all states, by words").click()
    expect(page).to_have_url(re.compile("state=all"))
    page.get_by_role("link", name="Search everywhere").click()
    expect(page).to_have_url(re.compile(r"#/memories\?q=zzzxqv$"))
    at(page, "memories?scope=/nowhere/at/all&view=timeline")
    expect(page.get_by_text("Nothing matches")).to_be_visible()
    page.get_by_role("link", name="Show all memories").click()
    expect(rows(page)).to_have_count(50)
    page.expected.append(r"answered 4\d\d: GET .*scope=")  # type: ignore[attr-defined]
    at(page, "memories?scope=/a//b")
    expect(page.get_by_role("alert")).to_be_visible()
    page.evaluate("() => { location.hash = '#/memories' }")
    expect(rows(page)).to_have_count(50)


def test_an_error_can_be_tried_again(page: Page) -> None:
    page.expected.append("answered 503")  # type: ignore[attr-defined]
    page.route("**/v1/memories?**", lambda route: route.fulfill(status=503, json={"detail": "The disk is full."}))
    at(page)
    expect(page.get_by_role("alert")).to_contain_text("The disk is full.")
    page.unroute("**/v1/memories?**")
    page.get_by_role("button", name="Try again").click()
    expect(rows(page)).to_have_count(50)


@pytest.mark.writes
def test_an_empty_store_says_how_to_begin(serve: Callable[..., Server], open_page: Callable[..., Page]) -> None:
    server = serve()
    page = open_page(server)
    at(page)
    expect(page.get_by_text("Nothing is remembered yet")).to_be_visible()
    check_commands(page)
    asked(server, "POST", "/memories", json={"text": "هذا نص من اليمين 🌱"})
    expect(rows(page)).to_have_count(1)
    expect(rows(page).get_by_role("link").first).to_have_attribute("dir", "auto")


def test_tokens_with_limits(served: Server, open_page: Callable[..., Page]) -> None:
    kept = served.token_for("kept", scope="/office/atlas")
    page = open_page(served, token=kept)
    page.expected += [r"answered 403"]  # type: ignore[attr-defined]
    at(page)
    expect(rows(page)).to_have_count(50)
    page.get_by_role("textbox", name="Scope").fill("/office/atlas/api")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page).to_have_url(re.compile("scope=%2Foffice%2Fatlas%2Fapi"))
    page.get_by_role("textbox", name="Kind").fill("fact")
    page.get_by_role("textbox", name="Kind").press("Tab")
    expect(page).to_have_url(re.compile("kind=fact"))
    rows(page).first.get_by_role("checkbox").check()
    expect(chosen(page).get_by_role("link", name="Purge…")).to_have_count(0)
    reader = open_page(served, token=served.token_for("reader", read_only=True))
    at(reader)
    expect(reader.get_by_role("checkbox")).to_have_count(0)
    assert shown(reader)
