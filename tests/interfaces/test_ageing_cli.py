"""The commands of ageing: sweep, explain, forecast, work and policy, as typed; what they print, write and exit with."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from remanence import Mind
from remanence.policies.reading import PRESETS
from remanence.settings import Settings
from tests.activity import be_there, every_day
from tests.interfaces.doors import told, typed

REM = [sys.executable, "-m", "remanence.interfaces.cli"]
UNKNOWN = "01900000-0000-7000-8000-000000000000"


@pytest.fixture(autouse=True)
def a_place_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REMANENCE_DB", str(tmp_path / "own.db"))
    monkeypatch.setenv("REMANENCE_CONFIG", str(tmp_path / "config.yml"))
    monkeypatch.delenv("REMANENCE_POLICY", raising=False)
    return tmp_path


def said(*words: str) -> str:
    code, out, err = typed(list(words))
    assert (code, err) == (0, "")
    return out


def remember(number: int, start: int = 0, days_ago: float = 400, **fields: Any) -> list[str]:
    """Ids of so many memories of that age in the store, without a common word; somebody was there on every day."""
    now = datetime.now(UTC)
    created = now - timedelta(days=days_ago)
    drafts = ({"text": f"w{n} x{n} y{n}", "created_at": created} | fields for n in range(start, start + number))
    with Mind(settings=Settings(db=os.environ["REMANENCE_DB"], upkeep__on_open=False)) as mind:
        ids = [made.memory.id for made in mind.remember_many(drafts)]
        be_there(mind, *every_day(created, now))
    return ids


# --- sweep


def test_sweep_shows_the_plan_and_does_nothing() -> None:
    ids = remember(2, importance=0.1, scope="/zoo")
    remember(6, 10, importance=0.9, scope="/zoo")
    out = said("sweep")
    assert "2 changes, nothing done yet" in out
    assert "- archive 2 memories: faded" in out
    assert "2 of 8 in /zoo (25%)" in out
    assert "tokens freed" in out
    assert all(id in out for id in ids)
    assert "w0 x0 y0" in out
    assert "idle_days=400" in out
    assert told("count") == 8
    assert told("journal")[0]["verb"] == "remember"


def test_sweep_in_json_is_the_plan() -> None:
    (id,) = remember(1, importance=0.1)
    plan = told("sweep")
    assert [(c["memory_id"], c["action"], c["reason"]) for c in plan["changes"]] == [(id, "archive", "faded")]
    assert plan["changes"][0]["evidence"]["access_count"] == 0
    assert plan["groups"][0]["scopes"] == {"/": [1, 1]}
    assert plan["refused"] is None
    full = told("sweep", "--full")
    assert [c["memory_id"] for c in full["changes"]] == [id]


def test_sweep_apply_does_it_and_tells_how_to_take_it_back() -> None:
    ids = remember(2, importance=0.1)
    out = said("sweep", "--apply")
    assert "2 memories changed" in out
    assert told("count", "--state", "archived") == 2
    receipt = out.split("rem undo ")[1].strip()
    told("undo", receipt)
    assert told("count") == 2
    assert {told("show", id)["state"] for id in ids} == {"live"}


def test_sweep_apply_shows_what_it_takes_like_the_plan_did() -> None:
    remember(2, importance=0.1)
    shown = said("sweep")
    done = said("sweep", "--apply")
    assert "w0 x0 y0" in shown

    assert "w0 x0 y0" in done
    assert "nothing done yet" not in done


def test_sweep_apply_in_json_is_one_receipt() -> None:
    ids = remember(2, importance=0.1)
    receipt = told("sweep", "--apply")
    assert (receipt["verb"], set(receipt["applied"]), receipt["skipped"]) == ("sweep", set(ids), {})
    assert told("sweep", "--apply")["applied"] == []
    assert "nothing to change" in said("sweep")


def test_limits_and_scopes_of_a_sweep() -> None:
    remember(3, importance=0.1, scope="/a")
    remember(2, 10, importance=0.1, scope="/b")
    remember(1, 20, importance=0.1, scope="/c")
    assert len(told("sweep", "--limit", "2")["changes"]) == 2
    assert "limited to 2: 4 more would leave" in said("sweep", "--limit", "2")
    assert len(told("sweep", "--scope", "/a")["changes"]) == 3
    assert len(told("sweep", "--scope", "/a", "--scope", "/b")["changes"]) == 5
    assert len(told("sweep", "--scope", "/b", "--apply")["applied"]) == 2
    told("policy", "use", "tiered")
    assert len(told("sweep", "--max-evict", "1")["changes"]) == 1
    assert "takes 1 a run: 3 more wait for the next" in said("sweep", "--max-evict", "1")


def test_a_mass_removal_is_refused_without_force() -> None:
    remember(30, importance=0.1)
    assert "30 of 30 live memories of /" in told("sweep")["refused"]
    assert "! This would take 30 of 30" in said("sweep")
    for words in (["sweep", "--apply"], ["sweep", "--apply", "--full"]):
        code, _, err = typed(words)
        assert code == 1
        assert err.startswith("Error: This sweep would take 30 of 30 live memories of / out of recall")
        assert "--force" in err
        assert err.count("\n") == 1
    code, out, err = typed(["--json", "sweep", "--apply"])
    assert (code, out, json.loads(err)["error"]) == (1, "", "breaker_tripped")
    assert told("count") == 30
    assert len(told("sweep", "--apply", "--limit", "24")["applied"]) == 24
    remember(30, 100, importance=0.1)
    assert len(told("sweep", "--apply", "--force")["applied"]) == 36
    assert told("count") == 0


def test_offers_are_shown_as_such() -> None:
    told("policy", "use", "relevance")
    remember(1, days_ago=40, kind="finding")
    out = said("sweep")
    assert "? compact 1 memory: to be summarised" in out
    receipt = told("sweep", "--apply")
    assert receipt["applied"] == []
    assert "dream" in next(iter(receipt["skipped"].values()))


def test_shares_are_of_what_is_live() -> None:
    told("policy", "use", "tiered")
    for town in ("Oslo", "Rome", "Paris"):
        remember(1, days_ago=100, text=f"The deploy server stands in {town}", kind="architecture")
    out = said("sweep")
    assert "forget 2 memories: old version" in out

    assert "200%" not in out


# --- explain


def test_explain_says_when_and_why_and_what_to_do() -> None:
    (id,) = remember(1, days_ago=10, importance=0.1)
    out = said("explain", id)
    assert out.startswith("w0 x0 y0\nLive, ")
    assert "Rule 'faded' archives it from " in out
    assert "Recall it before " in out
    assert "┊ now" in out
    assert "access count" in out
    shown = told("explain", id)
    assert (shown["next_rule"], shown["next_action"], shown["policy"]) == ("faded", "archive", "balanced")
    assert 0 < shown["value"] < 1
    assert told("show", id)["access_count"] == 0


def test_explain_writes_a_plot_and_a_page(tmp_path: Path) -> None:
    (id,) = remember(1, text='<script>alert("heron")</script> & more', importance=0.1)
    assert told("explain", id, "--svg", "plot.svg", "--html", "page.html")["memory_id"] == id
    svg, page = (tmp_path / "plot.svg").read_text("utf-8"), (tmp_path / "page.html").read_text("utf-8")
    root = ElementTree.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "<path" in svg
    assert "faded: 0.3" in svg
    for text in (svg, page):
        assert "<script" not in text
        assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "&lt;script&gt;" in page
    assert "<svg" in page


@pytest.mark.parametrize("state", ["archived", "forgotten", "superseded"])
def test_explain_of_what_is_not_live(tmp_path: Path, state: str) -> None:
    id, other = remember(2, importance=0.1, days_ago=400)
    if state == "archived":
        told("sweep", "--apply")
    elif state == "forgotten":
        told("forget", id, other)
    else:
        told("revise", id, "--text", "Another text")
    out = said("explain", id, "--svg", "plot.svg")
    assert out.splitlines()[1].startswith(state.capitalize())
    assert (f"rem restore {id}" in out) == (state != "superseded")
    ElementTree.fromstring((tmp_path / "plot.svg").read_text("utf-8"))


STEERING = (
    'extends: halflife\nname: "a\\e[31mb"\nabout: "c\\e[32md"\nprune_after_days: 5\nrules:\n'
    '  - {name: "e\\e[33mf", action: archive, when: {age_days: "> 3"}, why: "g\\e[34mh"}\n'
)


def test_what_steers_a_terminal_is_shown_not_sent_here_too(tmp_path: Path) -> None:
    (id,) = remember(1, text="red \x1b[31malert\x07 heron", importance=0.1)
    (tmp_path / "mine.yml").write_text(STEERING)
    asked = [
        ["sweep"],
        ["explain", id],
        ["policy", "check", "mine.yml"],
        ["policy", "use", "mine.yml"],
        ["policy", "list"],
        ["forecast"],
        ["policy", "show"],
        ["policy", "diff", "tiered"],
        ["stats"],
        ["sweep", "--apply"],
        ["explain", id],
    ]
    assert not [" ".join(words[:2]) for words in asked if "\x1b" in said(*words)]


def test_a_plot_is_xml_whatever_the_policy_is_called(tmp_path: Path) -> None:
    (id,) = remember(1, days_ago=1)
    (tmp_path / "mine.yml").write_text(STEERING)
    told("policy", "use", "mine.yml")
    told("explain", id, "--svg", "one.svg")
    told("forecast", "--svg", "two.svg")
    for name in ("one.svg", "two.svg"):
        ElementTree.fromstring((tmp_path / name).read_text("utf-8"))


# --- forecast


def test_forecast_in_words_and_json() -> None:
    remember(3, days_ago=80, importance=0.05, kind="observation", scope="/zoo")
    remember(2, 10, days_ago=1)
    out = said("forecast", "--days", "30")
    assert out.startswith("In 30 days under balanced: 3 of 5 leave (3 faded)")
    assert "by scope  3 /zoo" in out
    assert "by kind   3 observation" in out
    shown = told("forecast", "--days", "30")
    assert (shown["live"][0], shown["live"][-1], shown["archived"][-1]) == (5, 2, 3)
    assert told("count") == 5


def test_forecast_under_another_policy_and_as_files(tmp_path: Path) -> None:
    remember(3, days_ago=20, importance=0.1)
    (tmp_path / "quick.yml").write_text("extends: halflife\nhalf_life_days: 1\nprune_after_days: 2\n")
    assert told("forecast", "--policy", "quick.yml", "--days", "1")["leaves"] == 3
    assert told("forecast", "--policy", "tiered", "--days", "1")["leaves"] == 0
    said("forecast", "--policy", "quick.yml", "--svg", "plot.svg", "--html", "page.html")
    ElementTree.fromstring((tmp_path / "plot.svg").read_text("utf-8"))
    assert "3 of 3 leave" in (tmp_path / "page.html").read_text("utf-8")
    assert told("policy", "show")["name"] == "balanced"


# --- work


def test_work_once_does_what_is_due_and_then_nothing() -> None:
    remember(3, importance=0.1)
    out = said("work", "--once")
    assert out.startswith("upkeep: 3 archived, 0 forgotten, 0 moved")
    assert "rem undo r" in out
    again = told("work", "--once")
    assert (again["ran"], again["archived"], again["receipt_id"]) == (True, 0, None)
    assert datetime.fromisoformat(told("stats")["upkeep_at"]) >= datetime.fromisoformat(again["at"])


def test_work_says_when_sweeps_are_off(tmp_path: Path) -> None:
    remember(3, importance=0.0)
    (tmp_path / "config.yml").write_text("memory: {decay: {enabled: false}}\n")
    assert told("work", "--once")["ran"] is False
    assert "switched off" in said("work", "--once")
    assert "switched off" in said("sweep")
    assert "switched off" in said("stats")
    assert told("count") == 3


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_work_goes_on_until_it_is_stopped(number: signal.Signals) -> None:
    remember(3, importance=0.1)
    with subprocess.Popen([*REM, "work"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline().startswith("upkeep: 3 archived")
            process.send_signal(number)
            _, err = process.communicate(timeout=10)
        finally:
            process.kill()
    assert (process.returncode, err) == (0, "")


def test_only_everyday_commands_look_after_an_overdue_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long_ago = datetime.now(UTC) - timedelta(days=400)
    with Mind(tmp_path / "own.db", clock=lambda: long_ago) as mind:
        mind.remember("lonely heron", importance=0.05)
        mind.remember("grey stork", importance=0.9)
        be_there(mind, *every_day(long_ago, datetime.now(UTC)))
    for words in (["list"], ["stats"], ["sweep"], ["forecast"], ["policy", "list"], ["check"]):
        typed(words)
        assert told("count") == 2
    monkeypatch.setenv("REMANENCE_UPKEEP__ON_OPEN", "false")
    told("recall", "stork")
    assert told("count") == 2
    monkeypatch.delenv("REMANENCE_UPKEEP__ON_OPEN")
    told("recall", "stork")
    assert told("count") == 1
    assert told("stats")["upkeep_at"] is not None


def test_a_recall_keeps_what_it_finds_in_an_overdue_store(tmp_path: Path) -> None:
    """It is looked after once the recall has answered: what was just needed is not archived."""
    long_ago = datetime.now(UTC) - timedelta(days=400)
    with Mind(tmp_path / "own.db", clock=lambda: long_ago) as mind:
        mind.remember("lonely heron", importance=0.05)
        mind.remember("grey stork", importance=0.05)
        be_there(mind, *every_day(long_ago, datetime.now(UTC)))
    assert [hit["memory"]["text"] for hit in told("recall", "heron")] == ["lonely heron"]
    assert [memory["text"] for memory in told("list")] == ["lonely heron"]


# --- policy


def test_policies_are_listed_with_the_one_in_force() -> None:
    assert [entry["name"] for entry in told("policy", "list")] == list(PRESETS)
    lines = said("policy", "list").splitlines()
    assert [line.split()[1] for line in lines if line.startswith("*")] == ["balanced"]


def test_a_policy_is_shown_and_its_file_can_be_used(tmp_path: Path) -> None:
    out = said("policy", "show", "layered")
    assert "faded: archive when age_days > 90 and retention < 0.15 and importance < 0.3 and access_count < 3" in out
    assert "expired: archive" in out
    assert told("policy", "show", "layered")["numbers"]["archive_below"] == 0.15
    for name in PRESETS:
        (tmp_path / "copy.yml").write_text(said("policy", "show", name, "--yaml"))
        assert told("policy", "diff", "copy.yml", name) == []


def test_check_names_every_problem_with_line_and_range(tmp_path: Path) -> None:
    (tmp_path / "good.yml").write_text("extends: tiered\nmax_evict: 5\n")
    assert said("policy", "check", "good.yml").startswith("OK: good, ")
    assert told("policy", "check", "good.yml") == {"ok": True, "name": "good"}
    (tmp_path / "bad.yml").write_text("extends: tierd\nmax_evict: 5000\nhalf_life_days: -1\nfoo: 3\n")
    code, out, err = typed(["--json", "policy", "check", "bad.yml"])
    problems = json.loads(err)["problems"]
    assert (code, out, len(problems)) == (2, "", 4)
    assert "bad.yml: line 2: max_evict is 5000; allowed is 1 to 1,000 memories" in problems
    code, _, err = typed(["policy", "check", "bad.yml"])
    assert (code, err.count("\n")) == (2, 1)
    assert all(f"line {line}: " in err for line in (1, 2, 3, 4))


def test_diff_shows_both_sides() -> None:
    out = said("policy", "diff", "halflife")
    assert "rule faded\n  halflife  forget when effective_importance < 0.05 and idle_days > 30\n  balanced  " in out
    assert said("policy", "diff", "tiered", "tiered") == "tiered and tiered are the same\n"
    found = told("policy", "diff", "halflife", "layered")
    assert {"name": "curve", "one": "halflife", "other": "huber"} in found


def test_use_chooses_for_the_store(tmp_path: Path) -> None:
    remember(2, days_ago=40, importance=0.1)
    out = said("policy", "use", "halflife")
    assert out.startswith("Policy halflife is in force: 2 memories leave at the next sweep; 2 memories dated.")
    assert [entry["name"] for entry in told("policy", "list") if entry["current"]] == ["halflife"]
    assert told("stats")["policy"] == "halflife"
    (tmp_path / "mine.yml").write_text("extends: halflife\nprune_after_days: 50\n")
    used = told("policy", "use", "mine.yml")
    assert (used["policy"], used["leaves"], used["dated"]) == ("mine", 0, 2)
    assert told("sweep")["changes"] == []
    assert told("--db", "other.db", "stats")["policy"] == "balanced"


def test_use_refuses_what_would_empty_the_store() -> None:
    remember(30, days_ago=40, importance=0.1)
    code, _, err = typed(["policy", "use", "halflife"])
    assert code == 1
    assert "30 of 30 live memories of /" in err
    assert "rem forecast --policy halflife" in err
    assert told("policy", "show")["name"] == "balanced"
    code, _, err = typed(["--json", "policy", "use", "halflife"])
    assert (code, json.loads(err)["error"]) == (1, "breaker_tripped")
    assert told("policy", "use", "halflife", "--force")["leaves"] == 30
    assert told("policy", "show")["name"] == "halflife"
    assert told("count") == 30


def test_use_does_not_claim_what_a_setting_prevents(monkeypatch: pytest.MonkeyPatch) -> None:
    told("policy", "use", "layered")
    monkeypatch.setenv("REMANENCE_POLICY", "halflife")
    out = said("policy", "use", "tiered")
    assert told("policy", "show")["name"] == "halflife"
    assert "goes before" in out

    assert "tiered is in force" not in out


def test_reviewed_is_noted() -> None:
    told("policy", "use", "relevance")
    assert told("policy", "reviewed", "historical") == {"reviewed": "historical"}
    assert "noted" in said("policy", "reviewed", "archive")


def test_policy_alone_shows_what_there_is() -> None:
    """As `rem` alone does."""
    code, out, err = typed(["policy"])

    assert not err.startswith("Error: Usage")
    assert "use" in out + err
    assert code in (0, 2)


def test_numbers_agree_with_their_nouns() -> None:
    remember(1)

    assert "1 memories" not in said("policy", "use", "tiered")


# --- bad input


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["sweep", "--limit", "0"], 2),
        (["sweep", "--limit", "many"], 2),
        (["sweep", "--max-evict", "1001"], 2),
        (["sweep", "--scope", "zoo"], 2),
        (["sweep", "--nonsense"], 2),
        (["explain"], 2),
        (["explain", "nothing"], 3),
        (["explain", UNKNOWN], 3),
        (["forecast", "--days", "0"], 2),
        (["forecast", "--days", "4000"], 2),
        (["forecast", "--policy", "nope"], 2),
        (["forecast", "--policy", "none.yml"], 2),
        (["work", "--twice"], 2),
        (["policy", "show", "nope"], 2),
        (["policy", "check", "none.yml"], 2),
        (["policy", "check"], 2),
        (["policy", "diff", "nope"], 2),
        (["policy", "use", "nope"], 2),
        (["policy", "use", "none.yml"], 2),
        (["policy", "reviewed", "weekly"], 2),
        (["policy", "nonsense"], 2),
    ],
)
def test_errors_are_one_line_or_one_document_and_touch_nothing(words: list[str], code: int) -> None:
    remember(2, importance=0.1)
    got, out, err = typed([*words, "--json"])
    assert (got, out) == (code, "")
    assert json.loads(err)["message"]
    got, out, err = typed(words)
    assert (got, out) == (code, "")
    assert err.startswith("Error: ")
    assert err.count("\n") == 1
    assert told("count") == 2
    assert told("policy", "show")["name"] == "balanced"


@pytest.mark.parametrize("command", ["explain", "forecast"])
@pytest.mark.parametrize("option", ["--svg", "--html"])
@pytest.mark.parametrize("path", ["nowhere/plot.svg", "."])
def test_a_file_that_cannot_be_written(command: str, option: str, path: str) -> None:
    (id,) = remember(1)
    words = [command, *([id] if command == "explain" else []), option, path]
    code, out, err = typed(words)
    assert (code, out) == (2, "")
    assert f"{path} cannot be written" in err


def test_a_broken_setting_is_told_by_every_command(tmp_path: Path) -> None:
    (tmp_path / "config.yml").write_text("memory:\n  decay:\n    half_life_days: 0\n    prune_threshold: 5\n")
    for words in (["sweep"], ["work", "--once"], ["policy", "list"], ["forecast"]):
        code, _, err = typed(["--json", *words])
        assert code == 2
        assert len(json.loads(err)["problems"]) == 2


def test_a_terminal_that_knows_only_ascii() -> None:
    (id,) = remember(1, importance=0.1)
    done = subprocess.run(
        [*REM, "explain", id], env={**os.environ, "PYTHONIOENCODING": "ascii"}, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"w0 x0 y0" in done.stdout
