"""The laws of ageing on real stores: any schedule of sweeps ends alike, due and full ones are twins, undo is exact."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from remanence import Mind
from remanence.model.policy import Policy
from remanence.policies.reading import PRESETS, read
from tests.activity import be_there
from tests.embedders import Remembering

START = datetime(2026, 1, 1, tzinfo=UTC)
# Worth is the one measure that an access can lower: a burst makes recalls less steady.
WORTH = read(
    "extends: balanced\nrules: [{name: gone, action: forget, when: {worth: '< 0.45', idle_days: '> 3'}}]", "w.yml"
)
VISITS = st.just(set(range(31))) | st.sets(st.integers(0, 30), max_size=25)
STEPS = ("wait", "wait", "visits", "recall", "use", "sweep", "sweep", "undo", "mark", "forget", "restore", "policy")
EMBEDDER = Remembering()
KINDS = ("fact", "finding", "observation", "tool_output", "decision", "session_state", "lesson")


@st.composite
def drafts(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Memories of some ages, with recalls at some days after their birth."""
    made = []
    for number in range(draw(st.integers(1, 6))):
        age = draw(st.sampled_from([0, 1, 6, 20, 29, 65, 89, 95, 119, 170, 300]) | st.integers(0, 400))
        made.append(
            {
                "text": f"word{number} stands alone",
                "kind": draw(st.sampled_from(KINDS)),
                "scope": draw(st.sampled_from(["/", "/user", "/project/api"])),
                "layer": draw(st.sampled_from([None, None, "working", "semantic"])),
                "source": draw(st.sampled_from(["human", "ai", "extracted"])),
                "importance": draw(st.sampled_from([0.02, 0.1, 0.25, 0.5, 0.7, 0.9])),
                "confidence": draw(st.sampled_from([0.3, 1.0])),
                "created_at": START - timedelta(days=age),
                "ttl": draw(st.sampled_from([None, None, None, "5d", "60d", "6m"])),
                "pinned": draw(st.sampled_from([False] * 5 + [True])),
                "recalls": draw(st.sampled_from([0, 0, 1, 2, 5, 9])),
                "useful": draw(st.sampled_from([None, None, None, True, False])),
            }
        )
    return made


class World:
    """A store in memory whose clock stands where it is put."""

    def __init__(self, policy: str | Policy, made: list[dict[str, Any]]) -> None:
        self.now = START
        ids = iter(range(1, 1 << 30))
        self.mind = Mind(
            ":memory:",
            clock=lambda: self.now,
            policy=policy,
            entropy=lambda n: next(ids).to_bytes(n, "big"),
            embedder=EMBEDDER,
        )
        for draft in made:
            draft = dict(draft)
            recalls, useful = draft.pop("recalls"), draft.pop("useful")
            memory = self.mind.remember(**draft).memory
            for _ in range(recalls if memory is not None else 0):
                self.mind.recall(draft["text"].split()[0])
            if useful is not None and memory is not None:
                self.mind.feedback(memory.id, useful)
        self.mind._store.flush()

    def run(self, days: list[int], visits: Collection[int] = ()) -> None:
        """Sweep on these days, at midnight; on the days of visits somebody is there in the morning."""
        for day in range(max(days) + 1):
            self.now = START + timedelta(days=day)
            for _ in range(days.count(day)):
                self.mind.apply(self.mind.sweep(), force=True)
            if day in visits and day < max(days):
                self.now += timedelta(hours=9)
                be_there(self.mind, self.now)

    def state(self) -> list[tuple[Any, ...]]:
        return sorted(
            (m.text, m.state, m.layer, m.importance, m.access_count, m.last_accessed_at)
            for m in self.mind.list(state="all", limit=1000)
        )


def twins(world: World) -> None:
    """A due sweep and a full one make the same plan, also when asked again."""
    full = world.mind.sweep(full=True)
    assert world.mind.sweep() == full
    assert world.mind.sweep() == full


@pytest.mark.parametrize("policy", PRESETS)
@settings(deadline=None, max_examples=12, suppress_health_check=[HealthCheck.too_slow])
@given(made=drafts(), days=st.lists(st.integers(0, 30), max_size=5), visits=VISITS)
def test_any_schedule_of_sweeps_ends_alike(
    policy: str, made: list[dict[str, Any]], days: list[int], visits: set[int]
) -> None:
    daily, once, some = (World(policy, made) for _ in range(3))
    daily.run(list(range(31)), visits)
    once.run([30], visits)
    some.run([*sorted(days), 30], visits)
    assert daily.state() == once.state() == some.state()
    for world in (daily, once, some):
        assert not [change for change in world.mind.sweep() if not change.action.is_offer]
        world.mind.close()


@pytest.mark.parametrize("policy", [*PRESETS, WORTH], ids=lambda policy: getattr(policy, "name", policy))
@settings(deadline=None, max_examples=12, suppress_health_check=[HealthCheck.too_slow])
@given(made=drafts(), data=st.data())
def test_due_and_full_sweeps_are_twins(policy: str | Policy, made: list[dict[str, Any]], data: st.DataObject) -> None:
    """Whatever happens in between: recalls, marks, undo, visits now and told of later, time passing, another policy."""
    world = World(policy, made)
    mind = world.mind
    receipts: list[str] = []
    for _ in range(data.draw(st.integers(1, 8))):
        step = data.draw(st.sampled_from(STEPS))
        ids = [memory.id for memory in mind.list(state="all", limit=1000)]
        id = data.draw(st.sampled_from(ids))
        if step == "wait":
            world.now += timedelta(days=data.draw(st.sampled_from([0.001, 0.03, 1, 7, 31, 100, 400])))
        elif step == "visits":
            ago = data.draw(st.lists(st.integers(0, 120), max_size=60))
            be_there(mind, *(world.now - timedelta(days=days) for days in ago))
        elif step == "recall":
            for _ in range(data.draw(st.integers(1, 6))):
                mind.recall(mind.get(id).text.split()[0])
        elif step == "use":
            for _ in range(data.draw(st.integers(1, 6))):
                mind.feedback(id, data.draw(st.booleans()))
                world.now += timedelta(hours=data.draw(st.sampled_from([0, 1, 2])))
        elif step == "sweep":
            receipts.append(mind.apply(mind.sweep(), force=True).id)
        elif step == "undo" and receipts:
            receipts.append(mind.undo(receipts[-1]).id)
        elif step == "mark":
            getattr(mind, data.draw(st.sampled_from(["pin", "unpin", "confirm"])))(id)
        elif step == "forget":
            mind.forget(ids=[id])
        elif step == "restore":
            mind.restore(ids=[id])
        elif step == "policy":
            mind.policies.use(data.draw(st.sampled_from(PRESETS)), force=True)
        twins(world)
    assert mind.check().problems == ()
    mind.close()


@pytest.mark.parametrize("policy", PRESETS)
@settings(deadline=None, max_examples=12, suppress_health_check=[HealthCheck.too_slow])
@given(made=drafts(), days=st.integers(0, 500))
def test_undoing_a_sweep_restores_everything(policy: str, made: list[dict[str, Any]], days: int) -> None:
    """Every field is back; what came back into recall is kept there for a month, as after every undo."""
    world = World(policy, made)
    world.now += timedelta(days=days)
    before = {memory.id: memory.to_dict() for memory in world.mind.list(state="all", limit=1000)}
    receipt = world.mind.apply(world.mind.sweep(), force=True)
    world.mind.undo(receipt.id)
    after = {memory.id: memory.to_dict() for memory in world.mind.list(state="all", limit=1000)}
    for id, fields in after.items():
        kept = fields["kept_until"] if before[id]["kept_until"] is None else None
        assert fields | {"kept_until": before[id]["kept_until"]} == before[id]
        assert kept is None or kept == (world.now + timedelta(days=30)).isoformat()
    assert not [
        change
        for change in world.mind.sweep()
        if "state" in change.after and before[change.memory_id]["state"] == "live"
    ]
    world.mind.close()


@pytest.mark.parametrize("policy", PRESETS)
@settings(deadline=None, max_examples=12, suppress_health_check=[HealthCheck.too_slow])
@given(made=drafts(), days=st.sampled_from([1, 30, 90, 400]))
def test_a_forecast_is_what_daily_sweeps_do(policy: str, made: list[dict[str, Any]], days: int) -> None:
    world = World(policy, made)
    forecast = world.mind.forecast(days=days)
    elsewhere = World("balanced", made)
    assert elsewhere.mind.forecast(policy, days=days).to_dict() == forecast.to_dict()
    for day in range(days + 1):
        world.now = START + timedelta(days=day)
        be_there(world.mind, world.now)
        for change in world.mind.apply(world.mind.sweep(), force=True).changes:
            if "state" in change.after:
                (told,) = [leaving for leaving in forecast.leaving if leaving.memory_id == change.memory_id]
                assert (told.at, told.action) == (world.now, change.action.value)
        if day:
            assert world.mind.count() == forecast.live[day]
    assert sum(forecast.by_rule.values()) == forecast.leaves == len(forecast.leaving)
    assert world.mind.count(state="archived") == forecast.archived[-1]
    for one in (world, elsewhere):
        one.mind.close()
