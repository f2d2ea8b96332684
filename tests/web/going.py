"""Going to a view of the page by its address, and what holds for every view in every look."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.web import axe
from tests.web.commands import check_commands

OUTSIDE = "/page/mark.svg"
"""Where a test begins that goes to a view of its own: the overview asks for much, and it would wait for that."""


def enter(page: Page, token: str) -> None:
    """Have the token, as if the page had been there before, and be at none of its views."""
    page.goto(OUTSIDE)
    page.evaluate("(token) => localStorage.setItem('remanence.token', token)", token)


def go(page: Page, address: str) -> None:
    """To an address of the page, from outside or from another view of it."""
    if page.url.endswith(OUTSIDE):
        page.goto(f"/#/{address}")
    else:
        page.wait_for_selector("#main[data-shown]")
        page.evaluate("(hash) => { location.hash = hash }", f"#/{address}")


def at(page: Page, address: str) -> None:
    """Go to an address of the page, and wait until nothing is on its way any more."""
    go(page, address)
    page.wait_for_selector(f'#main[data-shown="{address.partition("?")[0].partition("/")[0]}"]')
    settled(page)


def settled(page: Page) -> None:
    expect(page.locator("#main .waiting, #main .progress")).to_have_count(0)


def fits(page: Page) -> None:
    """Nothing scrolls sideways."""
    assert page.evaluate("() => document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def usable(page: Page) -> None:
    """It fits, nothing keeps people out, and every command that is shown would run."""
    fits(page)
    axe.check(page)
    check_commands(page)
