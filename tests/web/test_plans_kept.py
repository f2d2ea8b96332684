"""A plan is made once, is not offered again while it is applied, and lets go of raw events only when that is chosen."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from remanence import Mind
from remanence.settings import Settings
from tests.conftest import Clock
from tests.interfaces.serve.conftest import Server
from tests.web.commands import check_commands
from tests.web.faults import Held
from tests.web.going import usable
from tests.web.planning import MAKING, dialog, go, json, with_two_due

Opens = Callable[..., Page]


@pytest.fixture
def small(serve: Callable[..., Server]) -> Server:
    return with_two_due(serve)


def make(page: Page) -> Locator:
    return page.get_by_role("button", name="Make the plan")


def apply(page: Page) -> Locator:
    return page.get_by_role("button", name=re.compile("^Apply"))


def test_the_last_order_counts_and_ends_the_one_before(small: Server, open_page: Opens) -> None:
    page = open_page(small)
    go(page, "plans?plan=dedup")
    held = Held(page, "**/v1/dedup")
    make(page).click()
    held.wait_for(1)
    page.get_by_role("radio", name="Sweep").check()
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/v1/dedup")):  # it is given up
        make(page).click()
    expect(page.locator(".plan-place h2")).to_have_text("2 changes, nothing done yet", timeout=MAKING)
    held.end()
    page.get_by_role("radio", name="Duplicates").check()
    make(page).dblclick()
    expect(page.get_by_role("heading", name="Nothing is due")).to_be_focused(timeout=MAKING)


def left_while_it_is_applied(page: Page) -> Held:
    """Apply the plan of a sweep, and go elsewhere before it is answered; what is held lets the answer go."""
    go(page, "plans?plan=sweep")
    make(page).click()
    expect(page.locator(".plan-place h2")).to_be_focused(timeout=MAKING)
    held = Held(page, "**/v1/apply")
    apply(page).click()
    dialog(page).get_by_role("button", name="Apply", exact=True).click()
    held.wait_for(1)
    go(page, "plans/receipts")
    return held


def test_a_plan_is_not_offered_while_it_is_applied(small: Server, open_page: Opens) -> None:
    page = open_page(small)
    held = left_while_it_is_applied(page)
    go(page, "plans")
    expect(page.get_by_role("heading", name="This plan is being applied")).to_be_visible()
    expect(apply(page)).to_have_count(0)
    held.let_go()
    expect(page.get_by_role("heading", name="Applied: 2 memories changed")).to_be_visible()
    assert json(small, "GET", "/receipts", params={"limit": 1})["items"][0]["verb"] == "sweep"
    usable(page)
    go(page, "plans/receipts")
    go(page, "plans")
    expect(page.locator(".plan-place h2")).to_have_count(0)  # it was seen


def test_what_became_of_a_plan_meanwhile_is_told_on_return(small: Server, open_page: Opens) -> None:
    page = open_page(small)
    held = left_while_it_is_applied(page)
    held.let_go()
    expect(page.get_by_role("status").filter(has_text="2 memories changed by")).to_be_visible()
    go(page, "plans")
    expect(page.get_by_role("heading", name="Applied: 2 memories changed")).to_be_visible()
    back = page.locator(".plan-place").get_by_role("button", name=re.compile("^Undo r"))
    back.click()
    dialog(page).get_by_role("button", name="Undo").click()
    expect(page.locator(".plan-place").get_by_text("Undone by")).to_be_visible()
    expect(back).to_be_hidden()
    held.end()


def test_a_plan_that_was_refused_meanwhile_is_offered_again(small: Server, open_page: Opens) -> None:
    page = open_page(small)
    page.expected.append("answered 409")  # type: ignore[attr-defined]
    go(page, "plans?plan=sweep")
    make(page).click()
    expect(page.locator(".plan-place h2")).to_be_focused(timeout=MAKING)
    id = (page.locator("li.line a.memory-link").first.get_attribute("href") or "").removeprefix("#/memory/")
    page.get_by_label("All or nothing").check()
    held = Held(page, "**/v1/apply")
    apply(page).click()
    dialog(page).get_by_role("button", name="Apply", exact=True).click()
    held.wait_for(1)
    json(small, "POST", f"/memories/{id}/pin")
    go(page, "plans/receipts")
    go(page, "plans")
    held.let_go()
    expect(page.get_by_role("alert")).to_contain_text("out of date")
    expect(apply(page)).to_be_visible()
    held.end()


def _with_old_events(db: Path) -> None:
    """A store with an event that was captured a year ago, and nothing else that a dream would touch."""
    db.parent.mkdir()
    clock = Clock(datetime.now(UTC) - timedelta(days=365))
    with Mind(db, clock=clock, settings=Settings(upkeep__on_open=False)) as mind:
        session = mind.sessions.start("/project/quay", agent="codex")
        mind.sessions.observe(session, "Where is the harbour master?")
        mind.sessions.end(session)


def test_raw_events_go_for_good_only_when_their_claim_is_chosen(
    serve: Callable[..., Server], open_page: Opens, tmp_path: Path
) -> None:
    db = tmp_path / "events" / "memory.db"
    _with_old_events(db)
    server = serve(db)
    (session,) = json(server, "GET", "/sessions")["items"]
    page = open_page(server)
    go(page, "plans?plan=dream")
    make(page).click()
    expect(page.locator(".plan-place h2")).to_have_text("1 claim, nothing done yet", timeout=MAKING)
    expect(page.get_by_role("button", name="Nothing is chosen")).to_be_disabled()
    claim = page.locator("li.claim")
    expect(claim).to_contain_text("It has no lines of its own")
    claim.get_by_role("checkbox").check()
    usable(page)
    assert "rem dream --apply" in check_commands(page)
    page.get_by_role("button", name="Apply 1 claim").click()
    expect(dialog(page)).to_contain_text("1 captured raw event will be let go for good: no undo brings them back.")
    assert json(server, "GET", f"/sessions/{session['id']}")["observations"]
    dialog(page).get_by_role("button", name="Apply", exact=True).click()
    expect(page.get_by_role("heading", name="Applied: no memory changed")).to_be_visible()
    expect(page.locator(".plan-place").get_by_text("1 captured raw event let go for good.")).to_be_visible()
    assert not json(server, "GET", f"/sessions/{session['id']}")["observations"]


def test_a_token_kept_to_a_scope_has_its_own_receipts_alone(serve: Callable[..., Server], open_page: Opens) -> None:
    server = with_two_due(serve)
    old = (datetime.now(UTC) - timedelta(days=1)).isoformat()
    json(server, "POST", "/memories", json={"text": "Ink", "scope": "/desk", "layer": "working", "created_at": old})
    page = open_page(server, token=server.token_for("part", scope="/desk"))
    go(page, "plans")
    expect(page.get_by_text("Your token is kept to /desk: it plans and applies within it")).to_be_visible()
    expect(page.get_by_role("link", name="Past receipts")).to_have_count(0)
    make(page).click()
    expect(page.locator(".plan-place h2")).to_be_focused(timeout=MAKING)
    apply(page).click()
    dialog(page).get_by_role("button", name="Apply", exact=True).click()
    page.locator(".plan-place").get_by_role("link", name=re.compile("^r[0-9]+$")).click()
    expect(page.get_by_role("heading", name=re.compile("^r[0-9]+: sweep$"))).to_be_visible()
    usable(page)
    page.get_by_role("button", name=re.compile("^Undo r")).click()
    dialog(page).get_by_role("button", name="Undo").click()
    expect(page.locator("#main").get_by_text("It was undone by")).to_be_visible()
    go(page, "plans/dreams")
    expect(page.get_by_text("Receipts and dreams are those of the whole store")).to_be_visible()
