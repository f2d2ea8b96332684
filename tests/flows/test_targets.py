"""Size targets, caps and reviews on real stores: who leaves, who is only reported, what is warned about, and where."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from remanence import Mind
from remanence.errors import BreakerTripped, InvalidInput
from remanence.model.plan import Plan
from remanence.model.words import estimate_tokens
from remanence.policies.reading import read
from tests.conftest import Clock, new_mind

TOKENS = estimate_tokens("w10 x10 y10")


def remember(mind: Mind, number: int, start: int = 10, **fields: Any) -> list[str]:
    """Ids of so many memories of TOKENS tokens each, without a common word; `start` from 10 to 90."""
    assert 10 <= start <= start + number <= 100
    texts = ({"text": f"w{n} x{n} y{n}"} | fields for n in range(start, start + number))
    return [made.memory.id for made in mind.remember_many(texts)]


def relevance(clock: Clock, text: str = "") -> Mind:
    return new_mind(clock=clock, policy=read(f"extends: relevance\n{text}", "mine.yml"))


def leaving(plan: Plan) -> dict[str, str]:
    return {change.memory_id: change.reason for change in plan if "state" in change.after}


def offered(plan: Plan) -> dict[str, str]:
    return {change.memory_id: change.reason for change in plan if change.action.is_offer}


def about(plan: Plan, words: str) -> list[str]:
    return [warning for warning in plan.warnings if words in warning]


@pytest.fixture
def tens() -> Iterator[None]:
    """Every memory of these tests holds the same tokens, or their sums would be others."""
    assert {estimate_tokens(f"w{n} x{n} y{n}") for n in range(10, 100)} == {TOKENS}
    yield


# --- projects


def test_over_a_projects_target_the_least_worthy_leave(clock: Clock, tens: None) -> None:
    with relevance(clock, f"project_tokens: {5 * TOKENS}") as mind:
        low = remember(mind, 2, scope="/project/api", importance=0.1)
        high = remember(mind, 3, 20, scope="/project/api/deep", importance=0.9)
        assert not leaving(mind.sweep())
        middle = remember(mind, 2, 30, scope="/project/api", importance=0.5)
        plan = mind.sweep()
        assert leaving(plan) == dict.fromkeys(low, "project size")
        assert about(plan, f"project size of /project/api is over its target: {7 * TOKENS} of {5 * TOKENS} tokens")
        assert plan.changes == mind.sweep(full=True).changes
        receipt = mind.apply(plan)
        assert set(receipt.applied) == set(low)
        assert [mind.get(id).state for id in (*low, *middle, *high)] == ["archived"] * 2 + ["live"] * 5
        assert not leaving(mind.sweep())


def test_no_more_leave_than_must(clock: Clock, tens: None) -> None:
    """Two tokens too many: one memory leaves; exactly at the target: none."""
    for allowed, gone in ((3 * TOKENS, 0), (3 * TOKENS - 2, 1), (2 * TOKENS, 1), (2 * TOKENS - 1, 2), (0, 3)):
        with relevance(clock, f"project_tokens: {allowed}") as mind:
            remember(mind, 3, scope="/project/api")
            assert len(leaving(mind.sweep())) == gone


def test_each_project_has_a_target_of_its_own(clock: Clock, tens: None) -> None:
    with relevance(clock, f"project_tokens: {3 * TOKENS}") as mind:
        remember(mind, 3, scope="/project/a")
        over = remember(mind, 4, 20, scope="/project/b")
        remember(mind, 9, 30, scope="/projects/c")
        remember(mind, 9, 40, scope="/elsewhere")
        gone = leaving(mind.sweep())
        assert len(gone) == 1
        assert set(gone) <= set(over)


def test_listed_scopes_are_projects_too(clock: Clock, tens: None) -> None:
    with relevance(clock, f"project_tokens: {TOKENS}\nproject_scopes: [/project/*, /office/site]") as mind:
        remember(mind, 2, scope="/office/site/a")
        remember(mind, 2, 20, scope="/office/other")
        remember(mind, 2, 30, scope="/project/x")
        plan = mind.sweep()
        assert len(leaving(plan)) == 2
        assert about(plan, "/office/site")
        assert about(plan, "/project/x")


def test_overrides_give_a_project_another_target(clock: Clock, tens: None) -> None:
    text = (
        f"project_tokens: {2 * TOKENS}\noverrides:\n  /project/big: {{project_tokens: {50 * TOKENS}}}\n"
        f"  /project/small: {{project_tokens: {TOKENS}}}\n  /project/free: {{project_tokens: never}}\n"
    )
    with relevance(clock, text) as mind:
        for number, name in enumerate(("big", "small", "free", "plain"), 1):
            remember(mind, 3, number * 10, scope=f"/project/{name}")
        scopes = [mind.get(id).scope for id in leaving(mind.sweep())]
        assert sorted(scopes) == ["/project/plain", "/project/small", "/project/small"]


@pytest.mark.parametrize("fields", [{"pinned": True}, {"exempt": True}])
def test_the_pinned_and_the_exempt_count_but_stay(clock: Clock, tens: None, fields: dict[str, Any]) -> None:
    with relevance(clock, f"project_tokens: {2 * TOKENS}") as mind:
        kept = remember(mind, 2, scope="/project/a", importance=0.0, **fields)
        others = remember(mind, 2, 20, scope="/project/a", importance=1.0)
        assert set(leaving(mind.sweep())) == set(others)
        mind.apply(mind.sweep())
        assert {mind.get(id).state for id in kept} == {"live"}
        assert not leaving(mind.sweep())


def test_what_came_back_does_not_leave_by_size_and_nobody_leaves_for_it(clock: Clock, tens: None) -> None:
    with relevance(clock, f"project_tokens: {TOKENS}") as mind:
        first, second = remember(mind, 2, scope="/project/a")
        receipt = mind.apply(mind.sweep())
        assert receipt.applied == (first,)
        mind.restore(ids=[first])
        plan = mind.sweep()
        assert list(leaving(plan)) == []
        assert any("stays over its target" in warning and "brought back" in warning for warning in plan.warnings)
        assert mind.get(second).state == "live"


def test_what_leaves_by_a_rule_is_not_counted_twice(clock: Clock, tens: None) -> None:
    with relevance(clock, f"project_tokens: {2 * TOKENS}") as mind:
        expired = remember(mind, 2, scope="/project/a", ttl="1h", importance=1.0)
        remember(mind, 2, 20, scope="/project/a", importance=0.0)
        clock.advance(hours=2)
        assert leaving(mind.sweep()) == dict.fromkeys(expired, "expired")


def test_what_leaves_by_one_size_counts_for_the_others(clock: Clock, tens: None) -> None:
    """Four old decisions of one project, of which two fit: two leave, once, though history is over its size too."""
    with relevance(clock, f"project_tokens: {2 * TOKENS}\nhistorical_tokens: {2 * TOKENS}") as mind:
        remember(mind, 4, scope="/project/a", kind="decision")
        clock.advance(days=100)
        plan = mind.sweep()
        assert [change.reason for change in plan] == ["project size", "project size"]
        assert len(leaving(plan)) == 2


def test_superseded_versions_take_no_room(clock: Clock) -> None:
    with relevance(clock, "project_tokens: 20") as mind:
        for town in ("Oslo", "Rome", "Paris", "Bern"):
            mind.remember(f"The deploy server stands in {town}", scope="/project/a")
        assert mind.count() == 1
        assert not leaving(mind.sweep())


def test_sizes_pass_the_breaker_like_every_sweep(clock: Clock, tens: None) -> None:
    with relevance(clock, f"project_tokens: {10 * TOKENS}") as mind:
        remember(mind, 50, scope="/project/a")
        plan = mind.sweep()
        assert len(leaving(plan)) == 40
        with pytest.raises(BreakerTripped):
            mind.apply(plan)
        assert len(mind.apply(plan, force=True).applied) == 40


def test_a_sweep_of_a_scope_keeps_to_its_targets(clock: Clock, tens: None) -> None:
    with relevance(clock, f"project_tokens: {TOKENS}\nidentity_tokens: 1") as mind:
        for number, name in enumerate("ab", 1):
            remember(mind, 2, number * 10, scope=f"/project/{name}")
        remember(mind, 1, 50, kind="identity")
        assert {mind.get(id).scope for id in leaving(mind.sweep("/project/a"))} == {"/project/a"}
        assert not offered(mind.sweep("/project/a"))
        assert not mind.sweep("/nothing").changes
        assert len(leaving(mind.sweep("/project"))) == 2
        assert len(offered(mind.sweep("/"))) == 1


# --- history, identity, what is critical


def test_history_has_a_target_by_age(clock: Clock, tens: None) -> None:
    """Decisions stay by every rule for a year; more of them than fit, and the least worthy leave."""
    with relevance(clock, f"historical_tokens: {2 * TOKENS}") as mind:
        old = [remember(mind, 1, n, kind="decision", importance=n / 100)[0] for n in (40, 20, 60)]
        clock.advance(days=89)
        remember(mind, 5, 70, kind="decision", importance=0.0)
        assert not leaving(mind.sweep())
        clock.advance(days=3)
        plan = mind.sweep()
        assert leaving(plan) == {old[1]: "historical size"}
        assert about(plan, "historical size is over its target")


@pytest.mark.parametrize(
    ("name", "fields"),
    [("identity", {"kind": "identity"}), ("critical", {"kind": "decision", "categories": ["critical", "x"]})],
)
def test_identity_and_what_is_critical_are_put_up_for_review(
    clock: Clock, tens: None, name: str, fields: dict[str, Any]
) -> None:
    """Over every target at once, and old: reported, never taken."""
    text = f"{name}_tokens: {TOKENS}\nproject_tokens: {TOKENS}\nhistorical_tokens: {TOKENS}"
    with relevance(clock, text) as mind:
        ids = remember(mind, 3, scope="/project/a", importance=0.0, **fields)
        clock.advance(days=200)
        plan = mind.sweep()
        assert not leaving(plan)
        assert set(offered(plan).values()) == {f"{name} size"}
        assert len(offered(plan)) == 2
        assert about(plan, f"{name} size is over its target: {3 * TOKENS} of {TOKENS} tokens")
        before = [mind.get(id) for id in ids]
        receipt = mind.apply(plan, strict=True)
        assert receipt.applied == ()
        assert all("review" in reason for reason in receipt.skipped.values())
        assert [mind.get(id) for id in ids] == before
        assert mind.upkeep().offered == 2


# --- warnings


def test_a_warning_from_nine_tenths_on(clock: Clock, tens: None) -> None:
    with relevance(clock, f"project_tokens: {10 * TOKENS}") as mind:
        remember(mind, 8, scope="/project/a")
        assert not about(mind.sweep(), "project size")
        assert mind.stats().sizes == ()
        remember(mind, 1, 30, scope="/project/a")
        (warning,) = about(mind.sweep(), "project size")
        assert "/project/a is at 90% of its target" in warning
        assert mind.stats().sizes == (warning,)
        remember(mind, 1, 31, scope="/project/a")
        assert "100%" in about(mind.sweep(), "project size")[0]
        assert not leaving(mind.sweep())


def test_nothing_is_never_near_its_target(clock: Clock) -> None:
    """A target of nothing is for who wants to be told of everything, not for a warning about nothing."""
    with relevance(clock, "critical_tokens: 0") as mind:
        remember(mind, 2)

        assert not about(mind.sweep(), "critical")
        assert mind.stats().sizes == ()


def test_five_hundred_memories_in_a_project_are_a_warning_only(clock: Clock) -> None:
    with relevance(clock) as mind:
        mind.remember_many({"text": f"a{n} b{n}", "scope": "/project/a"} for n in range(500))
        assert not about(mind.sweep(), "over its target: 5")
        mind.remember("one more", scope="/project/a/deep")
        plan = mind.sweep()
        assert about(plan, "index size of /project/a is over its target: 501 of 500 memories")
        assert not [change for change in plan if change.reason == "index size"]


# --- caps of the other presets


def test_a_cap_of_observations_takes_the_least_important_of_a_scope(clock: Clock) -> None:
    with new_mind(clock=clock, policy=read("extends: tiered\nmax_observations: 3", "mine.yml")) as mind:
        shares = (0.9, 0.5, 0.7, 0.31, 0.8)
        ids = [remember(mind, 1, 10 + n, kind="observation", importance=s)[0] for n, s in enumerate(shares)]
        remember(mind, 5, 20, kind="fact", importance=0.0)
        remember(mind, 3, 30, kind="observation", importance=0.0, scope="/other")
        plan = mind.sweep()
        assert leaving(plan) == {ids[3]: "observations", ids[1]: "observations"}
        assert about(plan, "observations of / is over its target: 5 of 3 memories")
        mind.apply(plan)
        assert {mind.get(id).state for id in (ids[1], ids[3])} == {"archived"}
        assert not leaving(mind.sweep())


def test_a_cap_of_observations_by_scope(clock: Clock) -> None:
    text = "extends: tiered\nmax_observations: 4\noverrides: {/logs: {max_observations: 1}}"
    with new_mind(clock=clock, policy=read(text, "mine.yml")) as mind:
        remember(mind, 4, kind="observation", scope="/office")
        remember(mind, 3, 20, kind="observation", scope="/logs")
        assert [mind.get(id).scope for id in leaving(mind.sweep())] == ["/logs", "/logs"]


def test_balanced_has_a_budget_for_each_scope_when_asked(clock: Clock, tens: None) -> None:
    with new_mind(clock=clock, policy=read(f"extends: balanced\nscope_tokens: {2 * TOKENS}", "mine.yml")) as mind:
        low = remember(mind, 1, importance=0.1, scope="/a")
        remember(mind, 2, 20, importance=0.9, scope="/a")
        remember(mind, 2, 30, scope="/a/b")
        assert leaving(mind.sweep()) == {low[0]: "scope budget"}
    with new_mind(clock=clock) as mind:
        remember(mind, 90, scope="/a")
        assert not mind.sweep().changes


# --- reviews by a person


def test_reviews_are_due_monthly_yearly_and_when_a_project_ends(clock: Clock) -> None:
    with relevance(clock) as mind:
        remember(mind, 1, kind="decision")
        mind.forget(ids=remember(mind, 1, 20))
        clock.advance(days=100)
        (warning,) = about(mind.sweep(), "review is due")
        assert "historical review is due: 1 memory" in warning
        assert "rem policy reviewed historical" in warning
        mind.policies.reviewed("historical")
        assert not about(mind.sweep(), "review is due")
        clock.advance(days=30)
        assert not about(mind.sweep(), "historical review")
        clock.advance(seconds=1)
        assert about(mind.sweep(), "historical review")
        mind.remember("The shop is done", kind="project_status", categories=["completed"], scope="/project/shop")
        assert about(mind.sweep(), "project /project/shop is completed")


def test_the_archive_is_reviewed_once_a_year(clock: Clock) -> None:
    with relevance(clock) as mind:
        remember(mind, 1, ttl="1d")
        clock.advance(days=2)
        mind.apply(mind.sweep())
        assert not about(mind.sweep(), "archive review")
        clock.advance(days=364)
        assert about(mind.sweep(), "archive review is due: 1 memory")
        mind.policies.reviewed("archive")
        assert not about(mind.sweep(), "archive review")


@pytest.mark.parametrize("wrong", ["weekly", "", 3, None, [], {}])
def test_only_the_reviews_there_are_can_be_done(mind: Mind, wrong: Any) -> None:
    with pytest.raises(InvalidInput, match="historical, archive"):
        mind.policies.reviewed(wrong)
