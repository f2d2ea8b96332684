"""mind.sessions by hand: start, observe, end, list, show; projects by scope, name and folder; wrong arguments."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from remanence import Mind
from remanence.errors import InvalidInput, NotFound
from remanence.facets.artifacts import project_scope
from remanence.interfaces.calls import CALLS
from remanence.model.session import TAKEN
from tests.conftest import START, Clock, new_mind

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def test_a_session_from_start_to_end(mind: Mind, clock: Clock) -> None:
    begun = mind.sessions.start("api", agent="mine")
    clock.advance(minutes=1)
    mind.sessions.observe(begun, "Use pnpm, never npm.")
    mind.sessions.observe(begun.id, "2 failed", tool="Bash", call="pnpm test", failed=True)
    mind.sessions.observe(begun, {"role": "assistant", "content": "I will fix them."})
    ended = mind.sessions.end(begun)
    assert (ended.project, ended.agent, ended.observations) == ("/project/api", "mine", 3)
    assert ended.ended_at == ended.last_at == clock.now
    shown = mind.sessions.show(begun.id)
    assert [(one.role, one.seq) for one in shown.observations] == [("user", 1), ("tool", 2), ("assistant", 3)]
    assert shown.observations[1].call == "pnpm test"
    assert shown.observations[1].failed


def test_secrets_and_control_characters_do_not_come_in(mind: Mind) -> None:
    session = mind.sessions.start()
    mind.sessions.observe(session, f"the token is {TOKEN}\x00\x1b[31m", key="k")
    mind.sessions.observe(session, "done", tool="Bash", call=f"curl -H 'Authorization: Bearer {TOKEN}' x")
    said = str(mind.sessions.show(session.id).to_dict())
    assert TOKEN not in said
    assert "redacted" in said
    assert "\\x00" not in said


def test_the_same_key_is_stored_once_and_silence_not_at_all(mind: Mind) -> None:
    session = mind.sessions.start()
    for _ in range(2):
        mind.sessions.observe(session, "Deploys run on Friday.", key="k1")
    assert mind.sessions.observe(session, " \n ").observations == 1


def test_going_on_with_a_session_that_had_ended(mind: Mind, clock: Clock) -> None:
    session = mind.sessions.start("api", id="mine")
    mind.sessions.end(session)
    clock.advance(hours=1)
    again = mind.sessions.start("api", id="mine")
    assert again.ended_at is None
    assert again.last_at == clock.now
    assert len(mind.sessions.list()) == 1


def test_sessions_are_listed_by_project_newest_first(mind: Mind, clock: Clock) -> None:
    for name in ("api", "apis", "api/web"):
        clock.advance(minutes=1)
        mind.sessions.start(f"/project/{name}", id=name.replace("/", "-"))
    assert [one.id for one in mind.sessions.list("api")] == ["api-web", "api"]
    assert [one.id for one in mind.sessions.list(limit=2)] == ["api-web", "apis"]
    assert [one.id for one in mind.sessions.list(limit=2, offset=2)] == ["api"]


def test_another_namespace_sees_nothing(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with new_mind(path, namespace="one") as one, new_mind(path, namespace="two") as two:
        one.sessions.start("api", id="s")
        assert two.sessions.list() == []
        with pytest.raises(NotFound):
            two.sessions.show("s")


@pytest.mark.parametrize(
    "call",
    [
        lambda s: s.start("/a//b"),
        lambda s: s.start(""),
        lambda s: s.start(7),
        lambda s: s.start(id=""),
        lambda s: s.start(id="x" * 1001),
        lambda s: s.start(agent="\x00"),
        lambda s: s.start(at=datetime(2026, 1, 1)),
        lambda s: s.observe("known", "a", role="robot"),
        lambda s: s.observe("known", 5),
        lambda s: s.observe("known", "a", call=None),
        lambda s: s.observe("known", "a", key=""),
        lambda s: s.observe("", "a"),
        lambda s: s.list(limit=0),
        lambda s: s.list(limit=True),
        lambda s: s.list(offset=-1),
        lambda s: s.show(None),
    ],
)
def test_wrong_arguments_are_refused_and_change_nothing(mind: Mind, call: Any) -> None:
    mind.sessions.start(id="known")
    with pytest.raises(InvalidInput):
        call(mind.sessions)
    assert [(one.id, one.observations) for one in mind.sessions.list()] == [("known", 0)]


def test_a_name_that_holds_a_secret_is_refused(mind: Mind) -> None:
    secret = "ghp_" + "Zx8Kq2Lm9Rt4Vb7Nc1Wd5Yf3Hj6Ps0Ga2Ue8"
    with pytest.raises(InvalidInput, match="agent holds a secret"):
        mind.sessions.start(id="s", agent=secret)
    with pytest.raises(InvalidInput, match="project holds a secret"):
        mind.sessions.start(f"/{secret}", id="s")
    session = mind.sessions.start(id="s")
    with pytest.raises(InvalidInput, match="tool holds a secret"):
        mind.sessions.observe(session, "done", tool=secret)
    assert [(one.id, one.observations) for one in mind.sessions.list()] == [("s", 0)]


@pytest.mark.parametrize("id", ["a/b", "/", ".", "..", "queue", "run", "two\nlines", "\x1b[2J", "turned\u202e"])
def test_an_id_that_no_address_can_hold_is_refused(mind: Mind, id: str) -> None:
    with pytest.raises(InvalidInput, match="session id"):
        mind.sessions.start(id=id)
    assert mind.sessions.list() == []


def test_the_ids_that_are_taken_are_what_stands_beside_sessions_in_the_table_of_calls() -> None:
    beside = {call.path.removeprefix("/sessions/") for call in CALLS.values() if call.path.startswith("/sessions/")}
    assert {path for path in beside if "{" not in path} | {".", ".."} == set(TAKEN)


def test_a_session_of_an_earlier_day_with_such_an_id_goes_on(mind: Mind) -> None:
    mind._store.sessions.begin("a/b", "/project/api", "mine", START)
    assert mind.sessions.observe("a/b", "Said in it").observations == 1
    assert mind.sessions.end("a/b").ended_at is not None
    assert [one.text for one in mind.sessions.show("a/b").observations] == ["Said in it"]


@pytest.mark.parametrize("verb", ["show", "end", "observe", "enqueue"])
def test_an_unknown_session_is_told_so(mind: Mind, verb: str) -> None:
    with pytest.raises(NotFound, match="rem session list"):
        getattr(mind.sessions, verb)("nobody")


def test_projects_by_scope_name_and_folder(tmp_path: Path) -> None:
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    (tmp_path / "shop" / "src").mkdir()
    assert project_scope("/project/api") == "/project/api"
    assert project_scope("api") == "/project/api"
    assert project_scope(tmp_path / "shop" / "src") == "/project/shop"
    assert project_scope(str(tmp_path / "shop")) == "/project/shop"
    assert project_scope("/") == "/"
    for wrong in ("", "a//b", "/a/", None, 5):
        with pytest.raises(InvalidInput):
            project_scope(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("tool", [None, "Bash"])
def test_no_cut_leaves_half_a_secret(mind: Mind, tool: str | None) -> None:
    session = mind.sessions.start()
    most = 8_000 if tool else 100_000
    head = most * 3 // 5
    for shift in range(-60, 60, 7):
        text = "x " * ((head + shift) // 2) + f"token {TOKEN} " + "y " * most
        mind.sessions.observe(session, text, tool=tool)
    seen = mind.sessions.show(session.id).observations
    assert len(seen) == 18
    for one in seen:
        assert len(one.text) <= most + 100
        assert not any(TOKEN[start : start + 12] in one.text for start in range(len(TOKEN) - 12))


@pytest.mark.parametrize("only", [5, True, 1.5, "s1", b"s1"])
def test_a_run_of_some_takes_a_list_of_sessions(mind: Mind, only: Any) -> None:
    mind.sessions.start(id="s1")
    with pytest.raises(InvalidInput, match="only must be a list of sessions"):
        mind.sessions.run(only=only)


@pytest.mark.parametrize("wrong", [{"failed": "no"}, {"failed": None}, {"role": "x" * 100_000}])
def test_what_cannot_be_observed_is_refused_briefly(mind: Mind, wrong: dict[str, Any]) -> None:
    session = mind.sessions.start()
    with pytest.raises(InvalidInput) as refused:
        mind.sessions.observe(session, "Use pnpm", **wrong)
    assert len(str(refused.value)) < 300
    assert mind.sessions.show(session.id).observations == ()
