"""One language: every door has the library's names, in the library's order, with the library's defaults."""

from __future__ import annotations

import inspect
from pathlib import Path

import click
import pytest

from remanence import Mind
from remanence.interfaces.calls import CALLS
from remanence.interfaces.cli.app import rem
from remanence.interfaces.serve.openapi import document
from remanence.interfaces.verbs import VERBS, Verb
from remanence.model.draft import DEFAULTS
from tests.interfaces.doors import told

_LIKE = {"context": "recall", "absorb": "remember", "revise": "remember"}
_NOT_TYPED = {"progress", "plan", "after", "before", "ids", "like_recall", "like_remember", "others"}
_NEVER_REVISED = {"created_at", "lineage", "key", "relearn"}


def names(verb: Verb) -> list[str]:
    """What the library takes, in its order; what it gathers stands at the end, in the order of the verb it is like."""
    own = list(inspect.signature(getattr(Mind, verb.method)).parameters)[1:]
    more = list(inspect.signature(getattr(Mind, _LIKE[verb.name])).parameters)[1:] if verb.name in _LIKE else []
    found = own + [name for name in more if name not in own]
    return [name for name in found if verb.name != "revise" or name not in _NEVER_REVISED]


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_a_command_takes_what_the_library_takes_in_its_order(verb: Verb) -> None:
    typed_ = [one.name for one in verb.parameters]
    wanted = [name for name in names(verb) if name in typed_ or name not in _NOT_TYPED]
    assert typed_ == wanted


@pytest.mark.parametrize("name", ["remember", "absorb", "revise", "recall", "context", "list", "count", "forget"])
def test_a_call_takes_what_the_library_takes_in_its_order(name: str) -> None:
    verb = next(one for one in VERBS if one.name == name)
    served = [one.name for one in CALLS[verb.method].arguments]
    assert served == [one for one in names(verb) if one in served or one not in _NOT_TYPED]


def test_the_document_of_the_server_tells_the_defaults_of_the_library() -> None:
    paths = document()["paths"]
    body = paths["/v1/memories"]["post"]["requestBody"]["content"]["application/json"]["schema"]["properties"]
    assert {name: one["default"] for name, one in body.items() if "default" in one and name != "source"} == {
        "scope": "/",
        "kind": "fact",
        "valence": 0.0,
        "confidence": 1.0,
        "pinned": False,
        "exempt": False,
        "relearn": False,
    }
    asked = paths["/v1/context"]["post"]["requestBody"]["content"]["application/json"]["schema"]["properties"]
    assert (asked["limit"]["default"], asked["budget_tokens"]["default"]) == (10, 2000)
    listed = {one["name"]: one["schema"].get("default") for one in paths["/v1/memories"]["get"]["parameters"]}
    assert (listed["limit"], listed["state"], listed["kind"]) == (100, "live", None)
    apart = paths["/v1/absorb"]["post"]["requestBody"]["content"]["application/json"]["schema"]["properties"]
    assert "default" not in apart["kind"]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REMANENCE_DB", str(tmp_path / "m.db"))
    monkeypatch.setenv("REMANENCE_EMBEDDER", "none")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_absorb_takes_what_remember_takes(store: Path) -> None:
    made = told(
        "absorb", "Ana likes tea.", "--kind", "preference", "--confidence", "0.5", "--files", "a.md", "--pinned"
    )
    memory = made[0]["memory"]
    assert (memory["kind"], memory["confidence"], memory["files"], memory["pinned"]) == (
        "preference",
        0.5,
        ["a.md"],
        True,
    )


def test_a_key_is_of_the_whole_file_though_it_is_read_in_parts(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("remanence.interfaces.cli.absorbing.PART_BYTES", 40)
    texts = ("Ana Silva likes green tea.", "Bob Jones drives a red car.", "Cid Lopez plays chess.")
    (store / "notes.txt").write_text("\n\n".join(texts))
    first = told("absorb", "--file", "notes.txt", "--key", "mine")
    assert len(first) >= 3
    assert {one["outcome"] for one in first} == {"added"}
    assert {one["outcome"] for one in told("absorb", "--file", "notes.txt", "--key", "mine")} == {"duplicate"}


def test_revise_takes_a_pin_away_and_names_another_source(store: Path) -> None:
    id = told("remember", "The depot is in Leeds", "--pinned", "--exempt")["memory"]["id"]
    new = told("revise", id, "--no-pinned", "--no-exempt", "--source", "ingest")["memory"]
    assert (new["pinned"], new["exempt"], new["source"]) == (False, False, "ingest")
    kept = told("revise", new["id"], "--importance", "0.9")["memory"]
    assert (kept["pinned"], kept["source"], kept["importance"]) == (False, "ingest", 0.9)


def test_context_takes_what_recall_takes(store: Path) -> None:
    told("remember", "The depot is in Leeds", "--source", "ai")
    assert told("context", "depot", "--source", "human") == ""
    assert "Leeds" in told("context", "depot", "--source", "ai", "--no-reinforce")


def helps(name: str) -> dict[str, str]:
    """What is said of each option of a command."""
    options = (one for one in rem.commands[name].params if isinstance(one, click.Option))
    return {str(one.name): one.help or "" for one in options}


def test_the_help_of_remember_tells_every_default_and_that_of_revise_none() -> None:
    told_ = helps("remember")
    for name in ("kind", "source", "valence", "confidence"):
        default = DEFAULTS[name]
        assert (f"{default:g}" if isinstance(default, float) else str(default)) in told_[name]
        assert "when left out" in told_[name]
    assert not any("left out" in help for help in helps("revise").values())
