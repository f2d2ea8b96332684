"""receipts, past, lineage, stats, and a purge that is looked at first, at the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.interfaces.doors import said, told, typed


@pytest.fixture(autouse=True)
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REMANENCE_DB", str(tmp_path / "own.db"))
    monkeypatch.setenv("REMANENCE_CONFIG", str(tmp_path / "config.yml"))
    return tmp_path / "own.db"


def remembered(text: str, *options: str) -> str:
    return str(told("remember", text, "--scope", "/", *options)["memory"]["id"])


def test_lists_and_recalls_by_source_and_time() -> None:
    mine = remembered("The heron nests by the lake")
    theirs = remembered("A stork flew over the hills", "--source", "ai", "--created-at", "2020-05-05T05:05Z")
    assert [one["id"] for one in told("list", "--source", "ai")] == [theirs]
    assert [one["id"] for one in told("list", "--since", "yesterday")] == [mine]
    assert told("count", "--source", "ai", "--until", "2020-12-31") == 1
    hits = told("recall", "heron stork", "--source", "human", "--source", "dream")
    assert [hit["memory"]["id"] for hit in hits] == [mine]
    for words in (["list", "--source", "bird"], ["count", "--since", "some day"], ["recall", "x", "--source", "x"]):
        assert typed(words)[0] == 2, words


def test_lists_in_an_order_or_by_words_and_counts() -> None:
    low = remembered("The heron nests by the lake", "--importance", "0.2")
    high = remembered("A stork flew over the hills", "--importance", "0.8", "--kind", "event")
    told("forget", low)
    assert [one["id"] for one in told("list", "--order", "importance", "--state", "all")] == [high, low]
    assert [one["id"] for one in told("list", "--words", "heron", "--state", "forgotten")] == [low]
    assert told("counts", "kind", "--state", "all") == {"event": 1, "fact": 1}
    assert said("counts", "state", "--state", "all").splitlines() == ["        1  live", "        1  forgotten"]
    assert said("counts", "scope", "--kind", "lesson").splitlines() == ["Nothing matches."]
    assert [one["id"] for one in told("list", "--words", "stork", "--order", "oldest")] == [high]
    for words in (["list", "--order", "best"], ["counts", "words"]):
        assert typed(words)[0] == 2, words


def test_receipts_and_whether_they_were_taken_back() -> None:
    id = remembered("The ferry leaves at nine")
    gone = told("forget", id)["id"]
    undo = told("undo", gone)["id"]
    assert [one["verb"] for one in told("receipts")] == ["undo", "forget", "remember"]
    assert told("receipts", "--verb", "forget", "--limit", "1")[0]["undone_by"] == undo
    assert [one["id"] for one in told("receipts", "--before", gone)] == ["r1"]
    shown = said("receipts")
    assert f"undone by {undo}" in shown
    assert f"undoes {gone}" in shown
    assert "1 forget" in shown
    assert typed(["receipts", "--before", "12"])[0] == 2


def test_the_past_in_lines() -> None:
    remembered("One of today")
    past = told("past", "--days", "30")
    assert (past["days"], past["live"][-1], past["learned"][-1], len(past["live"])) == (30, 1, 1, 31)
    lines = said("past", "--days", "30").splitlines()
    assert lines[0] == "30 days: 1 learned, 0 left recall; 1 live now"
    assert len(lines) == 2 + 13
    assert len(said("past", "--days", "1").splitlines()) == 2 + 2
    assert typed(["past", "--days", "0"])[0] == 2


def test_a_lineage_with_what_ties_it() -> None:
    source = remembered("The source of \x1b[31mit")
    made = remembered("Made of it all", "--lineage", source)
    assert told("lineage", made)["links"] == [{"from": source, "to": made, "how": "made"}]
    shown = said("lineage", made)
    assert f"made from {source}" in shown
    assert "\x1b" not in shown
    assert "and more" in said("lineage", made, "--limit", "1")
    assert typed(["lineage", "nobody"])[0] == 3


def test_stats_tell_tiers_and_sizes_to_people(tmp_path: Path) -> None:
    remembered("One fact")
    assert "0 hot, 1 warm, 0 cold, 0 evictable" in said("stats")
    assert "tiers" not in told("stats"), "the document is mind.stats()"
    policy = tmp_path / "mine.yml"
    policy.write_text("extends: relevance\nproject_tokens: 100\n", encoding="utf-8")
    said("policy", "use", str(policy), "--force")
    told("remember", "A fact of the shop", "--scope", "/project/shop")
    shown = said("stats")
    assert "project size of /project/shop" in shown
    assert "of 100 tokens (" in shown


def test_a_purge_is_looked_at_first() -> None:
    one = remembered("Ottilie keeps the lighthouse")
    made = remembered("The lighthouse is kept", "--lineage", one, "--kind", "insight")
    plan = told("purge", "--about", "ottilie", "--dry-run")
    assert {change["memory_id"]: change["reason"] for change in plan["changes"]} == {one: "asked", made: "made from it"}
    shown = said("purge", "--about", "Ottilie", "--dry-run", "--reason", "only looking")
    assert "nothing done yet" in shown
    assert "x purge 1 memory: made from it" in shown
    assert told("count") == 2
    code, _, err = typed(["purge", "--about", "Ottilie", "--yes", "--json"])
    assert (code, "--dry-run" in json.loads(err)["message"]) == (2, True)
    assert typed(["purge", "--about", "Ottilie", "--reason", "x", "--json"])[0] == 2, "it wants a yes"
    assert set(told("purge", "--about", "Ottilie", "--reason", "asked by her", "--yes")["purged"]) == {one, made}
    assert typed(["purge", "--about", "Ottilie", "--dry-run"])[0] == 3
    for name in ("", " ", "..."):
        assert typed(["purge", "--about", name, "--dry-run"])[0] == 2, name
    assert typed(["purge", "--dry-run"])[0] == 2
