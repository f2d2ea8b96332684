"""A user's machine in a temporary folder: a home, a project, a config.yml, programs on the PATH, and rem."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from remanence.interfaces.connect.hosts import HOSTS, Host
from remanence.interfaces.connect.jsonc import parse
from tests.interfaces.doors import typed

NAMES = tuple(host.name for host in HOSTS)
BY_NAME = {host.name: host for host in HOSTS}


class Machine:
    """Where things are, and what rem says there."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.home, self.project, self.programs = root / "home", root / "code", root / "bin"
        for folder in (self.home, self.project / ".git", self.programs):
            folder.mkdir(parents=True)
        self.config = root / "config.yml"
        monkeypatch.setenv("HOME", str(self.home))
        monkeypatch.setenv("PATH", str(self.programs))
        monkeypatch.setenv("REMANENCE_CONFIG", str(self.config))
        for host in HOSTS:
            if host.variable:
                monkeypatch.delenv(host.variable, raising=False)
        monkeypatch.chdir(self.project)

    def file(self, name: str, *, project: bool = False) -> Path:
        """The file of a host's hooks."""
        host = BY_NAME[name]
        return self.project / host.project_file if project else self.home / host.folder / host.file

    def tools(self, name: str, *, project: bool = False) -> Path:
        """The file of a host's MCP servers."""
        host = BY_NAME[name]
        if project:
            return self.project / host.project_tools_file
        return (self.home if name == "claude-code" else self.home / host.folder) / host.tools_file

    def holding(self, name: str, content: str | bytes, *, project: bool = False, tools: bool = False) -> Path:
        """A file of a host, with something in it."""
        file = self.tools(name, project=project) if tools else self.file(name, project=project)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    def install(self, program: str) -> Path:
        """A program that can be run."""
        place = self.programs / program
        place.write_text("#!/bin/sh\nexit 0\n")
        place.chmod(0o755)
        return place

    def rem(self, *words: str) -> str:
        """What rem says, where all goes well."""
        code, out, err = typed(["connect", *words])
        assert (code, err) == (0, ""), err
        return out

    def told(self, *words: str) -> Any:
        """The same in JSON."""
        return json.loads(self.rem("--json", *words))

    def refused(self, *words: str) -> str:
        """What rem says to what it does not do."""
        code, out, err = typed(["connect", *words])
        assert code == 2 and out == "" and "Traceback" not in err, (code, out, err)
        return err


def commands(file: Path, host: Host) -> dict[str, list[str]]:
    """Every command in a host's file, by event, as the host reads it."""
    read = parse(file.read_text("utf-8"), str(file)).value.get("hooks", {})
    return {
        event: [call["command"] for group in groups for call in (group["hooks"] if host.grouped else [group])]
        for event, groups in read.items()
    }


def servers(file: Path) -> dict[str, Any]:
    """Every MCP server in a host's file, by name, as the host reads it."""
    text = file.read_text("utf-8")
    if file.suffix == ".toml":
        return dict(tomllib.loads(text.removeprefix("\ufeff")).get("mcp_servers", {}))
    return dict(parse(text, str(file)).value.get("mcpServers", {}))


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, and what is in it."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def connected_by_a_script(name: str, folder: Path) -> str:
    """Connect a host with a script in the place of rem that says how it was called; the store's odd path."""
    folder = folder / "it's a $HOME `folder`"
    folder.mkdir()
    script = folder / "rem"
    script.write_text('#!/bin/sh\nfor word in "$@"; do echo "$word"; done\n')
    script.chmod(0o755)
    db = str(folder / 'my "db"')
    code = "import sys; sys.argv[0] = sys.argv.pop(1)\nfrom remanence.interfaces.cli import main\nmain()"
    words = [sys.executable, "-c", code, str(script), "connect", name, "--yes", "--db", db]
    subprocess.run(words, check=True, capture_output=True)
    return db
