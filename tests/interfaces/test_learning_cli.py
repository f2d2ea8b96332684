"""rem policy learn, as typed: the table, the file, the JSON, what it refuses and with which exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from remanence.policies.reading import read
from remanence.simulator.worlds import world
from tests.flows.lived import settled
from tests.interfaces.doors import told, typed


@pytest.fixture(autouse=True)
def a_store_that_was_lived_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REMANENCE_DB", str(tmp_path / "own.db"))
    monkeypatch.setenv("REMANENCE_CONFIG", str(tmp_path / "config.yml"))
    monkeypatch.delenv("REMANENCE_POLICY", raising=False)
    return tmp_path


@pytest.fixture
def lived(tmp_path: Path) -> None:
    mind, _ = settled(world(1, 120), tmp_path, db=tmp_path / "own.db")
    mind.close()


def test_a_proposal_is_shown_and_written_and_nothing_changes(lived: None, tmp_path: Path) -> None:
    code, out, err = typed(["policy", "learn", "--out", "learned.yml"])
    assert (code, err) == (0, "")
    assert "stability_days" in out
    assert "tool_output" in out
    assert "confidence" in out
    assert "At equal savings" in out
    assert "Nothing was changed. It was written to learned.yml. Use it with: rem policy use learned.yml" in out
    assert "--out" not in out
    assert "the past has" in out
    assert read((tmp_path / "learned.yml").read_text(), "learned.yml").curve == "power"
    assert [entry["name"] for entry in told("policy", "list") if entry["current"]] == ["balanced"]
    assert typed(["policy", "check", "learned.yml"])[0] == 0


def test_json_is_one_document_and_use_uses_it(lived: None) -> None:
    proposal = told("policy", "learn", "--use", "--force")
    name = proposal["policy"]["name"]
    assert proposal["used"]["policy"] == name
    assert proposal["is_usable"] is True
    assert {number["name"] for number in proposal["learned"]["every"]["numbers"]} >= {"stability_days"}
    assert [entry["name"] for entry in told("policy", "list") if entry["current"]] == [name]


def test_a_file_that_was_changed_is_not_written_over(lived: None, tmp_path: Path) -> None:
    mine = tmp_path / "learned.yml"
    mine.write_text("extends: balanced\nstability_days: 9\n")
    code, _, err = typed(["policy", "learn", "--use", "--out", "learned.yml"])
    assert code == 2
    assert "learned.yml is there already and says something else; nothing was written or changed" in err
    assert mine.read_text() == "extends: balanced\nstability_days: 9\n"
    assert told("policy", "show")["name"] == "balanced"
    assert typed(["policy", "learn", "--out", "learned.yml", "--force"])[0] == 0
    assert "learned" in mine.read_text()
    assert typed(["policy", "learn", "--out", "learned.yml"])[0] == 0, "the same again is no loss"


def test_force_by_itself_is_of_no_use(lived: None) -> None:
    code, out, err = typed(["policy", "learn", "--force"])
    assert (code, out) == (2, "")
    assert "--force is of no use by itself" in err


def test_asked_again_it_says_that_nothing_is_new_and_changes_nothing(lived: None) -> None:
    code, out, _ = typed(["policy", "learn"])
    assert "Use it with: rem policy learn --use; keep it as a file with: rem policy learn --out learned.yml" in out
    name = told("policy", "learn", "--use", "--force")["policy"]["name"]
    code, out, err = typed(["policy", "learn", "--use"])
    assert (code, err) == (0, "")
    assert f"{name}, which is in force, is what this past teaches." in out
    assert "Nothing was changed." in out
    assert told("policy", "learn", "--use")["used"] is None


def test_a_limit_is_marked(lived: None) -> None:
    out = typed(["policy", "learn"])[1]
    (line,) = [line for line in out.splitlines() if line.startswith("all kinds")]
    assert line.split()[3:7] == ["stability_days", "30", "3", "!"]
    assert "! A limit, no estimate" in out


def test_too_little_history_is_bad_input_and_says_what_to_do() -> None:
    code, out, err = typed(["policy", "learn", "--use"])
    assert (code, out) == (2, "")
    assert "ask again after" in err
    assert [entry["name"] for entry in told("policy", "list") if entry["current"]] == ["balanced"]
    code, _, err = typed(["policy", "learn", "--json"])
    assert code == 2
    assert json.loads(err)["error"]


def test_what_the_back_test_speaks_against_is_refused(lived: None, monkeypatch: pytest.MonkeyPatch) -> None:
    from remanence.model.proposal import Proposal

    monkeypatch.setattr(Proposal, "objection", property(lambda self: "more would have been lost"))
    code, out, err = typed(["policy", "learn", "--use"])
    assert code == 1
    assert "Not to be used: more would have been lost." in out
    assert "The learned policy is not used, balanced stays: more would have been lost." in err
    assert [entry["name"] for entry in told("policy", "list") if entry["current"]] == ["balanced"]
