"""Procedures out of the words of patterns, and groups of what recurs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from remanence.errors import InvalidInput
from remanence.lifecycle.procedures import LONGEST_TEXT, is_same, procedure_of, strength_after, text_of
from remanence.lifecycle.recurring import Seen, groups
from remanence.model.consolidation import TIERS, Procedure, tiers_from

START = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("pattern", "trigger", "steps"),
    [
        (
            "When deploying the API, first run the tests, then push the tag, finally watch the logs.",
            "deploying the API",
            ("run the tests", "push the tag", "watch the logs"),
        ),
        ("Whenever the build fails, clear the cache", "the build fails", ("clear the cache",)),
        ("Always run the tests before merging.", "before merging", ("run the tests",)),
        ("We always rebase before opening a pull request", "before opening a pull request", ("rebase",)),
        ("To release: 1. bump the version 2. tag it 3. push", "To release", ("bump the version", "tag it", "push")),
        ("Before a release:\n- write the news\n- tag it\n", "Before a release", ("write the news", "tag it")),
        ("Release: bump → tag → push", "Release", ("bump", "tag", "push")),
        ("If it is flaky, rerun with -x, -v, then report it", "If it is flaky", ("rerun with -x, -v", "report it")),
        ("When version 1.2 ships, update 3.4 docs then tag", "version 1.2 ships", ("update 3.4 docs", "tag")),
        ("Every time CI is red, do not merge", "CI is red", ("do not merge",)),
        ("Bevor wir mergen, zuerst alles testen, dann rebasen", "Bevor wir mergen", ("alles testen", "rebasen")),
        ("発行する時: 1. テスト 2. 公開", "発行する時", ("テスト", "公開")),
    ],
)  # fmt: skip
def test_a_pattern_tells_a_procedure(pattern: str, trigger: str, steps: tuple[str, ...]) -> None:
    assert procedure_of(pattern) == Procedure(trigger, steps)


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "   \n ",
        "The user prefers tabs",
        "When it rains, the roof leaks",
        "When the build fails, the cache is stale, then the job retries",
        "When Alice is tired, coffee helps",
        "Users retry when the API fails",
        "Never push without running the tests",
        "First run the tests, then push",
        "1. run 2. push",
        "When x, " + "run it, then " * 30 + "stop",
        "When x, run " + "y" * LONGEST_TEXT,
        "\x07 → \u202e → 🙂",
    ],
)
def test_what_tells_no_deeds_gives_none(pattern: str) -> None:
    assert procedure_of(pattern) is None


def test_a_long_pattern_is_read_in_no_time() -> None:
    for filler in ("when a, ", "then ", "1. a ", "- a\n", ", ", "before "):
        procedure_of((filler * LONGEST_TEXT)[:LONGEST_TEXT])


def test_name_and_text() -> None:
    found = Procedure("deploying the API", ("run the tests", "push the tag."))
    assert found.name == "deploying-api"
    assert text_of(found) == "When deploying the API: 1. Run the tests. 2. Push the tag."
    assert text_of(Procedure("before merging", ("lint",))) == "Before merging: 1. Lint."
    assert text_of(Procedure("Release", ("tag", "push"))) == "Release: 1. Tag. 2. Push."
    assert Procedure("the", ("x",)).name == "the"
    assert len(Procedure("w" * 200, ("x",)).name) == 60
    assert found.key == Procedure("Deploying  the api", ("Run the tests.", "push the TAG")).key
    assert found.key != Procedure("deploying the API", ("push the tag", "run the tests")).key


def test_strength_grows_to_one() -> None:
    assert strength_after(0.5) == 0.6
    assert strength_after(0.5, 2) == 0.7
    assert strength_after(0.95) == 1.0


@pytest.mark.parametrize(
    ("trigger", "steps", "expected"),
    [
        ("the build fails", ("clear the cache of the runner", "retry it"), True),
        ("The builds failed", ("Clear the caches of the runner", "retry"), True),
        ("the build fails", ("clear the cache of the runner",), False),
        ("the build fails", ("retry", "clear the cache of the runner"), False),
        ("the build fails", ("clear the cache of the runner", "do not retry"), False),
        ("the build fails", ("warm the cache of the runner", "retry"), False),
        ("the build fails", ("clear the cache of the runner 3 times", "retry"), False),
        ("the build does not fail", ("clear the cache of the runner", "retry"), False),
        ("before the build fails", ("clear the cache of the runner", "retry"), False),
        ("the deploy fails", ("clear the cache of the runner", "retry"), False),
    ],
)
def test_the_same_procedure_in_other_words(trigger: str, steps: tuple[str, ...], expected: bool) -> None:
    known = Procedure("the build fails", ("clear the cache of the runner", "retry"))
    assert is_same(known, Procedure(trigger, steps)) is expected
    assert is_same(Procedure(trigger, steps), known) is expected


def test_of_four_words_three_are_enough_and_of_three_two_are_not() -> None:
    def steps(text: str) -> Procedure:
        return Procedure("releasing", (text,))

    assert is_same(steps("check disk space first"), steps("check disk space early"))  # 0.75
    assert not is_same(steps("check disk space"), steps("check disk speed"))  # 0.67


def test_tiers() -> None:
    assert tiers_from(None) == TIERS == tiers_from("all") == tiers_from(["decay", "all"])
    assert tiers_from("decay, semantic") == ("semantic", "decay")
    for wrong in ("semantik", ["reflect", 3], 7, "", []):
        with pytest.raises(InvalidInput, match="semantic, reflect, procedural, decay, all"):
            tiers_from(wrong)  # type: ignore[arg-type]


# --- what recurs


def seen(number: int, text: str, session: str | None = "s", *subjects: str) -> Seen:
    return Seen(f"m{number}", text, session, START + timedelta(days=number), subjects)


def test_a_group_needs_three_memories_of_two_sessions() -> None:
    texts = ["Redis lost keys under load", "Redis lost session keys", "Redis lost keys again"]
    one_session = [seen(n, text, "s1", "Redis") for n, text in enumerate(texts)]
    assert groups(one_session) == []
    unknown = [seen(n, text, None, "Redis") for n, text in enumerate(texts)]
    assert groups(unknown) == []
    assert groups(one_session[:2]) == []
    (group,) = groups([*one_session[:2], seen(2, texts[2], "s2", "Redis")])
    assert group.ids == ("m0", "m1", "m2")
    assert group.sessions == 2


def test_the_text_of_a_group_holds_its_centre_as_it_stands() -> None:
    texts = ["Redis probably lost 3 keys", "Redis probably lost 3 keys in /var/db", "Redis probably lost keys"]
    (group,) = groups([seen(n, text, f"s{n}", "Redis") for n, text in enumerate(texts)])
    assert group.text == (
        "Redis comes up in 3 memories of 3 sessions, from 2026-03-01 to 2026-03-03. "
        "Most typical: Redis probably lost 3 keys"
    )


def test_memories_that_only_name_the_same_are_no_group() -> None:
    texts = ["Redis lost keys under load", "Redis costs 40 euros a month", "Anna upgraded Redis yesterday evening"]
    assert groups([seen(n, text, f"s{n}", "Redis") for n, text in enumerate(texts)]) == []


def test_a_group_that_half_lies_in_another_is_left_out() -> None:
    texts = ["Redis lost keys under load", "Redis lost session keys under load", "Redis lost keys under peak load"]
    found = groups([seen(n, text, f"s{n}", "Redis", "load", "keys") for n, text in enumerate(texts)])
    assert len(found) == 1


def test_without_names_a_shared_word_is_enough_where_they_say_similar_things() -> None:
    texts = ["deploys failed on friday evening", "deploys failed again on friday", "friday deploys failed for auth"]
    (group,) = groups([seen(n, text, f"s{n}") for n, text in enumerate(texts)])
    assert len(group.members) == 3
    assert "deploys" in group.about.lower()


def test_clusters_by_meaning_are_groups() -> None:
    some = [seen(n, text, f"s{n}") for n, text in enumerate(["alpha one", "beta two", "gamma three", "delta four"])]
    (group,) = groups(some, clusters=[["m0", "m1", "m2", "gone"]])
    assert group.ids == ("m0", "m1", "m2")
