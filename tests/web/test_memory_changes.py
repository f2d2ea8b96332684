"""One memory while it changes: an edit that fails, somebody else who was quicker, what is done here and taken back."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.interfaces.serve.conftest import Server
from tests.web.commands import check_commands
from tests.web.faults import Held, only
from tests.web.test_memories import asked, toast
from tests.web.test_memory import at, button, card, remembered

pytestmark = pytest.mark.writes
_LONG = "The gate of the northern yard is opened by the guard on duty. " * 80
"""More than a page asks for at first."""


@pytest.fixture
def small(serve: Callable[..., Server]) -> Server:
    """A server on an empty store, by words alone."""
    return serve(REMANENCE_EMBEDDER="none")


def test_what_was_written_stays_until_it_is_stored(small: Server, open_page: Callable[..., Page]) -> None:
    id = remembered(small, "The tram to the harbor leaves at six", kind="timetable")
    page = open_page(small)
    at(page, id)
    button(page, "Edit…").click()
    box = page.get_by_role("dialog")
    text = box.get_by_label("Text")
    save = box.get_by_role("button", name="Save as a new version")
    text.fill("The tram to the harbor leaves at seven " + "every morning " * 100)
    (command,) = [one for one in check_commands(page) if " revise " in one and "at seven" in one]
    assert command.count("every morning") == 100  # all of it: a part would be stored as the whole
    text.fill("The tram to the harbor leaves at seven")

    page.expected += ["answered 503", "answered 412"]  # type: ignore[attr-defined]
    full = f"**/v1/memories/{id}"
    page.route(full, lambda route: route.fulfill(status=503, json={"detail": "The disk is full."}))
    save.click()
    expect(box.get_by_role("alert")).to_contain_text("The disk is full.")
    expect(text).to_have_value("The tram to the harbor leaves at seven")
    page.unroute(full)

    asked(small, "POST", f"/memories/{id}/promote", json={})
    save.click()
    expect(box.get_by_role("alert")).to_contain_text("Changed meanwhile")
    expect(box.get_by_role("alert").get_by_role("listitem")).to_have_text("Layer: episodic → semantic")
    expect(text).to_have_value("The tram to the harbor leaves at seven")
    box.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Nothing was done.")).to_be_visible()
    button(page, "Edit…").click()
    text.fill("The tram to the harbor leaves at eight")
    save.click()
    expect(box.get_by_role("alert")).to_contain_text("Changed meanwhile")
    save.click()
    expect(page.get_by_role("region", name="The memory")).to_contain_text("leaves at eight")
    newer = asked(small, "GET", f"/memories/{page.url.rpartition('/')[2]}")
    assert (newer["layer"], newer["kind"], newer["version"]) == ("semantic", "timetable", 2)


def test_a_long_text_is_fetched_whole_before_it_is_edited(small: Server, open_page: Callable[..., Page]) -> None:
    id = remembered(small, _LONG.strip())
    page = open_page(small)
    at(page, id)
    page.expected.append("answered 503")  # type: ignore[attr-defined]
    page.route(f"**/v1/memories/{id}", lambda route: route.fulfill(status=503, json={"detail": "The disk is full."}))
    button(page, "Edit…").click()
    box = page.get_by_role("dialog")
    expect(box.get_by_role("alert")).to_contain_text("The disk is full.")
    page.unroute(f"**/v1/memories/{id}")
    box.get_by_role("button", name="Try again").click()
    expect(box.get_by_label("Text")).to_have_value(_LONG.strip())
    expect(box.get_by_label("Text")).to_be_focused()
    box.get_by_role("button", name="Cancel").click()
    expect(button(page, "Edit…")).to_be_focused()


def test_what_was_done_here_is_not_told_as_done_elsewhere(small: Server, open_page: Callable[..., Page]) -> None:
    id = remembered(small, "The market is on the square")
    page, other = open_page(small), open_page(small)
    at(other, id)
    at(page, id)
    page.route("**/history", lambda route: None)  # which says what the receipt is
    button(page, "Pin").click()
    expect(other.get_by_text("Changed elsewhere")).to_be_visible()  # so this one has heard of it too
    expect(page.get_by_text("Changed elsewhere")).to_have_count(0)
    page.unroute("**/history")
    expect(button(page, "Unpin")).to_be_visible()
    expect(page.get_by_text("Changed elsewhere")).to_have_count(0)
    toast(page).get_by_role("button", name="Undo").click()
    expect(button(page, "Pin")).to_be_visible()
    expect(page.get_by_text("Changed elsewhere")).to_have_count(0)


def test_a_receipt_is_taken_back_after_asking_and_once(small: Server, open_page: Callable[..., Page]) -> None:
    id = remembered(small, "The well in the garden is dry")
    asked(small, "POST", f"/memories/{id}/pin", json={})
    page = open_page(small)
    at(page, id)
    journal = card(page, "Journal")
    undo = journal.get_by_role("button", name=re.compile("^Undo r"))
    expect(undo).to_have_count(2)
    page.expected.append("answered 503")  # type: ignore[attr-defined]
    page.route("**/v1/receipts?**", lambda route: route.fulfill(status=503, json={"detail": "The disk is full."}))
    undo.first.click()
    expect(toast(page)).to_contain_text(re.compile(r"r\d+ was left alone: The disk is full\."))
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.unroute("**/v1/receipts?**")

    undo.first.click()
    expect(page.get_by_role("dialog")).to_contain_text("What pin did to 1 memory is taken back.")
    check_commands(page)
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert asked(small, "GET", f"/memories/{id}")["pinned"]
    undo.first.click()
    page.get_by_role("dialog").get_by_role("button", name="Undo", exact=True).click()
    expect(button(page, "Pin")).to_be_visible()
    pinned = journal.get_by_role("listitem").filter(has_text="pin: ")
    expect(pinned).to_contain_text("undone by r")
    expect(pinned.get_by_role("button")).to_have_count(0)
    journal.get_by_role("listitem").first.get_by_role("button").click()  # the undo itself
    page.get_by_role("dialog").get_by_role("button", name="Redo").click()
    expect(button(page, "Unpin")).to_be_visible()
    expect(pinned.get_by_role("button", name=re.compile("^Undo r"))).to_be_visible()
    expect(journal.get_by_role("button")).to_have_count(3)


def test_lineage_that_is_cut_or_partly_purged(small: Server, open_page: Callable[..., Page]) -> None:
    sources = [remembered(small, f"Guest {number} of the inn paid in silver") for number in range(3)]
    made = remembered(small, "The guests of the inn pay in silver", lineage=sources)
    page = open_page(small)
    told = asked(small, "GET", f"/memories/{made}/lineage")
    assert len(told["memories"]) == 4

    def cut(route: Route) -> None:
        route.fulfill(json={**told, "purged": sources[1:], "more": True, "memories": told["memories"][:2]})

    page.route("**/lineage", cut)
    at(page, made)
    lineage = card(page, "Lineage")
    expect(lineage).to_contain_text("Only the 2 nearest were read, so there may be more")
    gone = ", ".join(id[-12:] for id in sources[1:])
    expect(lineage).to_contain_text(f"2 memories it is tied to were purged: {gone}")
    expect(lineage.locator("svg a")).to_have_count(2)
    lineage.get_by_text("As a list").click()
    expect(lineage.get_by_role("heading", name="Made from")).to_be_visible()


def test_two_things_done_at_once_are_both_done(small: Server, open_page: Callable[..., Page]) -> None:
    id = remembered(small, "The ferry to the island is green", layer="semantic", pinned=True)
    page = open_page(small)
    at(page, id)
    held = Held(page, "**/unpin")
    button(page, "Unpin").click()
    held.wait_for(1)
    button(page, "Demote").click()
    held.let_go()
    expect(toast(page)).to_contain_text("Unpinned")
    expect(toast(page)).to_contain_text("Demoted")
    expect(page.locator("#main .notice")).to_have_count(0)
    now = asked(small, "GET", f"/memories/{id}")
    assert (now["pinned"], now["layer"]) == (False, "episodic")
    expect(button(page, "Pin")).to_be_visible()

    # Somebody else comes between the two: that the second was not done stays said, whatever is drawn anew.
    held, second, shown_anew = Held(page, "**/pin"), Held(page, "**/confirm"), Held(page, only(f"/memories/{id}"))
    page.expected.append("answered 412")  # type: ignore[attr-defined]
    button(page, "Pin").click()
    held.wait_for(1)
    button(page, "Confirm").click()
    held.let_go()
    second.wait_for(1)
    shown_anew.wait_for(1)
    asked(small, "POST", f"/memories/{id}/promote", json={})
    second.let_go()
    shown_anew.wait_for(2)
    shown_anew.let_go(1)
    expect(page.get_by_text("Nothing was done.")).to_be_visible()
    expect(page.locator("#main .notice").get_by_role("listitem")).to_have_text("Layer: episodic → semantic")
    shown_anew.let_go(0)
    shown_anew.end()
    expect(button(page, "Unpin")).to_be_visible()
    expect(page.get_by_text("Nothing was done.")).to_be_visible()
    button(page, "Confirm").click()
    page.get_by_role("button", name="Show it as it is now").click()
    expect(page.locator("#main .notice")).to_have_count(0)


def test_an_edit_goes_on_from_the_version_of_somebody_else(small: Server, open_page: Callable[..., Page]) -> None:
    id = remembered(small, "The bakery opens at six", kind="hours", categories=["shop"])
    page = open_page(small)
    at(page, id)
    button(page, "Edit…").click()
    box = page.get_by_role("dialog")
    save = box.get_by_role("button", name="Save as a new version")
    box.get_by_label("Categories").fill("shop, food")
    for text in ("The bakery opens at seven", "The bakery opens at eight"):
        id = str(asked(small, "PATCH", f"/memories/{id}", json={"text": text})["memory"]["id"])
    page.expected.append("answered 412")  # type: ignore[attr-defined]
    save.click()
    told = box.get_by_role("alert").get_by_role("listitem")
    expect(told.filter(has_text="Text")).to_have_text("Text: The bakery opens at six → The bakery opens at eight")
    (command,) = [one for one in check_commands(page) if "food" in one]
    assert id in command
    save.click()
    expect(box).to_have_count(0)
    expect(page.get_by_role("region", name="The memory")).to_contain_text("version 4")
    newer = asked(small, "GET", f"/memories/{page.url.rpartition('/')[2]}")
    assert (newer["text"], newer["categories"]) == ("The bakery opens at eight", ["shop", "food"])
    assert newer["supersedes"] == id

    button(page, "Edit…").click()
    box.get_by_label("Categories").fill("")
    expect(box).to_contain_text("The command line cannot take all categories away.")
    expect(box.locator("[data-command]")).to_have_count(0)
    save.click()
    expect(page.get_by_role("region", name="The memory")).to_contain_text("version 5")
    assert asked(small, "GET", f"/memories/{page.url.rpartition('/')[2]}")["categories"] == []


def test_what_may_not_be_written_stays_in_the_dialog(small: Server, open_page: Callable[..., Page]) -> None:
    secret = "The key of the boathouse hangs behind the mill"
    gone = remembered(small, secret)
    asked(small, "POST", "/purge", json={"ids": [gone], "reason": "asked for"})
    page = open_page(small)
    at(page, remembered(small, "The key of the boathouse is lost"))
    button(page, "Edit…").click()
    box = page.get_by_role("dialog")
    box.get_by_label("Text").fill(secret)
    box.get_by_role("button", name="Save as a new version").click()
    expect(box.get_by_role("alert")).to_contain_text("Not written: what it says was purged before.")
    expect(box.get_by_label("Text")).to_have_value(secret)
    page.keyboard.press("Escape")
    expect(box).to_contain_text("Press Escape once more")
    page.keyboard.press("Escape")
    expect(box).to_have_count(0)
    expect(button(page, "Edit…")).to_be_focused()
