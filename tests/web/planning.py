"""What the tests of plans, receipts and policies have in common: going there, and a store with something due."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.interfaces.serve.conftest import Server
from tests.web import going

MAKING = 60_000.0
"""How long a plan or a forecast may take, in milliseconds: other tests run beside it."""


def go(page: Page, place: str, title: str = "Sweeps and dreams") -> None:
    """To a place of the page, and wait until it is there."""
    going.go(page, place)
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    expect(page.locator("#main .waiting")).to_have_count(0, timeout=MAKING)


def said(page: Page) -> Locator:
    """What a forecast comes to."""
    return page.locator(".forecast-said")


def number(page: Page, name: str) -> Locator:
    """A number of a policy: its slider, its field, what it was."""
    return page.locator(f'[data-number="{name}"]')


def dialog(page: Page) -> Locator:
    return page.get_by_role("dialog")


def no_sideways(page: Page) -> None:
    going.fits(page)


def json(server: Server, method: str, path: str, **rest: Any) -> Any:
    """The answer of the server to its owner."""
    with server.client() as api:
        answer = api.request(method, f"/v1{path}", timeout=60, **rest)
        assert answer.status_code < 300, answer.text
        return answer.json()


def with_two_due(serve: Callable[..., Server]) -> Server:
    """A server with a few memories, two of which have been working ones for a day."""
    server = serve()
    old = (datetime.now(UTC) - timedelta(days=1)).isoformat()
    for text in ("The kettle in the kitchen is blue", "Ewa waters the plants on Mondays"):
        json(server, "POST", "/memories", json={"text": text, "layer": "working", "created_at": old})
    json(server, "POST", "/memories", json={"text": "The bicycle stands in the cellar"})
    return server
