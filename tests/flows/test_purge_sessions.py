"""S7, S8: a purge takes what was captured too, to the last byte of every file; an old copy does not bring it back."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from remanence import Mind
from remanence.model.memory import Memory
from remanence.model.session import STAGE_ONE, Observation
from remanence.places import spool_of
from remanence.sessions import spool as spooled
from remanence.sessions.capture import capture
from remanence.sessions.envelope import enveloped
from tests.conftest import Clock, dump, only_files
from tests.facts import Author
from tests.sessions import transcripts

MARK = "zqxylo7731"
RULE = f"Always take packages from the {MARK} registry."
TABLES = ("sessions", "observations", "observation_keys", "tellings", "intakes", "erased", "tasks")


def holding(folder: Path, mark: str = MARK) -> list[str]:
    """The files below a folder that hold a marker, in any case."""
    return sorted(
        str(file.relative_to(folder))
        for file in folder.rglob("*")
        if mark.encode() in str(file).lower().encode()
        or (file.is_file() and mark.encode() in file.read_bytes().lower())
    )


def captured(mind: Mind) -> dict[str, list[Any]]:
    tables = dump(mind)
    return {name: tables[name] for name in TABLES}


def observed(mind: Mind, id: str = "s1") -> list[str]:
    return [one.text for page in mind._store.sessions.observations(id) for one in page]


def worked(mind: Mind, id: str = "s1", project: str = "api", rule: str = RULE) -> list[Memory]:
    """A session that was read, with a marker in what was said and in a call; what was learned, its summary first."""
    session = mind.sessions.start(project, id=id, agent="mine")
    mind.sessions.observe(session, rule, key="k1")
    mind.sessions.observe(session, "ok", tool="Bash", call=f"curl https://{MARK}.example/index", key="k2")
    mind.sessions.observe(session, "We decided to keep prices in integer cents.", key="k3")
    mind.sessions.observe(session, f"Can you add {MARK} to the list of mirrors?", key="k5")
    mind.sessions.observe(session, {"role": "assistant", "content": f"Done, {MARK} answers."}, key="k4")
    mind.sessions.run(only=[id])
    return [mind.get(memory) for memory in mind.sessions.show(id).learned]


def the_rule(learned: list[Memory]) -> Memory:
    return next(memory for memory in learned if memory.text == RULE)


@pytest.fixture
def mind(mind_file: Mind) -> Mind:
    return mind_file


@only_files
@pytest.mark.promise("S7")
def test_purging_what_was_learned_leaves_no_byte_of_what_was_said(mind: Mind, tmp_path: Path) -> None:
    learned = worked(mind)
    mind.sessions.observe("s1", f"As I said: {RULE.upper()}")
    mind.sessions.observe("s1", "done", tool="Write", call=f'{{"text": "{RULE}"}}')
    mind.sessions.observe("s1", "Something else, said later")
    assert any(MARK in memory.text for memory in learned if memory.kind == "session_summary")
    before = holding(tmp_path)
    assert {"memory.db-wal"} < set(before) and any("MEMORY.md" in file for file in before)
    certificate = mind.purge(ids=[the_rule(learned).id], reason="asked to")
    assert certificate.verified
    assert (certificate.sessions, certificate.observations) == (0, 7)
    assert certificate.sources == (learned[0].id,)
    assert holding(tmp_path) == []
    assert observed(mind) == ["Something else, said later"]
    session = mind.sessions.show("s1").session
    assert (session.observations, session.processed_to, session.summary, session.changed) == (8, 7, None, True)
    kept = next(memory for memory in learned if "integer cents" in memory.text and memory.kind != "session_summary")
    assert mind.get(kept.id) == kept, "what else was learned stays"
    mind.close()
    assert holding(tmp_path) == []


def test_every_version_of_a_summary_goes(mind: Mind, tmp_path: Path) -> None:
    """A session that went on after it was read has a newer summary, which tells of its beginning too."""
    rule = the_rule(worked(mind))
    for ask in ("Can you write the release notes?", "Can you tidy the changelog?"):
        mind.sessions.observe("s1", "We decided to deploy on Tuesdays only.")
        mind.sessions.observe("s1", ask)
        mind.sessions.run(only=["s1"])
    learned = mind.sessions.show("s1").learned
    newest = mind.get(learned[0])
    between = mind.get(newest.supersedes)
    assert between.supersedes in rule.lineage
    later = next(memory for id in learned[1:] if "Tuesdays" in (memory := mind.get(id)).text)
    certificate = mind.purge(ids=[rule.id], reason="asked to")
    assert set(certificate.sources) == {newest.id, between.id, *rule.lineage}
    assert holding(tmp_path) == []
    assert mind.get(later.id) == later


def test_what_an_agent_remembered_in_a_session_takes_its_summary_too(mind: Mind, tmp_path: Path) -> None:
    learned = worked(mind)
    own = mind.remember(f"The {MARK} mirror is down at night", scope="/project/api", origin="session:s1").memory
    mind.forget(ids=[memory.id for memory in learned[1:]])
    certificate = mind.purge(ids=[own.id], reason="asked to")
    assert (certificate.purged, certificate.sources) == ((own.id, learned[0].id), (learned[0].id,))
    assert observed(mind) == []


@only_files
@pytest.mark.promise("S7")
def test_purging_a_project_takes_its_sessions_with_all_that_names_them(mind: Mind, tmp_path: Path) -> None:
    project = f"/project/{MARK}"
    sessions = mind._store.sessions
    for id, transcript in ((f"read-{MARK}", f"/home/{MARK}/read.jsonl"), (f"unread-{MARK}", None)):
        said = Observation(role="tool", text="We decided to use pnpm.", at=mind.clock(), tool=MARK, key=f"{MARK} 1")
        capture(mind._store, id, project, MARK, [said], mind.clock(), via=MARK, transcript=transcript)
        mind.sessions.enqueue(id)
    sessions.note_read(f"/home/{MARK}/read.jsonl", 100, mind.clock())
    mind.sessions.observe(mind.sessions.start("api", id="other"), "We decided to use pnpm.")
    mind.sessions.run(only=[f"read-{MARK}"])
    mind.artifacts.enqueue(project)
    spool = spool_of(str(tmp_path / "memory.db"))
    event = enveloped("claude-code", "UserPromptSubmit", {"session_id": f"late-{MARK}", "prompt": "Use npm"}, project)
    assert event is not None
    spooled.put(spool, {**event, "namespace": "test", "at": 1}, 1)
    assert any(".spool" in file for file in holding(tmp_path))
    certificate = mind.purge(scope=project, reason="asked to")
    assert (certificate.verified, certificate.sessions) == (True, 3)
    assert holding(tmp_path) == []
    assert [session.id for session in mind.sessions.list()] == ["other"]
    mind.close()
    assert holding(tmp_path) == []


def test_sessions_of_which_nothing_was_learned_are_purged_and_said_so(mind: Mind, tmp_path: Path) -> None:
    mind.sessions.observe(mind.sessions.start("api", id="s1"), RULE)
    before = len(mind.journal())
    certificate = mind.purge(scope="/project/api", reason="asked to")
    assert (certificate.purged, certificate.sessions, certificate.observations) == ((), 1, 1)
    assert certificate.verified and certificate.receipt_id is not None
    assert len(mind.journal()) == before, "no memory changed"
    assert holding(tmp_path) == []
    again = mind.purge(scope="/project/api", reason="asked to")
    assert (again.receipt_id, again.sessions) == (None, 0)


def test_ids_within_a_scope_are_meant_for_themselves(mind: Mind) -> None:
    rule = the_rule(worked(mind))
    mind.sessions.observe(mind.sessions.start("api", id="s2"), "Nothing of the kind")
    certificate = mind.purge(ids=[rule.id], scope="/project/api", reason="asked to")
    assert (certificate.sessions, [one.id for one in mind.sessions.list("api")]) == (0, ["s2", "s1"])


@pytest.mark.promise("S8")
def test_what_was_purged_is_not_captured_again(mind: Mind) -> None:
    mind.purge(ids=[the_rule(worked(mind)).id], reason="asked to")
    mind.sessions.observe("s1", f"  {RULE.upper()} ", key="new")
    mind.sessions.observe("s1", "said otherwise by now", key="k1")
    assert observed(mind) == []
    mind.sessions.observe("s1", "said for the first time")
    assert observed(mind) == ["said for the first time"]
    mind.sessions.run(only=["s1"])
    assert mind.remember(RULE).outcome == "blocked"


@only_files
def test_a_transcript_that_is_still_there_is_not_read_again(open_mind: Callable[..., Mind], tmp_path: Path) -> None:
    """The host keeps its file; a purge of the project must not be undone by the session's next event."""
    mind = open_mind(settings={"memories": {"enabled": True}, "upkeep": {"on_open": False}})
    id = transcripts.session_id(1, "claude-code")
    lines = list(transcripts.claude_code_lines(1, 60))
    path = tmp_path.with_name(f"{tmp_path.name}-host") / f"{id}.jsonl"
    path.parent.mkdir()
    path.write_text("".join(lines[:50]))
    spool = spool_of(str(tmp_path / "memory.db"))

    def stop(number: int) -> list[str]:
        event = enveloped("claude-code", "Stop", {"session_id": id, "transcript_path": str(path)}, "/project/shop")
        assert event is not None
        spooled.put(spool, {**event, "namespace": "test", "at": number}, number)
        mind.sessions.drain()
        return observed(mind, id)

    first = stop(1)
    assert len(first) > 10
    assert mind.purge(scope="/project/shop", reason="asked to").sessions == 1
    assert stop(2) == []
    with path.open("a") as file:
        file.write("".join(lines[50:]))
    later = stop(3)
    assert 0 < len(later) <= 10 and first[2] not in later


@only_files
def test_other_namespaces_that_said_the_same_keep_it(open_mind: Callable[..., Mind], tmp_path: Path) -> None:
    mind, other = open_mind("test"), open_mind("other")
    for one in (mind, other):
        one.sessions.observe(one.sessions.start("api", id="s1"), RULE)
    rule = mind.remember(RULE).memory
    certificate = mind.purge(ids=[rule.id], reason="asked to")
    assert certificate.verified, "what another namespace observed is no copy that was left behind"
    assert (observed(mind), observed(other)) == ([], [RULE])
    assert "memory.db" in holding(tmp_path)
    mind.purge(scope="/", reason="asked to")
    assert (mind._store.sessions.count(), observed(other)) == (0, [RULE])
    assert other.purge(scope="/", reason="asked to").verified
    assert holding(tmp_path) == []


@only_files
@pytest.mark.promise("S7")
def test_with_a_reader_holding_the_log_the_certificate_is_pending(
    open_mind: Callable[..., Mind], tmp_path: Path
) -> None:
    mind = open_mind(settings={"purge": {"wait_seconds": 0}, "upkeep": {"on_open": False}})
    mind.sessions.observe(mind.sessions.start("api", id="s1"), RULE)
    with open_mind()._store._engine.read() as connection:
        connection.execute("SELECT count(*) FROM observations").fetchall()
        certificate = mind.purge(scope="/project/api", reason="asked to")
        assert (certificate.pending, certificate.verified, certificate.observations) == (True, False, 1)
        assert mind.stats().purge_pending and observed(mind) == []
        assert holding(tmp_path) != []
    assert mind.check().ok
    assert not mind.stats().purge_pending
    assert holding(tmp_path) == []


@only_files
@pytest.mark.promise("S8")
@pytest.mark.parametrize("copied", ["when it was learned", "when it was only said"])
@pytest.mark.parametrize("purged", ["by id", "by scope"])
def test_an_old_copy_is_held_to_the_purge(
    open_mind: Callable[..., Mind], tmp_path: Path, copied: str, purged: str
) -> None:
    """Also where what was learned, and is named by the purge, is not in the copy yet."""
    mind = open_mind()
    mind.sessions.observe(mind.sessions.start("web", id="kept"), "Something else entirely")
    path, copy = tmp_path / "memory.db", tmp_path.with_name(f"{tmp_path.name}-copy.db")
    if copied == "when it was only said":
        mind.sessions.observe(mind.sessions.start("api", id="s1", agent="mine"), RULE, key="k1")
        mind.backup(copy)
    rule = the_rule(worked(mind))
    if copied == "when it was learned":
        mind.backup(copy)
    mind.purge(**({"ids": [rule.id]} if purged == "by id" else {"scope": "/project/api"}), reason="asked to")
    mind.close()
    put_back(copy, path)
    assert holding(tmp_path) != []
    again = open_mind()
    assert holding(tmp_path) == []
    assert observed(again, "kept") == ["Something else entirely"]
    assert {one.id for one in again.sessions.list()} == ({"kept", "s1"} if purged == "by id" else {"kept"})
    if purged == "by id":
        again.sessions.observe("s1", RULE, key="k1")
        assert observed(again) == [], "its key is known, and its text"
    held = captured(again)
    again.close()
    later = open_mind()
    assert captured(later) == held, "once is enough"


def put_back(copy: Path, path: Path) -> None:
    for file in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
        file.unlink(missing_ok=True)
    shutil.copy(copy, path)


@only_files
def test_an_old_copy_of_a_session_that_began_anew_is_held_to_its_second_purge(
    open_mind: Callable[..., Mind], tmp_path: Path
) -> None:
    """The same places of the same session, erased twice: the copy knows of the first time alone."""
    mind = open_mind()
    copy = tmp_path.with_name(f"{tmp_path.name}-copy.db")
    for last in (False, True):
        mind.sessions.observe(mind.sessions.start("api", id="s1"), RULE if last else "Something else, at first")
        mind._store.sessions.processed("s1", 1, mind.clock(), summary=None)
        if last:
            mind.backup(copy)
        said = mind.remember(f"Heard in a session, {last}", origin="session:s1").memory
        mind.purge(ids=[said.id], reason="asked to")
        if not last:
            mind.purge(scope="/project/api", reason="asked to")
    mind.close()
    put_back(copy, tmp_path / "memory.db")
    assert observed(open_mind()) == []
    assert holding(tmp_path) == []


def test_a_session_that_began_anew_after_a_purge_is_not_purged_by_opening(open_mind: Callable[..., Mind]) -> None:
    mind = open_mind()
    for said in ("the first life", "the second life"):
        mind.sessions.observe(mind.sessions.start("api", id="s1"), said)
        if said == "the first life":
            mind.purge(scope="/project/api", reason="asked to")
    mind.close()
    assert observed(open_mind()) == ["the second life"]


def test_what_is_forgotten_and_undone_leaves_sessions_alone(mind: Mind) -> None:
    learned = worked(mind)
    before = captured(mind)
    receipt = mind.forget(ids=[memory.id for memory in learned])
    mind.undo(receipt.id)
    mind.restore(ids=[learned[0].id])
    done = next(entry.receipt_id for entry in mind.journal() if entry.verb == "session")
    mind.undo(done)
    after = captured(mind)
    assert after["tasks"] == before["tasks"] or all("stage2" in row[1] for row in after["tasks"])
    assert after | {"tasks": []} == before | {"tasks": []}


def test_what_a_model_was_reading_when_it_was_purged_is_not_learned(
    open_mind: Callable[..., Mind], tmp_path: Path, clock: Clock
) -> None:
    """Stage 1 holds in its hands what it has read: a purge in between makes it begin again."""
    purger = open_mind()

    def answer(prompt: str, schema: Any) -> str:
        if not purger.count(state="all"):
            rule = purger.remember(RULE).memory
            assert purger.purge(ids=[rule.id], reason="asked to").observations == 1
        return "no JSON"

    mind = open_mind(llm=Author(answer))
    session = mind.sessions.start("api", id="s1", agent="mine")
    mind.sessions.observe(session, RULE)
    mind.sessions.observe(session, "We decided to keep prices in integer cents.")
    first = mind.sessions.run(only=["s1"])
    assert (first.processed, mind.count(state="all")) == ((), 0)
    assert mind.sessions.show("s1").session.changed
    second = mind.sessions.run(only=["s1"])
    assert len(second.processed) == 1 and mind.count() > 0
    assert all(task.name != STAGE_ONE + "s1" for task in mind.sessions.queue())
    assert holding(tmp_path) == []


@only_files
def test_what_waits_and_what_was_put_aside_is_reached(mind: Mind, tmp_path: Path) -> None:
    spool = spool_of(str(tmp_path / "memory.db"))
    rule = the_rule(worked(mind))
    for number in range(3):
        event = {"session_id": "s1", "prompt": RULE, "transcript_path": None}
        made = enveloped("claude-code", "UserPromptSubmit", event, "/project/api")
        assert made is not None
        spooled.put(spool, {**made, "namespace": mind.namespace, "at": number}, number)
    aside = Path(spool) / spooled.BAD
    aside.mkdir()
    (aside / "1-1-0.json").write_text(f"{{broken {MARK}")
    mind.purge(ids=[rule.id], reason="asked")
    assert list(aside.iterdir()) == []
    assert not any(MARK in text for text in observed(mind))
