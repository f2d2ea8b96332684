"""Semantic duplicates: what a text names, what may stand for what, who leaves; against comparing all with all."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remanence.lifecycle import semantic_duplicates
from remanence.lifecycle.semantic_duplicates import COSINE, Fate, Pairs, Said, SemanticDuplicates, flipped, same
from remanence.model.checks import METADATA_BYTES
from remanence.model.memory import TRUST, Layer, Memory, Source, State

NOW = datetime(2026, 3, 1, tzinfo=UTC)
DAY = timedelta(days=1)
TEXT = "the user prefers dark mode in the editor"


# --- names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (TEXT, ()),
        ("The user prefers dark mode", ()),
        ("We met Ann on Fridays in room b_12", ("ann", "friday", "b_12")),
        ("Ann's dog and the Smiths’ cat", ("ann", "smiths")),
        ("Berlin is in Europe", ("berlin", "europe")),
        ("I think I'll ask GitHub", ("github",)),
        ("API keys expire. Always rotate them. Paris too!", ("api", "paris")),
        ("- Deploy it\n- Ask Bob", ("deploy", "ask", "bob")),
        ("Note: Ann left", ("ann",)),
        ("it lives in src/main.py and /etc/hosts, see config.yml.", ("src/main.py", "/etc/hosts", "config.yml")),
        ("mail bob@example.org about v1.2 and utf8", ("bob@example.org", "v1.2", "utf8")),
        ("use C++ or C# on 10.0.0.1", ("c++", "c#", "10.0.0.1")),
        ("on 2024-01-02 or 3/4/2025 at 12:30, 5GB, 30s, 7 p.m., 3rd, 99.5 %", ("2024-01-02", "3/4/2025", "p.m")),
        ("he said “dark mode” and 'off by one', don't you", ("dark mode", "off by one")),
        ("from monday until december, and on wednesdays", ("monday", "december", "wednesday")),
        ("Don't. Never. Monday", ("monday",)),
        ("東京 is Tokyo", ("tokyo",)),
        ("", ()),
        ("… - 👍", ()),
    ],
)
def test_names(text: str, names: tuple[str, ...]) -> None:
    assert Said.of(text).names == names


# --- what may stand for what

PLAIN = [
    ("the user prefers dark mode in the editor", "the user likes dark mode in the editor"),
    ("We deploy every Friday afternoon", "We deploy each friday afternoon"),
    ("The password is rotated every 30 days", "The password gets rotated every thirty days"),
    ("Order 1234 was shipped", "Order 1234 has been shipped"),
    ("A woman is in the bathroom.", "The woman is in a bathroom."),
    ("The backup is not disabled", "The backup is enabled"),
    ("De Blasio was sworn in as mayor", "Bill De Blasio was sworn in as mayor"),
    ("the deploy runs", "the deploy runs at 17:00"),
    ("会議室は使える", "会議室は使えるはず"),
]
APART = [
    # one names or counts what the other does not
    ("Ann prefers tea", "Bob prefers tea"),
    ("Ann prefers tea", "She prefers tea"),
    ("we met in Berlin", "we met in Moscow"),
    ("it is set in app_config", "it is set in web_config"),
    ("it is set in a/config.yml", "it is set in b/config.yml"),
    ("the deploy runs on fridays", "the deploy runs on mondays"),
    ("the release is on 2024-01-02", "the release is on 2024-02-01"),
    ('the label says "on hold"', 'the label says "in work"'),
    ("we use C++", "we use C"),
    ("Python 3.11 is in use", "Python 3.12 is in use"),
    ("the deploy runs at 17:00", "the deploy runs"),
    ("the freezer is at -18 degrees", "the freezer is at 18 degrees"),
    ("the freezer is at 18 degrees", "the freezer is at -18 degrees"),
    # one word excludes the other
    ("run the tests before committing", "run the tests after committing"),
    ("increase the timeout", "decrease the timeout"),
    ("she likes tea", "he likes tea"),
    # who does it to whom
    ("Tom paid Anna for lunch", "Anna paid Tom for lunch"),
    ("today Tom paid Anna", "today Anna paid Tom"),
    ("the client calls the server", "the server calls the client"),
    # one denies the other
    ("the user enabled 2FA", "the user disabled 2FA"),
    ("the user likes tea", "the user does not like tea"),
    # signs, and scripts without capitals
    ("great 👍", "great 👎"),
    ("keep a < b", "keep a > b"),
    ("東京の天気", "大阪の天気"),
    ("👍", "👍"),
    ("!!", "!!"),
]


@pytest.mark.parametrize(("older", "newer"), PLAIN)
def test_the_same(older: str, newer: str) -> None:
    assert same(Said.of(older), Said.of(newer))
    assert not flipped(Said.of(older), Said.of(newer))


@pytest.mark.parametrize(("older", "newer"), APART)
def test_not_the_same(older: str, newer: str) -> None:
    assert not same(Said.of(older), Said.of(newer))


@pytest.mark.parametrize("text", [text for pair in PLAIN for text in pair])
def test_a_text_is_the_same_as_itself(text: str) -> None:
    assert same(Said.of(text), Said.of(text))
    assert not flipped(Said.of(text), Said.of(text))


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ("the user enabled 2FA", "the user disabled 2FA", True),
        ("Enabled 2FA", "Disabled 2FA", True),
        ("2FA is Enabled", "2FA is Disabled", True),
        ("the timeout is 5 seconds", "the timeout is 7 seconds", True),
        ("the limit is 5GB", "the limit is 6GB", True),
        ("the freezer is at -18 degrees", "the freezer is at 18 degrees", True),
        ("never deploy on fridays", "deploy on fridays", True),
        ("会議室は使える", "会議室は使えない", True),
        ("the timeout is 5 seconds", "the timeout is 5 seconds, not 7", True),
        ("the timeout is 5", "the timeout is set", False),
        # they speak of different things
        ("Ann enabled 2FA", "Bob disabled 2FA", False),
        ("room b_12 is free", "room b_13 is free", False),
        ("it is due on 2024-01-02", "it is due on 2024-02-01", False),
        ("5 people came on monday", "7 people came on friday", False),
        # only one of them names somebody
        ("Ann has 5 cats", "she has 7 cats", True),
    ],
)
def test_flips(one: str, two: str, expected: bool) -> None:
    assert flipped(Said.of(one), Said.of(two)) is flipped(Said.of(two), Said.of(one)) is expected


# --- who leaves


def memory(number: int, said: str = TEXT, age_days: float = 0.0, **fields: Any) -> Memory:
    born = NOW - age_days * DAY
    values = {"scope": "/ops", "source": Source.HUMAN, "kind": "fact"} | fields
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


def age(each: Memory) -> tuple[datetime, str]:
    return each.created_at, each.id


Cosine = Callable[[Memory, Memory], float]


def all_alike(a: Memory, b: Memory) -> float:
    return 0.95


def fates_of(memories: Sequence[Memory], cosine: Cosine, challenged: Mapping[str, str] | None = None) -> list[Fate]:
    """Every pair above the threshold, judged."""
    ranked = sorted(memories, key=age, reverse=True)
    found = [
        (i, j, cosine(ranked[i], ranked[j]))
        for j in range(len(ranked))
        for i in range(j)
        if (ranked[i].scope, ranked[i].kind) == (ranked[j].scope, ranked[j].kind)
        and cosine(ranked[i], ranked[j]) > COSINE
    ]
    pairs = arrays(found)
    judge = SemanticDuplicates(NOW, challenged or {})
    for rank, each in enumerate(ranked):
        judge.read(rank, each)
    left = judge.leave(pairs)
    assert judge.leave(pairs) == 0
    fates = judge.fates(pairs)
    assert left == sum(len(fate.merged) for fate in fates)
    return fates


def arrays(found: Sequence[tuple[int, int, float]]) -> Pairs:
    newer, older, cosines = zip(*found, strict=True) if found else ((), (), ())
    return np.array(newer, np.int64), np.array(older, np.int64), np.array(cosines, np.float32)


def outcome(memories: Sequence[Memory], cosine: Cosine = all_alike, **options: Any) -> dict[int, tuple[str, int]]:
    """What becomes of each memory, by number: ("leaves for" | "challenged by", number)."""
    numbers = {each.id: int(each.id[:8], 16) for each in memories}
    found: dict[int, tuple[str, int]] = {}
    for fate in fates_of(memories, cosine, **options):
        found |= {numbers[id]: ("leaves for", numbers[fate.id]) for id, _, _ in fate.merged}
        found.update((numbers[fate.id], ("challenged by", numbers[id])) for id, _, _ in fate.rivals)
    return found


def after(memories: Sequence[Memory], found: Mapping[int, tuple[str, int]]) -> list[Memory]:
    """The memories once all of that has happened."""
    changed = {each.id: each for each in memories}
    for number, (what, by) in found.items():
        one, other = memory(number).id, memory(by).id
        if what == "leaves for":
            changed[one] = replace(changed[one], state=State.SUPERSEDED, superseded_by=other)
        else:
            changed[one] = replace(changed[one], challenged_by=other)
    return list(changed.values())


def test_the_older_leaves() -> None:
    fates = fates_of([memory(1, age_days=1, revision=3), memory(2, revision=5)], all_alike)
    assert fates == [Fate(memory(2).id, 5, merged=[(memory(1).id, 3, 0.95)])]


@pytest.mark.parametrize(("cosine", "leaves"), [(0.92, False), (0.92001, True), (0.9, False), (1.0, True)])
def test_strictly_above_the_threshold(cosine: float, leaves: bool) -> None:
    found = outcome([memory(1, age_days=1), memory(2)], lambda a, b: cosine)
    assert found == ({1: ("leaves for", 2)} if leaves else {})


def test_of_the_same_age_the_smaller_id_leaves() -> None:
    assert outcome([memory(1), memory(2)]) == outcome([memory(2), memory(1)]) == {1: ("leaves for", 2)}


LONG = " ".join(["the user prefers dark mode in the editor"] * 40)


@pytest.mark.parametrize(
    ("older", "newer", "leaves"),
    [
        ({}, {}, True),
        ({"pinned": True}, {}, False),
        ({}, {"pinned": True}, False),  # what is pinned is not touched, so it cannot tell whom it is kept for
        ({"kept_until": NOW + DAY}, {}, False),
        ({"kept_until": NOW}, {}, True),
        ({}, {"kept_until": NOW + DAY}, True),
        ({"exempt": True}, {}, True),
        ({"scope": "/ops/db"}, {}, False),
        ({"kind": "decision"}, {}, False),
        ({"layer": Layer.SEMANTIC}, {}, True),
        ({"source": Source.AI}, {}, True),
        ({}, {"source": Source.AI}, False),
        ({"source": Source.AI}, {"source": Source.EXTRACTED}, True),
        ({"expires_at": NOW + DAY}, {}, True),
        ({}, {"expires_at": NOW + DAY}, False),
        ({"expires_at": NOW + DAY}, {"expires_at": NOW + DAY}, True),
        ({"expires_at": NOW + 2 * DAY}, {"expires_at": NOW + DAY}, False),
        ({"expires_at": NOW}, {}, True),
        ({"expires_at": NOW - DAY}, {}, False),
        ({"expires_at": NOW - DAY}, {"expires_at": NOW - DAY}, False),
        ({"state": State.ARCHIVED}, {}, False),
        ({}, {"state": State.QUARANTINED}, False),
        ({"challenged_by": "human"}, {}, False),
        ({}, {"challenged_by": "human"}, False),
        ({"valid_from": NOW}, {}, False),
        ({"valid_until": NOW}, {"valid_until": NOW}, True),
        ({"text": LONG}, {"text": LONG}, False),
    ],
)
def test_the_rules(older: dict[str, Any], newer: dict[str, Any], leaves: bool) -> None:
    pair = [replace(memory(1, age_days=1), **older), replace(memory(2), **newer)]
    assert outcome(pair) == ({1: ("leaves for", 2)} if leaves else {})


def test_what_is_too_long_is_counted() -> None:
    judge = SemanticDuplicates(NOW, {})
    for rank, text in enumerate([LONG, TEXT, LONG]):
        judge.read(rank, memory(rank, text))
    assert judge.too_long == 2


def test_a_chain_leaves_only_for_what_is_alike_directly() -> None:
    """1 ~ 2 ~ 3, but 1 and 3 are not alike: 2 leaves for 3, and 1 stays."""
    chain = [memory(n, age_days=9 - n) for n in (1, 2, 3)]
    near = {(1, 2): 0.95, (2, 3): 0.95, (1, 3): 0.9}

    def cosine(a: Memory, b: Memory) -> float:
        one, two = sorted((int(a.id[:8], 16), int(b.id[:8], 16)))
        return near[one, two]

    assert outcome(chain, cosine) == {2: ("leaves for", 3)}
    assert outcome(after(chain, outcome(chain, cosine)), cosine) == {}


def test_all_leave_for_the_newest() -> None:
    assert outcome([memory(n, age_days=9 - n) for n in range(1, 6)]) == dict.fromkeys((1, 2, 3, 4), ("leaves for", 5))


def test_a_trusted_one_behind_a_less_trusted_one_is_found() -> None:
    three = [memory(1, age_days=3), memory(2, age_days=2), memory(3, age_days=1, source=Source.AI)]
    assert outcome(three) == {1: ("leaves for", 2)}


def test_who_has_no_room_left_keeps_nobody_more() -> None:
    """Metadata are bounded, and also_from is to name everybody."""
    filling = {"note": "x" * (METADATA_BYTES - 110)}
    several = [memory(n, age_days=9 - n) for n in range(1, 5)] + [memory(5, metadata=filling)]
    assert outcome(several) == {4: ("leaves for", 5), **dict.fromkeys((1, 2), ("leaves for", 3))}


# --- contradictions

ON, OFF = "the user enabled 2FA on the account", "the user disabled 2FA on the account"


def test_a_flip_challenges_both() -> None:
    pair = [memory(1, ON, age_days=1), memory(2, OFF)]
    assert outcome(pair) == {1: ("challenged by", 2), 2: ("challenged by", 1)}
    assert outcome(after(pair, outcome(pair))) == {}


@pytest.mark.parametrize(
    ("older", "newer", "expected"),
    [
        ({"challenged_by": "human"}, {}, {2: ("challenged by", 1)}),
        ({}, {"challenged_by": "human"}, {1: ("challenged by", 2)}),
        ({"pinned": True}, {}, {2: ("challenged by", 1)}),
        ({"kept_until": NOW + DAY}, {}, {1: ("challenged by", 2), 2: ("challenged by", 1)}),
        ({"source": Source.AI}, {}, {1: ("challenged by", 2), 2: ("challenged by", 1)}),
        ({}, {"challenged_by": memory(1).id}, {}),  # a person has confirmed the older one
    ],
)
def test_who_is_challenged(older: dict, newer: dict, expected: dict[int, tuple[str, int]]) -> None:
    assert outcome([memory(1, ON, age_days=1, **older), memory(2, OFF, **newer)]) == expected


def test_what_the_plan_challenges_already_is_left_alone() -> None:
    trio = [memory(1, ON, age_days=3), memory(2, ON, age_days=2), memory(3, OFF, age_days=1)]
    assert outcome(trio) == {1: ("leaves for", 2), 2: ("challenged by", 3), 3: ("challenged by", 2)}
    elsewhere = {memory(2).id: memory(9).id}
    assert outcome(trio, challenged=elsewhere) == {1: ("challenged by", 3), 3: ("challenged by", 2)}


def test_a_memory_may_be_kept_and_challenged() -> None:
    trio = [memory(1, ON, age_days=3), memory(2, ON, age_days=2), memory(3, OFF, age_days=1)]
    (newest, kept) = fates_of(trio, all_alike)
    assert (newest.merged, [id for id, _, _ in newest.rivals]) == ([], [memory(2).id])
    assert ([id for id, _, _ in kept.merged], [id for id, _, _ in kept.rivals]) == ([memory(1).id], [memory(3).id])


# --- many alike


def test_crowded_are_compared_by_what_they_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(semantic_duplicates, "MOST_EACH", 2)
    said = ["build 1 passed", "build 2 passed", "build 1 passed", "build 3 passed", "it passed"]
    judge = SemanticDuplicates(NOW, {})
    for rank, text in enumerate(said):
        judge.read(rank, memory(9 - rank, text))
    judge.read(5, memory(1, "build 1 passed", scope="/other"))
    few = arrays([(0, 1, 0.95), (0, 3, 0.95), (1, 2, 0.95)])
    assert [len(part) for part in judge.crowded(few)] == [0, 0]
    ranks, groups = judge.crowded(arrays([(0, 1, 0.95), (0, 3, 0.95), (1, 3, 0.95)]))
    assert ranks.tolist() == [0, 1, 2, 3, 4]
    assert groups.tolist() == [0, 1, 0, 2, 3]
    assert judge.leave(arrays([(0, 2, 0.95)])) == 1
    assert judge.crowded(arrays([(0, 2, 0.95), (1, 2, 0.95)]))[0].tolist() == []


# --- laws, against comparing all with all

TEXTS = [
    TEXT,
    TEXT,
    "the user likes dark mode in the editor",
    ON,
    OFF,
    "Ann has 5 cats",
    "Ann has 7 cats",
    "she has 5 cats",
]
TEXTS += ["Ann has 5 cats in Berlin", "Bob has 5 cats", "in the editor the user likes dark mode", "!!"]
NEVER_OR_SOON = st.sampled_from([None, None, None, NOW - DAY, NOW + DAY, NOW + 2 * DAY])
DRAWN = st.fixed_dictionaries(
    {
        "said": st.sampled_from(TEXTS),
        "age_days": st.integers(0, 3),
        "scope": st.sampled_from(["/ops", "/ops", "/ops", "/ops/db"]),
        "kind": st.sampled_from(["fact", "fact", "decision"]),
        "source": st.sampled_from([Source.HUMAN, Source.HUMAN, Source.AI, Source.DREAM]),
        "pinned": st.sampled_from([False, False, False, True]),
        "kept_until": NEVER_OR_SOON,
        "expires_at": NEVER_OR_SOON,
        "challenger": st.sampled_from([None, None, None, 0, 1, 2]),
    }
)


def expected(memories: Sequence[Memory], cosine: Cosine) -> dict[int, tuple[str, int]]:
    """The rules once more, by comparing each with each."""
    live = [m for m in memories if m.state is State.LIVE and (m.expires_at is None or m.expires_at >= NOW)]
    ranked = sorted(live, key=age, reverse=True)

    def alike(a: Memory, b: Memory) -> bool:
        return a.scope == b.scope and a.kind == b.kind and cosine(a, b) > COSINE

    def takes(new: Memory, old: Memory) -> bool:
        lasts = new.expires_at is None or (old.expires_at is not None and new.expires_at >= old.expires_at)
        trusted = TRUST[new.source] >= TRUST[old.source]
        free = not new.pinned and new.challenged_by is None
        return free and lasts and trusted and alike(new, old) and same(Said.of(old.text), Said.of(new.text))

    staying: list[Memory] = []
    found: dict[int, tuple[str, int]] = {}
    for each in ranked:
        kept = each.pinned or each.challenged_by is not None or (each.kept_until is not None and each.kept_until > NOW)
        successor = None if kept else next((other for other in staying if takes(other, each)), None)
        if successor is None:
            staying.append(each)
        else:
            found[int(each.id[:8], 16)] = ("leaves for", int(successor.id[:8], 16))
    for each in staying:
        for other in staying:
            free = not each.pinned and each.challenged_by is None and other.challenged_by != each.id
            if other is not each and free and alike(each, other) and flipped(Said.of(each.text), Said.of(other.text)):
                found[int(each.id[:8], 16)] = ("challenged by", int(other.id[:8], 16))
                break
    return found


@given(st.lists(DRAWN, max_size=9), st.integers(0, 99), st.randoms(use_true_random=False))
def test_the_laws(rows: list[dict[str, Any]], seed: int, chance: Any) -> None:
    memories = [
        memory(n, **row, challenged_by=None if by is None else memory(by).id)
        for n, row in enumerate(rows)
        for by in [row.pop("challenger")]
    ]
    near = np.random.default_rng(seed).uniform(0.85, 1, (10, 10))

    def cosine(a: Memory, b: Memory) -> float:
        one, two = sorted((int(a.id[:8], 16), int(b.id[:8], 16)))
        return float(near[one, two])

    found = outcome(memories, cosine)
    assert found == expected(memories, cosine)
    shuffled = list(memories)
    chance.shuffle(shuffled)
    assert outcome(shuffled, cosine) == found
    left = after(memories, found)
    live = {each.id for each in left if each.state is State.LIVE}
    assert all(each.superseded_by in live for each in left if each.state is State.SUPERSEDED)
    assert outcome(left, cosine) == {}
