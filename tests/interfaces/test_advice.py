"""What people are told: what was done, what is wrong, and a next command that exists and helps."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from remanence import Mind
from remanence.errors import InvalidInput, NotFound
from tests.interfaces.doors import said, told, typed


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REMANENCE_DB", str(tmp_path / "m.db"))
    monkeypatch.setenv("REMANENCE_CONFIG", str(tmp_path / "config.yml"))
    monkeypatch.setenv("REMANENCE_EMBEDDER", "none")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(*words: str) -> tuple[int, str]:
    code, _, error = typed(list(words))
    assert code, words
    return code, error


def test_a_mark_says_what_was_done_and_what_takes_it_back() -> None:
    id = told("remember", "The quay is in Hull")["memory"]["id"]
    assert said("pin", id) == (
        f"~ pinned, no automatic pass touches it: The quay is in Hull\nTake it back with: rem unpin {id}\n"
    )
    for verb in ("unpin", "promote", "demote", "confirm", "challenge"):
        last = said(verb, id).splitlines()[-1]
        advised = last.partition("rem ")[2].split()
        assert typed(["--json", *advised])[0] == 0, last
    assert told("pin", id)["id"] == id


@pytest.mark.parametrize(
    ("words", "code", "advice"),
    [
        (["undo", "r999"], 3, ["receipts"]),
        (["restore", "--receipt", "r999"], 3, ["receipts"]),
        (["action", "done", "nope"], 3, ["action", "list"]),
        (["crystallize", "nope"], 3, ["action", "list"]),
        (["lesson", "reinforce", "nope"], 3, ["lesson", "list"]),
        (["recall", "tea", "--like", "nope"], 3, ["list"]),
        (["reembed"], 2, ["config"]),
    ],
)
def test_the_command_that_an_error_names_is_there(words: list[str], code: int, advice: list[str]) -> None:
    found, error = refused(*words)
    assert found == code
    named = re.search(r"See: rem ([a-z ]+)\n", error)
    assert named and named[1].split() == advice
    assert typed(advice)[0] == 0


def test_a_damaged_file_is_named_in_the_advice(store: Path) -> None:
    (store / "bad.db").write_bytes(b"no store " * 200)
    _, error = refused("count", "--db", "bad.db")
    assert f"rem --db {store / 'bad.db'} check --salvage FILE" in error


def test_arguments_that_nobody_knows_are_named_with_those_that_are_known() -> None:
    with Mind(":memory:") as mind:
        id = mind.remember("The quay is in Hull").memory.id  # type: ignore[union-attr]
        for wrong in (lambda: mind.context("quay", colour="red"), lambda: mind.why_not("quay", id, colour="red")):
            with pytest.raises(InvalidInput, match="unknown argument 'colour'"):
                wrong()
        with pytest.raises(InvalidInput, match="'colour' cannot be revised: give categories, concepts"):
            mind.revise(id, colour="red")
        with pytest.raises(InvalidInput, match="action_ids must be a list"):
            mind.crystallize("x")
        with pytest.raises(NotFound):
            mind.recall(like="nope")
        with pytest.raises(InvalidInput, match="http://HOST:PORT"):
            Mind("ftp://example.org")


def test_a_context_never_has_more_tokens_than_its_budget() -> None:
    with Mind(":memory:") as mind:
        mind.remember("The quay is in Hull")
        assert mind.context("quay", budget_tokens=1) == ""


def test_known_settings_are_told_only_where_one_is_unknown(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REMANENCE_UPKEEP__INTERVAL", "soon")
    assert "known settings" not in refused("count")[1]
    monkeypatch.delenv("REMANENCE_UPKEEP__INTERVAL")
    (store / "config.yml").write_text("colour: blue\n")
    assert "known settings are db, namespace" in refused("count")[1]


def test_config_says_where_each_setting_comes_from(store: Path) -> None:
    (store / "config.yml").write_text("purge:\n  wait_seconds: 5\n")
    origins = told("config", "--namespace", "team")["origins"]
    assert origins == {
        "db": "the environment",
        "embedder.name": "the environment",
        "namespace": "the arguments",
        "purge.wait_seconds": str(store / "config.yml"),
    }
    lines = {line.split()[0]: line.split()[1:] for line in said("config").splitlines()}
    assert lines["embedder.name"] == ["none", "the", "environment"]
    assert lines["policy"] == ["-"]
    assert lines["upkeep.on_open"] == ["true"]


def test_a_policy_file_of_any_name_is_read(store: Path) -> None:
    (store / "mine").write_text("extends: halflife\nhalf_life_days: 10\n")
    assert typed(["policy", "check", "mine"])[0] == 0


def test_a_moment_that_is_none_is_told_how_to_write_one() -> None:
    assert (
        "'tomorrow' is no moment: write ISO 8601 with a zone" in refused("remember", "x", "--expires-at", "tomorrow")[1]
    )


def test_one_fact_is_one_fact() -> None:
    assert "1 fact, by rules" in said("extract", "Ana likes tea.")


def test_plural_options_have_their_singular() -> None:
    assert typed(["dream", "--step", "prune"])[0] == 0
    assert typed(["consolidate", "--tiers", "decay"])[0] == 0
