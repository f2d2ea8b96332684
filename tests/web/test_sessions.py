"""Sessions: what was captured, the jobs, and what the next session of a project is told."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from remanence import Mind
from remanence.sessions import stage_one, stage_two
from remanence.settings import Settings
from tests.conftest import Clock
from tests.interfaces.serve.conftest import Server
from tests.web.commands import check_commands
from tests.web.faults import again, failing, only, told_and_tried_again
from tests.web.going import at, settled, usable
from tests.web.hostile import assert_idle
from tests.web.looks import LOOKS
from tests.web.shots import shot

_SHOP = "/project/shop-api"


def rows(page: Page) -> Locator:
    return page.locator("#main [data-row]")


def job(page: Page, name: str) -> Locator:
    return page.locator(f'#main [data-job="{name}"]')


@pytest.mark.parametrize("look", LOOKS, indirect=True)
def test_sessions_are_usable(page: Page, look: str) -> None:
    at(page, "sessions")
    expect(rows(page)).to_have_count(6)
    usable(page)
    shot(page, f"sessions-{look}")
    rows(page).first.get_by_role("link").first.click()
    expect(page.get_by_role("heading", level=1, name="Session of codex")).to_be_visible()
    expect(page.get_by_role("heading", name="What was learned")).to_be_visible()
    usable(page)
    shot(page, f"session-{look}")
    at(page, f"sessions?tab=artifacts&project={_SHOP}")
    expect(page.get_by_role("heading", name="Memory Guidance")).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    shot(page, f"artifacts-{look}")


def test_a_session_is_read_as_a_conversation(page: Page, served: Server) -> None:
    at(page, "sessions")
    page.get_by_role("combobox", name="Project").fill(_SHOP)
    page.get_by_role("button", name="Filter").click()
    expect(rows(page)).to_have_count(3)
    check_commands(page)
    rows(page).first.get_by_role("link").first.click()
    talk = page.get_by_role("list", name="Conversation")
    expect(talk.get_by_text("No, use pnpm instead of npm.")).to_be_visible()
    failed = talk.get_by_role("listitem").filter(has_text="failed")
    expect(failed.get_by_text("ECONNREFUSED")).to_be_hidden()
    failed.locator("summary").click()
    expect(failed.get_by_text("ECONNREFUSED")).to_be_visible()
    page.get_by_role("link", name="The summary as a memory").click()
    expect(page.locator("#main")).to_have_attribute("data-shown", "memory")
    at(page, "sessions?project=/nowhere")
    expect(page.get_by_text("No session of this project was captured")).to_be_visible()
    page.expected.append("answered 404")  # type: ignore[attr-defined]
    at(page, "sessions/no-such-session")
    expect(page.get_by_text("There is no such thing here")).to_be_visible()


def test_the_summary_is_found_behind_all_that_was_learned(page: Page, served: Server) -> None:
    with served.client() as client:
        made = client.get("/v1/memories", params={"limit": 210}).json()["items"]
        known = client.get("/v1/sessions", params={"limit": 200}).json()["items"]
        told = next(one for one in known if one["summary"])
        session = client.get(f"/v1/sessions/{told['id']}").json()
    ids = [one["id"] for one in made if one["id"] != session["summary"]][:205]
    many = {**session, "learned": [*ids, session["summary"]]}
    page.route(only(f"/sessions/{told['id']}"), lambda route: route.fulfill(json=many))
    at(page, f"sessions/{told['id']}")
    expect(page.get_by_role("link", name="The summary as a memory")).to_be_visible()
    expect(page.get_by_text("and 5 more: the command below names all of them.")).to_be_visible()


def test_artifacts_are_read_and_the_budget_changes_what_is_told(page: Page, served: Server) -> None:
    page.expected.append("answered 404")  # type: ignore[attr-defined]
    at(page, f"sessions?tab=artifacts&project={_SHOP}")
    told = page.locator("#main article").inner_text()
    page.get_by_role("slider").fill("300")
    expect(page.get_by_text("300 tokens")).to_be_visible()
    expect(page.locator('#main [data-command*="--budget-tokens 300"]')).to_be_visible()
    assert len(page.locator("#main article").inner_text()) < len(told)
    page.get_by_role("slider").fill("0")
    expect(page.get_by_text("A budget of 0 tells nothing.")).to_be_visible()
    files = page.get_by_role("navigation", name="Files of the project")
    files.get_by_role("link", name="MEMORY.md").click()
    expect(page.get_by_role("heading", name="Decisions")).to_be_visible()
    page.locator("#main article a[href^='#/memory/']").first.click()
    expect(page.locator("#main")).to_have_attribute("data-shown", "memory")
    page.go_back()
    settled(page)
    files.get_by_text("Skills (").click()
    files.locator("details a").first.click()
    expect(page.locator("#main article dl")).to_contain_text("description")
    check_commands(page)
    page.get_by_role("combobox", name="Project").fill("/project/nothing-is-here")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_role("heading", name="What the next session is told")).to_be_visible()
    files.get_by_role("link", name="Summary").click()
    expect(page.get_by_text("This is not written yet")).to_be_visible()
    check_commands(page)


@pytest.mark.writes
def test_artifacts_are_written_anew(page: Page, served: Server) -> None:
    at(page, f"sessions?tab=artifacts&project={_SHOP}&file=MEMORY.md")
    page.get_by_role("button", name="Write anew").click()
    expect(page.get_by_role("status").filter(has_text="as they were")).to_be_visible()
    check_commands(page)


def _failing(db: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A store with a job that failed, one that is dead and one that waits."""

    def learned(observations: Any, of: str, *earlier: Any) -> Any:
        raise RuntimeError("the reader fell asleep")

    clock, ids = Clock(datetime.now(UTC) - timedelta(minutes=2)), {}
    for name, tries in (("dead", 1), ("failed", 5), ("waiting", 5)):
        settings = Settings(upkeep__on_open=False, memories__max_tries=tries)
        with Mind(db, clock=clock, settings=settings) as mind:
            session = mind.sessions.start(f"/project/{name}", agent="codex", id=f"s-{name}")
            mind.sessions.observe(session, "We decided to deploy on Tuesdays only, because Mondays are loud.")
            mind.sessions.observe(session, "long " * 1000, tool="Bash", call="make\nall", role="tool")
            mind.sessions.end(session)
            ids[name] = session.id
            if name != "waiting":
                with monkeypatch.context() as patched:
                    patched.setattr(stage_one, "learned", learned)
                    assert mind.sessions.run(only=[session.id]).failed
    return ids


def test_jobs_are_told_of_and_run(
    serve: Callable[..., Server], open_page: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = tmp_path / "jobs" / "memory.db"
    db.parent.mkdir()
    ids = _failing(db, monkeypatch)
    page = open_page(serve(db))
    at(page, "sessions?tab=jobs")
    dead, failed, waiting = (job(page, f"stage1:{ids[name]}") for name in ("dead", "failed", "waiting"))
    expect(dead).to_contain_text("not tried again until somebody wants it")
    expect(failed).to_contain_text("unexpected RuntimeError")
    expect(failed).to_contain_text("again")
    expect(waiting).to_contain_text("waits")
    usable(page)
    dead.get_by_role("button", name="Process now").click()
    expect(dead).to_have_count(0)
    waiting.get_by_role("button", name="Let the next run do it").click()
    expect(waiting).to_contain_text("ready")
    page.get_by_role("button", name="Run what is ready now").click()
    expect(waiting).to_have_count(0)
    check_commands(page)
    at(page, f"sessions/{ids['failed']}")
    expect(page.get_by_text("No summary yet")).to_be_visible()
    page.get_by_role("listitem").filter(has_text="Bash").locator("summary").click()
    page.get_by_role("button", name="Show all 5,000 characters").click()
    expect(page.get_by_role("button", name="Show all")).to_have_count(0)
    page.get_by_role("button", name="Process 2 new observations now").click()
    expect(page.get_by_role("link", name="The summary as a memory")).to_be_visible()
    page.get_by_role("button", name="Let the next run do it").click()
    expect(page.get_by_role("status").filter(has_text="enqueue s-failed")).to_be_visible()
    at(page, "sessions?tab=jobs")
    page.get_by_role("button", name="Run what is ready now").click()
    expect(page.get_by_text("Nothing waits")).to_be_visible()
    usable(page)


def test_artifacts_that_wait_are_written_by_hand(
    serve: Callable[..., Server], open_page: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> Any:
        raise RuntimeError("the disk is full")

    def written() -> Any:
        with server.client() as client:
            return client.get("/v1/artifacts", params={"url": "memory://root/MEMORY.md", "project": "/project/quay"})

    db = tmp_path / "written" / "memory.db"
    db.parent.mkdir()
    clock = Clock(datetime.now(UTC) - timedelta(days=1))
    with Mind(db, clock=clock, settings=Settings(upkeep__on_open=False)) as mind, monkeypatch.context() as patched:
        session = mind.sessions.start("/project/quay", agent="codex")
        mind.sessions.observe(session, "We decided to deploy on Tuesdays only, because Mondays are loud.")
        mind.sessions.end(session)
        patched.setattr(stage_two, "_written", full)
        assert mind.sessions.run(only=[session.id]).failed
    server = serve(db)
    page = open_page(server)
    at(page, "sessions?tab=jobs")
    waits = job(page, "stage2:/project/quay")
    expect(waits).to_contain_text("Write the artifacts of /project/quay")
    expect(waits).to_contain_text("unexpected RuntimeError")
    assert written().status_code == 404
    usable(page)
    waits.get_by_role("button", name="Write now").click()
    expect(page.get_by_role("status").filter(has_text="files written")).to_be_visible()
    expect(waits).to_have_count(0)
    assert "Tuesdays" in written().text
    assert "rem memory rebuild /project/quay" in check_commands(page)


# -- what goes wrong, and what comes late


def test_what_cannot_be_loaded_is_said_where_it_is_missing(page: Page, served: Server) -> None:
    at(page, "sessions")
    page.get_by_role("combobox", name="Project").fill(_SHOP)
    told_and_tried_again(page, only("/sessions"), by="Filter")
    expect(rows(page)).to_have_count(3)
    with failing(page, only("/sessions/queue")):
        at(page, "sessions?tab=jobs")
    again(page)
    expect(page.get_by_text("Nothing waits")).to_be_visible()
    at(page, f"sessions?tab=artifacts&project={_SHOP}")
    expect(page.get_by_role("slider")).to_be_visible()
    with failing(page, only("/guidance")):
        page.get_by_role("slider").fill("300")
        expect(page.locator("#main").get_by_role("alert")).to_be_visible()
    again(page)
    expect(page.locator('#main [data-command*="--budget-tokens 300"]')).to_be_visible()


def test_more_sessions_come_once_however_often_they_are_asked_for(page: Page, served: Server) -> None:
    with served.client() as client:
        known = client.get("/v1/sessions").json()["items"]

    def paged(route: Route) -> None:
        is_first = "cursor=" not in route.request.url
        route.fulfill(json={"items": known[:4], "next": "o4"} if is_first else {"items": known[4:], "next": None})

    page.route(only("/sessions"), paged)
    at(page, "sessions")
    expect(rows(page)).to_have_count(4)
    with failing(page, only("/memories")):  # the summaries of those that come
        page.get_by_role("button", name="Show more").click()
        expect(page.locator("#main").get_by_role("alert")).to_be_visible()
        expect(rows(page)).to_have_count(4)
    again(page)
    expect(rows(page)).to_have_count(6)
    expect(rows(page).nth(4).get_by_role("link").first).to_be_focused()
    at(page, "sessions?tab=jobs")
    at(page, "sessions")
    page.get_by_role("button", name="Show more").evaluate("(button) => { button.click(); button.click(); }")
    expect(page.get_by_role("button", name="Show more")).to_have_count(0)
    expect(rows(page)).to_have_count(6)


def test_a_budget_is_noted_only_while_it_is_shown(served: Server, open_page: Any) -> None:
    page = open_page(served, is_kept=False)
    page.clock.install()
    at(page, f"sessions?tab=artifacts&project={_SHOP}")
    page.get_by_role("slider").evaluate(
        "(slider) => { slider.value = 300; slider.dispatchEvent(new Event('input')); location.hash = '#/sessions'; }"
    )
    expect(rows(page)).to_have_count(6)
    page.clock.run_for(2000)
    assert page.evaluate("() => location.hash") == "#/sessions"


def test_a_token_kept_to_a_scope_sees_its_own_sessions(served: Server, open_page: Any) -> None:
    page = open_page(served, token=served.token_for("part", scope="/user/home"))
    page.expected.append("answered 404: GET .*skills")
    at(page, "sessions")
    expect(page.get_by_text("Your token is kept to /user/home: it sees the sessions there")).to_be_visible()
    tabs = page.get_by_role("navigation", name="Sessions")
    expect(tabs.get_by_role("link", name="Jobs")).to_have_count(0)
    tabs.get_by_role("link", name="What the next one is told").click()
    expect(page.get_by_role("combobox", name="Project")).to_have_value("/user/home")
    expect(page.get_by_role("heading", name="What the next session is told")).to_be_visible()
    usable(page)
    at(page, "sessions?tab=jobs")
    expect(page.get_by_text("It sees the sessions of /user/home.")).to_be_visible()


def test_an_empty_store_says_how_to_connect(serve: Callable[..., Server], open_page: Any) -> None:
    server = serve()
    page = open_page(server)
    page.expected.append("answered 404: GET .*skills")
    at(page, "sessions")
    expect(page.get_by_text("No session was captured yet")).to_be_visible()
    assert "rem connect claude-code" in check_commands(page)
    with server.client() as client:
        said = "# Ignore <img src=x onerror=alert(1)> [x](javascript:alert(1)) [y](//evil.example) `a` **b** | _c_"
        told = {"text": said, "scope": "/project/evil", "kind": "preference", "source": "human"}
        client.post("/v1/memories", json=told)
        client.post("/v1/artifacts/rebuild", json={"project": "/project/evil"})
    at(page, "sessions?tab=artifacts&project=/project/evil&file=MEMORY.md")
    expect(page.locator("#main article")).to_contain_text("onerror=alert(1)")
    assert page.locator("#main article img").count() == 0
    addresses = page.locator("#main article a").evaluate_all("(all) => all.map((one) => one.getAttribute('href'))")
    assert addresses and all(address.startswith("#/") for address in addresses), addresses
    assert_idle(page)
