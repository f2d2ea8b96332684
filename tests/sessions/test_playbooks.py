"""Playbooks: told by a user, kept whole; or done in each of several sessions. Requests of the moment are none."""

import time

import pytest

from remanence import Mind
from remanence.errors import NotFound
from remanence.sessions.learning import learned
from remanence.sessions.playbooks import PLAYBOOK, playbooks_of
from tests.conftest import Clock
from tests.lifecycle.observed import session, user
from tests.sessions.test_learning import PROJECT, texts

DEPLOY = "To deploy: 1. Run `make build`. 2. Run `make push`. 3. Tell the team in chat."


def told(turn: str) -> list[str]:
    return [text for text, _ in playbooks_of(turn)[0]]


@pytest.mark.parametrize(
    ("turn", "text"),
    [
        (DEPLOY, DEPLOY),
        (
            "Thanks. Before a release:\n1. Bump the version\n2) Run the tests\n3. Tag and push\n\nNow fix the bug.",
            "Before a release: 1. Bump the version. 2. Run the tests. 3. Tag and push.",
        ),
        ("When the build fails:\n- clear the cache\n- retry\n", "When the build fails: 1. Clear the cache. 2. Retry."),
        ("Our release process: 1. tag 2. push 3. announce", "Our release process: 1. Tag. 2. Push. 3. Announce."),
    ],
)
def test_a_lead_with_its_steps_is_one_playbook(turn: str, text: str) -> None:
    assert told(turn) == [text]


@pytest.mark.parametrize(
    "turn",
    [
        "Please do the following: 1. add a test 2. fix it",
        "Fix these:\n1. the header\n2. the footer",
        "To reproduce: 1. open the page 2. click Save 3. it crashes",
        "To be honest: I like 1. tea and 2. milk",
        "Before a commit: 1. run the tests",
    ],
)
def test_a_request_of_the_moment_is_none(turn: str) -> None:
    assert playbooks_of(turn) == ([], turn)


def test_what_stands_around_it_is_read_as_ever() -> None:
    turn = "When you touch the schema: 1. Write a migration. 2. Run `make migrate`. We never deploy on Fridays."
    found = session(user(turn))
    assert texts(found, PLAYBOOK) == ["When you touch the schema: 1. Write a migration. 2. Run `make migrate`."]
    assert texts(found, "preference") == ["We never deploy on Fridays."]
    assert "Asked" not in learned(found, PROJECT).synopsis


def test_one_that_was_told_is_a_skill_at_once(mind: Mind) -> None:
    one = mind.sessions.start(PROJECT)
    mind.sessions.observe(one, DEPLOY)
    mind.sessions.end(one)
    mind.sessions.run(only=[one.id])
    skill = mind.artifacts.read("memory://root/skills/deploy/SKILL.md", PROJECT)
    assert "1. Run `make build`\n2. Run `make push`\n3. Tell the team in chat" in skill
    procedure = next(memory for memory in mind.list(scope=PROJECT) if memory.kind == "procedure")
    mind.forget(ids=[procedure.id])
    with pytest.raises(NotFound):
        mind.artifacts.read("memory://root/skills/deploy/SKILL.md", PROJECT)


@pytest.mark.parametrize("part", ["To a: 1. b. ", "to a: 1. b ", "To x:\n- a\n", "To ", "Our the our ", "1. 2. "])
def test_long_turns_are_read_in_time(part: str) -> None:
    began = time.process_time()
    playbooks_of(part * (100_000 // len(part)))
    assert time.process_time() - began < 2.0


def test_what_is_done_once_in_each_of_two_sessions_is_a_skill(mind: Mind, clock: Clock) -> None:
    address = "memory://root/skills/before-commit/SKILL.md"
    for _ in range(2):
        with pytest.raises(NotFound):
            mind.artifacts.read(address, PROJECT)
        one = mind.sessions.start(PROJECT)
        for call in ("pnpm lint --fix", "pnpm test", "git commit -m x"):
            mind.sessions.observe(one, "ok", tool="Bash", call=call)
        mind.sessions.end(one)
        clock.advance(hours=13)
        mind.sessions.run()
    assert "1. Run `pnpm lint --fix`\n2. Run `pnpm test`" in mind.artifacts.read(address, PROJECT)


def test_another_project_has_no_part_in_it(mind: Mind, clock: Clock) -> None:
    for project in (PROJECT, "/project/other", f"{PROJECT}/inner"):
        one = mind.sessions.start(project)
        for call in ("pnpm lint --fix", "pnpm test", "git commit -m x"):
            mind.sessions.observe(one, "ok", tool="Bash", call=call)
        mind.sessions.end(one)
        clock.advance(hours=13)
        mind.sessions.run()
    assert not [memory.text for memory in mind.list() if memory.kind == "workflow"]
