"""S12: a hundred texts that try to become more, in every field that takes one, on every page. Each stays text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.interfaces.serve.conftest import Server, ended, started
from tests.web.hostile import PAYLOADS, Payload, assert_idle

pytestmark = pytest.mark.promise("S12")

SESSION = "hostile-session"
FEW = PAYLOADS[::20]
VIEWS = (
    "",
    "memories",
    "memories?view=timeline",
    "memories?state=all",
    "memories?state=forgotten",
    "plans",
    "plans/receipts",
    "plans/receipt/r1",
    "policies",
    "policies/compare",
    "review",
    "review?tab=challenged",
    "sessions",
    f"sessions/{SESSION}",
    "entities",
    "erase",
    "erase?scope=%2Fhostile%2Fs1",
    "welcome",
)


def _told(api: Any, payload: Payload, number: int) -> None:
    """One payload in every field of a memory, with a text that is its own."""
    text, short = payload.text, payload.text[:200]
    fields: dict[str, Any] = {
        "kind": short,
        "categories": [short],
        "concepts": [short],
        "files": [short],
        "origin": text[:1000],
        "metadata": {short: text, "nested": {short: [text]}},
        "scope": f"/hostile/s{number}",
        "source": ("human", "ai", "ingest", "extracted", "dream")[number % 5],
    }
    for names in (fields.keys(), ("categories", "metadata", "scope", "source"), ("scope",)):
        answer = api.post("/v1/memories", json={"text": text, **{name: fields[name] for name in names}})
        if answer.is_success:
            break
    assert answer.is_success, answer.text
    made = answer.json()["memory"]
    # A second version, an edge of lineage, a doubt, and a purge whose reason it is.
    api.patch(f"/v1/memories/{made['id']}", json={"text": f"{text} once more"})
    api.post("/v1/memories", json={"text": f"made of {text}", "lineage": [made["id"]], "scope": "/hostile/made"})
    api.post(f"/v1/memories/{made['id']}/challenge", json={})
    gone = api.post("/v1/memories", json={"text": f"gone {text}", "scope": "/hostile/gone"}).json()["memory"]
    if gone is not None and number % 25 == 0:
        api.post("/v1/purge", json={"ids": [gone["id"]], "reason": short})
    api.post("/v1/actions", json={"text": text, "project": short, "files": [short]})
    api.post(f"/v1/sessions/{SESSION}/observations", json={"said": text, "role": "user"})
    api.post(
        f"/v1/sessions/{SESSION}/observations",
        json={"said": text, "role": "tool", "tool": short, "call": text, "failed": True},
    )


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose store is full of them."""
    server = started(tmp_path_factory.mktemp("hostile"), "--no-upkeep")
    with server.client() as api:
        start = {"id": SESSION, "project": "/hostile/project", "agent": PAYLOADS[0].text[:200]}
        api.post("/v1/sessions", json=start).raise_for_status()
        for number, payload in enumerate(PAYLOADS):
            _told(api, payload, number)
        api.post(f"/v1/sessions/{SESSION}/end", json={}).raise_for_status()
        api.post("/v1/sessions/run", json={"only": [SESSION]}, timeout=300).raise_for_status()
        for payload in FEW:
            api.post("/v1/sessions", json={"id": payload.text[:200], "project": "/hostile/project", "agent": "x"})
    yield server
    ended(server)
    assert [line for line in server.logged() if line["level"] in ("error", "critical")] == []


@pytest.fixture
def page(open_page: Callable[..., Page], hostile: Server) -> Page:
    return open_page(hostile)


def seen(page: Page, hash_: str) -> str:
    """The text of a view, once all of it has come."""
    page.goto(f"/#/{hash_}")
    expect(page.locator("#main h1").first).to_be_visible()
    expect(page.locator("#main .waiting")).to_have_count(0)
    assert_idle(page)
    return page.locator("#main").inner_text()


def test_what_is_stored_is_in_every_field(hostile: Server) -> None:
    """Or the rest would prove little: nearly all of them were taken as kind, category, metadata and origin."""
    with hostile.client() as api:
        kinds = api.get("/v1/stats").json()["kinds"]
        items = api.get("/v1/memories", params={"state": "all", "limit": 1000}).json()["items"]
    texts = {payload.text[:200] for payload in PAYLOADS}
    assert len(texts & kinds.keys()) >= 80
    for name in ("categories", "concepts", "files"):
        assert len(texts & {tag for item in items for tag in item[name]}) >= 80, name


def test_views_show_it_as_text(page: Page) -> None:
    for view in VIEWS:
        seen(page, view)


def test_one_memory_shows_it_as_text(page: Page, hostile: Server) -> None:
    with hostile.client() as api:
        items = api.get("/v1/memories", params={"state": "all", "limit": 1000}).json()["items"]
        for payload in FEW:
            found = api.post("/v1/recall", json={"query": payload.text, "limit": 5, "reinforce": False}).json()["hits"]
            ids = [hit["memory"]["id"] for hit in found if payload.mark in hit["memory"]["text"]]
            ids = ids or [item["id"] for item in items if payload.mark in item["text"]]
            assert payload.mark in seen(page, f"memory/{ids[0]}"), payload.name


@pytest.mark.parametrize("payload", FEW, ids=lambda payload: payload.name)
def test_as_a_question_a_name_a_scope_and_an_address(page: Page, payload: Payload) -> None:
    page.expected.append("answered 4")  # type: ignore[attr-defined]
    text = quote(payload.text[:200], safe="")
    for view in (
        f"memories?q={text}",
        f"memories?scope={text}&kind={text}&layer={text}&state={text}&source={text}&since={text}&view={text}",
        f"entities/{text}",
        f"entities?q={text}",
        f"sessions/{text}",
        f"memory/{text}",
        f"erase?about={text}&ids={text}",
        f"plans?plan={text}&scope={text}&topic={text}",
        f"plans/receipt/{text}",
        f"plans/receipts?verb={text}",
        f"policies?name={text}",
        f"policies/change?from={text}",
        f"policies/compare?one={text}&other={text}",
        text,
    ):
        seen(page, view)


def test_typed_into_the_search_it_stays_text(page: Page) -> None:
    seen(page, "memories")
    for payload in PAYLOADS:
        page.get_by_role("searchbox", name="Search memories").fill(payload.text[:500])
    expect(page.get_by_role("heading", level=1, name="Memories")).to_be_visible()
    expect(page.locator("#main .waiting")).to_have_count(0)
    assert_idle(page)


@pytest.mark.full
@pytest.mark.timeout(1800)
def test_every_memory_shows_it_as_text(page: Page, hostile: Server) -> None:
    with hostile.client() as api:
        items = api.get("/v1/memories", params={"state": "all", "limit": 1000}).json()["items"]
    for item in items:
        seen(page, f"memory/{item['id']}")
