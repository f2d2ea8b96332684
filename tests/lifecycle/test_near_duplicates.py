"""The near-duplicate sweep: who leaves, who stays, who is challenged; against comparing all with all."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remanence.lifecycle.duplicates import negation_flip, number_flip
from remanence.lifecycle.likeness import Likeness
from remanence.lifecycle.near_duplicates import MOST_AGREEING, NEAR_DUPLICATE, NEAR_JACCARD, plan
from remanence.model.memory import TRUST, Layer, Memory, Source, State
from remanence.model.plan import Action, Change
from remanence.model.words import folded, tokens_of

NOW = datetime(2026, 3, 1, tzinfo=UTC)
DAY = timedelta(days=1)
# 20 words: one more or one other leaves two texts alike (20 / 21 and 19 / 21), two others do not (18 / 22).
TEXT = (
    "the nightly backup of main postgres cluster runs on server frankfurt "
    "and writes its dump into an archive bucket named"
)
WORDS = tuple(TEXT.split())


def lettered(number: int) -> str:
    """A word of its own for each number, without a digit in it."""
    return "word" + "".join(chr(ord("a") + int(digit)) for digit in str(number))


def text(*changed: str, tail: str = "") -> str:
    """The text with its first words changed, and a tail."""
    return " ".join([*changed, *WORDS[len(changed) :], *tail.split()])


def memory(number: int, said: str = TEXT, age_days: float = 0.0, **fields: Any) -> Memory:
    born = NOW - age_days * DAY
    values = {"concepts": ("postgres",), "scope": "/ops", "source": Source.HUMAN, "kind": "fact"} | fields
    return Memory(
        id=f"{number:08x}-0000-7000-8000-000000000000",
        namespace="test",
        layer=Layer.EPISODIC,
        text=said,
        importance=0.5,
        created_at=born,
        last_accessed_at=born,
        **values,
    )


def outcome(memories: Sequence[Memory], now: datetime = NOW) -> dict[int, tuple[str, int]]:
    """What becomes of each memory, by number: ("leaves for" | "challenged by", number)."""
    found = {}
    for change in plan(memories, now):
        what, by = (
            ("leaves for", change.after["superseded_by"])
            if change.action is Action.SUPERSEDE
            else ("challenged by", change.after["challenged_by"])
        )
        assert change.memory_id not in found
        found[change.memory_id] = (what, by)
    return {int(id[:8], 16): (what, int(by[:8], 16)) for id, (what, by) in found.items()}


def after(memories: Sequence[Memory], changes: Sequence[Change]) -> list[Memory]:
    written = {change.memory_id: change.after for change in changes}
    return [replace(each, **written.get(each.id, {})) for each in memories]


CJK = "東京都渋谷区の本館三階にあるいちばん大きな部屋は来週の月曜日からしばらく工事のために静かではありません。"


# --- the rule


def test_the_constants() -> None:
    assert (NEAR_JACCARD, len(WORDS)) == (0.9, 20)


def test_the_older_leaves() -> None:
    old, new = memory(1, age_days=2), memory(2, text("our"), age_days=1)
    (change,) = plan([new, old], NOW)
    assert change == replace(
        Change.of(old, NEAR_DUPLICATE, state=State.SUPERSEDED, superseded_by=new.id),
        revision=old.revision,
        evidence={"jaccard": 19 / 21},
    )
    assert change.effective_at is None  # until now both were recalled


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (text(), {1: ("leaves for", 2)}),
        (TEXT.upper() + "!", {1: ("leaves for", 2)}),
        (text(tail="again"), {1: ("leaves for", 2)}),
        (text("our", "weekly"), {}),  # 18 / 22
        (text(tail="twice or thrice"), {}),  # 20 / 23
        (" ".join(WORDS[:18]), {}),  # 18 / 20 is not above 0.9
        (" ".join(WORDS[:19]), {1: ("leaves for", 2)}),  # 19 / 20
        ("!!", {}),
    ],
)
def test_by_how_much_the_words_may_differ(said: str, expected: dict[int, tuple[str, int]]) -> None:
    assert outcome([memory(1, age_days=1), memory(2, said)]) == expected


@pytest.mark.parametrize("said", ["👍", "!!", "…"])
def test_texts_without_words_are_never_alike(said: str) -> None:
    assert outcome([memory(1, said, age_days=1), memory(2, said)]) == {}


def test_of_the_same_age_the_smaller_id_leaves() -> None:
    assert outcome([memory(1), memory(2)]) == outcome([memory(2), memory(1)]) == {1: ("leaves for", 2)}


@pytest.mark.parametrize(
    ("fields", "leaves"),
    [
        ({"concepts": ("backup",)}, False),
        ({"concepts": ()}, False),
        ({"concepts": ("backup", "Postgres ")}, True),  # spelled another way
        ({"scope": "/ops/db"}, False),
        ({"scope": "/"}, False),
        ({"namespace": "other"}, False),
        ({"kind": "decision"}, True),
        ({"layer": Layer.SEMANTIC}, True),
        ({"exempt": True}, True),
        ({"pinned": True}, True),
        ({"kept_until": NOW + DAY}, True),
        ({"state": State.ARCHIVED}, False),
        ({"expires_at": NOW - DAY}, False),
        ({"expires_at": NOW + DAY}, False),  # when it expires, the older one would be missing
    ],
)
def test_for_whom_an_older_one_leaves(fields: dict[str, Any], leaves: bool) -> None:
    newer = replace(memory(2), **fields)
    assert outcome([memory(1, age_days=1), newer]) == ({1: ("leaves for", 2)} if leaves else {})


@pytest.mark.parametrize(
    ("fields", "leaves"),
    [
        ({"pinned": True}, False),
        ({"kept_until": NOW + DAY}, False),
        ({"kept_until": NOW}, True),
        ({"exempt": True}, True),
        ({"challenged_by": "human"}, True),
        ({"expires_at": NOW}, True),
        ({"expires_at": NOW - DAY}, False),
        ({"expires_at": NOW + DAY}, True),
        ({"state": State.SUPERSEDED}, False),
        ({"state": State.QUARANTINED}, False),
        ({"source": Source.DREAM}, True),
    ],
)
def test_who_leaves(fields: dict[str, Any], leaves: bool) -> None:
    older = replace(memory(1, age_days=1), **fields)
    assert outcome([older, memory(2)]) == ({1: ("leaves for", 2)} if leaves else {})


def test_who_expires_leaves_for_who_expires_no_sooner() -> None:
    old = memory(1, age_days=1, expires_at=NOW + DAY)
    assert outcome([old, memory(2, expires_at=NOW + DAY)]) == {1: ("leaves for", 2)}
    assert outcome([old, memory(2, expires_at=NOW + DAY / 2)]) == {}


# --- chains


def test_a_chain_leaves_only_for_what_is_alike_directly() -> None:
    """1 ~ 2 ~ 3, but 1 and 3 differ in two words each: 2 leaves for 3, and 1 stays."""
    chain = [memory(1, text("our"), age_days=3), memory(2, age_days=2), memory(3, text("the", "weekly"), age_days=1)]
    assert outcome(chain) == {2: ("leaves for", 3)}
    assert outcome(after(chain, plan(chain, NOW))) == {}


def test_all_leave_for_the_newest_they_are_alike_to() -> None:
    several = [memory(n, text(tail=lettered(n)), age_days=9 - n) for n in range(1, 5)]
    assert outcome(several) == dict.fromkeys((1, 2, 3), ("leaves for", 4))


def test_many_equal_ones_make_one_change_each() -> None:
    several = [memory(n, age_days=500 - n) for n in range(400)]
    assert outcome(several) == dict.fromkeys(range(399), ("leaves for", 399))


# --- trust and contradiction


def test_never_for_a_less_trusted_one() -> None:
    old, new = memory(1, age_days=1), memory(2, text("our"), source=Source.AI)
    assert outcome([old, new]) == {1: ("challenged by", 2), 2: ("challenged by", 1)}
    assert outcome([replace(old, source=Source.EXTRACTED), new]) == {1: ("leaves for", 2)}
    assert outcome([replace(old, source=Source.INGEST), new]) == {1: ("leaves for", 2)}


def test_the_same_words_of_a_less_trusted_source_contradict_nothing() -> None:
    assert outcome([memory(1, age_days=1), memory(2, TEXT.upper(), source=Source.AI)]) == {}


def test_a_trusted_one_behind_a_less_trusted_one_is_found() -> None:
    said = [memory(1, age_days=3), memory(2, text("our"), age_days=2), memory(3, source=Source.AI, age_days=1)]
    assert outcome(said) == {1: ("leaves for", 2), 2: ("challenged by", 3), 3: ("challenged by", 2)}


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (text(tail="7"), text(tail="9")),
        (text(tail="is enabled"), text(tail="is disabled")),
        (TEXT, text(tail="not")),
        (text(tail="3.5"), text(tail="5.3")),  # the same words
        (CJK + "会議室は使える", CJK + "会議室は使えない"),
    ],
)
def test_a_flip_is_a_contradiction(one: str, two: str) -> None:
    pair = [memory(1, one, age_days=1), memory(2, two)]
    assert outcome(pair) == {1: ("challenged by", 2), 2: ("challenged by", 1)}
    assert outcome(after(pair, plan(pair, NOW))) == {}


def test_a_number_only_added_is_no_flip() -> None:
    assert outcome([memory(1, age_days=1), memory(2, text(tail="7"))]) == {1: ("leaves for", 2)}


def test_not_disabled_is_enabled() -> None:
    longer = " ".join([TEXT, *map(lettered, range(20))])
    pair = [memory(1, longer + " is enabled", age_days=1), memory(2, longer + " is not disabled")]
    assert outcome(pair) == {1: ("leaves for", 2)}  # 41 / 44


@pytest.mark.parametrize(
    ("older", "newer", "expected"),
    [
        ({"challenged_by": "human"}, {}, {2: ("challenged by", 1)}),
        ({}, {"challenged_by": "human"}, {1: ("challenged by", 2)}),
        ({"challenged_by": "human"}, {"challenged_by": "human"}, {}),
        ({"pinned": True}, {}, {2: ("challenged by", 1)}),
        ({}, {"pinned": True}, {1: ("challenged by", 2)}),
        ({"pinned": True}, {"pinned": True}, {}),
        ({"kept_until": NOW + DAY}, {}, {1: ("challenged by", 2), 2: ("challenged by", 1)}),
        ({}, {"challenged_by": memory(1).id}, {}),  # a person has confirmed the older one
    ],
)
def test_who_is_challenged(older: dict, newer: dict, expected: dict[int, tuple[str, int]]) -> None:
    pair = [memory(1, text(tail="7"), age_days=1, **older), memory(2, text(tail="9"), **newer)]
    assert outcome(pair) == expected


def test_of_several_contradictions_the_newest_is_named() -> None:
    several = [memory(n, text(tail=str(n)), age_days=9 - n) for n in range(1, 5)]
    assert outcome(several) == {
        1: ("challenged by", 4),
        2: ("challenged by", 4),
        3: ("challenged by", 4),
        4: ("challenged by", 3),
    }


def test_what_leaves_challenges_nobody() -> None:
    """2 contradicts 1, but leaves for 3, which is not alike to 1."""
    said = [
        memory(1, text("our", tail="7"), age_days=3),
        memory(2, text(tail="9"), age_days=2),
        memory(3, text("the", "weekly", tail="9"), age_days=1),
    ]
    assert outcome(said) == {2: ("leaves for", 3)}


# --- laws, against comparing all with all


def expected(memories: Sequence[Memory], now: datetime) -> dict[str, tuple[str, str]]:
    """The rules once more, by comparing each with each, with the texts at hand."""

    def alike(a: Memory, b: Memory) -> bool:
        one, two = tokens_of(a.text), tokens_of(b.text)
        same = {folded(c) for c in a.concepts} & {folded(c) for c in b.concepts}
        return bool(same) and a.scope == b.scope and 10 * len(one & two) > 9 * len(one | two)

    def flipped(a: Memory, b: Memory) -> bool:
        return negation_flip(a.text, b.text) or number_flip(a.text, b.text)

    def age(each: Memory) -> tuple[datetime, str]:
        return each.created_at, each.id

    found: dict[str, tuple[str, str]] = {}
    staying: list[Memory] = []
    live = [each for each in memories if each.state is State.LIVE and (each.expires_at or now) >= now]
    for each in sorted(live, key=age, reverse=True):
        fixed = each.pinned or (each.kept_until is not None and each.kept_until > now)
        for other in staying:
            lasts = other.expires_at is None or (each.expires_at is not None and other.expires_at >= each.expires_at)
            trusted = TRUST[other.source] >= TRUST[each.source]
            if not fixed and alike(each, other) and not flipped(each, other) and lasts and trusted:
                found[each.id] = ("leaves for", other.id)
                break
        else:
            staying.append(each)
    for each in staying:
        for other in staying:
            older, newer = sorted((each, other), key=age)
            doubted = TRUST[older.source] > TRUST[newer.source] and tokens_of(each.text) != tokens_of(other.text)
            free = not each.pinned and each.challenged_by is None and other.challenged_by != each.id
            if other is not each and free and alike(each, other) and (flipped(each, other) or doubted):
                found[each.id] = ("challenged by", other.id)
                break
    return found


TAILS = ["", "", "again", "7", "9", "7 9", "not", "no more", "is on", "is off", "3.5", "5.3", "東京", "so it is said"]
NEVER_OR_SOON = st.sampled_from([None, None, None, NOW - DAY, NOW + DAY, NOW + 2 * DAY])
DRAWN = st.fixed_dictionaries(
    {
        "said": st.builds(
            lambda first, tail: text(*first, tail=tail),
            st.sampled_from([[], [], ["our"], ["the", "weekly"], ["our", "weekly"], ["a", "monthly", "copy"]]),
            st.sampled_from(TAILS),
        ),
        "age_days": st.integers(0, 3),
        "concepts": st.sampled_from([("a",), ("a",), ("A", "b"), ("b", "c"), ("c",), ()]),
        "scope": st.sampled_from(["/ops", "/ops", "/ops", "/ops/db"]),
        "source": st.sampled_from([Source.HUMAN, Source.HUMAN, Source.AI, Source.DREAM]),
        "pinned": st.sampled_from([False, False, False, True]),
        "kept_until": NEVER_OR_SOON,
        "expires_at": NEVER_OR_SOON,
        "challenger": st.sampled_from([None, None, None, 0, 1, 2]),
    }
)


def drawn(rows: list[dict[str, Any]]) -> list[Memory]:
    return [
        memory(n, challenged_by=None if row["challenger"] is None else memory(row["challenger"]).id, **kept)
        for n, row in enumerate(rows)
        for kept in [{name: value for name, value in row.items() if name != "challenger"}]
    ]


@given(st.lists(DRAWN, max_size=9), st.randoms(use_true_random=False))
def test_the_sweep_obeys_its_laws(rows: list[dict[str, Any]], chance: Any) -> None:
    memories = drawn(rows)
    changes = plan(memories, NOW)
    found = {
        change.memory_id: ("leaves for", change.after["superseded_by"])
        if change.action is Action.SUPERSEDE
        else ("challenged by", change.after["challenged_by"])
        for change in changes
    }
    assert found == expected(memories, NOW)
    shuffled = list(memories)
    chance.shuffle(shuffled)
    assert plan(shuffled, NOW) == changes
    left = after(memories, changes)
    live = {each.id for each in left if each.state is State.LIVE}
    assert all(each.superseded_by in live for each in left if each.state is State.SUPERSEDED)
    assert plan(left, NOW) == ()


# --- cost, counted in matches looked at


@pytest.mark.parametrize(("tail", "flipping"), [("", False), ("{}", True), ("7 {}", True), ("{word}", False)])
@pytest.mark.parametrize("protected", [{}, {"pinned": True}, {"kept_until": NOW + DAY}])
def test_a_thousand_of_one_template(
    monkeypatch: pytest.MonkeyPatch, tail: str, flipping: bool, protected: dict[str, Any]
) -> None:
    """Half a million pairs are alike; a few for each memory are looked at."""
    looked = 0
    alike = Likeness.alike

    def counted(likeness: Likeness, row: int, *, nested: bool = False) -> Any:
        nonlocal looked
        for match in alike(likeness, row, nested=nested):
            looked += 1
            yield match

    monkeypatch.setattr(Likeness, "alike", counted)
    said = [text(tail=tail.format(n, word=lettered(n))) for n in range(10, 1010)]
    found = outcome([memory(n, each, age_days=2000 - n, **protected) for n, each in enumerate(said)])
    assert len(found) == (0 if "pinned" in protected else 1000 if flipping else 0 if protected else 999)
    assert looked <= (MOST_AGREEING + 1) * 1000
