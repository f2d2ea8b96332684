"""Entities: cards, one of them, and who is named with whom."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.interfaces.serve.conftest import Server
from tests.web.commands import check_commands
from tests.web.faults import again, failing, only, told_and_tried_again
from tests.web.going import at, fits, usable
from tests.web.hostile import assert_idle
from tests.web.looks import LOOKS
from tests.web.shots import shot

_STRANGE = ("__proto__", "מרים כהן", "src/a b/c.py", "Zoë O'Hara", "W" * 190)


def cards(page: Page) -> Locator:
    return page.get_by_role("list", name="Entities").get_by_role("listitem")


@pytest.mark.parametrize("look", LOOKS, indirect=True)
def test_entities_are_usable(page: Page, look: str) -> None:
    at(page, "entities")
    expect(cards(page).first).to_be_visible()
    expect(page.locator("#main svg a").first).to_be_visible()
    expect(page.get_by_text("most named")).to_have_count(0)  # how many are drawn goes by the width
    usable(page)
    shot(page, f"entities-{look}")
    at(page, "entities/Maria%20Lindqvist")
    expect(page.get_by_role("heading", level=1, name="Maria Lindqvist")).to_be_visible()
    expect(page.locator("#main svg a").first).to_be_visible()
    usable(page)
    shot(page, f"entity-{look}")


def test_they_are_filtered_by_name_and_kind(page: Page, served: Server) -> None:
    at(page, "entities")
    page.get_by_role("searchbox", name="Name").fill("maria")
    expect(cards(page)).to_have_count(1)
    expect(page.get_by_text("1 of 1 entity")).to_be_visible()
    page.get_by_role("searchbox", name="Name").fill("nobody by that name")
    page.get_by_role("link", name="everywhere").click()
    page.expected.append("answered 404")  # type: ignore[attr-defined]
    expect(page.get_by_text("No live memory names this")).to_be_visible()
    check_commands(page)
    page.go_back()
    page.get_by_role("searchbox", name="Name").fill("")
    page.get_by_role("combobox", name="Kind").select_option("path")
    expect(cards(page).first).to_contain_text("path")
    kinds = cards(page).locator(".tag").all_inner_texts()
    assert set(kinds) == {"path"}
    assert "kind=path" in page.url


def test_one_leads_to_its_memories_and_to_others(page: Page, served: Server) -> None:
    at(page, "entities/Maria%20Lindqvist")
    remembered = page.locator("section").filter(has=page.get_by_role("heading", name="What is remembered of it"))
    expect(remembered.get_by_role("listitem")).to_have_count(20)
    remembered.get_by_role("button", name="Show more").click()
    expect(remembered.get_by_role("listitem")).to_have_count(60)
    expect(page.get_by_role("link", name="Erase everything about it")).to_have_attribute(
        "href", "#/erase?about=Maria%20Lindqvist"
    )
    listed = page.locator("#main .together a").first
    name = listed.inner_text()
    page.locator(f'#main svg a[aria-label="{name}"]').focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    page.get_by_role("link", name="Search memories").click()
    expect(page.locator("#main")).to_have_attribute("data-shown", "memories")


def test_the_network_has_a_list_and_leads_on(page: Page, served: Server) -> None:
    at(page, "entities")
    page.get_by_text("As a list").click()
    pair = page.locator("#main .entity-network details li").first
    expect(pair).to_be_visible()
    pair.get_by_role("link").first.click()
    expect(page.get_by_role("heading", name="Named together with")).to_be_visible()


def test_a_node_of_the_network_is_hit_between_its_circle_and_its_name(page: Page, served: Server) -> None:
    at(page, "entities")
    nodes = page.locator("#main svg.who-graph a.node")
    expect(nodes.first).to_be_visible()
    missed = page.evaluate(
        """() => [...document.querySelectorAll("#main svg.who-graph a.node")].filter((node) => {
          const box = node.getBoundingClientRect();
          const x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
          return y < innerHeight && !document.elementFromPoint(x, y)?.closest("a.node");
        }).map((node) => node.getAttribute("aria-label"))"""
    )
    assert missed == []


def test_what_cannot_be_loaded_is_said_where_it_is_missing(page: Page, served: Server) -> None:
    page.route(only("/entities/count"), lambda route: route.fulfill(json={"count": 1000}))  # more than come at first
    with failing(page, only("/entities")):
        at(page, "entities?kind=path")
    again(page)
    expect(cards(page).first).to_contain_text("path")
    at(page, "memories")
    at(page, "entities")
    name = page.get_by_role("searchbox", name="Name")
    with failing(page, only("/entities")):
        name.fill("mari")
        expect(page.locator("#main").get_by_role("alert")).to_be_visible()
        expect(cards(page)).to_have_count(0)
        name.fill("maria")
        expect(page.locator("#main").get_by_role("alert")).to_be_visible()
    again(page)
    expect(cards(page)).to_have_count(1)
    at(page, "memories")
    at(page, "entities")
    shown = cards(page).count()
    told_and_tried_again(page, only("/entities"), by="Show more")
    expect(cards(page)).to_have_count(shown)
    at(page, "entities/Maria%20Lindqvist")
    told_and_tried_again(page, only("/entities/show"), by="Show more")
    remembered = page.locator("section").filter(has=page.get_by_role("heading", name="What is remembered of it"))
    expect(remembered.get_by_role("listitem")).to_have_count(60)


def test_a_token_kept_to_a_scope_is_led_to_memories(served: Server, open_page: Any) -> None:
    page = open_page(served, token=served.token_for("part", scope="/office/atlas"))
    at(page, "entities")
    expect(page.get_by_text("Your token is kept to /office/atlas: it sees who is named there")).to_be_visible()
    link = cards(page).first.get_by_role("link")
    assert (link.get_attribute("href") or "").startswith("#/memories?q=")
    usable(page)
    page.get_by_role("searchbox", name="Name").fill("nobody by that name")
    page.get_by_role("link", name="Search memories for “nobody by that name”").click()
    expect(page.locator("#main")).to_have_attribute("data-shown", "memories")
    at(page, "entities/Maria%20Lindqvist")
    expect(page.get_by_text("What is known of an entity is put together from all memories")).to_be_visible()


def test_the_card_that_a_dream_wrote_stands_first(serve: Callable[..., Server], open_page: Any) -> None:
    server = serve()
    said = (
        "leads the API team in the old customs house by the river, between the bakery and the ferry landing",
        "lives in Bern with two cats, a piano that nobody tunes, and a view of the mountains from the kitchen",
        "never deploys on Fridays, since the payment service fell over in March and the pager rang until Sunday",
        "reviews every migration twice: once for locks on large tables, once for a way back if it must be undone",
        "sails in summer on the lake of Thun and cannot be reached then, except by letter to the harbour office",
        "writes her notes by hand in green ink and types them up on Monday mornings before the stand-up begins",
    )
    with server.client() as client:
        for text in said:
            assert client.post("/v1/memories", json={"text": f"Anna Schmidt {text}."}).is_success
        client.post("/v1/dreams", json={"steps": ["cards"]})
        (card,) = client.get("/v1/memories", params={"kind": "peer_card"}).json()["items"]
    page = open_page(server)
    at(page, "entities/Anna%20Schmidt")
    short = page.locator("section").filter(has=page.get_by_role("heading", name="In short"))
    assert len(card["text"]) > 600
    expect(short.locator(".markdown")).to_have_text(re.compile(r"\S …\s*$"))
    expect(short).to_contain_text("Written by a dream")
    usable(page)
    told_and_tried_again(page, only(f"/memories/{card['id']}"), by=f"Show all {len(card['text'])} characters")
    for text in said:
        expect(short).to_contain_text(text)
    with server.client() as client:
        assert client.post("/v1/memories", json={"text": "Anna Schmidt plays the cello."}).is_success
    at(page, "plans?plan=dream")
    page.get_by_role("button", name="Make the plan").click()
    expect(page.locator(".plan-place h2")).to_be_focused()
    written = page.locator(".new-text")  # what is other in the new card is marked
    expect(written.locator("ins", has_text="cello")).to_be_visible()
    at(page, "entities/Anna%20Schmidt")
    short.get_by_role("link", name="The card as a memory").click()
    expect(page.locator("#main")).to_have_attribute("data-shown", "memory")
    assert page.url.endswith(card["id"])


def test_strange_names_and_an_empty_store(serve: Callable[..., Server], open_page: Any) -> None:
    server = serve()
    page = open_page(server)
    at(page, "entities")
    expect(page.get_by_text("Nobody and nothing is named yet")).to_be_visible()
    usable(page)
    with server.client() as client:
        for name in _STRANGE:
            for number in range(2):
                said = {"text": f"{name} met Ada Lovelace, part {number}", "concepts": [name, "Ada Lovelace"]}
                assert client.post("/v1/memories", json=said).is_success
    expect(cards(page).first).to_be_visible()
    for name in _STRANGE:
        at(page, f"entities/{quote(name, safe='')}")
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
        expect(page.locator("#main .together a").first).to_have_text("Ada Lovelace")
        fits(page)
    at(page, "entities/Ada%20Lovelace")
    fits(page)
    for name in _STRANGE:
        page.locator("#main .together").get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
        page.go_back()
    assert_idle(page)
