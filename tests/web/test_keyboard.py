"""Without a mouse: something is remembered, found, forgotten, and taken back, by keys alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.interfaces.serve.conftest import Server

BEGINS = "/"

_FOCUSED = """() => {
  const one = document.activeElement;
  const box = one.getBoundingClientRect();
  const style = getComputedStyle(one);
  return {name: (one.getAttribute("aria-label") || one.innerText || one.value || "").trim(), tag: one.tagName,
          ringed: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0,
          seen: box.width > 0 && box.height > 0};
}"""
_MOST_TABS = 120


def tab_to(page: Page, name: str, *, back: bool = False) -> None:
    """Press Tab until the button or link of this name has the focus; each stop on the way can be seen."""
    for _ in range(_MOST_TABS):
        page.keyboard.press("Shift+Tab" if back else "Tab")
        focused = page.evaluate(_FOCUSED)
        assert focused["seen"] or focused["tag"] == "BODY", focused
        if focused["name"] == name:
            assert focused["ringed"], focused
            return
    raise AssertionError(f"no {name} within {_MOST_TABS} tabs")


@pytest.mark.writes
def test_remember_find_forget_undo(page: Page, served: Server) -> None:
    def state() -> str:
        with served.client() as api:
            (one,) = api.get("/v1/memories", params={"scope": "/quay", "state": "all"}).json()["items"]
            return str(one["state"])

    expect(page.get_by_role("heading", level=1, name="Overview")).to_be_visible()
    page.keyboard.press("n")
    page.keyboard.type("The ferry to the island leaves from quay nine")
    page.keyboard.press("Tab")
    page.keyboard.press("Control+a")
    page.keyboard.type("/quay")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="Remembered.")).to_be_visible()
    assert state() == "live"

    page.keyboard.press("/")
    page.keyboard.type("ferry island quay")
    expect(page.locator("#main [data-row]").first).to_contain_text("The ferry to the island leaves from quay nine")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_have_attribute("data-shown", "memory")
    expect(page.get_by_role("button", name="Forget…")).to_be_visible()
    tab_to(page, "Forget…")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    tab_to(page, "Forget")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="Forgotten")).to_be_visible()
    assert state() == "forgotten"

    page.keyboard.press("u")
    expect(page.get_by_role("status").filter(has_text="was undone")).to_be_visible()
    assert state() == "live"


def test_the_first_stop_leads_past_the_frame(page: Page) -> None:
    expect(page.get_by_role("heading", level=1, name="Overview")).to_be_visible()
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()
    expect(page.get_by_role("heading", level=1, name="Overview")).to_be_visible()


def test_a_dialog_keeps_the_focus_and_gives_it_back(page: Page) -> None:
    expect(page.get_by_role("heading", level=1, name="Overview")).to_be_visible()
    opener = page.get_by_role("button", name="Settings and keys")
    opener.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    for _ in range(40):
        page.keyboard.press("Tab")
        inside = page.evaluate(
            "document.activeElement.closest('dialog') !== null || document.activeElement === document.body"
        )
        assert inside
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(opener).to_be_focused()


@pytest.mark.writes
def test_what_is_written_is_stored_by_keys_and_blanks_are_not(page: Page) -> None:
    expect(page.get_by_role("heading", level=1, name="Overview")).to_be_visible()
    page.keyboard.press("n")
    written = page.get_by_role("dialog").get_by_label("What")
    for nothing in ("", "  \n "):
        written.fill(nothing)
        page.keyboard.press("Control+Enter")
        assert written.evaluate("(field) => field.validationMessage")
        expect(page.get_by_role("dialog")).to_be_visible()
    written.fill("The lighthouse keeper\nis called Ola")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("status").filter(has_text="Remembered.")).to_be_visible()
    page.get_by_role("button", name="Edit…").click()
    text = page.get_by_role("dialog").locator("textarea")
    text.press("Control+Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    text.fill("The lighthouse keeper is called Olaf")
    text.press("Control+Enter")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("#main .text.whole").first).to_contain_text("Olaf")
