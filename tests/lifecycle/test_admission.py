"""Admission on plain values: what becomes of a new memory, given the live ones it is compared with."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from remanence.lifecycle.admission import MOST_SIMILAR, admit, next_version, superseded
from remanence.model.memory import TRUST, Layer, Memory, Source, State
from remanence.model.plan import Action

NOW = datetime(2026, 3, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def memory(id: str, text: str, **fields: object) -> Memory:
    fields = {"source": Source.HUMAN, "created_at": NOW - DAY} | fields
    return Memory(
        id=id,
        namespace="n",
        scope="/",
        layer=Layer.EPISODIC,
        kind="fact",
        text=text,
        importance=0.5,
        last_accessed_at=fields["created_at"],
        **fields,
    )


OLD = memory("old", "The deploy server stands in Frankfurt", version=3)
NEW = memory("new", "The deploy server stands in Dublin", created_at=NOW)


def test_nothing_to_compare_with_is_added() -> None:
    admission = admit(NEW, [], NOW)
    assert (admission.outcome, admission.memory, admission.similar) == ("added", NEW, ())
    assert [(change.action, change.memory) for change in admission.changes] == [(Action.ADD, NEW)]


def test_strangers_are_no_kin() -> None:
    strangers = [memory(str(number), f"word{number} other{number}") for number in range(5)]
    assert admit(NEW, strangers, NOW).similar == ()


def test_the_next_version() -> None:
    admission = admit(NEW, [memory("x", "Stranger"), OLD], NOW)
    assert (admission.outcome, admission.similar) == ("superseded", ())
    assert admission.memory == replace(NEW, version=4, supersedes="old")
    added, replaced = admission.changes
    assert (added.action, added.memory) == (Action.ADD, admission.memory)
    assert (replaced.memory_id, replaced.action) == ("old", Action.SUPERSEDE)
    assert replaced.after == {"state": State.SUPERSEDED, "superseded_by": "new"}
    assert replaced.effective_at == NEW.created_at


def test_only_the_most_alike_is_replaced() -> None:
    near = memory("near", "The deploy server stands in Dublin city")
    admission = admit(NEW, [OLD, near], NOW)
    assert admission.memory.supersedes == "near"
    assert admission.similar == ("old",)


def test_among_equals_the_newest_is_replaced() -> None:
    twin = replace(OLD, id="twin", text="The deploy server stands in Prague", created_at=NOW - DAY / 2)
    assert admit(NEW, [OLD, twin], NOW).memory.supersedes == "twin"
    assert admit(NEW, [twin, OLD], NOW).memory.supersedes == "twin"


@pytest.mark.parametrize("source", list(Source))
def test_more_trusted_memories_are_challenged(source: Source) -> None:
    admission = admit(replace(NEW, source=source), [replace(OLD, source=Source.INGEST)], NOW)
    if TRUST[source] < TRUST[Source.INGEST]:
        assert (admission.outcome, admission.memory.challenged_by) == ("added", "old")
        assert admission.changes[1].after == {"challenged_by": "new"}
    else:
        assert (admission.outcome, admission.memory.supersedes) == ("superseded", "old")


def test_a_protected_one_does_not_hide_a_replaceable_one() -> None:
    pinned = replace(OLD, id="pinned", text="The deploy server stands in Dublin city", pinned=True)
    assert admit(NEW, [pinned, OLD], NOW).memory.supersedes == "old"


def test_a_contradiction_challenges_both_ways() -> None:
    denied = memory("new", "The deploy server stands not in Frankfurt", created_at=NOW)
    admission = admit(denied, [OLD], NOW)
    assert (admission.outcome, admission.memory.challenged_by, admission.similar) == ("added", "old", ("old",))
    assert [(c.memory_id, c.action) for c in admission.changes] == [("new", Action.ADD), ("old", Action.ADJUST)]


def test_the_same_text_is_a_duplicate_and_a_confirmation_from_elsewhere() -> None:
    again = replace(NEW, text=OLD.text.upper() + "  ")
    assert admit(again, [OLD], NOW).changes == ()
    admission = admit(replace(again, origin="mail"), [OLD], NOW)
    assert (admission.outcome, admission.memory) == ("duplicate", replace(OLD, confirmations=1))
    assert [(c.memory_id, c.after) for c in admission.changes] == [("old", {"confirmations": 1})]


@pytest.mark.parametrize("fields", [{}, {"source": Source.EXTRACTED}, {"source": Source.HUMAN, "pinned": True}])
@pytest.mark.parametrize("stop", [".", "。", " ."])
def test_a_full_stop_makes_no_other_statement(fields: dict[str, object], stop: str) -> None:
    again = replace(NEW, text=OLD.text + stop, **fields)
    assert (admit(again, [OLD], NOW).outcome, admit(again, [OLD], NOW).changes) == ("duplicate", ())
    assert admit(replace(OLD, id="bare", created_at=NOW), [replace(OLD, text=again.text)], NOW).outcome == "duplicate"
    assert admit(replace(NEW, text="..."), [replace(OLD, text="。")], NOW).outcome == "added"


def test_of_two_with_the_same_text_the_newest_is_confirmed_in_whatever_order_they_come() -> None:
    newer = replace(OLD, id="newer", created_at=OLD.created_at + timedelta(hours=1))
    again = replace(OLD, id="again", created_at=NOW)
    assert admit(again, [OLD, newer], NOW) == admit(again, [newer, OLD], NOW)
    assert admit(again, [OLD, newer], NOW).memory == newer


def test_a_duplicate_comes_before_a_version() -> None:
    near = memory("near", "The deploy server stands in Dublin city")
    same = replace(NEW, id="same", created_at=NOW - DAY)
    assert admit(NEW, [near, same], NOW).memory.id == "same"


def test_a_pinned_memory_is_confirmed_too() -> None:
    again = replace(NEW, text=OLD.text, origin="mail", source=Source.DREAM)
    assert admit(again, [replace(OLD, pinned=True)], NOW).outcome == "duplicate"


@pytest.mark.parametrize(("expires_at", "outcome"), [(NOW - DAY, "added"), (NOW + DAY, "superseded")])
def test_what_expired_is_no_kin(expires_at: datetime, outcome: str) -> None:
    assert admit(NEW, [replace(OLD, expires_at=expires_at)], NOW).outcome == outcome


def test_what_is_newer_is_not_replaced() -> None:
    assert admit(NEW, [replace(OLD, created_at=NOW + DAY)], NOW).outcome == "added"
    assert admit(NEW, [replace(OLD, created_at=NOW)], NOW).outcome == "superseded"


def test_similar_is_most_alike_first_and_bounded() -> None:
    base = "amber birch cedar daisy elder"
    kin = [memory(f"k{n:02d}", f"{base} x{n} y{n} z{n}", created_at=NOW - n * DAY) for n in range(1, 30)]
    kin.append(memory("closest", f"{base} other words", created_at=NOW - 99 * DAY))
    admission = admit(memory("new", f"{base} new", created_at=NOW), kin, NOW)
    assert admission.outcome == "added"
    assert len(admission.similar) == MOST_SIMILAR == 20
    assert admission.similar[:3] == ("closest", "k01", "k02")


def test_next_version_and_superseded() -> None:
    new = next_version(OLD, NEW)
    assert (new.version, new.supersedes, new.text) == (4, "old", NEW.text)
    change = superseded(OLD, new, "revised")
    assert (change.reason, change.before) == ("revised", {"state": State.LIVE, "superseded_by": None})
