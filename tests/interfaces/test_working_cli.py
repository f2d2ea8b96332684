"""action, crystallize and lesson at the command line: JSON for programs, advice for people, codes for mistakes."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Clock, new_mind
from tests.interfaces.doors import said, told, typed

NOBODY = "019ca945-0a00-7000-8000-000000000000"


@pytest.fixture(autouse=True)
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REMANENCE_DB", str(tmp_path / "own.db"))
    monkeypatch.setenv("REMANENCE_CONFIG", str(tmp_path / "config.yml"))


def failed(*words: str) -> tuple[int, dict[str, Any]]:
    code, out, err = typed(["--json", *words])
    assert out == ""
    return code, json.loads(err)


def test_from_writing_it_down_to_a_crystal_and_back() -> None:
    epic = told("action", "add", "Move to the new cluster", "--project", "infra", "--scope", "/office")
    part = told("action", "add", "Drain node 7", "--parent", epic["id"], "--file", "a.tf", "--file", "b.tf")
    assert (part["status"], part["files"], part["parent"]) == ("pending", ["a.tf", "b.tf"], epic["id"])
    assert told("action", "done", part["id"], "--outcome", "Never drain two nodes at once")["status"] == "done"
    assert told("action", "cancel", epic["id"])["status"] == "cancelled"
    assert [one["id"] for one in told("action", "list", "--status", "done")] == [part["id"]]
    assert told("action", "show", part["id"])["outcome"] == "Never drain two nodes at once"
    assert told("crystallize", "--auto") == []
    crystal = told("crystallize", part["id"])
    assert crystal["kind"] == "crystal" and "Drain node 7" in crystal["text"]
    assert told("action", "show", part["id"])["crystal"] == crystal["id"]
    (lesson,) = told("lesson", "list")
    assert (lesson["text"], lesson["confidence"]) == ("Never drain two nodes at once", 0.6)
    assert told("lesson", "reinforce", lesson["id"])["confidence"] == pytest.approx(0.64)


def test_what_a_person_is_told() -> None:
    assert "rem action add" in said("action", "list")
    assert "rem lesson add" in said("lesson", "list")
    assert "rem action list --status done" in said("crystallize", "--auto", "--older-than", "2w")
    said("action", "add", "Water the plants", "--project", "home", "--key", "w1")
    (one,) = told("action", "list")
    assert "[ ] Water the plants" in said("action", "list") and "home" in said("action", "list")
    assert "[x] Water the plants" in said("action", "done", one["id"], "--outcome", "The fern must stand in the shade")
    assert "→ The fern must stand" in said("action", "list", "--project", "home")
    assert "outcome" in said("action", "show", one["id"])
    shown = said("crystallize", one["id"])
    assert "Water the plants" in shown and "lesson" in shown
    receipt = shown.rsplit("rem undo ", 1)[1].strip()
    said("undo", receipt)
    assert told("action", "show", one["id"])["crystal"] is None and told("lesson", "list") == []
    assert "in crystal" in said("crystallize", one["id"]) + said("action", "list")
    said("lesson", "add", "Label every pot")
    assert "known already" in said("lesson", "add", "Label every pot")
    assert "reinforced once" in said("lesson", "list")


def test_steering_characters_are_shown_and_never_sent() -> None:
    said("action", "add", "Red \x1b[31m alert", "--project", "\u202eevil")
    out = said("action", "list") + said("action", "show", told("action", "list")[0]["id"])
    assert "\x1b" not in out and "\u202e" not in out and "\\u001b" in out


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["action", "add", ""], 2),
        (["action", "add", "x", "--scope", "no"], 2),
        (["action", "add", "x", "--parent", NOBODY], 3),
        (["action", "done", NOBODY], 3),
        (["action", "done", "nonsense"], 3),
        (["action", "cancel", ""], 3),
        (["action", "list", "--status", "open"], 2),
        (["action", "list", "--limit", "0"], 2),
        (["action", "show"], 2),
        (["crystallize"], 2),
        (["crystallize", NOBODY], 3),
        (["crystallize", NOBODY, "--auto"], 2),
        (["crystallize", NOBODY, "--older-than", "7d"], 2),
        (["crystallize", "--auto", "--older-than", "7"], 2),
        (["crystallize", "--auto", "--older-than", "0d"], 2),
        (["lesson", "add", "x", "--confidence", "nan"], 2),
        (["lesson", "add", "x", "--confidence", "2"], 2),
        (["lesson", "reinforce", NOBODY], 3),
    ],
)
def test_mistakes_are_told_and_change_nothing(words: list[str], code: int) -> None:
    got, problem = failed(*words)
    assert got == code and problem["message"] and "Traceback" not in problem["message"]
    assert told("action", "list") == [] and told("lesson", "list") == []


def test_an_open_action_is_named_with_what_to_do() -> None:
    one = told("action", "add", "Not yet")
    code, problem = failed("crystallize", one["id"])
    assert code == 2 and one["id"] in problem["message"] and "rem action done" in problem["message"]


def test_inside_a_git_folder_it_belongs_to_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "shop")
    assert told("action", "add", "Fix the till")["scope"] == "/project/shop"
    assert told("lesson", "add", "Count twice")["memory"]["scope"] == "/project/shop"


def test_groups_that_have_no_crystal_are_told(tmp_path: Path) -> None:
    with new_mind(tmp_path / "own.db", Clock(datetime(2020, 1, 1, tzinfo=UTC)), namespace="default") as mind:
        stuck = mind.actions.add("Call Ann", scope="/ann@example.org").id
        mind.actions.done(stuck)
    (tmp_path / "config.yml").write_text("guard: {personal: [email]}\n")
    code, out, err = typed(["crystallize", "--auto"])
    assert (code, out) == (0, "")
    assert err.startswith(f"Left out: {stuck} and its group, 1 action: scope holds a secret")
