"""ingest at the command line: what a person is told, one JSON document, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.codebase.trees import put, write
from tests.interfaces.doors import typed


@pytest.fixture(autouse=True)
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REMANENCE_DB", str(tmp_path / "own.db"))
    monkeypatch.setenv("REMANENCE_CONFIG", str(tmp_path / "config.yml"))
    return tmp_path / "own.db"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return write(tmp_path / "api", src__server_py="class Server: ...\n")


def test_a_person_is_told_what_changed_and_how_to_take_it_back(tree: Path) -> None:
    code, out, _ = typed(["ingest", str(tree), "--scope", "/p"])
    assert code == 0
    assert "1 file; memories: 3 added, 0 unchanged" in out
    assert "rem undo r1" in out
    code, out, _ = typed(["ingest", str(tree), "--scope", "/p"])
    assert "0 added, 3 unchanged" in out
    assert "undo" not in out


def test_json_and_a_dry_run(tree: Path) -> None:
    code, out, _ = typed(["--json", "ingest", str(tree), "--dry-run"])
    told = json.loads(out)
    assert (code, told["added"], told["dry_run"], told["receipt_id"]) == (0, 3, True, None)
    put(tree, "src/link", "")
    (tree / "out").symlink_to(tree.parent)
    code, out, _ = typed(["ingest", str(tree)])
    assert "left out: 1 × symbolic link" in out


def test_bad_input_is_named(tree: Path) -> None:
    for words in (
        ["ingest"],
        ["ingest", str(tree / "nowhere")],
        ["ingest", str(tree / "src/server.py")],
        ["ingest", str(tree), "--scope", "p"],
        ["ingest", ""],
    ):
        code, out, err = typed([*words, "--json"])
        assert (code, out) == (2, "")
        assert json.loads(err)["message"]
