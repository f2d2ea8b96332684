"""The overview: figures, plots, what is about to leave, health, and what a token that is kept to a scope sees."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.interfaces.serve.conftest import Server
from tests.web import axe
from tests.web.commands import check_commands
from tests.web.going import fits
from tests.web.looks import LOOKS
from tests.web.shots import shot

BEGINS = "/"

CARDS = (
    "Over time",
    "About to leave, next 30 days",
    "Learned today",
    "Tiers",
    "Size against targets",
    "Last sweeps and dreams",
    "Health",
    "Where it is",
    "Spend",
)


def settled(page: Page) -> None:
    """Everything has come."""
    expect(page.get_by_role("heading", level=1, name="Overview")).to_be_visible()
    expect(page.locator("#main .waiting")).to_have_count(0)
    expect(page.get_by_role("group", name="In short").locator(".figure")).to_have_count(7)


@pytest.mark.parametrize("look", LOOKS, indirect=True)
def test_it_shows_all_there_is(page: Page, served: Server, look: str) -> None:
    settled(page)
    for name in CARDS:
        expect(page.get_by_role("region", name=name)).to_be_visible()
    with served.client() as api:
        stats, forecast = api.get("/v1/stats").json(), api.post("/v1/forecast", json={"days": 30}).json()
        tiers = api.get("/v1/tiers").json()
        waiting = api.get("/v1/review/count").json()["count"]
        pairs = len(api.get("/v1/review/challenged", params={"limit": 200}).json()["items"])
    figures = page.get_by_role("group", name="In short")
    expect(figures.get_by_role("link", name="live")).to_contain_text(f"{stats['memories']['live']:,}")
    expect(figures.get_by_role("link", name="archived")).to_contain_text(f"{stats['memories']['archived']:,}")
    expect(figures.get_by_role("link", name="leave in 30 days")).to_contain_text(f"{forecast['leaves']:,}")
    expect(figures.get_by_role("link", name="to review")).to_contain_text(f"{waiting + pairs:,}")
    leaving = page.get_by_role("region", name="About to leave")
    for rule, number in forecast["by_rule"].items():
        expect(leaving.locator(".meter", has_text=rule)).to_contain_text(f"{number:,}")
    for tier, number in tiers.items():
        expect(page.get_by_role("region", name="Tiers").locator("div", has_text=tier).last).to_contain_text(
            f"{number:,}"
        )
    hot, warm = (page.locator(f"dl.tiers div:has-text('{tier}') i") for tier in ("hot", "warm"))
    assert [one.evaluate("mark => mark.className") for one in (hot, warm)] == ["b", ""]  # as where the policy is read
    held = page.get_by_role("region", name="Where it is")
    expect(held.get_by_role("link", name=f"and {len(stats['kinds']) - 5} more")).to_be_visible()
    expect(page.get_by_role("region", name="Last sweeps and dreams")).not_to_contain_text("llm")
    fits(page)
    axe.check(page)
    check_commands(page)
    shot(page, f"overview-{look}")


def test_the_plot_goes_from_the_past_into_the_forecast(page: Page, served: Server) -> None:
    settled(page)
    plot = page.get_by_role("region", name="Over time")
    with served.client() as api:
        past = api.get("/v1/past", params={"days": 90}).json()
    label = plot.get_by_role("img").first.get_attribute("aria-label") or ""
    assert f"{past['live'][0]:,} live then, {past['live'][-1]:,} now" in label
    plot.get_by_text("The numbers").click()
    rows = plot.get_by_role("row")
    expect(rows.nth(1)).to_contain_text(f"{past['live'][0]:,}")
    expect(rows.filter(has_text="now")).to_contain_text(f"{past['live'][-1]:,}")
    plot.get_by_role("button", name="30 days").click()
    expect(plot.get_by_role("button", name="30 days")).to_have_attribute("aria-pressed", "true")
    expect(plot.get_by_text("rem past --days 30")).to_be_visible()
    assert "days=30" in page.url


def test_a_figure_leads_to_what_it_counts(page: Page) -> None:
    settled(page)
    page.get_by_role("group", name="In short").get_by_role("link", name="archived").click()
    expect(page.get_by_role("heading", level=1, name="Memories")).to_be_visible()
    assert page.url.endswith("#/memories?state=archived")


def test_what_leaves_is_listed_by_rule_and_reached_from_its_figure(page: Page, served: Server) -> None:
    settled(page)
    with served.client() as api:
        forecast = api.post("/v1/forecast", json={"days": 30}).json()
    figures = page.get_by_role("group", name="In short")
    region = page.get_by_role("region", name="About to leave")
    figures.get_by_role("link", name="leave in 30 days").click()
    expect(region.get_by_role("heading", level=2)).to_be_focused()
    expect(region.get_by_role("heading", level=2)).to_be_in_viewport()
    rows = region.get_by_role("list", name="First to go").get_by_role("listitem")
    expect(rows).to_have_count(min(5, len(forecast["leaving"])))
    expect(rows.first.locator("a.memory-link")).to_be_visible()
    expect(region).not_to_contain_text("just now")
    region.get_by_role("button", name="Show 20 more of").click()
    expect(rows).to_have_count(25)
    rule, number = next(iter(forecast["by_rule"].items()))
    region.get_by_role("button", name=rule, exact=True).click()
    expect(region.get_by_role("button", name=rule, exact=True)).to_have_attribute("aria-pressed", "true")
    expect(rows).to_have_count(min(5, number))
    expect(rows.filter(has_text=rule)).to_have_count(min(5, number))
    figures.get_by_role("link", name="regret").click()
    expect(page.get_by_role("region", name="Health").get_by_role("heading", level=2)).to_be_focused()
    figures.get_by_role("link", name="leave in 30 days").click()  # once more
    expect(region.get_by_role("heading", level=2)).to_be_focused()


def test_learned_today_counts_what_its_link_lists(page: Page, served: Server) -> None:
    settled(page)
    learned = page.get_by_role("group", name="In short").get_by_role("link", name="learned today")
    href = learned.get_attribute("href") or ""
    state, since = re.fullmatch(r"#/memories\?state=(\w+)&since=([0-9-]+)", href).groups()  # type: ignore[union-attr]
    with served.client() as api:
        listed = api.get("/v1/memories", params={"state": state, "since": since, "limit": 1000}).json()["items"]
    assert state == "all"
    expect(learned.locator("b")).to_have_text(f"{len(listed):,}")


def test_the_store_is_checked_on_demand(page: Page) -> None:
    settled(page)
    page.get_by_role("button", name="Check now").click()
    expect(page.get_by_role("region", name="Health")).to_contain_text("no damage")
    expect(page.get_by_role("status").filter(has_text="All is well")).to_be_visible()


@pytest.mark.writes
def test_what_others_write_is_seen_at_once(page: Page, served: Server) -> None:
    settled(page)
    learned = page.get_by_role("group", name="In short").get_by_role("link", name="learned today")
    before = int(learned.locator("b").inner_text().replace(",", ""))
    with served.client() as api:
        api.post("/v1/memories", json={"text": "The lighthouse keeper is called Piotr", "scope": "/lighthouse"})
    expect(learned.locator("b")).to_have_text(f"{before + 1:,}")
    expect(page.get_by_role("region", name="Learned today")).to_contain_text("The lighthouse keeper is called Piotr")


def test_a_token_kept_to_a_scope_sees_its_part(served: Server, open_page: Callable[..., Page]) -> None:
    secret = served.token_for("part", scope="/office/atlas")
    page = open_page(served, token=secret)
    expect(page.get_by_role("heading", level=1, name="Overview")).to_be_visible()
    expect(page.get_by_text("Your token is kept to")).to_be_visible()
    expect(page.get_by_text("it is kept to /office/atlas")).to_be_visible()
    axe.check(page)


def test_sizes_are_held_against_their_targets(
    store: Path, serve: Callable[..., Server], open_page: Callable[..., Page]
) -> None:
    """A policy with a small budget for each scope: the sets that are over it come first."""
    server = serve(store)
    with server.client() as api:
        api.post(
            "/v1/policies/use", json={"name": {"extends": "balanced", "scope_tokens": 9000}, "force": True}
        ).raise_for_status()
    page = open_page(server)
    settled(page)
    sizes = page.get_by_role("region", name="Size against targets")
    expect(sizes).to_contain_text("9k tokens")
    expect(sizes.locator(".track .forgotten").first).to_be_visible()
