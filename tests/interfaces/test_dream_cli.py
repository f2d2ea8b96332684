"""rem dream and rem dream report, as typed: what they show, write and exit with."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from remanence import Mind
from remanence.settings import Settings
from tests.facts import facts, remembered
from tests.interfaces.doors import told, typed

STEPS = ("--steps", "curve,cluster,prune")
TEA = (
    "The team drinks green tea in the kitchen every morning",
    "Every morning green tea is what the whole team drinks",
    "In the morning the team always has green tea in the kitchen",
    "Green tea is drunk by our team each morning, in the kitchen",
    "Our team starts each morning with green tea from the kitchen",
    "Mornings in the team kitchen begin with some green tea",
)


@pytest.fixture(autouse=True)
def a_place_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REMANENCE_DB", str(tmp_path / "own.db"))
    monkeypatch.setenv("REMANENCE_CONFIG", str(tmp_path / "config.yml"))
    monkeypatch.setenv("REMANENCE_EMBEDDER", "bundled")


@pytest.fixture
def tea() -> list[str]:
    """Six memories that mean about the same, one that does not."""
    settings = Settings(db=os.environ["REMANENCE_DB"], upkeep__on_open=False)
    with Mind(settings=settings, embedder="bundled") as mind:
        remembered(mind, facts("railway", 1), scope="/office")
        return [memory.id for memory in remembered(mind, TEA, scope="/office")]


def said(*words: str) -> str:
    code, out, err = typed(list(words))
    assert (code, err) == (0, "")
    return out


def refused(*words: str) -> str:
    code, out, err = typed(list(words))
    assert (code, out) == (2, "")
    assert err.startswith("Error: ")
    assert "Traceback" not in err
    _, _, as_json = typed(["--json", *words])
    assert json.loads(as_json)["error"] == "invalid_input"
    return err


def test_an_empty_store_has_nothing_to_dream_of() -> None:
    assert "nothing to change" in said("dream")
    plan = told("dream")
    assert (plan["verb"], plan["changes"], plan["claims"]) == ("dream", [], [])
    assert "without a language model" in said("dream", "--apply")
    assert told("dream", "--apply")["receipts"] == {}
    assert "No dream has changed anything yet" in said("dream", "report")
    assert told("dream", "report") == []


def test_the_plan_is_shown_claim_by_claim_and_nothing_is_done(tea: list[str]) -> None:
    out = said("dream", *STEPS)
    (claim,) = told("dream", *STEPS)["claims"]
    assert "1 claim" in out
    assert "nothing done yet" in out
    assert claim["key"] in out
    assert "coverage 1" in out
    assert all(id in out for id in claim["sources"])
    assert "each of them restorable" in out
    assert "rem dream --only KEY --apply" in out
    assert told("count") == 7
    assert {entry["verb"] for entry in told("journal")} == {"remember"}


def test_the_plan_in_json(tea: list[str]) -> None:
    plan = told("dream", *STEPS)
    (claim,) = plan["claims"]
    assert set(claim["leaving"]) <= set(tea)
    assert len(claim["leaving"]) >= 5
    assert [change["action"] for change in plan["changes"]] == ["add"] + ["archive"] * len(claim["leaving"])
    assert {change["claim"] for change in plan["changes"]} == {claim["key"]}
    assert claim["llm"] is False


def test_apply_and_report_and_undo(tea: list[str]) -> None:
    done = told("dream", *STEPS, "--apply")
    assert (done["ran"], done["made"], done["left"]) == (True, 1, [])
    assert done["merged"] >= 5
    receipt = done["receipts"]["cluster"]
    assert told("dream", *STEPS)["changes"] == []
    (dreamt,) = told("dream", "report")
    assert (dreamt["receipt_id"], len(dreamt["merged"]), dreamt["undone"]) == (receipt, done["merged"], None)
    out = said("dream", "report")
    assert f"rem undo {receipt}" in out
    assert f"1 made, {done['merged']} merged" in out
    assert "no recall has missed it" in out
    told("undo", receipt)
    assert {told("show", id)["state"] for id in tea} == {"live"}
    assert "undone by " in said("dream", "report")
    assert told("count") == 7


def test_apply_in_words_tells_how_to_take_it_back(tea: list[str]) -> None:
    out = said("dream", *STEPS, "--apply")
    assert "1 made, " in out
    assert "without a language model" in out
    receipt = out.split("rem undo ")[1].split()[0]
    assert told("undo", receipt)["undoes"] == receipt


def test_only_some_claims(tea: list[str]) -> None:
    (claim,) = told("dream", *STEPS)["claims"]
    assert claim["key"] in said("dream", *STEPS, "--only", claim["key"])
    assert told("count") == 7
    receipt = told("dream", *STEPS, "--only", claim["key"][:10], "--apply")
    assert set(claim["leaving"]) < set(receipt["applied"])
    assert told("count") == 8 - len(claim["leaving"])


def test_an_unknown_key(tea: list[str]) -> None:
    (claim,) = told("dream", *STEPS)["claims"]
    for words in (("--only", "nonsense"), ("--only", "nonsense", "--apply"), ("--only", f"{claim['key']},nonsense")):
        err = refused("dream", *STEPS, *words)
        assert "there is no claim 'nonsense'" in err
        assert claim["key"] in err
    assert told("count") == 7


@pytest.mark.parametrize("keys", ["", " , ", ","])
def test_an_empty_key_chooses_nothing(tea: list[str], keys: str) -> None:
    typed(["dream", *STEPS, "--only", keys, "--apply"])
    assert told("count") == 7


@pytest.mark.parametrize("steps", ["nonsense", "cluster,nonsense", "cluster,", "\u202e", "x" * 10_000])
def test_unknown_steps(tea: list[str], steps: str) -> None:
    for words in ((), ("--apply",)):
        err = refused("dream", "--steps", steps, *words)
        assert "the steps are curve, cluster, cards, bridges, beliefs, drift, prune" in err
        assert len(err) < 2_000
    assert told("count") == 7


@pytest.mark.parametrize("scope", ["", "office", "/a//b", "/\n"])
def test_bad_scopes(tea: list[str], scope: str) -> None:
    refused("dream", *STEPS, "--scope", scope)
    refused("dream", *STEPS, "--scope", scope, "--apply")


def test_another_scope_has_nothing(tea: list[str]) -> None:
    assert told("dream", *STEPS, "--scope", "/elsewhere")["changes"] == []
    assert told("dream", *STEPS, "--scope", "/elsewhere", "--apply")["merged"] == 0
    assert told("count") == 7


def test_force_goes_with_only(tea: list[str]) -> None:
    assert "--force goes with --only" in refused("dream", *STEPS, "--apply", "--force")


@pytest.mark.parametrize("limit", ["0", "-1", "1001"])
def test_bad_limits_of_the_report(limit: str) -> None:
    assert "limit" in refused("dream", "report", "--limit", limit)


@pytest.mark.parametrize("words", [("--limit", "many"), ("--nonsense",), ("nonsense",)])
def test_words_that_are_not_known(words: tuple[str, ...]) -> None:
    code, out, err = typed(["dream", "report", *words])
    assert (code, out) == (2, "")
    assert "Traceback" not in err


def test_without_an_embedder_it_says_what_it_cannot_do(tea: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REMANENCE_EMBEDDER", "none")
    assert "no embedder" in said("dream", *STEPS)
    assert any("no embedder" in warning for warning in told("dream", *STEPS, "--apply")["warnings"])


def test_a_dream_that_only_pruned_can_be_taken_back(tmp_path: Path) -> None:
    from datetime import UTC, datetime, timedelta

    begun = datetime.now(UTC) - timedelta(days=120)
    settings = Settings(db=os.environ["REMANENCE_DB"], upkeep__on_open=False)
    with Mind(settings=settings, embedder="bundled", clock=lambda: begun) as mind:
        mind.remember("The kitchen closes at nine", importance=0.9)
        mind.recall("kitchen")
        before = mind.list()
        mind._store.flush()
    assert "recalls of more than 90 days ago" in said("dream", "--steps", "prune")
    done = told("dream", "--steps", "prune", "--apply")
    assert (done["pruned"], set(done["receipts"])) == (1, {"prune"})
    (dreamt,) = told("dream", "report")
    assert (dreamt["receipt_id"], dreamt["adjusted"], dreamt["undone"]) == (done["receipts"]["prune"], 1, None)
    assert told("dream", "--steps", "prune", "--apply")["receipts"] == {}
    told("undo", done["receipts"]["prune"])
    with Mind(settings=settings, embedder="bundled") as mind:
        assert mind.list() == before
