"""What is done to many memories of the list at once, by the bar of the choice or by the filters, and taken back."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.interfaces.serve.conftest import Server
from tests.web.commands import check_commands
from tests.web.faults import Held, only
from tests.web.test_memories import asked, at, chosen, rows, toast, told

_CHANGED_MILLISECONDS = 20_000
"""How long a change of many may take: other tests run beside it."""


def stored(server: Server, *texts: str, **more: Any) -> list[str]:
    return [str(asked(server, "POST", "/memories", json={"text": one, **more})["memory"]["id"]) for one in texts]


def choose(page: Page, *ids: str) -> None:
    for id in ids:
        page.locator(f'[data-row="{id}"]').get_by_role("checkbox").check()


@pytest.mark.writes
def test_many_are_changed_at_once_and_taken_back(page: Page, served: Server) -> None:
    at(page, "memories?scope=/team/support/mail")
    before = asked(served, "GET", "/count", params={"scope": "/team/support/mail"})["count"]
    ids = [str(rows(page).nth(at_).get_attribute("data-row")) for at_ in range(3)]

    choose(page, *ids)
    chosen(page).get_by_role("button", name="Forget…").click()
    expect(page.get_by_role("dialog")).to_contain_text("Forget 3 memories?")
    check_commands(page)
    page.get_by_role("dialog").get_by_role("button", name="Forget", exact=True).click()
    expect(toast(page)).to_contain_text("Forgot 3 memories.")
    expect(told(page)).to_contain_text(f"{before - 3:,} live")
    toast(page).get_by_role("button", name="Undo").click()
    expect(told(page)).to_contain_text(f"{before:,} live")
    expect(toast(page)).to_contain_text("was undone")

    choose(page, *ids)
    chosen(page).get_by_role("button", name="Pin", exact=True).click()
    expect(toast(page)).to_contain_text("Pinned 3 memories.")
    for id in ids:
        expect(page.locator(f'[data-row="{id}"]')).to_contain_text("pinned")
    check_commands(page)
    toast(page).locator(".toast").filter(has_text="Pinned").get_by_role("button", name="Undo").click()
    expect(toast(page)).to_contain_text("3 of 3 receipts were undone: 3 changed back.")
    expect(page.locator(f'[data-row="{ids[0]}"]')).not_to_contain_text("pinned")
    for name, said in (("Unpin", "Unpinned"), ("Confirm", "Confirmed")):
        choose(page, *ids)
        chosen(page).get_by_role("button", name=name, exact=True).click()
        expect(toast(page)).to_contain_text(f"{said} 3 memories.")

    at(page, "memories?layer=procedural")
    rows(page).first.get_by_role("checkbox").check()
    page.expected.append(r"answered 4\d\d: POST .*/promote")  # type: ignore[attr-defined]
    chosen(page).get_by_role("button", name="Promote").click()
    expect(toast(page)).to_contain_text("Promoted none of 1 memory.")
    expect(toast(page)).to_contain_text("the ladder is")
    chosen(page).get_by_role("button", name="Choose none").click()
    at(page, "memories?layer=episodic")
    for name, said in (("Promote", "Promoted"), ("Demote", "Demoted")):
        rows(page).first.get_by_role("checkbox").check()
        chosen(page).get_by_role("button", name=name).click()
        expect(toast(page)).to_contain_text(f"{said} 1 memory.")

    at(page, "memories?state=archived")
    gone = rows(page).first.get_attribute("data-row")
    rows(page).first.get_by_role("checkbox").check()
    chosen(page).get_by_role("button", name="Restore").click()
    expect(toast(page)).to_contain_text("Restored 1 memory.")
    assert asked(served, "GET", f"/memories/{gone}")["state"] == "live"


@pytest.mark.writes
def test_all_that_match_are_forgotten_by_a_plan_and_some_purged(page: Page, served: Server) -> None:
    at(page, "memories?kind=gotcha")
    count = rows(page).count()
    assert count > 0
    page.get_by_role("button", name=f"Forget all {count}…").click()
    box = page.get_by_role("dialog")
    expect(box).to_contain_text("The plan forgets")
    check_commands(page)
    box.get_by_role("button", name="Forget all").click()
    expect(toast(page)).to_contain_text("Forgot", timeout=_CHANGED_MILLISECONDS)
    expect(page.get_by_text("Nothing matches")).to_be_visible()

    at(page, "memories?scope=/project/shop-api&layer=procedural")
    count = int(re.search(r"[\d,]+", told(page).inner_text()).group().replace(",", ""))  # type: ignore[union-attr]
    page.get_by_role("button", name=re.compile("^Forget all")).click()
    expect(box).to_contain_text(f"The plan forgets {count} memor")
    if count > 20:
        expect(box.get_by_role("button", name="Forget all")).to_be_disabled()
        box.get_by_role("textbox").fill(str(count))
    box.get_by_role("button", name="Forget all").click()
    expect(page.get_by_text("Nothing matches")).to_be_visible(timeout=_CHANGED_MILLISECONDS)

    at(page, "memories?state=forgotten")
    ids = [rows(page).nth(at_).get_attribute("data-row") for at_ in range(2)]
    for at_ in range(2):
        rows(page).nth(at_).get_by_role("checkbox").check()
    chosen(page).get_by_role("link", name="Purge…").click()
    page.get_by_role("button", name=re.compile("^Erase [0-9]+ memories…$")).click()
    box.get_by_label("Why; it is kept in the journal").fill("asked by its owner")
    box.get_by_label("to go on").fill("ERASE")
    check_commands(page)
    box.get_by_role("button", name="Erase for good").click()
    expect(page.get_by_role("region", name="Certificate")).to_contain_text("verified", timeout=_CHANGED_MILLISECONDS)
    with served.client() as client:
        assert [client.get(f"/v1/memories/{id}").status_code for id in ids] == [404, 404]
    page.keyboard.press("u")  # nothing: it does not come back, and what was done before is not meant
    at(page, "memories?state=forgotten")
    expect(page.locator(f'[data-row="{ids[0]}"]')).to_have_count(0)
    expect(chosen(page)).to_be_hidden()
    expect(toast(page).get_by_text("undone")).to_have_count(0)


@pytest.mark.writes
def test_only_what_was_changed_now_is_taken_back_also_by_key(page: Page, served: Server) -> None:
    found = asked(served, "GET", "/memories", params={"limit": 1000})["items"]
    before = next(one for one in found if one["pinned"])
    day = before["created_at"][:10]
    (forgotten,) = stored(served, "The lantern on the pier is lit at dusk", scope=before["scope"])
    at(page, f"memories?scope={before['scope']}&since={day}")
    choose(page, forgotten)
    chosen(page).get_by_role("button", name="Forget…").click()
    page.get_by_role("dialog").get_by_role("button", name="Forget", exact=True).click()
    expect(page.locator(f'[data-row="{forgotten}"]')).to_have_count(0)
    at(page, f"memories?scope={before['scope']}&since={day}&until={day}")
    choose(page, before["id"])
    at(page, f"memories?scope={before['scope']}")
    first, second = (str(rows(page).nth(place).get_attribute("data-row")) for place in range(2))
    assert before["id"] not in (first, second)
    choose(page, first, second)
    chosen(page).get_by_role("button", name="Pin", exact=True).click()
    expect(toast(page)).to_contain_text("Pinned 3 memories.")
    expect(page.locator(f'[data-row="{first}"]')).to_contain_text("pinned")
    expect(page.get_by_role("button", name=re.compile("changes?: show"))).to_have_count(0)
    page.get_by_role("heading", level=1).focus()
    page.keyboard.press("u")
    expect(toast(page)).to_contain_text("2 of 2 receipts were undone: 2 changed back.")
    expect(page.locator(f'[data-row="{first}"]')).not_to_contain_text("pinned")
    kept = {id: asked(served, "GET", f"/memories/{id}") for id in (before["id"], first, second, forgotten)}
    assert [one["pinned"] for one in kept.values()][:3] == [True, False, False]
    assert kept[forgotten]["state"] == "forgotten"


@pytest.mark.writes
def test_what_fails_stays_chosen_until_somebody_signs_out(
    serve: Callable[..., Server], open_page: Callable[..., Page]
) -> None:
    server = serve(REMANENCE_EMBEDDER="none")
    ids = stored(
        server, *(f"Rule {number} of the yard is to close the gate" for number in range(6)), layer="procedural"
    )
    fine = stored(server, "The gate of the yard is green", layer="episodic")
    page = open_page(server)
    page.expected.append(r"answered 4\d\d: POST .*/promote")  # type: ignore[attr-defined]
    at(page)
    choose(page, *ids)
    chosen(page).get_by_role("button", name="Promote").click()
    expect(toast(page)).to_contain_text("Promoted none of 6 memories.")
    expect(toast(page)).to_contain_text("and 3 more.")
    expect(chosen(page)).to_contain_text("6 chosen")
    toast(page).get_by_role("button", name="Dismiss").click()
    page.get_by_role("button", name="Settings and keys").click()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("textbox").fill(server.token)
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(7)
    expect(chosen(page)).to_be_hidden()
    expect(rows(page).last.get_by_role("checkbox")).not_to_be_checked()
    choose(page, *ids, *fine)
    chosen(page).get_by_role("button", name="Promote").click()
    expect(toast(page)).to_contain_text("Promoted 1 memory. 6 failed.")
    expect(toast(page)).to_contain_text(f"{ids[0][-12:]} was left alone")
    expect(chosen(page)).to_contain_text("6 chosen")
    expect(page.locator(f'[data-row="{fine[0]}"]').get_by_role("checkbox")).not_to_be_checked()


@pytest.mark.writes
def test_without_the_stream_an_undo_is_shown_too(serve: Callable[..., Server], open_page: Callable[..., Page]) -> None:
    server = serve(REMANENCE_EMBEDDER="none")
    (id,) = stored(server, "The boat of the island is blue", scope="/part")
    page = open_page(server, token=server.token_for("part", scope="/part"))
    page.expected.append("answered 403")  # type: ignore[attr-defined]
    at(page)
    choose(page, id)
    chosen(page).get_by_role("button", name="Forget…").click()
    page.get_by_role("dialog").get_by_role("button", name="Forget", exact=True).click()
    expect(rows(page)).to_have_count(0)
    page.keyboard.press("u")
    expect(rows(page)).to_have_count(1)
    rows(page).get_by_role("link").first.click()
    memory = page.get_by_role("region", name="The memory")
    memory.get_by_role("button", name="Pin", exact=True).click()
    expect(memory.get_by_role("button", name="Unpin")).to_be_visible()
    page.keyboard.press("u")
    expect(memory.get_by_role("button", name="Pin", exact=True)).to_be_visible()


def test_more_than_one_plan_takes_are_not_forgotten_by_ids(page: Page) -> None:
    page.route("**/v1/count?**", lambda route: route.fulfill(json={"count": 10_001}))
    at(page, "memories?source=ai")
    page.get_by_role("button", name="Forget all 10,001…").click()
    box = page.get_by_role("dialog")
    expect(box.get_by_role("alert")).to_contain_text("More than 10,000 match: narrow the filters")
    expect(box.get_by_role("button", name="Forget all")).to_have_count(0)
    box.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Forget all 10,001…")).to_be_focused()


@pytest.mark.writes
def test_no_more_are_forgotten_than_the_question_says(
    serve: Callable[..., Server], open_page: Callable[..., Page]
) -> None:
    server = serve(REMANENCE_EMBEDDER="none")

    def lamps(begin: int, end: int) -> None:
        texts = [f"Lamp {number} of the quay was mended" for number in range(begin, end)]
        stored(server, *texts, scope="/quay")

    lamps(0, 21)
    page = open_page(server)
    at(page, "memories?scope=/quay")
    plan = Held(page, only("/forget/plan"))
    lamps(21, 23)
    page.get_by_role("button", name="Forget all 21…").click()
    box = page.get_by_role("dialog")
    plan.wait_for(1)
    expect(box.get_by_role("button", name="Forget all")).to_have_count(0)  # nobody has seen what it would forget
    plan.let_go()
    expect(box.get_by_role("heading")).to_have_text("Forget all 23 that match?")
    expect(box).to_contain_text("The plan forgets 23 memories.")
    forget = box.get_by_role("button", name="Forget all")
    box.get_by_role("textbox").fill("21")
    expect(forget).to_be_disabled()
    box.get_by_role("textbox").fill("23")
    lamps(23, 24)
    forget.click()
    expect(toast(page)).to_contain_text("Forgot 23 memories.")
    expect(told(page)).to_contain_text("1 live memory")

    plan.end()
    page.get_by_role("button", name="Forget all 1…").click()
    box.get_by_role("button", name="Cancel").click()
    asked(server, "POST", "/forget", json={"scope": ["/quay"]})
    page.get_by_role("button", name="Forget all 1…").click()
    expect(box).to_contain_text("Nothing is left that matches")
