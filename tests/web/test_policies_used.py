"""A policy is chosen for the store: asked before, stopped by the breaker, seen at once, and taken back."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.interfaces.serve.conftest import Server
from tests.web import planning
from tests.web.commands import check_commands, shown
from tests.web.faults import Held, again, failing, only
from tests.web.going import usable
from tests.web.planning import MAKING, dialog, json, number, said

_OWN = {
    "extends": "balanced",
    "name": "careful",
    "archive_below": 0.25,
    "ttl": {"tool_output": "3d", "draft": "12h"},
    "tiers": {"hot": 0.65},
    "exempt_kinds": ["identity", "decision"],
    "overrides": {"/project/legacy": {"archive_after_days": 10, "ttl": "30d"}, "identity": {"exempt": True}},
    "rules": [
        {
            "name": "scratch",
            "action": "forget",
            "when": {"scope": "/scratch", "kind": {"not": ["lesson", "decision"]}, "idle_days": "> 2"},
            "why": "notes to self",
        }
    ],
    "without": ["low importance"],
}


def go(page: Page, place: str) -> None:
    planning.go(page, place, "Policies")


@pytest.mark.writes
def test_an_own_policy_is_used_and_taken_back(page: Page, served: Server) -> None:
    go(page, "policies/change")
    use = page.get_by_role("button", name="Use it")
    expect(use).to_be_disabled()
    number(page, "archive_after_days").get_by_role("slider").fill("120")
    use.click()
    dialog(page).get_by_role("button", name="Cancel").click()
    use.click()
    expect(dialog(page)).to_contain_text("save it as mine.yml first")
    dialog(page).get_by_role("button", name="Use mine").click()
    expect(page.get_by_role("heading", name="mine is in force")).to_be_focused(timeout=MAKING)
    now = json(served, "POST", "/policies/show", json={})
    assert (now["name"], now["numbers"]["archive_after_days"]) == ("mine", 120)
    # The view is about the one that is in force now.
    expect(page.get_by_role("combobox", name="Begin with")).to_have_value("mine")
    expect(page.get_by_text("nothing changed yet")).to_be_visible()
    expect(number(page, "archive_after_days").get_by_role("spinbutton")).to_have_value("120")
    expect(said(page)).to_contain_text("leave under mine (in force)", timeout=MAKING)
    assert "rem policy use balanced" in check_commands(page)
    page.get_by_role("button", name="Back to balanced").click()
    dialog(page).get_by_role("button", name="Use balanced").click()
    expect(page.get_by_role("heading", name="balanced is in force")).to_be_focused(timeout=MAKING)
    assert json(served, "POST", "/policies/show", json={})["name"] == "balanced"


def test_what_was_put_to_use_is_not_told_of_another_namespace(serve: Callable[..., Server], open_page: Any) -> None:
    server = serve(REMANENCE_EMBEDDER="none")
    json(server, "POST", "/memories", json={"text": "The kettle in the kitchen is blue"})
    page = open_page(server)
    go(page, "policies?name=layered")
    page.get_by_role("button", name="Use layered").click()
    expect(dialog(page)).to_be_visible()
    drawn_anew = Held(page, only("/policies/show"))
    dialog(page).get_by_role("button", name="Use layered").click()
    drawn_anew.wait_for(1)
    page.get_by_role("button", name="Settings and keys").click()
    dialog(page).get_by_role("textbox", name="Namespace").fill("side")
    dialog(page).get_by_role("button", name="Look there").click()
    drawn_anew.end()
    expect(page.get_by_text("Back to the usual one")).to_be_visible()
    go(page, "policies")
    expect(page.get_by_role("heading", level=2).first).to_be_visible()
    expect(page.get_by_text("layered is in force")).to_have_count(0)


@pytest.mark.writes
def test_the_breaker_is_passed_only_by_writing_so(page: Page, served: Server) -> None:
    page.expected.append("answered 409")  # type: ignore[attr-defined]
    go(page, "policies?name=halflife")
    page.get_by_role("button", name="Use halflife").click()
    dialog(page).get_by_role("button", name="Use halflife").click()
    stopped = page.get_by_role("dialog", name="The breaker stops this")
    expect(stopped).to_contain_text("The first sweep under halflife would take", timeout=MAKING)
    assert "rem policy use --force halflife" in shown(page)
    stopped.get_by_role("button", name="Cancel").click()
    assert json(served, "POST", "/policies/show", json={})["name"] == "balanced"
    page.get_by_role("button", name="Use halflife").click()
    dialog(page).get_by_role("button", name="Use halflife").click()
    stopped.get_by_label("Write force to go on").fill("force")
    stopped.get_by_role("button", name="Use it anyway").click()
    expect(page.get_by_role("heading", name="halflife is in force")).to_be_focused(timeout=MAKING)
    expect(page.get_by_role("heading", level=2, name="halflife in force")).to_be_visible()
    expect(page.get_by_role("button", name="Use halflife")).to_have_count(0)
    expect(page.get_by_role("link", name="Change its numbers").last).to_be_visible()
    expect(page.get_by_text(re.compile("[0-9,]+ memories leave at the next sweep"))).to_be_visible()
    check_commands(page)


def test_a_setting_goes_before_what_is_chosen(serve: Callable[..., Server], open_page: Callable[..., Page]) -> None:
    server = serve(None, REMANENCE_POLICY="layered")
    page = open_page(server)
    go(page, "policies?name=tiered")
    page.get_by_role("button", name="Use tiered").click()
    dialog(page).get_by_role("button", name="Use tiered").click()
    expect(page.get_by_role("heading", name="tiered is chosen, but not in force")).to_be_visible()
    expect(page.get_by_text("A setting names another policy")).to_be_visible()
    expect(page.get_by_text("a setting names layered")).to_be_visible()


def test_a_policy_with_rules_of_its_own_can_be_changed(serve: Callable[..., Server], open_page: Any) -> None:
    server = serve()
    json(server, "POST", "/memories", json={"text": "The kettle in the kitchen is blue"})
    json(server, "POST", "/policies/use", json={"name": _OWN})
    before = json(server, "POST", "/policies/show", json={})
    page = open_page(server)
    go(page, "policies")
    expect(page.locator("li.rule", has_text="scratch")).to_contain_text("it is in /scratch")
    expect(page.get_by_text("archive after days 10, kept for 30 days")).to_be_visible()
    go(page, "policies/change")
    number(page, "archive_below").get_by_role("spinbutton").fill("0.2")
    expect(said(page)).to_contain_text("under careful", timeout=MAKING)
    page.get_by_role("button", name="Use it").click()
    dialog(page).get_by_role("button", name="Use careful").click()
    expect(page.get_by_role("heading", name="careful is in force")).to_be_visible()
    after = json(server, "POST", "/policies/show", json={})
    assert after["numbers"].pop("archive_below") == 0.2 and before["numbers"].pop("archive_below") == 0.25
    before.pop("yaml"), after.pop("yaml")
    assert after == before
    page.get_by_role("button", name="Back to careful").click()
    with page.expect_response("**/policies/use"):
        dialog(page).get_by_role("button", name="Use careful").click()
    expect(page.get_by_text("Back to careful")).to_have_count(0)
    assert json(server, "POST", "/policies/show", json={})["numbers"]["archive_below"] == 0.25


def test_one_that_is_named_like_a_preset_is_told_from_it(serve: Callable[..., Server], open_page: Any) -> None:
    server = serve()
    own = {"extends": "balanced", "name": "balanced", "archive_below": 0.25}
    json(server, "POST", "/memories", json={"text": "The kettle in the kitchen is blue"})
    json(server, "POST", "/policies/use", json={"name": own})

    def below() -> float:
        return float(json(server, "POST", "/policies/show", json={})["numbers"]["archive_below"])

    page = open_page(server)
    go(page, "policies")
    faded = page.locator("li.rule", has_text="faded")
    expect(faded).to_contain_text("its worth is below 0.25")
    assert "rem policy show --yaml > balanced.yml" in check_commands(page)
    go(page, "policies/compare?one=in%20force&other=balanced")
    expect(page.get_by_role("heading", name="Where they differ: 2 settings")).to_be_visible(timeout=MAKING)
    go(page, "policies")
    page.get_by_role("combobox", name="Policy").select_option(label="balanced")
    expect(faded).to_contain_text("its worth is below 0.3")
    page.get_by_role("button", name="Use balanced").click()
    dialog(page).get_by_role("button", name="Use balanced").click()
    expect(page.get_by_role("heading", name="balanced is in force")).to_be_visible()
    assert below() == 0.3
    assert "rem policy use balanced.yml" in check_commands(page)
    page.get_by_role("button", name="Back to balanced").click()
    dialog(page).get_by_role("button", name="Use balanced").click()
    expect(page.get_by_text("Back to balanced")).to_have_count(0)
    expect(faded).to_contain_text("its worth is below 0.25")
    assert below() == 0.25
    go(page, "policies/change?from=balanced")
    expect(number(page, "archive_below").get_by_role("spinbutton")).to_have_value("0.3")
    go(page, "policies/change")
    expect(number(page, "archive_below").get_by_role("spinbutton")).to_have_value("0.25")


def test_a_choice_that_cannot_be_looked_up_is_tried_again(page: Page) -> None:
    go(page, "policies?name=tiered")
    with failing(page, only("/policies")):
        page.get_by_role("button", name="Use tiered").click()
        expect(page.locator("#main").get_by_role("alert")).to_be_visible()
        expect(dialog(page)).to_have_count(0)
    again(page)
    expect(dialog(page)).to_contain_text("Use tiered from now on?")
    dialog(page).get_by_role("button", name="Cancel").click()


def test_what_only_a_file_can_say_is_left_to_it(serve: Callable[..., Server], open_page: Any) -> None:
    server = serve()
    odd = {"name": "odd", "action": "archive", "when": {"kind": ["this or that"], "idle_days": "> 9"}}
    json(server, "POST", "/policies/use", json={"name": {"extends": "balanced", "name": "odd", "rules": [odd]}})
    page = open_page(server)
    go(page, "policies/change")
    expect(page.get_by_text("odd has rules that only its file can say")).to_be_visible()
    assert check_commands(page) == ["rem policy show --yaml > odd.yml", "rem policy use odd.yml"]


# -- tokens that may less


def test_a_reading_token_looks_and_chooses_nothing(served: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(served, token=served.token_for("reader", read_only=True))
    go(page, "policies?name=layered")
    expect(page.get_by_role("heading", level=2, name="layered")).to_be_visible()
    expect(page.get_by_role("button", name="Use layered")).to_be_hidden()


def test_a_token_kept_to_a_scope_reads_the_words_alone(served: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(served, token=served.token_for("part", scope="/office/atlas"))
    go(page, "policies")
    expect(page.locator("li.rule").first).to_be_visible()
    expect(page.get_by_text("Your token is kept to /office/atlas: it reads policies, and chooses none")).to_be_visible()
    expect(page.get_by_role("link", name="Change its numbers")).to_have_count(0)
    usable(page)
    page.get_by_role("combobox", name="Policy").select_option("layered")
    expect(page.get_by_role("heading", level=2, name="layered")).to_be_visible()
    expect(page.get_by_role("button", name="Use layered")).to_have_count(0)
    go(page, "policies/change")
    expect(page.get_by_text("A forecast is made of all memories")).to_be_visible()
    go(page, "policies/compare")
    expect(page.get_by_text("A forecast is made of all memories")).to_be_visible()
