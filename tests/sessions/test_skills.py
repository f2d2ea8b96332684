"""Skills: which memories give playbooks, how these are named, and that nothing in them can break out."""

from __future__ import annotations

import random
import re
from datetime import timedelta
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from remanence.model.memory import Memory
from remanence.sessions.artifacts import SLUG
from remanence.sessions.skills import Skill, document, line, shown_sources, skills_of, slug, told_by
from tests.guard.test_framing import HOSTILE
from tests.lifecycle.worlds import NOW, memory
from tests.sessions.projects import FIX

STEPS = "To release: 1. tag the commit 2. push the tag"
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def of(text: str, number: int = 1, kind: str = "workflow", **fields: Any) -> Memory:
    return memory(text=text, number=number, kind=kind, created_at=NOW + timedelta(minutes=number), **fields)


def seen(text: str, number: int, session: str, kind: str = "workflow", **fields: Any) -> Memory:
    """As stage 1 notes it."""
    return of(text, number, kind, origin=f"session:{session}", metadata={"signal": "workflow"}, **fields)


def front(text: str) -> dict[str, Any]:
    assert text.startswith("---\n")
    return dict(yaml.safe_load(text.split("\n---\n", 1)[0]))


def test_a_procedure_becomes_a_playbook() -> None:
    (skill,) = skills_of([of(STEPS)])
    text = document(skill)
    assert skill.name == "release"
    assert front(text) == {
        "name": "release",
        "description": "Use this for: To release",
        "metadata": {"made-by": "remanence"},
    }
    assert "\n1. tag the commit\n2. push the tag\n" in text
    assert f"memory://{skill.sources[0].id}" in text
    assert "check each step against what is there" in text


def test_a_resolved_failure_tells_what_to_do() -> None:
    (skill,) = skills_of([of(FIX, kind="gotcha")])
    assert skill.when == "`pnpm test` fails with `Error: connect ECONNREFUSED 127.0.0.1:5433`"
    assert skill.procedure.steps == ("`docker compose up -d db`",)
    assert skill.name.startswith("pnpm-test-fails")


def test_metadata_tells_it_before_the_words_do() -> None:
    given = {"trigger": "deploying", "steps": ["build", "ship"]}
    (skill,) = skills_of([of("Whatever it says.", kind="procedure", metadata=given)])
    assert (skill.name, skill.procedure.steps) == ("deploying", ("build", "ship"))


@pytest.mark.parametrize(
    "one",
    [
        of(STEPS, kind="fact"),
        of(STEPS, kind="session_summary"),
        of("The build is slow on Mondays."),
        of("When it rains, the roof leaks.", kind="pattern"),
        of("x", kind="procedure", metadata={"trigger": "…", "steps": ["a"]}),
        of("x", kind="procedure", metadata={"trigger": "deploy", "steps": ["  "]}),
        of("x", kind="procedure", metadata={"trigger": 5, "steps": "no"}),
        of("failed " * 1_000 + "fixed by", kind="bug"),
    ],
)
def test_what_gives_no_steps_is_no_skill(one: Memory) -> None:
    assert told_by(one) is None and skills_of([one]) == []


def test_sessions_alone_must_have_met_it_twice() -> None:
    once = seen(STEPS, 1, "a")
    assert skills_of([once]) == []
    assert skills_of([once, seen(STEPS + ".", 2, "a")]) == []
    assert len(skills_of([once, seen("To release: 1. tag the commit 2. push the tags", 2, "b")])) == 1
    assert len(skills_of([once.but(confirmations=1)])) == 1
    assert len(skills_of([once.but(metadata={"signal": "workflow", "sessions": ["b"]})])) == 1
    assert len(skills_of([once, of(STEPS, 2)])) == 1, "somebody said so outright"


def test_the_same_told_again_is_one_skill_with_all_its_sources() -> None:
    many = [seen("To release: 1. tag the commit 2. push the tag", n, f"s{n}") for n in range(1, 31)]
    (skill,) = skills_of(random.Random(2).sample(many, 30))
    assert [one.id for one in skill.sources] == [one.id for one in many]
    shown = shown_sources(skill)
    assert len(shown) == 11 and shown[0] == many[0] and shown[-1] == many[-1]
    assert document(skill).count("memory://") == 11


def test_names_are_stable_and_apart() -> None:
    first = of("When the build fails: 1. clear the cache 2. retry", 1)
    other = of("When the build fails: 1. call Anna 2. wait", 2)
    assert [one.name for one in skills_of([first])] == ["build-fails"]
    both = skills_of([other, first])
    assert both[0].sources == (first,) and both[0].name == "build-fails", "the older one keeps its name"
    assert re.fullmatch(r"build-fails-[0-9a-f]{8}", both[1].name)
    assert [one.name for one in skills_of([first, other])] == [one.name for one in both]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Deploying the API!", "deploying-the-api"),
        ("Überprüfung für Ärzte", "uberprufung-fur-arzte"),
        ("../../etc/passwd", "etc-passwd"),
        ("部署", ""),
        ("🚀", ""),
        ("a" * 200, "a" * 48),
        ("word " * 40, "-".join(["word"] * 9)),
    ],
)
def test_slugs(text: str, name: str) -> None:
    assert slug(text) == name


@pytest.mark.parametrize("trigger", ["部署到生产环境", "النشر", "🚀 🎉 1", "развёртывание"])
def test_scripts_without_latin_letters_have_a_name_too(trigger: str) -> None:
    (skill,) = skills_of([of("x", kind="procedure", metadata={"trigger": trigger, "steps": ["一", "二"]})])
    assert SLUG.fullmatch(skill.name) and skill.name.startswith("skill-")
    assert trigger[:3] in document(skill)


@given(st.text(min_size=1, max_size=80), st.lists(st.text(min_size=1, max_size=80), min_size=1, max_size=4))
@settings(deadline=None, max_examples=150)
def test_whatever_a_procedure_says_the_front_matter_stands(trigger: str, steps: list[str]) -> None:
    one = of("x", kind="procedure", metadata={"trigger": trigger, "steps": steps})
    for skill in skills_of([one]):
        check(skill)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_stay_in_their_lines(text: str) -> None:
    one = of("x", kind="procedure", metadata={"trigger": f"when {text[:3_000]}", "steps": [text[:3_000], "done"]})
    for skill in skills_of([one]):
        check(skill)


def check(skill: Skill) -> None:
    """One front matter, one line a step, and nothing that could be taken for a frame, a role or a command."""
    text = document(skill)
    assert SLUG.fullmatch(skill.name)
    assert front(text)["metadata"] == {"made-by": "remanence"}
    body = text.split("\n---\n", 1)[1]
    assert "\n---" not in body and "<" not in body and ">" not in body
    assert not any(sign in text for sign in ("\x1b", "\x00", "\u202e", "\u2028", "```"))
    numbered = [one for one in body.split("\n") if re.match(r"\d+\. ", one)]
    assert len(numbered) == len(skill.procedure.steps)


def test_a_line_is_short_plain_and_without_secrets() -> None:
    assert line("a\n# b\n\tc", 50) == "a ♯ b c"
    assert line("x" * 60, 50) == "x" * 49 + "…"
    assert TOKEN not in line(f"the token is {TOKEN}", 100)
    assert line("see <b>this</b>", 50) == "see ‹b›this‹/b›"
    assert "ann@example.org" not in line("mail ann@example.org", 50, ("email",))
    assert "ann@example.org" in line("mail ann@example.org", 50)


def test_names_hold_no_secrets() -> None:
    (skill,) = skills_of([of("x", kind="procedure", metadata={"trigger": f"using {TOKEN}", "steps": ["a", "b"]})])
    assert TOKEN.lower() not in skill.name and TOKEN not in document(skill)
