"""Sweeps and dreams: plans are made, looked at, chosen from and applied; the breaker stops what takes too much."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.interfaces.serve.conftest import Server
from tests.web import axe
from tests.web.commands import check_commands, shown
from tests.web.faults import Held, only
from tests.web.looks import LOOKS
from tests.web.planning import MAKING, dialog, go, json, no_sideways, with_two_due
from tests.web.shots import shot

_KEPT_AT_ONCE = 64


def plan(page: Page, kind: str, **fields: str) -> None:
    """Have a plan made."""
    go(page, "plans")
    page.get_by_role("radio", name=kind).check()
    for label, value in fields.items():
        page.get_by_label(label, exact=True).fill(value)
    page.get_by_role("button", name="Make the plan").click()
    expect(page.locator(".plan-place h2")).to_be_focused(timeout=MAKING)


def chosen(page: Page) -> Locator:
    return page.locator(".bar-said")


@pytest.fixture
def small(serve: Callable[..., Server]) -> Server:
    return with_two_due(serve)


# -- making and looking


@pytest.mark.parametrize("look", LOOKS, indirect=True)
def test_a_plan_is_a_diff_by_claim(page: Page, look: str) -> None:
    plan(page, "Compact a topic", Topic="checkout")
    expect(page.get_by_role("heading", level=2)).to_contain_text("nothing done yet")
    title, bar = (page.locator(f".plan-place {one}").bounding_box() for one in ("h2", ".plan-bar"))
    assert title and bar and title["y"] + 150 < bar["y"]  # the plan is seen, not its bar alone
    page.get_by_role("button", name="Summaries of the topic").click()
    claims = page.locator("li.claim")
    expect(claims.first).to_be_visible()
    claims.first.get_by_role("button").first.click()
    lines = claims.first.locator("li.line")
    expect(lines.first).to_contain_text("is added")
    expect(lines.nth(1)).to_contain_text("is archived")
    expect(lines.nth(1).locator("a.memory-link")).to_be_visible()
    no_sideways(page)
    axe.check(page)
    check_commands(page)
    shot(page, f"plans-{look}")


def test_nothing_due_is_a_good_state(page: Page) -> None:
    plan(page, "Sweep")
    expect(page.get_by_role("heading", name="Nothing is due")).to_be_visible()
    expect(page.get_by_text("Every one is where it belongs")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Apply"))).to_have_count(0)
    page.get_by_label("Scope, with what is below it").fill("work/no-slash")
    page.get_by_role("button", name="Make the plan").click()
    assert page.evaluate("() => !document.querySelector('form.order').checkValidity()")


def test_the_form_shows_the_command_of_each_plan(page: Page) -> None:
    go(page, "plans")
    page.get_by_label("Read every memory").check()
    page.get_by_label("Scope, with what is below it").fill("/office/atlas")
    assert check_commands(page) == ["rem sweep --scope /office/atlas --full"]
    expect(page.get_by_text("the plan is the same")).to_have_count(0)
    page.get_by_role("radio", name="Duplicates").check()
    assert check_commands(page) == ["rem dedup --scope /office/atlas"]
    page.get_by_role("radio", name="Dream").check()
    for step in ("curve", "cards", "bridges", "beliefs", "prune"):
        page.get_by_label(step, exact=True).uncheck()
    assert check_commands(page) == ["rem dream --scope /office/atlas --steps cluster,drift"]
    page.get_by_role("radio", name="Consolidate").check()
    page.get_by_label("decay", exact=True).uncheck()
    assert check_commands(page) == [
        "rem consolidate --scope /office/atlas --tier semantic --tier reflect --tier procedural"
    ]
    page.get_by_role("radio", name="Compact a topic").check()
    page.get_by_label("Topic", exact=True).fill("the map's edge")
    assert check_commands(page) == ["rem compact --scope /office/atlas 'the map'\\''s edge'"]


def test_a_plan_can_be_stopped(page: Page) -> None:
    go(page, "plans?plan=dream")
    page.get_by_role("button", name="Make the plan").click()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("No plan was made, and nothing was changed.")).to_be_visible()


def test_a_plan_that_says_why_not(page: Page) -> None:
    plan(page, "Consolidate")
    expect(page.get_by_role("heading", name="Nothing was looked at")).to_be_visible()
    expect(page.get_by_text("semantic skipped: consolidation is switched off")).to_be_visible()


# -- choosing and applying


@pytest.mark.writes
def test_some_lines_are_applied_and_undone(page: Page, served: Server) -> None:
    plan(page, "Duplicates")
    lines = page.locator("li.line")
    number = lines.count()
    assert number > 3
    lines.first.get_by_role("checkbox").uncheck()
    expect(chosen(page)).to_contain_text(f"{number - 1} of {number} changes chosen")
    expect(page.locator(".plan-bar")).to_contain_text("On the command line this plan is applied whole")
    group = page.get_by_role("checkbox", name=re.compile("^All of “")).first
    assert group.evaluate("box => box.indeterminate")
    everything = page.get_by_label("All of it")
    everything.check()
    expect(chosen(page)).to_contain_text(f"{number} of {number} changes chosen")
    everything.uncheck()
    expect(page.get_by_role("button", name="Nothing is chosen")).to_be_disabled()
    lines.nth(1).get_by_role("checkbox").check()
    name = lines.nth(1).locator("a.memory-link").get_attribute("href") or ""
    page.get_by_label("All or nothing").check()
    expect(page.locator(".plan-bar")).to_contain_text("The command line has no “All or nothing”")
    page.get_by_role("button", name="Apply 1 change").click()
    expect(dialog(page)).to_contain_text("can be undone")
    dialog(page).get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Apply 1 change").click()
    dialog(page).get_by_role("button", name="Apply", exact=True).click()
    expect(page.get_by_role("heading", name="Applied: 1 memory changed")).to_be_focused()
    newest = json(served, "GET", "/receipts", params={"limit": 1})["items"][0]
    assert (newest["verb"], newest["memories"]) == ("dedup", 1)
    receipt = json(served, "GET", f"/receipts/{newest['id']}")
    assert receipt["applied"] == [name.removeprefix("#/memory/")]
    check_commands(page)
    page.locator(".plan-place").get_by_role("button", name=f"Undo {newest['id']}").click()
    dialog(page).get_by_role("button", name="Undo").click()
    expect(page.locator(".plan-place").get_by_text("Undone by")).to_be_visible()
    assert json(served, "GET", "/receipts", params={"limit": 1})["items"][0]["undoes"] == newest["id"]
    page.get_by_role("button", name="Plan again").click()
    expect(page.get_by_role("heading", level=2)).to_contain_text(f"{number} changes", timeout=MAKING)


@pytest.mark.writes
def test_a_claim_is_chosen_whole(page: Page, served: Server) -> None:
    plan(page, "Compact a topic", Topic="checkout")
    page.get_by_label("All of it").uncheck()
    page.get_by_role("button", name="Summaries of the topic").click()
    claim = page.locator("li.claim").first
    claim.get_by_role("checkbox").check()
    claim.get_by_role("button").first.click()
    number = claim.locator("li.line").count()
    apply = page.get_by_role("button", name=f"Apply {number} changes")
    apply.click()
    dialog(page).get_by_role("button", name="Apply", exact=True).click()
    expect(page.get_by_role("heading", name=f"Applied: {number} memories changed")).to_be_visible()
    newest = json(served, "GET", "/receipts", params={"limit": 1})["items"][0]
    assert newest["actions"] == {"add": 1, "archive": number - 1}


@pytest.mark.writes
def test_a_dream_is_applied_by_the_keys_of_its_claims(page: Page, served: Server) -> None:
    go(page, "plans?plan=dream")
    for step in ("curve", "cluster", "bridges", "beliefs", "drift", "prune"):
        page.get_by_label(step, exact=True).uncheck()
    page.get_by_role("button", name="Make the plan").click()
    expect(page.locator(".plan-place h2")).to_be_focused(timeout=MAKING)
    assert "rem dream --steps cards --apply" in check_commands(page)
    page.get_by_label("All of it").uncheck()
    claim = page.locator("li.claim").first
    claim.get_by_role("checkbox").check()
    claim.get_by_role("button").first.click()
    key = claim.locator(".id").first.inner_text()
    assert f"rem dream --steps cards --only {key} --apply" in check_commands(page)
    page.get_by_role("button", name=re.compile("^Apply")).click()
    dialog(page).get_by_role("button", name="Apply", exact=True).click()
    expect(page.get_by_role("heading", name=re.compile("^Applied"))).to_be_visible()
    go(page, "plans/dreams")
    expect(page.locator("[data-dream]").first).to_contain_text("1\nmade", use_inner_text=True)
    assert json(served, "GET", "/dreams")["items"][0]["note"].startswith("steps cards")


def test_what_goes_for_good_is_chosen_by_a_person_alone(page: Page) -> None:
    go(page, "plans")
    found = page.evaluate(
        """async () => {
          const { choice } = await import("/page/views/plans/choice.js");
          const claim = (key) => ({ key, step: "prune", title: key, made: [], sources: [], staying: {}, evidence: {} });
          const change = { memory_id: "m", action: "adjust", claim: "lines", reason: "old", evidence: {} };
          const made = choice({ claims: [claim("lines"), claim("bare")], changes: [change], groups: [] });
          const told = () => {
            const { chosen, possible } = made.of(made.units);
            return [chosen, possible, made.isWhole(), made.claims().length];
          };
          const first = told();
          made.put(made.able, true); // "All of it"
          return [first, told()];
        }"""
    )
    assert found == [[1, 2, False, 1], [2, 2, True, 2]]


@pytest.mark.writes
def test_the_breaker_asks_twice_and_a_great_plan_stays_usable(page: Page, served: Server) -> None:
    json(served, "POST", "/policies/use", json={"name": "halflife", "force": True})
    plan(page, "Sweep")
    expect(page.get_by_text("The breaker would refuse all of it")).to_be_visible()
    expect(page.locator("li.line")).to_have_count(0)
    faded = page.get_by_role("button", name="faded", exact=True)
    expect(faded).to_have_attribute("aria-expanded", "false")
    faded.click()
    lines = page.locator("li.line")
    expect(lines).to_have_count(100)
    expect(lines.nth(99).locator("a.memory-link")).to_be_visible()
    expect(lines.first).to_contain_text(re.compile("idle [0-9]+ days"))
    page.get_by_role("button", name=re.compile("Show 100 more of")).click()
    expect(lines).to_have_count(200)
    before = json(served, "GET", "/count")["count"]
    page.get_by_role("button", name=re.compile("^Apply")).click()
    dialog(page).get_by_role("button", name="Apply", exact=True).click()
    stopped = page.get_by_role("dialog", name="The breaker stops this")
    expect(stopped).to_contain_text("the limit for automatic plans is 20%")
    assert "rem sweep --apply --force" in shown(page)
    sure = stopped.get_by_role("button", name="Apply it anyway")
    expect(sure).to_be_disabled()
    stopped.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name=re.compile("^Apply"))).to_be_enabled()
    assert json(served, "GET", "/count")["count"] == before
    page.get_by_role("button", name=re.compile("^Apply")).click()
    dialog(page).get_by_role("button", name="Apply", exact=True).click()
    stopped.get_by_label("Write force to go on").fill("force")
    sure.click()
    expect(page.get_by_role("heading", name=re.compile("^Applied"))).to_be_visible(timeout=MAKING)
    assert json(served, "GET", "/count")["count"] < before * 0.8
    newest = json(served, "GET", "/receipts", params={"limit": 1})["items"][0]
    go(page, f"plans/receipt/{newest['id']}")
    expect(page.get_by_text("only the memories are named here")).to_be_visible()
    expect(page.locator("li.line")).to_have_count(100)
    page.expected.append("answered 409")  # type: ignore[attr-defined]


def test_what_others_change_meanwhile_is_told(small: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(small)
    plan(page, "Sweep")
    expect(page.locator("li.line")).to_have_count(2)
    expect(page.get_by_text("goes one layer up").first).to_be_visible()
    page.get_by_role("radio", name="Duplicates").check()
    expect(page.get_by_role("button", name=re.compile("^Apply"))).to_be_hidden()
    expect(page.get_by_text("The plan of “Sweep” is kept: choose that again to see it.")).to_be_visible()
    page.get_by_role("radio", name="Sweep").check()
    expect(page.get_by_role("button", name="Apply 2 changes")).to_be_visible()
    expect(page.get_by_text("is kept: choose that again")).to_be_hidden()
    id = (page.locator("li.line a.memory-link").first.get_attribute("href") or "").removeprefix("#/memory/")
    json(small, "POST", f"/memories/{id}/pin")
    expect(page.get_by_text("1 memory of this plan changed after it was made")).to_be_visible()
    page.locator("li.line a.memory-link").first.click()
    expect(page.locator("#main[data-shown=memory]")).to_be_visible()
    page.go_back()
    expect(page.get_by_text("1 memory of this plan changed after it was made")).to_be_visible()
    page.get_by_role("button", name="Apply 2 changes").click()
    dialog(page).get_by_role("button", name="Apply", exact=True).click()
    expect(page.get_by_role("heading", name="1 memory was left alone")).to_be_visible()
    expect(page.get_by_role("list", name="Left alone")).to_contain_text("it changed after the plan was made")


def test_a_plan_that_is_no_longer_kept_is_made_anew(small: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(small)
    plan(page, "Sweep")
    with small.client() as api:
        for _ in range(_KEPT_AT_ONCE):
            assert api.post("/v1/sweep", json={"scope": "/nowhere"}).status_code == 200
    page.get_by_role("button", name="Apply 2 changes").click()
    dialog(page).get_by_role("button", name="Apply", exact=True).click()
    expect(page.get_by_text("This plan is no longer kept")).to_be_visible()
    page.get_by_role("button", name="Make it anew").click()
    expect(page.get_by_role("button", name="Apply 2 changes")).to_be_visible()
    page.expected.append("answered 404")  # type: ignore[attr-defined]


# -- tokens that may less


def test_a_reading_token_plans_and_applies_nothing(served: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(served, token=served.token_for("reader", read_only=True))
    plan(page, "Duplicates")
    expect(page.locator("li.line").first).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Apply"))).to_be_hidden()
    go(page, "plans/receipts")
    expect(page.get_by_role("button", name=re.compile("^Undo"))).to_have_count(0)
    go(page, "plans/dreams")
    expect(page.get_by_role("button", name="Run the dream now")).to_be_hidden()


def test_a_token_kept_to_a_scope_plans_within_it(served: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(served, token=served.token_for("part", scope="/office/atlas"))
    plan(page, "Sweep")
    expect(page.get_by_role("heading", name="Nothing is due")).to_be_visible()
    go(page, "plans/receipts")
    expect(page.get_by_text("Your token is kept to a part of the store")).to_be_visible()


def test_all_or_nothing_and_what_is_too_long_are_said(small: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(small)
    made = json(small, "POST", "/sweep", json={})
    line = next(one for one in made["changes"] if one["claim"] is None)
    many = [{**line, "memory_id": f"01900000-0000-7000-8000-{number:012x}"} for number in range(39_002)]
    sent = Held(page, only("/apply"))
    page.route(only("/sweep"), lambda route: route.fulfill(json={**made, "changes": many}))
    plan(page, "Sweep")
    apply = page.get_by_role("button", name=re.compile("^Apply "))
    assert shown(page)[-1] == "rem sweep --apply"
    page.get_by_label("All or nothing").check()
    expect(page.locator(".plan-bar [data-command]")).to_have_count(0)
    page.get_by_label("All or nothing").uncheck()
    expect(page.locator(".plan-bar [data-command]")).to_have_count(1)
    expect(apply).to_be_enabled()
    page.locator(".groups .opener").first.click()
    lines = page.locator("li.line")
    lines.nth(0).get_by_role("checkbox").uncheck()
    expect(chosen(page)).to_contain_text("more than 39,000 cannot be named one by one: choose all of it, or fewer")
    expect(apply).to_be_disabled()
    lines.nth(1).get_by_role("checkbox").uncheck()
    expect(chosen(page)).not_to_contain_text("cannot be named")
    apply.click()
    dialog(page).get_by_role("button", name="Apply", exact=True).click()
    sent.wait_for(1)
    assert len(sent.routes[0].request.post_data_buffer or b"") < 2_000_000
