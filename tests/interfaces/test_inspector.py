"""The MCP inspector's command line, against both transports; the Makefile installs it for the full run."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

INSPECTOR = Path(sys.prefix) / "inspector" / "node_modules" / ".bin" / "mcp-inspector"
REM = [sys.executable, "-m", "remanence.interfaces.cli"]

pytestmark = pytest.mark.full


@pytest.fixture
def served(tmp_path: Path) -> Iterator[list[str]]:
    db = tmp_path / "memory.db"
    with subprocess.Popen([*REM, "--db", str(db), "serve", "--port", "0"], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        match = re.search(r"http://[0-9.:]+", server.stdout.readline())
        assert match
        token = json.loads(Path(f"{db}.serve.json").read_text("utf-8"))["token"]
        yield [f"{match[0]}/mcp", "--transport", "http", "--header", f"Authorization: Bearer {token}"]
        server.terminate()


@pytest.fixture
def over_stdio(tmp_path: Path) -> list[str]:
    return [*REM, "mcp", "--db", str(tmp_path / "memory.db")]


@pytest.mark.parametrize("transport", ["served", "over_stdio"])
def test_the_inspector_finds_its_way(transport: str, request: pytest.FixtureRequest) -> None:
    target: list[str] = request.getfixturevalue(transport)

    def ask(method: str, *more: str) -> dict[str, object]:
        said = subprocess.run(
            [str(INSPECTOR), "--cli", *target, "--method", method, *more],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        return json.loads(said.stdout)

    tools = ask("tools/list")["tools"]
    assert isinstance(tools, list)
    assert {tool["name"] for tool in tools} == {
        *("remember", "recall", "extract", "forget", "restore", "promote"),
        *("demote", "pin", "explain", "sweep", "dream", "undo"),
    }
    made = ask("tools/call", "--tool-name", "remember", "--tool-arg", "text=The heron nests by the mill pond")
    assert made["isError"] is False and made["structuredContent"]["outcome"] == "added"  # type: ignore[index]
    found = ask("tools/call", "--tool-name", "recall", "--tool-arg", "query=heron")
    assert "mill pond" in json.dumps(found["structuredContent"])
    assert ask("resources/list")["resources"]
    assert ask("resources/templates/list")["resourceTemplates"]
    assert ask("prompts/list")["prompts"]
