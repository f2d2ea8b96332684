"""A server that fails, or is slow, for as long as a test wants it to be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from re import Pattern

from playwright.sync_api import Page, Route, expect

FULL = "The disk is full."


@contextmanager
def failing(page: Page, address: str | Pattern[str]) -> Iterator[None]:
    """What is asked of this address is refused, in words that the page should repeat."""
    page.expected.append("answered 503")  # type: ignore[attr-defined]
    page.route(address, lambda route: route.fulfill(status=503, json={"detail": FULL}))
    yield
    page.unroute(address)


def told_and_tried_again(page: Page, address: str | Pattern[str], *, by: str) -> None:
    """Press a button while the address fails: the page says so where it is, and tries again when it is told to."""
    with failing(page, address):
        page.get_by_role("button", name=by).click()
        wrong = page.locator("#main").get_by_role("alert")
        expect(wrong).to_contain_text(FULL)
    again(page)


def again(page: Page) -> None:
    wrong = page.locator("#main").get_by_role("alert")
    expect(wrong).to_contain_text(FULL)
    wrong.get_by_role("button", name="Try again").click()
    expect(wrong).to_have_count(0)


class Held:
    """What is asked of an address waits until it is let go, in any order."""

    def __init__(self, page: Page, address: str | Pattern[str]) -> None:
        self._page, self._address = page, address
        self.routes: list[Route] = []
        page.route(address, self._hold)

    def _hold(self, route: Route) -> None:
        self.routes.append(route)

    def wait_for(self, many: int) -> None:
        """Until so many wait."""
        for _ in range(600):
            if len(self.routes) >= many:
                return
            self._page.wait_for_timeout(25)
        raise AssertionError(f"{len(self.routes)} of {many} were asked of {self._address}")

    def let_go(self, number: int = 0) -> None:
        """Let one that waits have its answer."""
        route = self.routes[number]
        with self._page.expect_response(lambda response: response.request == route.request):
            route.continue_()

    def end(self) -> None:
        """Hold nothing any more; what waits stays unanswered."""
        self._page.unroute(self._address)


def only(path: str) -> Pattern[str]:
    """This path alone, whatever is behind its question mark."""
    return re.compile(rf"/v1{path}(\?|$)")
