"""A policy against the store's own past: what it would have saved and lost, and what the past teaches."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.interfaces.serve.conftest import Server
from tests.web import planning
from tests.web.commands import check_commands
from tests.web.going import usable
from tests.web.looks import LOOKS
from tests.web.planning import MAKING, dialog, json
from tests.web.shots import shot


def go(page: Page) -> None:
    planning.go(page, "policies/past", "Policies")


def verdict(page: Page, card: str) -> Locator:
    return page.locator("section.card").filter(has=page.get_by_role("heading", name=card)).locator(".verdict")


SAVED, TAUGHT = "What a policy would have saved and lost", "What this past teaches"


@pytest.mark.parametrize("look", LOOKS, indirect=True)
def test_a_policy_is_replayed_on_the_past(page: Page, served: Server, look: str) -> None:
    go(page)
    page.get_by_role("combobox", name="Policy").select_option("relevance")
    page.get_by_role("button", name="Back-test it").click()
    expect(verdict(page, SAVED)).to_be_visible(timeout=MAKING)
    found = json(served, "POST", "/policies/backtest", json={"policy": "relevance"})
    expect(verdict(page, SAVED)).to_have_text(f"{found['verdict']}.")
    row = page.get_by_role("row", name="relevance").first
    expect(row).to_contain_text(f"{found['policy']['memories']:,}")
    expect(row).to_contain_text(f"{100 * found['policy']['saved']:.1f} %")
    expect(page.get_by_role("img", name="Later uses lost for token-days saved")).to_be_visible()
    for loss in found["policy"]["losses"][:1]:
        expect(page.locator(f'#main a[href="#/memory/{loss["memory_id"]}"]')).to_be_visible()
    assert "rem policy backtest relevance" in check_commands(page)
    usable(page)
    shot(page, f"past-{look}")


@pytest.mark.writes
def test_what_the_past_teaches_is_used_and_taken_back(page: Page, served: Server) -> None:
    go(page)
    page.get_by_role("button", name="Learn from it").click()
    expect(verdict(page, TAUGHT)).to_be_visible(timeout=MAKING)
    proposal = json(served, "POST", "/policies/learn", json={})
    assert proposal["is_usable"], proposal["verdict"]
    expect(verdict(page, TAUGHT)).to_contain_text("May be used.")
    page.get_by_text("The numbers, before and after").click()
    expect(page.get_by_role("row", name="all kinds")).to_contain_text("stability days")
    assert {"rem policy learn", "rem policy learn --use"} <= set(check_commands(page))
    usable(page)
    name = proposal["policy"]["name"]
    with page.expect_download() as saved:
        page.get_by_role("button", name=f"Save as {name}.yml").click()
    assert saved.value.path().read_text("utf-8") == proposal["yaml"]
    page.get_by_role("button", name=f"Use {name}").click()
    dialog(page).get_by_role("button", name=f"Use {name}").click()
    expect(page.get_by_role("heading", name=f"{name} is in force")).to_be_focused(timeout=MAKING)
    assert json(served, "POST", "/policies/show", json={})["name"] == name
    page.get_by_role("button", name="Back to balanced").click()
    dialog(page).get_by_role("button", name="Use balanced").click()
    expect(page.get_by_role("heading", name="balanced is in force")).to_be_focused(timeout=MAKING)


@pytest.mark.writes
def test_too_short_a_past_is_said(serve: Callable[..., Server], open_page: Callable[..., Page]) -> None:
    server = serve()
    json(server, "POST", "/memories", json={"text": "The kettle in the kitchen is blue"})
    page = open_page(server)
    page.expected.append("answered 422")  # type: ignore[attr-defined]
    go(page)
    for name in ("Back-test it", "Learn from it"):
        page.get_by_role("button", name=name).click()
        expect(page.get_by_role("button", name=name)).to_be_enabled(timeout=MAKING)
    expect(page.get_by_text("There is not enough of a past yet")).to_have_count(2)
