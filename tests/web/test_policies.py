"""Policies: in words, as sliders with the forecast beside them, compared and saved as a file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from remanence.policies import reading
from remanence.policies.numbers import NUMBERS
from tests.interfaces.serve.conftest import Server
from tests.web import axe, planning
from tests.web.commands import check_commands
from tests.web.looks import LOOKS
from tests.web.planning import MAKING, json, no_sideways, number, said
from tests.web.shots import shot


def go(page: Page, place: str) -> None:
    planning.go(page, place, "Policies")


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
    choose = page.get_by_role("combobox", name="Policy")
    choose.focus()
    choose.select_option("tiered")
    expect(page.get_by_role("heading", level=2, name="tiered")).to_be_visible()
    expect(choose).to_be_focused()
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
    more = int(other.replace(",", "")) - int(one.replace(",", ""))
    than = f"{abs(more):,} {'more' if more > 0 else 'fewer'}" if more else "just as many"
    expect(said(page)).to_contain_text(
        f"{one} memories leave under layered, {other} under tiered: {than}.", timeout=MAKING
    )
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
    assert check_commands(page)[-1] == "rem policy diff tiered"
    tiered = leaves(served, "tiered")
    more = int(leaves(served).replace(",", "")) - int(tiered.replace(",", ""))
    expect(said(page)).to_contain_text(f"{abs(more):,} {'more' if more > 0 else 'fewer'}.")
    page.get_by_role("combobox", name="One").select_option("balanced")
    expect(page.get_by_text("They are the same")).to_be_visible()
