"""Erase: what would go is shown first, a word must be written, and a certificate is handed over."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.conftest import only_files
from tests.interfaces.serve.conftest import Server
from tests.web.commands import check_commands
from tests.web.going import at, settled, usable
from tests.web.looks import LOOKS
from tests.web.shots import shot

_REASON = "asked for by the person it is about"


def certificate(page: Page) -> Locator:
    return page.get_by_role("region", name="Certificate")


def left(server: Server, **filters: Any) -> int:
    with server.client() as client:
        return int(client.get("/v1/count", params={"state": "all", **filters}).json()["count"])


@pytest.mark.parametrize("look", LOOKS, indirect=True)
def test_the_preview_is_usable(page: Page, look: str) -> None:
    at(page, "erase?about=Ewa%20Nowak")
    expect(page.get_by_role("heading", name="would be destroyed")).to_be_visible()
    expect(page.get_by_text("Asked for", exact=True)).to_be_visible()
    expect(page.locator("#main .doomed li")).to_have_count(50)
    usable(page)
    shot(page, f"erase-{look}")


def test_a_name_is_suggested_and_nobody_is_told_of(page: Page, served: Server) -> None:
    page.expected.append("answered 404")  # type: ignore[attr-defined]
    at(page, "erase")
    page.locator("#main .suggested button").first.click()
    expect(page.get_by_role("heading", name="would be destroyed")).to_be_visible()
    assert "about=" in page.url
    page.get_by_label("Name, as memories").fill("Ewa Nowak")
    page.get_by_role("button", name="Show what would go").click()
    made = page.locator("details").filter(has_text="Made from them")
    made.locator("summary").click()
    expect(made.get_by_role("listitem").first).to_contain_text("Made from")
    expect(made.get_by_role("listitem").first.get_by_role("link", name="Ewa Nowak").first).to_be_visible()
    asked = page.locator("details").filter(has_text="Asked for")
    asked.get_by_role("button", name="Show more").click()
    expect(asked.get_by_role("listitem")).to_have_count(100)
    page.get_by_label("Name, as memories").fill("Nobody Of This Name")
    page.get_by_role("button", name="Show what would go").click()
    expect(page.get_by_text("Nothing here names that")).to_be_visible()
    page.get_by_label("A scope").check()
    page.get_by_role("button", name="/office/notes/00").click()
    expect(page.get_by_role("heading", name="3 memories would be destroyed")).to_be_visible()
    expect(page.get_by_label("Scope; all that is below")).to_have_value("/office/notes/00")
    check_commands(page)


@pytest.mark.writes
def test_a_person_is_erased_and_the_certificate_says_so(page: Page, served: Server, tmp_path: Path) -> None:
    name = "Zdenka Vlahovic"
    with served.client() as client:
        for number in range(3):
            client.post("/v1/memories", json={"text": f"{name} ordered {number} crates of apples", "scope": "/orders"})
    at(page, f"erase?about={name.replace(' ', '%20')}")
    page.get_by_role("button", name="Erase 3 memories").click()
    question = page.get_by_role("dialog")
    erase = question.get_by_role("button", name="Erase for good")
    expect(erase).to_be_disabled()
    question.get_by_label("Why; it is kept").fill(_REASON)
    expect(erase).to_be_disabled()
    question.get_by_label("to go on").fill("Zdenka")
    expect(erase).to_be_disabled()
    check_commands(page)
    question.get_by_role("button", name="Cancel").click()
    assert left(served, scope="/orders") == 3
    page.get_by_role("button", name="Erase 3 memories").click()
    question.get_by_label("Why; it is kept").fill(_REASON)
    question.get_by_label("to go on").fill(name)
    erase.click()
    expect(certificate(page)).to_contain_text("verified", timeout=30_000)
    expect(certificate(page)).to_contain_text(_REASON)
    assert left(served, scope="/orders") == 0
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    usable(page)
    with page.expect_download() as download:
        certificate(page).get_by_role("link", name="Download as JSON").click()
    kept = tmp_path / "certificate.json"
    download.value.save_as(kept)
    proof = json.loads(kept.read_text("utf-8"))
    assert (len(proof["purged"]), proof["verified"], proof["reason"]) == (3, True, _REASON)
    page.evaluate("() => { window.print = () => { document.title = 'printed' } }")
    certificate(page).get_by_role("button", name="Print").click()
    expect(page).to_have_title("printed")
    page.emulate_media(media="print")
    expect(page.get_by_role("navigation", name="Pages")).to_be_hidden()
    page.emulate_media(media="screen")
    certificate(page).get_by_role("link", name="Erase something else").click()
    expect(certificate(page)).to_have_count(0)


@pytest.mark.writes
def test_lines_are_taken_out_and_ids_are_handed_over(page: Page, served: Server) -> None:
    at(page, "erase?scope=/office/notes/00")
    boxes = page.locator("#main .doomed").get_by_role("checkbox")
    expect(boxes).to_have_count(3)
    erase = page.locator("#main").get_by_role("button", name="Erase 3 memories")
    for number in range(3):
        boxes.nth(number).uncheck()
    expect(page.get_by_text("Nothing is left to erase.")).to_be_visible()
    boxes.nth(1).check()
    expect(erase).to_be_disabled()
    page.get_by_role("button", name="Look again at 1 memory").click()
    expect(page.get_by_text("Without those you took out")).to_be_visible()
    with served.client() as client:
        many = [one["id"] for one in client.get("/v1/memories", params={"limit": 30}).json()["items"]]
    at(page, f"erase?ids={','.join(many)}")
    expect(page.get_by_text("The command names the first 20 of 30.")).to_be_visible()
    with served.client() as client:
        params = {"scope": "/office/notes/01", "state": "live"}
        ids = [one["id"] for one in client.get("/v1/memories", params=params).json()["items"]]
    at(page, f"erase?ids={','.join(ids)}")
    settled(page)
    page.locator("#main").get_by_role("button", name="Erase", exact=False).last.click()
    question = page.get_by_role("dialog")
    question.get_by_label("Why; it is kept").fill(_REASON)
    question.get_by_label("to go on").fill("ERASE")
    question.get_by_role("button", name="Erase for good").click()
    expect(certificate(page)).to_be_visible(timeout=30_000)
    with served.client() as client:
        page.expected.append("answered 404")  # type: ignore[attr-defined]
        assert all(client.get(f"/v1/memories/{id}").status_code == 404 for id in ids)


def erased(page: Page, name: str) -> Locator:
    """Erase all about somebody; the certificate."""
    at(page, f"erase?about={name.replace(' ', '%20')}")
    page.locator("#main").get_by_role("button", name="Erase", exact=False).last.click()
    question = page.get_by_role("dialog")
    question.get_by_label("Why; it is kept").fill(_REASON)
    question.get_by_label("to go on").fill(name)
    question.get_by_role("button", name="Erase for good").click()
    expect(certificate(page)).to_be_visible(timeout=30_000)
    return certificate(page)


@only_files
@pytest.mark.writes
def test_a_certificate_names_what_may_still_hold_it(serve: Callable[..., Server], open_page: Any) -> None:
    server = serve(REMANENCE_EMBEDDER="none", REMANENCE_PURGE__WAIT_SECONDS="0.2")
    backup = server.db.with_name(f"{server.db.name}.before-schema-2")
    backup.write_bytes(b"")
    stray = "Yolanda Brightwater keeps the silver spoons in the third drawer of the kitchen"
    with server.client() as client:
        for text in (stray, "Ambrose Fairweather has the keys of the cellar and of the old mill"):
            client.post("/v1/memories", json={"text": text})
    page = open_page(server)
    with closing(sqlite3.connect(server.db)) as file:
        with file:
            file.execute("INSERT INTO meta VALUES('stray', ?)", (stray,))
        told = erased(page, "Yolanda Brightwater")
        expect(told).to_contain_text("! copies found")
        expect(told).to_contain_text("of the texts were found outside of memories")
        expect(told.get_by_role("heading", name="Backups that may still hold it")).to_be_visible()
        expect(told.get_by_text(str(backup))).to_be_visible()
        expect(told.get_by_role("listitem").filter(has_text=str(server.db)).first).to_be_visible()
        usable(page)
        file.isolation_level = None
        file.execute("BEGIN")
        file.execute("SELECT count(*) FROM memories").fetchone()  # a reader that the log is kept for
        told = erased(page, "Ambrose Fairweather")
        expect(told).to_contain_text("… pending")
        expect(told).to_contain_text("another process still reads the old log")
        expect(told.get_by_role("heading", name="Files searched")).to_have_count(0)
        assert "rem check" in check_commands(page)


def test_a_token_for_a_part_may_not(serve: Callable[..., Server], open_page: Any) -> None:
    server = serve()
    secret = server.token_for("part", scope="/part")
    page = open_page(server, token=secret)
    at(page, "erase")
    expect(page.get_by_text("Your token does not reach this far")).to_be_visible()


@pytest.mark.writes
def test_what_came_after_the_preview_is_shown_before_it_goes(page: Page, served: Server) -> None:
    with served.client() as api:
        ids = [
            api.post("/v1/memories", json={"text": text, "scope": "/crate"}).json()["memory"]["id"]
            for text in ("Crates are red", "Lids are blue")
        ]
        at(page, "erase?scope=/crate")
        page.get_by_role("button", name="Erase 2 memories…").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Why").fill("moved")
        dialog.get_by_label("Write").fill("/crate")
        late = api.post("/v1/memories", json={"text": "Hinges are new", "scope": "/crate"}).json()["memory"]["id"]
        page.expected.append("answered 409")  # type: ignore[attr-defined]
        dialog.get_by_role("button", name="Erase for good").click()
        expect(page.get_by_text("Nothing was erased")).to_be_visible()
        expect(page.get_by_role("button", name="Erase 3 memories…")).to_be_visible()
        assert all(api.get(f"/v1/memories/{id}").status_code == 200 for id in [*ids, late])
