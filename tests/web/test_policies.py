"""Policies: in words, as sliders with the forecast beside them, compared, saved as a file and chosen for the store."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from remanence.policies import reading
from remanence.policies.numbers import NUMBERS
from tests.interfaces.serve.conftest import Server
from tests.web import axe, planning
from tests.web.commands import check_commands, shown
from tests.web.looks import LOOKS
from tests.web.planning import MAKING, dialog, json, no_sideways
from tests.web.shots import shot

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


def said(page: Page) -> Locator:
    """What a forecast comes to."""
    return page.locator(".forecast-said")


def number(page: Page, name: str) -> Locator:
    return page.locator(f'[data-number="{name}"]')


def leaves(server: Server, policy: Any = None) -> str:
    given = {"days": 90} if policy is None else {"days": 90, "policy": policy}
    return f"{json(server, 'POST', '/forecast', json=given)['leaves']:,}"


# -- in words


@pytest.mark.parametrize("look", LOOKS, indirect=True)
def test_the_policy_in_force_is_said_in_words(page: Page, look: str) -> None:
    go(page, "policies")
    expect(page.get_by_role("heading", level=2, name="balanced")).to_contain_text("in force")
    faded = page.locator("li.rule", has_text="faded")
    for words in (
        "is archived when all of this holds",
        "it was not recalled for more than 90 days",
        "its worth is below 0.3",
        "it was recalled less than 3 times",
        "it is of another kind than lesson",
        "it was never confirmed",
        "Why: old, hardly recalled",
    ):
        expect(faded).to_contain_text(words)
    expect(page.get_by_text("The layers semantic, procedural and codebase.")).to_be_visible()
    expect(page.get_by_role("row", name="tool_output")).to_contain_text("7 days")
    expect(page.get_by_text("Each scope may hold any number of tokens.")).to_be_visible()
    no_sideways(page)
    axe.check(page)
    assert check_commands(page) == ["rem policy show", "rem policy show --yaml > my-balanced.yml"]
    shot(page, f"policies-{look}")


def test_no_preset_has_a_rule_without_words(page: Page) -> None:
    for name in reading.PRESETS:
        go(page, f"policies?name={name}")
        expect(page.get_by_role("heading", level=2, name=name)).to_be_visible()
        rules = page.locator("li.rule")
        expect(rules).to_have_count(len(reading.preset(name).rules))
        told = " ".join(rules.all_inner_texts())
        assert not re.search(r"_days|_below|_above|_count|undefined|NaN|[<>]", told), told


def test_a_preset_is_chosen_from_the_list_and_saved(page: Page, tmp_path: Path) -> None:
    go(page, "policies")
    page.get_by_role("combobox", name="Policy").select_option("tiered")
    expect(page.get_by_role("heading", level=2, name="tiered")).to_be_visible()
    expect(page.get_by_text("At most 50 a run")).to_be_visible()
    expect(page.get_by_role("button", name="Use tiered")).to_be_visible()
    page.get_by_text("As a file").click()
    expect(page.get_by_role("group", name="The policy as YAML")).to_contain_text("max_evict: 50")
    with page.expect_download() as found:
        page.get_by_role("button", name="Save as my-tiered.yml").click()
    found.value.save_as(tmp_path / "my-tiered.yml")
    assert reading.named(tmp_path / "my-tiered.yml").rules == reading.preset("tiered").rules


def test_a_policy_that_is_not_there(page: Page) -> None:
    go(page, "policies?name=nobody")
    expect(page.get_by_text("There is no policy “nobody” here")).to_be_visible()
    go(page, "policies/change?from=nobody")
    expect(page.get_by_text("There is no policy “nobody” here")).to_be_visible()
    go(page, "policies/elsewhere")
    expect(page.get_by_text("There is no such page here")).to_be_visible()


# -- sliders


def test_the_page_knows_every_number_and_its_range(page: Page) -> None:
    told = page.evaluate("async () => [...(await import('/page/views/policies/numbers.js')).NUMBERS]")
    assert {name for name, _ in told} == set(NUMBERS)
    for name, one in told:
        known = NUMBERS[name]
        for end in ("low", "high", "least"):
            assert known.problem(one[end], name) is None, (name, end)
        assert one["most"] is None or known.problem(one["most"], name) is None
        assert one.get("never", False) == known.endless, name


@pytest.mark.parametrize("look", LOOKS, indirect=True)
def test_a_slider_moves_the_forecast(page: Page, served: Server, look: str) -> None:
    go(page, "policies/change")
    now = leaves(served)
    expect(said(page)).to_contain_text(f"In 90 days {now} memories leave under balanced", timeout=MAKING)
    number(page, "archive_below").get_by_role("slider").fill("0.5")
    then = leaves(served, {"extends": "balanced", "archive_below": 0.5})
    expect(said(page)).to_contain_text(f"{then} under mine", timeout=MAKING)
    expect(page.get_by_text("1 number changed")).to_be_visible()
    table = page.get_by_role("table").first
    expect(table.get_by_role("row", name="in all")).to_contain_text(f"{now}{then}")
    page.get_by_text("The first 20 to leave under mine").click()
    expect(page.locator(".first a.memory-link")).to_have_count(20)
    no_sideways(page)
    axe.check(page)
    assert check_commands(page) == ["rem forecast --policy mine.yml --days 90", "rem policy use mine.yml"]
    page.get_by_text("The first 20 to leave under mine").click()
    page.evaluate("() => { scrollTo(0, 0); document.querySelector('.forecast-side').scrollTo(0, 0) }")
    shot(page, f"sliders-{look}")


def test_numbers_are_typed_switched_off_and_reset(page: Page, served: Server) -> None:
    go(page, "policies/change?from=relevance")
    relevance = leaves(served, "relevance")
    expect(said(page)).to_contain_text(f"{relevance} under relevance", timeout=MAKING)
    stale = number(page, "stale_days")
    stale.get_by_role("spinbutton").fill("400")
    expect(stale).to_contain_text("was 90 days")
    expect(stale.get_by_role("slider")).to_have_value("365")
    project = number(page, "project_tokens")
    project.get_by_role("checkbox").check()
    expect(project.get_by_role("slider")).to_be_disabled()
    kind = number(page, "ttl.decision")
    kind.get_by_role("slider").fill("30")
    changed = {"extends": "relevance", "stale_days": 400, "project_tokens": "never", "ttl": {"decision": "30d"}}
    expect(said(page)).to_contain_text(f"{leaves(served, changed)} under mine", timeout=MAKING)
    expect(page.get_by_text("3 numbers changed")).to_be_visible()
    stale.get_by_role("button", name=re.compile("^Reset")).click()
    expect(stale.get_by_role("slider")).to_be_focused()
    expect(stale.get_by_role("spinbutton")).to_have_value("90")
    page.get_by_role("button", name="Reset all").click()
    expect(project.get_by_role("checkbox")).not_to_be_checked()
    expect(page.get_by_text("nothing changed yet")).to_be_visible()
    expect(said(page)).to_contain_text(f"{relevance} under relevance", timeout=MAKING)
    page.get_by_text(re.compile("more numbers: the curve")).click()
    expect(number(page, "tau_days").get_by_role("slider")).to_be_visible()
    expect(number(page, "half_life_days")).to_have_count(0)


def test_numbers_that_make_no_policy_are_told_in_the_servers_words(page: Page) -> None:
    page.expected.append("answered 422")  # type: ignore[attr-defined]
    go(page, "policies/change")
    expect(said(page)).to_contain_text("memories leave under balanced", timeout=MAKING)
    before = said(page).inner_text()
    page.get_by_text(re.compile("more numbers: the curve")).click()
    number(page, "tiers.hot").get_by_role("slider").fill("0.1")
    expect(page.get_by_text("tiers must fall from hot over warm to cold")).to_be_visible(timeout=MAKING)
    assert said(page).inner_text() == before
    page.get_by_role("button", name="Save as YAML").click()
    expect(page.get_by_role("alert")).to_contain_text("tiers must fall")
    page.get_by_role("button", name="Reset all").click()
    expect(page.get_by_text("These numbers do not make a policy")).to_have_count(0, timeout=MAKING)


def test_a_policy_is_saved_as_a_file(page: Page, tmp_path: Path) -> None:
    go(page, "policies/change?from=layered")
    number(page, "archive_below").get_by_role("spinbutton").fill("0.123")
    page.get_by_label("Name").fill("My own: 1")
    with page.expect_download() as found:
        page.get_by_role("button", name="Save as YAML").click()
    assert found.value.suggested_filename == "My-own-1.yml"
    found.value.save_as(tmp_path / "own.yml")
    policy = reading.named(tmp_path / "own.yml")
    assert policy.name == "My own: 1" and policy.numbers["archive_below"] == 0.123
    assert policy.rules == reading.preset("layered").rules
    assert "rem policy check My-own-1.yml" in check_commands(page)


# -- comparing


@pytest.mark.parametrize("look", LOOKS, indirect=True)
def test_two_presets_are_compared_on_these_memories(page: Page, served: Server, look: str) -> None:
    go(page, "policies/compare?one=layered&other=tiered")
    one, other = leaves(served, "layered"), leaves(served, "tiered")
    expect(said(page)).to_contain_text(f"{one} memories leave under layered, {other} under tiered", timeout=MAKING)
    difference = json(served, "POST", "/policies/diff", json={"one": "layered", "other": "tiered"})["items"]
    expect(page.get_by_role("heading", name=f"Where they differ: {len(difference)} settings")).to_be_visible()
    evict = page.get_by_role("row", name="rule evictable")
    expect(evict).to_contain_text("archive when score < 0.15 and kind is not lesson, at most 50 a run")
    no_sideways(page)
    axe.check(page)
    assert check_commands(page)[-1] == "rem policy diff layered tiered"
    shot(page, f"compare-{look}")


def test_the_policy_in_force_is_compared_from_either_side(page: Page, served: Server) -> None:
    go(page, "policies/compare")
    expect(said(page)).to_contain_text("under balanced", timeout=MAKING)
    clock = page.get_by_role("row", name="curve", exact=False).filter(has_text="power")
    expect(clock.get_by_role("cell").first).to_have_text("power")
    page.get_by_role("combobox", name="One").select_option("tiered")
    page.get_by_role("combobox", name="The other").select_option("balanced")
    expect(said(page)).to_contain_text(f"{leaves(served)} under balanced", timeout=MAKING)
    expect(clock.get_by_role("cell").nth(1)).to_have_text("power")
    assert "one=tiered&other=balanced" in page.url
    page.get_by_role("combobox", name="One").select_option("balanced")
    expect(page.get_by_text("They are the same")).to_be_visible()


# -- choosing


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
    assert "rem policy use balanced" in check_commands(page)
    page.get_by_role("button", name="Back to balanced").click()
    dialog(page).get_by_role("button", name="Use balanced").click()
    expect(page.get_by_role("heading", name="balanced is in force")).to_be_focused(timeout=MAKING)
    assert json(served, "POST", "/policies/show", json={})["name"] == "balanced"


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
    expect(page.get_by_role("heading", name="halflife is in force")).to_be_visible(timeout=MAKING)
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
    dialog(page).get_by_role("button", name="Use careful").click()
    expect(page.get_by_text("Back to careful")).to_have_count(0)
    assert json(server, "POST", "/policies/show", json={})["numbers"]["archive_below"] == 0.25


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
    page = open_page(served, path=f"/#token={served.token_for('reader', read_only=True)}", token=False)
    go(page, "policies?name=layered")
    expect(page.get_by_role("heading", level=2, name="layered")).to_be_visible()
    expect(page.get_by_role("button", name="Use layered")).to_be_hidden()


def test_a_token_kept_to_a_scope_reads_the_words_alone(served: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(served, path=f"/#token={served.token_for('part', scope='/office/atlas')}", token=False)
    go(page, "policies")
    expect(page.locator("li.rule").first).to_be_visible()
    go(page, "policies/change")
    expect(page.get_by_text("A forecast is made of all memories")).to_be_visible()
    go(page, "policies/compare")
    expect(page.get_by_text("A forecast is made of all memories")).to_be_visible()
