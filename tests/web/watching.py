"""What a page complains of while a test uses it, kept until the test is over.

Console errors and warnings, uncaught errors, violations of the content security policy, requests that failed or were
refused, and any request to another server than its own. A request that the page itself gave up (a search overtaken by
the next letter, the stream of events at the end) is no complaint.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import ConsoleMessage, Page, Request, Response

_TELL_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) => {
  console.error(`CSP: ${event.effectiveDirective} forbids ${event.blockedURI} in ${event.sourceFile}`);
});
"""
_LOADED = "Failed to load resource"
_GIVEN_UP = "net::ERR_ABORTED"


class Watch:
    """The complaints of one page; `page.expected` are patterns of those that its test means to cause."""

    def __init__(self, page: Page, url: str) -> None:
        self._page, self._own = page, urlsplit(url).netloc
        self.complaints: list[str] = []
        self.expected: list[str] = []
        if not hasattr(page, "expected"):
            page.add_init_script(_TELL_VIOLATIONS)
        page.expected = self.expected  # type: ignore[attr-defined]
        self._handlers: dict[str, Any] = {
            "console": self._said,
            "pageerror": lambda error: self.complaints.append(f"uncaught: {error.stack or error}"),
            "request": self._asked,
            "requestfailed": self._failed,
            "response": self._answered,
        }
        for name, handler in self._handlers.items():
            page.on(name, handler)

    def end(self) -> list[str]:
        """No more is kept; the complaints that nobody expected."""
        for name, handler in self._handlers.items():
            self._page.remove_listener(name, handler)
        return [one for one in self.complaints if not any(re.search(pattern, one) for pattern in self.expected)]

    def _said(self, message: ConsoleMessage) -> None:
        # What could not be loaded is told by the answer itself, with its method and status.
        if message.type in ("error", "warning") and not message.text.startswith(_LOADED):
            self.complaints.append(f"console {message.type}: {message.text} ({message.location.get('url', '')})")

    def _asked(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob", "about") and parts.netloc != self._own:
            self.complaints.append(f"foreign: {request.method} {request.url}")

    def _failed(self, request: Request) -> None:
        if request.failure != _GIVEN_UP:
            self.complaints.append(f"failed: {request.method} {request.url}: {request.failure}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.complaints.append(f"answered {response.status}: {response.request.method} {response.url}")
