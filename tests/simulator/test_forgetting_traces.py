"""Traces of uses under a budget: what is dropped is gone, what counts as later, the command on worlds and stores."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from remanence import Mind
from remanence.model.columns import columns_of
from remanence.model.memory import Layer, Memory, Source
from remanence.model.moment import MICROS_PER_DAY, NEVER, to_micros
from remanence.model.trace import Trace
from remanence.policies import reading
from remanence.settings import Settings
from remanence.simulator.contenders.bm25 import Bm25
from remanence.simulator.forgetting import contenders, traces
from remanence.simulator.forgetting.replay import Known
from tests.histories import write_history
from tests.interfaces.doors import typed

BEGIN = datetime(2026, 1, 5, tzinfo=UTC)
POLICIES = {name: reading.preset(name) for name in reading.PRESETS}
WORLDS = ["bench", "forgetting", "--only", "worlds", "--jobs", "1"]


def a_trace(born: Sequence[float], uses: Sequence[Sequence[float]], days: int = 70, **more: object) -> Trace:
    """Memories of ten characters each, born and used on these days."""
    made = [
        Memory(
            id=f"{number:032x}",
            namespace="trace",
            scope="/trace",
            layer=Layer.EPISODIC,
            kind="fact",
            text=f"memory {number:03}",
            source=Source.HUMAN,
            importance=0.5,
            created_at=BEGIN + timedelta(days=day),
            last_accessed_at=BEGIN + timedelta(days=day),
        )
        for number, day in enumerate(born)
    ]
    begins = to_micros(BEGIN)
    at = [[begins + round(day * MICROS_PER_DAY) for day in some] for some in uses]
    ends = begins + days * MICROS_PER_DAY
    return Trace.from_events(columns_of(made), at, begins=begins, ends=ends, **more)  # type: ignore[arg-type]


def a_talk(trace: Trace) -> Known:
    return Known(traces.of_trace("t", trace, [f"memory {number:03}" for number in range(len(trace))]), Bm25())


def one(name: str) -> contenders.Forgetter:
    return contenders.oracle() if name == "oracle" else contenders.made([name], POLICIES)[0]


def test_a_use_of_what_was_dropped_is_lost_and_all_after_it() -> None:
    # Four memories, one a week, and room for two: fifo drops 0 after week 2 and 1 after week 3.
    known = a_talk(a_trace([1, 8, 15, 22], [[2, 12, 30, 40], [], [], [23]]))
    assert traces.later(known.talk) == [3, 0, 0, 0], "what is used in the week it came nobody can lose"
    assert traces.relived(known, one("fifo"), 0.5) == (1.0, 0.0)
    assert traces.relived(known, one("oracle"), 0.5) == (3.0, 1.0)
    assert traces.relived(known, one("lfu"), 0.5) == (3.0, 1.0), "uses of what is held count as accesses"


def test_the_oracle_knows_what_is_to_come_and_not_what_was() -> None:
    known = a_talk(a_trace([1, 2, 16], [[8, 9, 10, 11], [60], [61]]))
    assert traces.relived(known, one("oracle"), 0.67) == (6.0, 1.0)
    assert traces.relived(known, one("lfu"), 0.67)[0] == 5.0, "it holds on to what was used"


def test_what_was_replaced_leaves_and_makes_room() -> None:
    born, uses = [1, 2, 16], [[60], [], [61]]
    assert traces.relived(a_talk(a_trace(born, uses)), one("fifo"), 0.67)[0] == 1.0
    left = [NEVER, to_micros(BEGIN + timedelta(days=10)), NEVER]
    known = a_talk(a_trace(born, uses, left_at=left))
    assert known.talk.characters == 20, "what is there at the end"
    assert traces.relived(known, one("fifo"), 1.0)[0] == 2.0


def test_memories_are_held_from_when_their_uses_are_known() -> None:
    whole = a_trace([1, 2, 3], [[30], [31], []])
    partly = Trace.from_uses(
        whole.columns,
        [0, 1],
        whole.moments,
        begins=whole.begins,
        ends=whole.ends,
        unplaced=[5, 0, 2],
    )
    talk = a_talk(partly).talk
    assert [turn.session for turn in talk.turns] == [4, 0], "the third was used nobody knows when"
    assert traces.later(talk) == [0, 1]


@pytest.mark.parametrize("name", [n for n in contenders.NAMES if n not in ("all", "oracle", "random", "product")])
def test_every_contender_stands_between_nothing_and_the_oracle(name: str) -> None:
    (talk,) = traces.of_worlds(3, worlds=1, memories=80)
    known = Known(talk, Bm25())
    found, whole = traces.relived(known, one(name), 0.3)
    assert 0 < found <= traces.relived(known, contenders.oracle(), 0.3)[0] <= sum(traces.later(talk))
    assert 0 < whole <= 1


@pytest.mark.parametrize("seed", [11, 12])
def test_where_uses_go_by_recency_so_does_our_budget(seed: int) -> None:
    (talk,) = traces.of_worlds(seed, worlds=1, memories=150)
    known = Known(talk, Bm25())
    ours, recent = (traces.relived(known, one(name), 0.3)[0] for name in ("balanced", "lru"))
    assert ours >= 0.98 * recent


def test_worlds_need_no_data_and_are_the_same_twice() -> None:
    asked = [*WORLDS, "--contender", "all,lru,shortest", "--budget", "30", "--json"]
    one, two = (json.loads(typed(asked)[1]) for _ in range(2))
    assert one["scores"] == two["scores"]
    found = {score["contender"]: score for score in one["scores"]}
    assert found["random"]["share"] < found["lru"]["share"] < found["oracle"]["share"] <= found["all"]["share"] == 1
    assert found["lru"]["low"] < found["lru"]["skill"] < found["lru"]["high"]
    assert {score["access"] for score in one["scores"]} == {"uses"}
    assert one["notes"][0].startswith("worlds: 5 made-up years, 1,500 memories")


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REMANENCE_DB", str(tmp_path / "own.db"))
    return tmp_path


def test_the_past_of_a_store_is_a_data_set(own: Path) -> None:
    write_history(own / "past.jsonl", datetime.now(UTC))
    with Mind(settings=Settings(db=os.environ["REMANENCE_DB"], upkeep__on_open=False), embedder=False) as mind:
        mind.import_(own / "past.jsonl")
        trace, texts = mind.policies.past()
    assert len(trace) == len(texts) == 30
    assert texts[0].startswith("Heirloom")
    code, out, err = typed(["bench", "forgetting", "--only", "store", "--contender", "lru,balanced", "--json"])
    assert code == 0, err
    report = json.loads(out)
    found = {(score["contender"], score["budget"]): score for score in report["scores"]}
    assert found["oracle", 0.5]["share"] == 1.0
    assert found["lru", 0.5]["share"] > found["random", 0.5]["share"]
    assert found["lru", 0.5]["low"] is None
    assert any("stand and fall together" in note for note in report["notes"])


def test_a_store_with_too_little_history_is_refused_as_by_back_tests(own: Path) -> None:
    with Mind(settings=Settings(db=os.environ["REMANENCE_DB"], upkeep__on_open=False), embedder=False) as mind:
        mind.remember("The kiln is at 1,200 degrees.")
    asked, backtest = (
        typed(words) for words in (["bench", "forgetting", "--only", "store"], ["policy", "backtest", "halflife"])
    )
    assert asked[0] == backtest[0] == 2
    assert "nothing was ever recalled from namespace 'default'" in asked[2]
    assert asked[2] == backtest[2]


def test_uses_in_the_first_week_alone_tell_nothing() -> None:
    known = a_talk(a_trace([1, 2], [[3], [4]]))
    assert traces.later(known.talk) == [0, 0]
    assert np.isfinite(traces.relived(known, one("lru"), 0.5)).all()
