"""`rem demo`: made, told, refused, removed after a yes, made again; and stopped by Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from remanence import Mind
from remanence.interfaces.cli.app import run
from remanence.settings import Settings

BY_WORDS = Settings(embedder__name="none", upkeep__on_open=False)


@pytest.fixture
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "memory.db"


def rem(db: Path, *arguments: str) -> int:
    return run(["--db", str(db), *arguments])


def count(db: Path, namespace: str) -> int:
    with Mind(db, namespace=namespace, settings=BY_WORDS) as mind:
        return mind.count(state="all")


def test_made_told_refused_removed_and_made_again(db: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert rem(db, "demo", "--days", "14") == 0
    said = capsys.readouterr().out
    for word in ("made-up life of 14 days", "namespace demo", "--namespace demo stats", "serve", "demo --remove"):
        assert word in said
    number = count(db, "demo")
    assert number > 100
    assert count(db, "default") == 0
    assert rem(db, "demo", "--days", "14") == 1
    assert "already" in capsys.readouterr().err
    assert rem(db, "demo", "--remove") == 2
    assert "--yes" in capsys.readouterr().err
    assert count(db, "demo") == number
    assert rem(db, "demo", "--remove", "--yes") == 0
    assert f"{number:,} memories and 4 captured sessions" in capsys.readouterr().out
    assert count(db, "demo") == 0
    assert rem(db, "demo", "--remove", "--yes") == 3
    capsys.readouterr()
    assert rem(db, "--json", "demo", "--days", "14") == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert (told["namespace"], told["days"]) == ("demo", 14)
    assert sum(told["memories"].values()) == count(db, "demo")


def test_what_is_no_demo_is_not_removed(db: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert rem(db, "--namespace", "demo-mine", "remember", "What is mine") == 0
    assert rem(db, "--namespace", "demo-mine", "demo", "--remove", "--yes") == 1
    assert "no demo" in capsys.readouterr().err
    assert count(db, "demo-mine") == 1


def test_a_demo_of_another_name_is_removed_by_its_name(db: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert rem(db, "--namespace", "demo-two", "demo", "--days", "14") == 0
    assert rem(db, "demo", "--remove", "--yes") == 3
    assert count(db, "demo-two") > 100
    assert rem(db, "--namespace", "demo-two", "demo", "--remove", "--yes") == 0
    assert count(db, "demo-two") == 0
    capsys.readouterr()


@pytest.mark.parametrize(
    "arguments",
    [
        ("--namespace", "mine", "demo"),
        ("demo", "--days", "3"),
        ("demo", "--days", "30", "--remove"),
        ("demo", "--days", "many"),
        ("--namespace", "mine", "demo", "--remove", "--yes"),
    ],
)
def test_wrong_arguments_are_refused_before_anything_is_made(db: Path, arguments: tuple[str, ...]) -> None:
    assert rem(db, *arguments) == 2
    assert not db.exists()


def test_a_server_is_no_place_for_it(capsys: pytest.CaptureFixture[str]) -> None:
    for place in ("http://127.0.0.1:9", ":memory:"):
        assert run(["--db", place, "demo"]) == 2
        assert "a file" in capsys.readouterr().err


def test_stopped_by_a_signal_it_is_made_anew(db: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "HOME": str(tmp_path), "REMANENCE_EMBEDDER": "none"}
    command = [sys.executable, "-m", "remanence.interfaces.cli", "--db", str(db), "demo", "--days", "365"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with Mind(db, namespace="demo", settings=BY_WORDS) as mind:
        while mind.count(state="all") < 60:
            assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 1
    assert b"Stopped" in said
    assert rem(db, "demo", "--days", "14") == 0
    assert 100 < count(db, "demo") < 400
