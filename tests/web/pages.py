"""Chromium, and pages that are used again.

A new profile with a cold cache takes longer than most tests do, so a page that a test is done with is emptied and kept:
the next test that wants this address in this look finds nothing in it but the files of the page in the cache.
"""

from __future__ import annotations

import shutil
from collections import defaultdict
from contextlib import ExitStack

from playwright.sync_api import Browser, Error, Page, sync_playwright

from tests.web.looks import options

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first is Chromium without its windows, which has a fifth less to do."""
ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
MILLISECONDS = 15_000.0
"""How long an action may take, and what is expected: other tests run beside it."""
_EMPTIED = "() => { localStorage.clear(); sessionStorage.clear() }"


class Pages:
    """The pages of a browser: those that a test has, and those that wait to be used again."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self._waiting: dict[tuple[str, str], list[Page]] = defaultdict(list)

    def taken(self, url: str, look: str) -> Page:
        """A page with nothing in it, of a server in a look."""
        waiting = self._waiting[url, look]
        return waiting.pop() if waiting else self.new(url, look)

    def new(self, url: str, look: str) -> Page:
        """The same in a new profile."""
        context = self.browser.new_context(base_url=url, **options(look))
        context.set_default_timeout(MILLISECONDS)
        context.set_default_navigation_timeout(MILLISECONDS)
        return context.new_page()

    def given_back(self, page: Page, url: str, look: str) -> None:
        """Keep a page for the next who wants this; one that cannot be emptied goes."""
        try:
            for other in page.context.pages:
                if other is not page:
                    other.close()
            page.unroute_all(behavior="ignoreErrors")
            page.evaluate(_EMPTIED)
            page.goto("about:blank")
        except Error:
            page.context.close()
        else:
            self._waiting[url, look].append(page)


class Chromium:
    """The browser of a process, from the first test that wants it until it is ended."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._pages: Pages | None = None

    def pages(self) -> Pages:
        if self._pages is None:
            executable = next(filter(None, map(shutil.which, BROWSERS)), None)
            assert executable is not None, f"None of {', '.join(BROWSERS)} is installed. Run: make browser"
            playwright = self._open.enter_context(sync_playwright())
            browser = playwright.chromium.launch(executable_path=executable, args=list(ARGUMENTS))
            self._open.callback(browser.close)
            self._pages = Pages(browser)
        return self._pages

    def end(self) -> None:
        self._pages = None
        self._open.close()
