"""Memories for the tests of rules: plain ones by hand, and any that a store can hold by Hypothesis."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from remanence.model.memory import Layer, Memory, Source, State
from remanence.model.moment import to_micros

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
KINDS = (
    "fact",
    "finding",
    "observation",
    "tool_output",
    "decision",
    "identity",
    "preference",
    "lesson",
    "session_state",
)
SCOPES = ("/", "/user", "/user/ann", "/project/api", "/username")


def memory(age_days: float = 0, idle_days: float | None = None, reads: int = 0, **fields: Any) -> Memory:
    """A live fact of that age at NOW, last recalled so long ago."""
    created = NOW - timedelta(days=age_days)
    last = NOW - timedelta(days=age_days if idle_days is None else idle_days)
    recent = tuple(last for _ in range(min(reads, 20)))
    values: dict[str, Any] = {
        "id": f"{fields.pop('number', 1):032x}",
        "namespace": "default",
        "scope": "/",
        "layer": Layer.EPISODIC,
        "kind": "fact",
        "text": "Anything",
        "source": Source.HUMAN,
        "importance": 0.5,
        "created_at": created,
        "last_accessed_at": last,
        "access_count": reads,
        "recent_accesses": recent,
    }
    return Memory(**(values | fields))


@st.composite
def memories(draw: st.DrawFn, number: int = 1) -> Memory:
    """Any memory a store can hold around NOW, with a history that can have happened."""
    age = draw(st.floats(0, 900) | st.sampled_from([7.0, 30.0, 90.0, 180.0, 365.0]))
    created = NOW - timedelta(days=age)
    gaps = draw(st.lists(st.floats(0, 1), max_size=draw(st.sampled_from([0, 0, 1, 3, 20]))))
    recent = sorted(created + timedelta(days=age * gap) for gap in gaps)[-20:]
    moments = st.none() | st.floats(-400, 800).map(lambda days: NOW + timedelta(days=days))
    shares = st.floats(0, 1) | st.sampled_from([0.0, 0.05, 0.15, 0.2, 0.29, 0.3, 0.5, 0.7, 1.0])
    state = draw(st.sampled_from([State.LIVE] * 6 + [State.SUPERSEDED]))
    return Memory(
        id=f"{number:032x}",
        namespace="default",
        scope=draw(st.sampled_from(SCOPES)),
        layer=draw(st.sampled_from([Layer.EPISODIC] * 4 + list(Layer))),
        kind=draw(st.sampled_from(KINDS)),
        text="Anything",
        source=draw(st.sampled_from(list(Source))),
        importance=draw(shares),
        valence=draw(st.floats(-1, 1)),
        confidence=draw(shares),
        confirmations=draw(st.sampled_from([0, 0, 0, 1, 7])),
        uses=draw(st.sampled_from([0, 0, 0, 1, 7])),
        rejections=draw(st.sampled_from([0, 0, 0, 1, 7])),
        created_at=created,
        last_accessed_at=recent[-1] if recent else created,
        access_count=len(recent) + (draw(st.integers(0, 50)) if len(recent) == 20 else 0),
        recent_accesses=tuple(recent),
        expires_at=draw(moments),
        kept_until=draw(moments),
        pinned=draw(st.sampled_from([False] * 9 + [True])),
        exempt=draw(st.sampled_from([False] * 9 + [True])),
        state=state,
    )


NOW_MICROS = to_micros(NOW)
