"""The dater: what it looks up is never later than what would be solved, and solved once for all alike."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remanence.lifecycle.dater import Dater
from remanence.lifecycle.due import due_at
from remanence.model.columns import columns_of
from remanence.model.memory import Layer, Source
from remanence.model.moment import NEVER
from remanence.policies.reading import PRESETS, preset, read
from tests.lifecycle.worlds import KINDS, NOW, SCOPES, memory

POLICIES = {
    **{name: preset(name) for name in PRESETS},
    "narrow": read(
        "extends: balanced\noverrides: {/project: {archive_below: 0.9}, finding: {ttl: 9d}}\nrules:\n"
        "  - {name: band, action: archive, when: {importance: ['>= 0.711', '< 0.712'], idle_days: '> 2'}}\n"
        "  - {name: tiny, action: forget, when: {tokens: '< 3', idle_days: '> 1'}}\n"
        "  - {name: sad, action: forget, when: {valence: '< -0.5', scope: /user, worth: '< 0.6', confidence: '< 0.4'}}",
        "narrow.yml",
    ),
}
DATERS = {name: Dater(policy) for name, policy in POLICIES.items()}


@given(
    name=st.sampled_from(sorted(POLICIES)),
    importance=st.floats(0, 1) | st.sampled_from([0.0, 0.3, 0.5, 0.7, 0.711, 0.7115, 0.712, 1.0]),
    valence=st.floats(-1, 1),
    confidence=st.floats(0, 1),
    kind=st.sampled_from([*KINDS, "crystal", "other"]),
    scope=st.sampled_from(SCOPES),
    layer=st.sampled_from(list(Layer)),
    source=st.sampled_from(list(Source)),
    confirmations=st.integers(0, 2),
    uses=st.sampled_from([0, 0, 5]),
    rejections=st.sampled_from([0, 0, 1, 20]),
    pinned=st.booleans(),
    exempt=st.booleans(),
    text=st.sampled_from(["a", "Anything that is rather longer than that"]),
    expires_at=st.sampled_from([None, NOW.replace(year=2027)]),
)
@settings(max_examples=300, deadline=None)
def test_what_is_looked_up_is_never_late(name: str, **fields: Any) -> None:
    made = memory(0, **fields)
    solved = int(due_at(columns_of([made]), POLICIES[name])[0])
    found = DATERS[name].due_at(made)
    assert (NEVER if found is None else found) <= solved


@pytest.mark.parametrize("name", PRESETS)
def test_like_memories_are_solved_together(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    dater, solved = Dater(preset(name)), []
    monkeypatch.setattr("remanence.lifecycle.due.due_at", lambda *given: solved.append(given) or due_at(*given))
    for number in range(200):
        dater.due_at(memory(0, importance=number / 997, scope=f"/project/{number}", valence=number / 200))
    assert len(solved) == 1


def test_feedback_moves_the_date() -> None:
    dater = Dater(read("extends: balanced\nrules: [{name: gone, action: forget, when: {retention: '< 0.6'}}]", "r.yml"))
    plain, used, rejected = (dater.due_at(memory(0, **told)) for told in ({}, {"uses": 1}, {"rejections": 1}))
    assert plain is not None and used is not None and rejected is not None
    assert rejected < plain < used


def test_what_was_recalled_or_came_back_is_looked_at() -> None:
    dater = Dater(preset("halflife"))
    assert dater.due_at(memory(1, reads=1)) == dater.due_at(memory(1, kept_until=NOW)) == 0
