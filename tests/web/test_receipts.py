"""Past receipts, undone and redone; what dreams did; upkeep and a dream by hand."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.interfaces.serve.conftest import Server
from tests.web import axe
from tests.web.commands import check_commands
from tests.web.faults import again, failing, only, told_and_tried_again
from tests.web.going import usable
from tests.web.looks import LOOKS
from tests.web.planning import MAKING, dialog, go, json, no_sideways, with_two_due
from tests.web.shots import shot


@pytest.fixture
def small(serve: Callable[..., Server]) -> Server:
    return with_two_due(serve)


@pytest.mark.parametrize("look", LOOKS, indirect=True)
def test_past_receipts_are_listed(page: Page, served: Server, look: str) -> None:
    go(page, "plans/receipts")
    rows = page.get_by_role("list", name="Receipts").get_by_role("listitem")
    expect(rows).to_have_count(50)
    newest = json(served, "GET", "/receipts", params={"limit": 1})["items"][0]
    expect(rows.first).to_contain_text(newest["id"])
    expect(rows.first).to_contain_text(newest["verb"])
    page.get_by_role("button", name="Show older ones").click()
    expect(rows).to_have_count(100)
    page.get_by_label("Done by").select_option("dream")
    expect(rows).to_have_count(json_count(served, "dream"))
    assert check_commands(page) == ["rem receipts --verb dream"]
    no_sideways(page)
    axe.check(page)
    shot(page, f"receipts-{look}")
    page.get_by_label("Done by").select_option("import")
    expect(page.get_by_text("Nothing was done by import yet")).to_be_visible()
    page.get_by_role("link", name="Show every receipt").click()
    expect(rows).to_have_count(50)


def json_count(server: Server, verb: str) -> int:
    return len(json(server, "GET", "/receipts", params={"limit": 1000, "verb": verb})["items"])


@pytest.mark.parametrize("look", LOOKS, indirect=True)
def test_a_receipt_shows_its_lines(page: Page, served: Server, look: str) -> None:
    brief = json(served, "GET", "/receipts", params={"limit": 1, "verb": "dream"})["items"][0]
    go(page, f"plans/receipt/{brief['id']}")
    expect(page.get_by_role("heading", name=f"{brief['id']}: dream")).to_be_visible()
    for action, number in brief["actions"].items():
        expect(page.locator(".counted", has_text=f"{number} {action}")).to_be_visible()
    expect(page.locator("li.line").first.locator("a.memory-link")).to_be_visible()
    no_sideways(page)
    axe.check(page)
    assert check_commands(page) == [f"rem undo {brief['id']}"]
    shot(page, f"receipt-{look}")


def test_a_receipt_that_is_not_there(page: Page) -> None:
    go(page, "plans/receipt/nonsense")
    expect(page.get_by_text("There is no receipt “nonsense”")).to_be_visible()
    page.evaluate("() => { location.hash = '#/plans/receipt/r999999' }")
    expect(page.get_by_text("There is no such thing here")).to_be_visible()
    go(page, "plans/elsewhere")
    expect(page.get_by_text("There is no such page here")).to_be_visible()
    page.expected.append("answered 404")  # type: ignore[attr-defined]


def test_a_receipt_is_undone_and_redone(small: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(small)
    id = json(small, "GET", "/memories")["items"][0]["id"]
    done = json(small, "POST", "/forget", json={"ids": [id]})["id"]
    go(page, "plans/receipts")
    rows = page.get_by_role("list", name="Receipts").get_by_role("listitem")
    page.get_by_role("button", name=f"Undo {done}").click()
    dialog(page).get_by_role("button", name="Cancel").click()
    assert json(small, "GET", f"/memories/{id}")["state"] == "forgotten"
    page.get_by_role("button", name=f"Undo {done}").click()
    dialog(page).get_by_role("button", name="Undo").click()
    expect(rows.filter(has_text="forget").first).to_contain_text("undone by")
    assert json(small, "GET", f"/memories/{id}")["state"] == "live"
    expect(page.get_by_text("1 new receipt since this list was made")).to_be_visible()
    page.get_by_role("button", name="Show", exact=True).click()
    page.get_by_role("button", name=f"Redo {done}").click()
    expect(dialog(page)).to_contain_text(f"does {done} once more")
    dialog(page).get_by_role("button", name="Redo").click()
    expect(rows.filter(has_text="took back").first).to_contain_text("undone by")
    assert json(small, "GET", f"/memories/{id}")["state"] == "forgotten"
    go(page, f"plans/receipt/{done}")
    page.get_by_role("button", name=f"Undo {done}").click()
    dialog(page).get_by_role("button", name="Undo").click()
    expect(page.locator("#main").get_by_text("It was undone by")).to_be_visible()
    assert json(small, "GET", f"/memories/{id}")["state"] == "live"


def test_without_any_receipt_it_says_what_will_be_here(serve: Callable[..., Server], open_page: Any) -> None:
    page = open_page(serve())
    go(page, "plans/receipts")
    expect(page.get_by_text("Nothing has been done yet")).to_be_visible()
    check_commands(page)
    go(page, "plans/dreams")
    expect(page.get_by_text("No dream has changed anything yet")).to_be_visible()
    check_commands(page)


# -- dreams and upkeep


@pytest.mark.parametrize("look", LOOKS, indirect=True)
def test_past_dreams_are_cards(page: Page, served: Server, look: str) -> None:
    go(page, "plans/dreams")
    report = json(served, "GET", "/dreams")["items"]
    cards = page.locator("[data-dream]")
    expect(cards).to_have_count(len(report))
    expect(cards.first).to_contain_text(f"{report[0]['archived']}\nleft recall", use_inner_text=True)
    expect(page.locator("#main")).not_to_contain_text("llm: false")
    for one, card in zip(report, cards.all(), strict=True):
        more = f"{-one['tokens_freed']}\ntokens more" if one["tokens_freed"] < 0 else "tokens freed"
        expect(card).to_contain_text(more, use_inner_text=True)
    expect(cards.first).to_contain_text("No regrets: no recall since then would have had what it took out")
    no_sideways(page)
    axe.check(page)
    assert {"rem dream --apply", "rem work --once", "rem dream report"} < set(check_commands(page))
    shot(page, f"dreams-{look}")


@pytest.mark.writes
def test_a_dream_is_undone_from_its_card(page: Page, served: Server) -> None:
    go(page, "plans/dreams")
    card = page.locator("[data-dream]").first
    card.get_by_role("button", name=re.compile("^Undo r")).click()
    dialog(page).get_by_role("button", name="Undo").click()
    expect(page.locator("[data-dream]").first).to_contain_text("undone by")
    assert json(served, "GET", "/dreams")["items"][0]["undone"]


def _missed(server: Server, id: str) -> str | None:
    """The memory, where a recall of its words would have had it."""
    memory = json(server, "GET", f"/memories/{id}")
    found = json(server, "POST", "/recall", json={"query": memory["text"], "scope": memory["scope"], "limit": 3})
    return id if any(hit["memory"]["id"] == id for hit in found["missed"]) else None


def _counted(server: Server, id: str) -> None:
    """Until the regret of a memory is in the file: what recalls missed is written behind."""
    for _ in range(500):
        if json(server, "GET", f"/memories/{id}/explain")["regrets"]:
            return
        time.sleep(0.02)
    raise AssertionError(f"nobody regrets {id}")


@pytest.mark.writes
def test_what_is_regretted_of_a_dream_is_named(page: Page, served: Server) -> None:
    dream = next(one for one in json(served, "GET", "/dreams")["items"] if one["archived"])
    changes = json(served, "GET", f"/receipts/{dream['receipt_id']}")["changes"]
    missed = next(one for one in (_missed(served, one["memory_id"]) for one in changes) if one)
    _counted(served, missed)
    go(page, "plans/dreams")
    card = page.locator(f'[data-dream="{dream["receipt_id"]}"]')
    expect(card).to_contain_text(re.compile("[1-9][0-9]* regrets?: (a recall|recalls) since then would have had"))
    expect(card.get_by_role("list", name="Regretted").locator(f'a[href="#/memory/{missed}"]')).to_be_visible()
    assert any(said.startswith("rem restore") and missed in said for said in check_commands(page))
    usable(page)
    card.get_by_role("button", name=f"Restore {missed[-12:]}").click()
    row = card.get_by_role("list", name="Regretted").get_by_role("listitem").filter(has_text="live")
    expect(row.locator(f'a[href="#/memory/{missed}"]')).to_be_visible()
    expect(card.get_by_role("button", name=f"Restore {missed[-12:]}")).to_have_count(0)
    assert json(served, "GET", f"/memories/{missed}")["state"] == "live"
    assert page.evaluate("() => document.activeElement.closest('[data-dream]') !== null")


def test_a_list_that_cannot_be_loaded_is_tried_again(page: Page) -> None:
    with failing(page, only("/receipts")):
        go(page, "plans/receipts")
    again(page)
    rows = page.get_by_role("list", name="Receipts").get_by_role("listitem")
    expect(rows).to_have_count(50)
    told_and_tried_again(page, only("/receipts"), by="Show older ones")
    expect(rows).to_have_count(100)
    verb = page.get_by_label("Done by")
    verb.focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("group", name="On the command line")).to_contain_text("rem receipts --verb sweep")
    expect(page.locator("#main .waiting")).to_have_count(0)
    expect(verb).to_be_focused()
    with failing(page, only("/dreams")):
        go(page, "plans/dreams")
    again(page)
    expect(page.locator("[data-dream]").first).to_be_visible()


def test_upkeep_and_a_dream_run_by_hand(small: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(small)
    go(page, "plans/dreams")
    page.get_by_role("button", name="Run upkeep now").click()
    dialog(page).get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Run upkeep now").click()
    dialog(page).get_by_role("button", name="Run it").click()
    expect(page.get_by_role("heading", name="The store was looked after")).to_be_visible()
    expect(page.get_by_text("By rule: settled 2")).to_be_visible()
    receipt = json(small, "GET", "/receipts", params={"limit": 1})["items"][0]
    expect(page.get_by_text("Its receipt is")).to_contain_text(receipt["id"])
    assert {one["layer"] for one in json(small, "GET", "/memories")["items"]} == {"episodic"}
    page.get_by_role("button", name="Run the dream now").click()
    expect(dialog(page)).to_contain_text("go for good")
    dialog(page).get_by_role("button", name="Dream").click()
    expect(page.get_by_role("heading", name=re.compile("^The dream (is done|found nothing to do)"))).to_be_visible(
        timeout=MAKING
    )
