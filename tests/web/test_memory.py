"""One memory: all of it to see, every button, and what happens when it is changed, purged or was never there."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.interfaces.serve.conftest import Server
from tests.web import axe
from tests.web.commands import check_commands
from tests.web.going import fits, go
from tests.web.looks import LOOKS
from tests.web.shots import shot
from tests.web.test_memories import asked, toast

_UNKNOWN = "01900000-0000-7000-8000-00000000ffff"


def at(page: Page, id: str) -> None:
    """Go to a memory, and wait until all of its parts are there."""
    go(page, f"memory/{id}")
    expect(page.get_by_role("region", name="The memory")).to_be_visible()
    expect(page.locator("#main .waiting")).to_have_count(0)


def one(server: Server, **wanted: Any) -> dict[str, Any]:
    """A memory of the store: filters of the list, and values it must have."""
    filters = {name: wanted.pop(name) for name in ("state", "layer", "source", "scope") if name in wanted}
    found = asked(server, "GET", "/memories", params={"limit": 1000, **filters})["items"]
    return next(item for item in found if all(test(item) for test in wanted.values()))


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name="The memory").get_by_role("button", name=name, exact=True)


def card(page: Page, title: str) -> Locator:
    return page.locator("section").filter(has=page.get_by_role("heading", name=title, exact=True, level=2))


def remembered(server: Server, text: str, **more: Any) -> str:
    return str(asked(server, "POST", "/memories", json={"text": text, **more})["memory"]["id"])


@pytest.mark.parametrize("look", LOOKS, indirect=True)
def test_it_is_usable_in_every_look(page: Page, served: Server, look: str) -> None:
    memory = one(served, layer="episodic", recalled=lambda item: item["access_count"] > 1)
    at(page, memory["id"])
    expect(page.get_by_role("img", name=re.compile("of this memory from"))).to_be_visible()
    axe.check(page)
    fits(page)
    shot(page, f"memory-{look}")
    revised = one(served, newer=lambda item: item["version"] > 1)
    at(page, revised["id"])
    expect(card(page, "Lineage").get_by_role("link").first).to_be_visible()
    page.get_by_text("On the command line", exact=True).click()
    check_commands(page)
    axe.check(page)
    fits(page)


def test_all_that_is_known_of_it(page: Page, served: Server) -> None:
    memory = one(served, layer="episodic", recalled=lambda item: item["access_count"] > 1)
    at(page, memory["id"])
    told = asked(served, "GET", f"/memories/{memory['id']}/explain")
    expect(page.get_by_role("region", name="The memory")).to_contain_text(memory["text"])
    worth = card(page, "What it is worth, and why")
    for name in told["parts"]:
        expect(worth.locator(".meter").filter(has_text=name)).to_be_visible()
    worth.get_by_text("What rules measure").click()
    expect(worth).to_contain_text("idle days")
    expect(card(page, "In words")).to_contain_text(told["text"].split("\n")[0][:20])
    life = card(page, "From birth to forgetting")
    expect(life.locator("circle")).to_have_count(len(told["curve"]["accesses"]))
    life.get_by_text("The numbers").click()
    expect(life.get_by_role("row").nth(3)).to_be_visible()
    fields = card(page, "All fields")
    for text in (memory["id"], memory["scope"], memory["source"], "Importance", "Recalled"):
        expect(fields).to_contain_text(text)


def test_the_rule_it_will_meet_and_a_life_that_is_over(page: Page, served: Server) -> None:
    due = one(served, layer="episodic", idle=lambda item: item["importance"] < 0.1 and not item["access_count"])
    told = asked(served, "GET", f"/memories/{due['id']}/explain")
    assert told["next_rule"]
    at(page, due["id"])
    expect(card(page, "From birth to forgetting")).to_contain_text(f"the rule {told['next_rule']}")
    expect(card(page, "In words")).to_contain_text(told["advice"][0], ignore_case=True)
    assert card(page, "In words").inner_text().lower().count(told["advice"][0].lower()) == 1, "it is said once"
    for state in ("archived", "forgotten", "superseded"):
        at(page, one(served, state=state)["id"])
        expect(card(page, "From birth to forgetting")).to_contain_text("Its life in recall ended")
        expect(button(page, "Restore")).to_be_visible()
        expect(button(page, "Forget…")).to_have_count(0)
    page.get_by_role("link", name="show it").click()
    expect(page.get_by_role("region", name="The memory")).to_contain_text("version 2")
    at(page, one(served, state="quarantined")["id"])
    expect(page.get_by_role("link", name="accept or reject it there")).to_have_attribute("href", "#/review")


def test_lineage_versions_and_journal(page: Page, served: Server) -> None:
    fact = one(served, source="extracted", made=lambda item: item["lineage"])
    at(page, fact["id"])
    lineage = card(page, "Lineage")
    nodes = lineage.locator("svg a")
    assert nodes.count() >= 2
    lineage.get_by_text("As a list").click()
    expect(lineage.get_by_role("heading", name="Made from")).to_be_visible()
    nodes.filter(has_not=page.locator("xpath=self::*[@aria-current]")).first.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"#/memory/{fact['lineage'][0]}"))
    expect(card(page, "Lineage").locator("h3").filter(has_text="Became")).to_be_attached()

    revised = one(served, newer=lambda item: item["version"] > 1 and item["text"].endswith("last meeting"))
    at(page, revised["id"])
    versions = card(page, "Versions")
    expect(versions.locator("ins").first).to_contain_text("+, as agreed in the last meeting")
    versions.get_by_label(re.compile("^From")).select_option(index=1)
    versions.get_by_label(re.compile("^To")).select_option(index=0)
    expect(versions.locator("del").first).to_contain_text("−, as agreed in the last meeting")
    journal = card(page, "Journal")
    expect(journal.get_by_role("listitem").first).to_contain_text("revise")
    receipt = journal.get_by_role("link", name=re.compile(r"^r\d+$")).first
    expect(receipt).to_have_attribute("href", re.compile(r"^#/plans/receipt/r\d+$"))


def test_why_it_does_not_come(page: Page, served: Server) -> None:
    at(page, one(served, state="archived")["id"])
    button(page, "Why does it not come?").click()
    box = page.get_by_role("dialog")
    box.get_by_label("When this is asked").fill("what is there to know about harbors")
    box.get_by_role("button", name="Ask").click()
    expect(box).to_contain_text(re.compile("It does not come|It comes, at place"))
    check_commands(page)
    page.keyboard.press("Escape")
    expect(button(page, "Why does it not come?")).to_be_focused()


@pytest.mark.writes
def test_every_button_changes_it_and_shows_its_command(page: Page, served: Server) -> None:
    id = remembered(served, "The gate of the eastern yard is locked at nine")
    other = remembered(served, "The gate of the eastern yard stays open all night")
    at(page, id)

    def now() -> dict[str, Any]:
        found: dict[str, Any] = asked(served, "GET", f"/memories/{id}")
        return found

    button(page, "Pin").click()
    expect(toast(page)).to_contain_text("Pinned")
    expect(button(page, "Unpin")).to_be_visible()
    assert now()["pinned"]
    check_commands(page)
    button(page, "Unpin").click()
    expect(button(page, "Pin")).to_be_visible()
    button(page, "Promote").click()
    expect(button(page, "Promote")).to_have_count(0)
    assert now()["layer"] == "semantic"
    button(page, "Demote").click()
    expect(button(page, "Promote")).to_be_visible()
    button(page, "Confirm").click()
    expect(card(page, "All fields")).to_contain_text(re.compile("Confirmed.*once"))
    button(page, "Useful").click()
    expect(card(page, "All fields")).to_contain_text(re.compile("of use.*once"))
    button(page, "Not useful").click()
    expect(card(page, "All fields")).to_contain_text(re.compile("no use.*once"))

    button(page, "Challenge…").click()
    page.get_by_role("dialog").get_by_role("button", name="Challenge it myself").click()
    expect(toast(page)).to_contain_text("Challenged")
    expect(page.get_by_role("region", name="The memory")).to_contain_text("challenged")
    button(page, "Confirm").click()  # which settles it
    expect(page.get_by_role("region", name="The memory").locator(".doubted")).to_have_count(0)
    button(page, "Challenge…").click()
    box = page.get_by_role("dialog")
    box.get_by_label("The memory that contradicts it").fill(other)
    box.get_by_role("list").get_by_role("button").click()
    check_commands(page)
    box.get_by_role("button", name="Challenge by that").click()
    expect(page.get_by_role("region", name="The memory").locator(".doubted")).to_be_visible()
    assert now()["challenged_by"] == other

    button(page, "Forget…").click()
    page.get_by_role("dialog").get_by_role("button", name="Forget", exact=True).click()
    expect(button(page, "Restore")).to_be_visible()
    assert now()["state"] == "forgotten"
    button(page, "Restore").click()
    expect(button(page, "Forget…")).to_be_visible()
    assert now()["state"] == "live"


@pytest.mark.writes
def test_an_edit_is_a_new_version_and_a_purge_is_for_good(page: Page, served: Server) -> None:
    id = remembered(served, "The ferry to the island leaves at seven", categories=["travel"])
    at(page, id)
    button(page, "Edit…").click()
    box = page.get_by_role("dialog")
    save = box.get_by_role("button", name="Save as a new version")
    expect(save).to_be_disabled()
    box.get_by_label("Text").fill("The ferry to the island leaves at eight")
    box.get_by_label("Kind").fill("timetable")
    box.get_by_label("Scope").fill("/travel/islands")
    box.get_by_label("Importance").fill("0.9")
    box.get_by_label("Categories").fill("travel, ferry")
    check_commands(page)
    save.click()
    expect(toast(page)).to_contain_text("A new version is in force")
    expect(page).not_to_have_url(re.compile(id))
    expect(page.get_by_role("region", name="The memory")).to_contain_text("leaves at eight")
    newer = page.url.rpartition("/")[2]
    memory = asked(served, "GET", f"/memories/{newer}")
    assert (memory["kind"], memory["scope"], memory["importance"]) == ("timetable", "/travel/islands", 0.9)
    assert memory["categories"] == ["travel", "ferry"]
    expect(card(page, "Versions").locator("ins").first).to_contain_text("eight")
    expect(card(page, "Versions").get_by_role("listitem").filter(has_text="Kind")).to_contain_text("timetable")

    expect(page.locator("#main .waiting")).to_have_count(0)
    page.get_by_role("link", name="Purge…").click()
    expect(page.get_by_role("heading", name="2 memories would be destroyed")).to_be_visible()
    older = page.locator("details").filter(has_text="Older versions")
    older.locator("summary").click()
    expect(older.get_by_role("listitem")).to_contain_text("Older version of The ferry to the island leaves at eight")
    page.get_by_role("button", name="Erase 2 memories").click()
    box = page.get_by_role("dialog")
    box.get_by_label("Why; it is kept in the journal").fill("the ferry was sold")
    box.get_by_label("to go on").fill("ERASE")
    box.get_by_role("button", name="Erase for good").click()
    expect(page.get_by_role("region", name="Certificate")).to_contain_text("the ferry was sold", timeout=20_000)
    page.expected.append("answered 404")  # type: ignore[attr-defined]
    go(page, f"memory/{newer}")
    expect(page.get_by_role("heading", level=1)).to_have_text("This memory was purged")
    expect(page.locator("#main")).to_contain_text("the ferry was sold")
    check_commands(page)


@pytest.mark.writes
def test_another_tab_has_changed_it(page: Page, served: Server) -> None:
    id = remembered(served, "The bakery on the corner closes on Mondays")
    at(page, id)
    # The news of the journal would tell before the button does.
    asked(served, "POST", f"/memories/{id}/promote", json={})
    expect(page.get_by_text("Changed elsewhere")).to_be_visible()
    expect(page.locator("#main")).to_contain_text("episodic → semantic")
    expect(button(page, "Promote")).to_be_visible()  # nothing jumped
    page.expected.append("answered 412")  # type: ignore[attr-defined]
    button(page, "Pin").click()
    expect(page.get_by_role("alert")).to_contain_text("Changed meanwhile")
    assert not asked(served, "GET", f"/memories/{id}")["pinned"]
    page.get_by_role("button", name="Show it as it is now").click()
    expect(page.get_by_text("Changed meanwhile")).to_have_count(0)
    expect(button(page, "Promote")).to_have_count(0)
    button(page, "Pin").click()
    expect(button(page, "Unpin")).to_be_visible()
    asked(served, "POST", f"/memories/{id}/confirm", json={})
    button(page, "Forget…").click()
    page.get_by_role("dialog").get_by_role("button", name="Forget", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("Changed meanwhile")
    assert asked(served, "GET", f"/memories/{id}")["state"] == "live"
    page.expected.append("answered 404")  # type: ignore[attr-defined]
    asked(served, "POST", "/purge", json={"ids": [id], "reason": "done elsewhere"})
    expect(page.get_by_text("somebody purged it meanwhile")).to_be_visible()
    page.get_by_role("button", name="Show it as it is now").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("This memory was purged")


@pytest.mark.writes
def test_very_long_right_to_left_and_emoji(serve: Callable[..., Server], open_page: Callable[..., Page]) -> None:
    server = serve(REMANENCE_EMBEDDER="none")
    long = remembered(server, "begin " + "🌱 growing words " * 52_000 + "the very end")
    other = remembered(server, "السفينة تغادر الميناء في السابعة صباحا 👩‍👩‍👧‍👦")
    page = open_page(server)
    at(page, other)
    expect(page.get_by_text("السفينة تغادر").first).to_have_attribute("dir", "auto")
    at(page, long)
    expect(page.get_by_text(re.compile(r"^The first 4,000 of [\d,]+ characters"))).to_be_visible()
    page.get_by_role("button", name="Show all").click()
    expect(page.get_by_role("button", name="Show all")).to_have_count(0)
    drawn = page.locator(".whole").text_content() or ""
    assert drawn.endswith("the very end") and drawn.count("🌱 growing words ") == 52_000


def test_an_id_that_nobody_knows(page: Page) -> None:
    page.expected.append("answered 404")  # type: ignore[attr-defined]
    for id in (_UNKNOWN, "no-such-thing"):
        go(page, f"memory/{id}")
        expect(page.get_by_role("heading", level=1)).to_have_text("There is no such memory")
        expect(page.locator("#main")).to_contain_text(id)
    axe.check(page)
    page.get_by_role("link", name="To the memories").click()
    expect(page).to_have_url(re.compile("#/memories$"))


def test_a_part_that_fails_leaves_the_others(page: Page, served: Server) -> None:
    page.expected.append("answered 503")  # type: ignore[attr-defined]
    page.route("**/explain", lambda route: route.fulfill(status=503, json={"detail": "The disk is full."}))
    at(page, one(served, state="live")["id"])
    expect(card(page, "In words").get_by_role("alert")).to_contain_text("The disk is full.")
    expect(card(page, "Journal").get_by_role("listitem").first).to_be_visible()
    page.unroute("**/explain")
    card(page, "In words").get_by_role("button", name="Try again").click()
    expect(card(page, "In words")).to_contain_text("worth")


def test_tokens_with_limits(served: Server, open_page: Callable[..., Page]) -> None:
    memory = one(served, scope="/office/atlas")
    kept = open_page(served, token=served.token_for("kept", scope="/office/atlas"))
    kept.expected += ["answered 40[34]"]  # type: ignore[attr-defined]
    at(kept, memory["id"])
    expect(kept.get_by_role("link", name="Purge…")).to_have_count(0)
    expect(button(kept, "Forget…")).to_be_visible()
    outside = one(served, scope="/user")
    kept.evaluate("(hash) => { location.hash = hash }", f"#/memory/{outside['id']}")
    expect(kept.get_by_role("heading", level=1)).to_have_text("There is no such memory")
    reader = open_page(served, token=served.token_for("reader", read_only=True))
    at(reader, memory["id"])
    expect(button(reader, "Forget…")).to_be_hidden()
    expect(button(reader, "Why does it not come?")).to_be_visible()
