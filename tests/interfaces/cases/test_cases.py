"""One table of cases through every door: the same words, the same answers."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.interfaces.doors import CommandLine, Library

Ask = Callable[..., tuple[int, Any]]
NOW = datetime.now(UTC)
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
TIMES = re.compile(r"_at$|^at$|_until$|_from$|recent_accesses|location|file_bytes|rank|parts")
UNKNOWN = "01900000-0000-7000-8000-000000000000"


def supersession(ask: Ask) -> Any:
    first = ask("remember", text="The staging server stands in Frankfurt", scope="/shop")
    second = ask("remember", text="The staging server stands in Dublin", scope="/shop")
    flipped = ask("remember", text="The staging server never stands in Dublin", scope="/shop")
    elsewhere = ask("remember", text="The staging server stands in Dublin", scope="/other")
    again = ask("remember", text="the  STAGING server stands in Dublin", scope="/shop", origin="mail")
    versions = ask("history", id=second[1]["memory"]["id"])
    return first, second, flipped, elsewhere, again, versions, ask("recall", query="staging server", scope=["/shop"])


def forgetting_keeps_to_its_subtree(ask: Ask) -> Any:
    old = (NOW - timedelta(days=60)).isoformat()
    for scope in ("/project/old", "/project/old/deep", "/project/older", "/", "/project"):
        for category in ("junk", "gold"):
            text = f"A {category} fact of {scope} that is old"
            ask("remember", text=text, scope=scope, categories=[category], created_at=datetime.fromisoformat(old))
        ask("remember", text=f"A junk fact of {scope} that is new", scope=scope, categories=["junk"])
    receipt = ask("forget", scope=["/project/old"], older_than="30d", categories=["junk"])
    left = [memory["text"] for memory in ask("list", state="forgotten")[1]]
    undone = ask("undo", receipt_id=receipt[1]["id"])
    again = ask("undo", receipt_id=undone[1]["id"])
    return receipt, sorted(left), undone, again, ask("count", state="forgotten"), ask("count", scope=["/project/old"])


def an_empty_filter_is_refused(ask: Ask) -> Any:
    ask("remember", text="Something to keep")
    return ask("forget"), ask("restore"), ask("purge", reason="none"), ask("count")


def forgetting_by_words(ask: Ask) -> Any:
    for text in ("The heron nests by the pond", "The heron flew away", "The stork nests by the pond"):
        ask("remember", text=text)
    return ask("forget", query="heron nests"), ask("recall", query="heron"), ask("recall", query="pond")


def restored_as_it_was(ask: Ask) -> Any:
    made = ask("remember", text="Kept in full ü 漢字", categories=["a", "b"], metadata={"n": 1}, importance=0.7)
    id = made[1]["memory"]["id"]
    before = ask("show", id=id)[1]
    ask("forget", ids=[id])
    ask("restore", ids=[id])
    after = ask("show", id=id)[1]
    assert {**before, "kept_until": None} == {**after, "kept_until": None}
    return before, after


def as_of_an_earlier_day(ask: Ask) -> Any:
    born = NOW - timedelta(days=3)
    ask("remember", text="The build takes place on host alpha", created_at=born)
    ask("remember", text="The build takes place on host beta")
    then = ask("recall", query="build host", as_of=NOW - timedelta(days=1))
    before = ask("recall", query="build host", as_of=NOW - timedelta(days=9))
    return then, before, ask("recall", query="build host")


def marks(ask: Ask) -> Any:
    id = ask("remember", text="A fact to handle", layer="working")[1]["memory"]["id"]
    steps = [ask(verb, id=id) for verb in ("pin", "unpin", "promote", "promote", "promote", "demote", "confirm")]
    return steps, ask("challenge", id=id), ask("challenge", id=id, by=UNKNOWN), ask("journal", limit=3)


def purged_for_good(ask: Ask) -> Any:
    id = ask("remember", text="A secret nobody may keep", key="k")[1]["memory"]["id"]
    gone = ask("purge", ids=[id], reason="asked by its owner")
    gone[1].pop("files_checked")
    blocked = ask("remember", text="a secret  nobody may KEEP")
    again = ask("remember", text="A secret nobody may keep", relearn=True)
    return gone, blocked, again, ask("show", id=id), ask("history", id=id)


def unknown_things(ask: Ask) -> Any:
    verbs = ("show", "pin", "unpin", "promote", "demote", "confirm", "challenge", "history")
    answers = [ask(verb, id=id) for verb in verbs for id in (UNKNOWN, "nonsense")]
    answers += [ask("forget", ids=[UNKNOWN]), ask("restore", ids=[UNKNOWN]), ask("undo", receipt_id="r99")]
    assert {code for code, _ in answers} == {3}
    return answers


def bad_values(ask: Ask) -> Any:
    ask("remember", text="Already here")
    wrong = [
        {"importance": float("nan")},
        {"importance": float("inf")},
        {"importance": 1e308},
        {"importance": -0.1},
        {"valence": 2.0},
        {"confidence": -1.0},
        {"scope": "relative"},
        {"scope": "/trailing/"},
        {"scope": "/a//b"},
        {"ttl": "5 minutes"},
        {"ttl": "0d"},
        {"categories": ["x" * 300]},
        {"metadata": {"x": "y" * 70_000}},
        {"ttl": "5d", "expires_at": NOW},
    ]
    answers = [ask("remember", text="Never stored", **values) for values in wrong]
    answers += [ask("remember", text=text) for text in ("", "   ", "\u200b", "x" * (2**20 + 1))]
    answers += [ask("recall", query=query) for query in ("", " \n")]
    answers += [ask("recall", query="here", limit=limit) for limit in (0, 1001, 2**63, -1)]
    answers += [ask("recall", query="here", budget_tokens=0), ask("list", limit=0), ask("list", offset=-1)]
    assert {code for code, _ in answers} == {2}
    return answers, ask("count", state="all")


def filters(ask: Ask) -> Any:
    ask("remember", text="Tea is served hot", kind="preference", layer="semantic", categories=["drink"])
    ask("remember", text="Tea is grown in Assam", kind="fact", categories=["plant"])
    ask("remember", text="Tea was cold on Monday", scope="/log", ttl="1h")
    return (
        ask("recall", query="tea", kinds=["preference"]),
        ask("recall", query="tea", layers=["episodic"], limit=1),
        ask("recall", query="tea", categories=["plant", "drink"]),
        ask("recall", query="tea", scope=["/log", "/nowhere"]),
        ask("recall", query="tea", budget_tokens=8, reinforce=False),
        ask("list", kind="fact"),
        ask("count", layer="semantic"),
        ask("revise", id=ask("list", kind="fact", scope=["/log"])[1][0]["id"], text="Tea was warm", importance=0.9),
        ask("stats"),
    )


CASES = [
    supersession,
    forgetting_keeps_to_its_subtree,
    an_empty_filter_is_refused,
    forgetting_by_words,
    restored_as_it_was,
    as_of_an_earlier_day,
    marks,
    purged_for_good,
    unknown_things,
    bad_values,
    filters,
]


@pytest.fixture(autouse=True)
def outside_of_any_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def comparable(value: Any, known: dict[str, str]) -> Any:
    """An answer without what must differ between two runs: ids become the order they were met in, times go."""
    if isinstance(value, dict):
        return {comparable(k, known): comparable(v, known) for k, v in value.items() if not TIMES.search(k)}
    if isinstance(value, (list, tuple)):
        return [comparable(item, known) for item in value]
    if isinstance(value, str):
        return ID.sub(lambda match: known.setdefault(match[0], f"id{len(known)}"), value)
    return value


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_every_door_gives_the_same_answer(case: Callable[[Ask], Any], tmp_path: Path) -> None:
    answers = []
    for door in (Library, CommandLine):
        ask = door(tmp_path / f"{door.__name__}.db")
        answers.append(comparable(case(ask), {}))
        ask.close()
    assert answers[0] == answers[1]


@pytest.mark.parametrize("door", [Library, CommandLine])
def test_two_namespaces_never_meet(door: type[Library], tmp_path: Path) -> None:
    ours, theirs = (door(tmp_path / "shared.db", namespace) for namespace in ("ours", "theirs"))
    mine = ours("remember", text="A fact of ours alone", key="k")[1]
    theirs("remember", text="A fact of theirs alone", key="k")
    assert [hit["memory"]["text"] for hit in theirs("recall", query="fact alone")[1]] == ["A fact of theirs alone"]
    for verb in ("show", "pin", "history"):
        assert theirs(verb, id=mine["memory"]["id"])[0] == 3
    assert theirs("forget", ids=[mine["memory"]["id"]])[0] == 3
    assert theirs("undo", receipt_id=mine["receipt_id"])[0] == 3
    assert theirs("purge", scope=["/"], reason="all of theirs")[0] == 0
    assert ours("count")[1] == 1
    assert theirs("count")[1] == 0
    for door_ in (ours, theirs):
        door_.close()
