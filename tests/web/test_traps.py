"""What the tests of the page rely on: traps that spring, a watch that tells, axe that finds, a store with all in it."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page

from remanence import Mind
from remanence.settings import Settings
from tests.interfaces.serve.conftest import Server
from tests.web import axe, hostile, shots
from tests.web.looks import LOOKS
from tests.web.watching import Watch

BEGINS = "/"

SPRUNG_AT_ONCE = ("handler-01", "handler-03", "handler-06", "handler-07", "svg-05", "address-05", "handler-15")


def test_there_are_a_hundred_payloads_each_with_a_word_of_its_own() -> None:
    assert len(hostile.PAYLOADS) == 100 == len({payload.text for payload in hostile.PAYLOADS})
    for payload in hostile.PAYLOADS:
        holders = [other.name for other in hostile.PAYLOADS if payload.mark in other.text]
        assert holders == [payload.name]
    assert len(hostile.WORDS) > 80


@pytest.mark.parametrize("name", SPRUNG_AT_ONCE)
def test_a_payload_springs_where_text_becomes_markup(browser: Browser, name: str) -> None:
    (payload,) = [one for one in hostile.PAYLOADS if one.name == name]
    page = browser.new_page()
    page.set_content("<p></p>")
    hostile.assert_idle(page)
    page.evaluate("text => { document.querySelector('p').textContent = text }", payload.text)
    hostile.assert_idle(page)
    page.evaluate("text => { document.querySelector('p').innerHTML = text }", payload.text)
    page.wait_for_function("() => window.__hit !== undefined || document.querySelector('[data-hit], hit-element')")
    assert hostile.hits(page)
    page.close()


def test_a_watch_tells_what_a_page_complains_of(browser: Browser, shared: Server) -> None:
    page = browser.new_page()
    watch = Watch(page, shared.url)
    page.goto(f"{shared.url}/healthz")
    page.evaluate("() => { console.error('broken'); console.warn('careful'); console.log('fine') }")
    page.evaluate("() => { setTimeout(() => { throw new Error('lost') }) }")
    page.evaluate("() => fetch('/v1/nothing').catch(() => null)")
    page.evaluate(
        "() => new Promise(done => { document.addEventListener('securitypolicyviolation', done, {once: true});"
        " const style = document.createElement('style'); style.textContent = 'p { color: red }';"
        " document.head.append(style) })"
    )
    page.evaluate(
        "() => { const given = new AbortController(); const asked = fetch('/healthz', {signal: given.signal});"
        " given.abort(); return asked.catch(() => null) }"
    )
    page.expected.append("careful")  # type: ignore[attr-defined]
    told = "\n".join(watch.end())
    for word in ("console error: broken", "uncaught: Error: lost", "answered 401", "CSP: style-src"):
        assert word in told, told
    assert "careful" not in told and "fine" not in told and "ABORTED" not in told
    page.close()


def test_a_watch_tells_of_requests_to_another_server(browser: Browser, shared: Server) -> None:
    """Which the policy would not let out; so it is off here."""
    page = browser.new_page(bypass_csp=True)
    watch = Watch(page, shared.url)
    page.goto(f"{shared.url}/healthz")
    page.evaluate(f"() => fetch('http://localhost:{shared.port}/healthz').catch(() => null)")
    assert f"foreign: GET http://localhost:{shared.port}/healthz" in watch.end()
    page.close()


def test_axe_finds_what_keeps_people_out(browser: Browser, shared: Server) -> None:
    """Under the content security policy of the server."""
    page = browser.new_page()
    page.goto(f"{shared.url}/")
    page.evaluate("() => { const image = document.createElement('img'); document.querySelector('body').append(image) }")
    found = axe.findings(page)
    assert "image-alt" in {one["id"] for one in found}
    assert "critical: image-alt" in axe.told(found)
    assert axe.findings(page, within="head") == []
    page.close()


@pytest.mark.parametrize("look", LOOKS, indirect=True)
def test_a_look_is_what_the_page_sees(page: Page, look: str) -> None:
    seen = page.evaluate(
        "() => [innerWidth, matchMedia('(prefers-color-scheme: dark)').matches, navigator.maxTouchPoints > 0]"
    )
    assert seen == {"light": [1280, False, False], "dark": [1280, True, False], "phone": [390, False, True]}[look]
    assert page.evaluate("() => localStorage.length") <= 3, "the profile was empty"


def test_a_picture_is_small(page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REMANENCE_SHOTS", raising=False)
    assert shots.shot(page, "start") is None
    monkeypatch.setenv("REMANENCE_SHOTS", str(tmp_path / "images"))
    path = shots.shot(page, "start")
    assert path == tmp_path / "images" / "start.png"
    raw = path.read_bytes()
    assert Image.open(io.BytesIO(raw)).size == (1280, 800) and len(raw) <= shots.MOST_BYTES


@pytest.mark.writes
def test_a_test_that_writes_has_a_store_of_its_own(served: Server, built: Path) -> None:
    before = (built / "memory.db").stat().st_mtime_ns
    with served.client() as client:
        count = client.get("/v1/count").json()["count"]
        made = client.post("/v1/memories", json={"text": "The lighthouse was painted green in the night"})
        assert made.status_code in (200, 201), made.text
        assert client.get("/v1/count").json()["count"] == count + 1
    assert served.db.parent != built and (built / "memory.db").stat().st_mtime_ns == before


def test_the_year_has_everything_in_it(store: Path) -> None:
    with Mind(store, settings=Settings(upkeep__on_open=False)) as mind:
        count = {
            state: mind.count(state=state) for state in ("live", "superseded", "archived", "forgotten", "quarantined")
        }
        assert count["live"] > 6_000 and sum(count.values()) >= 10_000, count
        assert min(count.values()) >= 20, count
        layers = {
            layer: mind.count(layer=layer) for layer in ("working", "episodic", "semantic", "procedural", "codebase")
        }
        assert min(layers.values()) >= 20, layers
        some = mind.list(limit=1000)
        assert {memory.source for memory in some} >= {"human", "ai", "ingest", "extracted"}
        assert len({memory.kind for memory in some}) >= 8
        assert max(memory.scope.count("/") for memory in some) >= 3
        pages = [mind.list(limit=1000, offset=start) for start in range(0, count["live"], 1000)]
        live = [memory for page in pages for memory in page]
        days = {memory.created_at.date() for memory in live}
        assert (max(days) - min(days)).days > 300
        assert sum(memory.pinned for memory in live) >= 50
        assert sum(memory.access_count > 0 for memory in live) >= 50
        assert sum(bool(memory.lineage) for memory in live) >= 20
        assert sum(memory.version > 1 for memory in live) >= 50
        assert len(mind.review.challenged()) >= 10
        assert mind.review.count() >= 20
        assert mind.meaning.waiting == 0
        verbs = Counter(entry.verb for entry in mind.journal(1000))
        assert len(mind.sessions.list()) == 6
        assert len(mind.entities.list(least=5)) >= 10
        assert len(mind.dreams.report()) >= 1
        assert {"remember", "revise", "forget"} <= set(verbs), verbs
        assert mind.recall("who looks after checkout", reinforce=False)[0].memory.text
        assert mind.guidance("/project/shop-api")


def test_each_server_of_a_test_is_ended(serve: Callable[..., Server], open_page: Callable[..., Page]) -> None:
    """On an empty store, by a page without a token."""
    server = serve()
    page = open_page(server, "phone", token="")
    assert page.url == f"{server.url}/"
    with server.client() as client:
        assert client.get("/v1/count").json()["count"] == 0
