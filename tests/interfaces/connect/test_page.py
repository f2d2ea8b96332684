"""docs/howto/connect.md does what it shows."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from remanence.interfaces.connect.hosts import HOSTS
from tests.interfaces.connect.machine import Machine
from tests.interfaces.doors import typed

PAGE = (Path(__file__).parents[3] / "docs/howto/connect.md").read_text("utf-8")


def test_commands_run(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REMANENCE_DB", str(machine.home / "own.db"))
    lines = [line[2:] for block in re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]
    assert len(lines) >= 8
    for line in lines:
        name, *words = shlex.split(line, comments=True)
        code, _, err = typed(words)
        assert (name, code) == ("rem", 0), f"{line}: {err}"


def test_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(block, "connect.md", "exec"), {})
    out = capsys.readouterr().out
    assert "Memory Guidance" in out and "We decided to keep all prices in integer cents." in out


def test_every_host_and_its_files_are_named() -> None:
    for host in HOSTS:
        tools = host.tools_file if host.tools_at_home else f"{host.folder}/{host.tools_file}"
        own, project = (f"~/{host.folder}/{host.file}", f"~/{tools}"), (host.project_file, host.project_tools_file)
        assert f"| {host.title} | {' | '.join(f'`{file}`' for file in (*own, *project))} |" in PAGE
        assert host.name in PAGE and (host.variable is None or f"`{host.variable}`" in PAGE)
