"""Who may import whom, as pyproject.toml says it, holds; and no package is without a row."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.architecture.contracts import covers
from tests.architecture.sources import PACKAGE, ROOT

PYPROJECT = ROOT / "pyproject.toml"
RUN = "from importlinter.cli import lint_imports_command as run; run()"
# A small remanence that keeps every contract; each case below breaks one of them in one file.
ALLOWED = {
    "errors.py": "",
    "settings.py": "import os\nfrom remanence.errors import InvalidInput",
    "oracle/guess.py": "",
    "model/memory.py": "from datetime import datetime\nfrom remanence.errors import InvalidInput",
    "model/columns.py": "import numpy",
    "lifecycle/worth.py": "import numpy\nfrom remanence.model.columns import Columns",
    "store/protocol.py": "from remanence.model import memory",
    "store/sqlite.py": "import os\nfrom remanence.errors import StoreError",
    "flows/recall.py": "from remanence.lifecycle import worth\nfrom remanence.store.protocol import Store",
    "mind.py": "from remanence.flows import recall\nfrom remanence.store import sqlite\nimport remanence.settings",
    "interfaces/rest.py": "from remanence import Mind\nimport remanence.mind",
    "guard/secrets.py": "import re",
}


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """Check the `remanence` found in this folder (or else the installed one) against the project's contracts."""
    # lint-imports puts its working folder first on the path; the contract type comes from here.
    lookup = os.pathsep.join([str(folder), str(ROOT)])
    return subprocess.run(
        [sys.executable, "-c", RUN, "--config", str(PYPROJECT), "--no-cache", "--no-logo"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": lookup, "COLUMNS": "200"},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def write_package(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / "remanence" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        (path.parent / "__init__.py").touch()
        path.write_text(text + "\n")


def rows() -> list[str]:
    contracts = tomllib.loads(PYPROJECT.read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    return [contract["package"] for contract in contracts if contract["type"] == "may_import"]


def without_row(package: Path, names: list[str]) -> list[str]:
    """Top-level modules and packages of `package` that no row covers. A folder without Python holds data."""
    tops = [path for path in package.iterdir() if path.suffix == ".py" or (path.is_dir() and any(path.rglob("*.py")))]
    found = ["remanence" if path.stem == "__init__" else f"remanence.{path.stem}" for path in tops]
    return sorted(name for name in found if not any(covers(row, name) for row in names))


def test_imports_keep_the_contracts() -> None:
    result = lint_imports(ROOT / "src")
    assert result.returncode == 0, result.stdout + result.stderr


def test_every_package_has_a_row() -> None:
    found = without_row(PACKAGE, rows())
    assert not found, f"give each a may_import contract in pyproject.toml: {', '.join(found)}"


def test_rows_are_unique() -> None:
    assert len(rows()) == len(set(rows()))


def test_a_package_without_a_row_is_seen(tmp_path: Path) -> None:
    for name in ("__init__.py", "mind.py", "telepathy.py", "policies/balanced.yml", "oracle/__init__.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert without_row(tmp_path, rows()) == ["remanence.oracle", "remanence.telepathy"]


@pytest.mark.parametrize(
    ("file", "source", "broken"),
    [
        ("lifecycle/worth.py", "import remanence.settings", "remanence.lifecycle.worth -> remanence.settings"),
        ("lifecycle/worth.py", "def f():\n    import time", "remanence.lifecycle.worth -> time"),
        ("lifecycle/worth.py", "from remanence import Mind", "remanence.lifecycle.worth -> remanence"),
        ("model/memory.py", "import numpy", "remanence.model.memory -> numpy"),
        ("model/memory.py", "import remanence.lifecycle.worth", "remanence.model.memory -> remanence.lifecycle.worth"),
        ("flows/recall.py", "from remanence.store import sqlite", "remanence.flows.recall -> remanence.store.sqlite"),
        ("store/sqlite.py", "from remanence.flows import recall", "remanence.store.sqlite -> remanence.flows.recall"),
        ("interfaces/rest.py", "import remanence.store.sqlite", "remanence.interfaces.rest -> remanence.store.sqlite"),
        ("guard/secrets.py", "from remanence import oracle", "remanence.guard.secrets -> remanence.oracle"),
    ],
)
def test_a_broken_contract_is_seen(tmp_path: Path, file: str, source: str, broken: str) -> None:
    write_package(tmp_path, {**ALLOWED, file: source})
    result = lint_imports(tmp_path)
    assert result.returncode == 1
    assert broken in result.stdout, result.stdout + result.stderr


def test_allowed_imports_are_kept(tmp_path: Path) -> None:
    write_package(tmp_path, ALLOWED)
    result = lint_imports(tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
