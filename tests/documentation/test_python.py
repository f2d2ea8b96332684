"""Every Python block of the documentation runs, and prints what the comments beside it say."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from remanence import Mind
from tests.documentation.pages import ROOT, blocks, name_of, pages

ELSEWHERE = {
    "README.md": "tests/interfaces/test_readme.py",
    "docs/howto/anthropic-memory-tool.md": "tests/adapters/test_anthropic.py",
    "docs/howto/client.md": "tests/documentation/test_served.py",
    "docs/howto/compaction.md": "tests/tools/test_examples.py",
    "docs/howto/connect.md": "tests/interfaces/connect/test_page.py",
    "docs/howto/crewai.md": "tests/adapters/test_crewai.py",
    "docs/howto/langgraph.md": "tests/adapters/test_langgraph.py",
    "docs/howto/llamaindex.md": "tests/adapters/test_llama_index.py",
    "docs/howto/openai-agents.md": "tests/adapters/test_openai_agents.py",
    "docs/howto/postgres.md": "tests/database",
    "docs/howto/pydantic-ai.md": "tests/adapters/test_pydantic_ai.py",
    "docs/howto/serve.md": "tests/documentation/test_served.py",
    "docs/howto/tools.md": "tests/tools/test_examples.py",
}
"""Pages whose blocks want a server, a framework or a database, or are run closer to what they are about; and where."""
WITH_PYTHON = [page for page in pages() if blocks(page.read_text("utf-8"), "python")]
HERE = [page for page in WITH_PYTHON if name_of(page) not in ELSEWHERE]


@pytest.fixture(autouse=True)
def a_place_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REMANENCE_DB", str(tmp_path / "own.db"))
    monkeypatch.setenv("REMANENCE_CONFIG", str(tmp_path / "config.yml"))


@pytest.fixture
def given(tmp_path: Path) -> Iterator[dict[str, Any]]:
    """What a block of a longer page takes for granted."""
    with Mind(tmp_path / "given.db") as mind:
        memory = mind.remember("Deploys need a green build", scope="/project/api", files=["src/api/routes.py"]).memory
        yield {"mind": mind, "memory": memory, "__name__": "example"}


@pytest.mark.parametrize("page", HERE, ids=name_of)
def test_blocks_run_and_print_what_they_say(
    page: Path, given: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    for block in blocks(page.read_text("utf-8"), "python"):
        exec(compile(block, name_of(page), "exec"), dict(given))
        printed = capsys.readouterr().out.splitlines()
        for told in promised(block):
            assert any(line and (told.startswith(line) or line.startswith(told)) for line in printed), (told, printed)


def promised(block: str) -> list[str]:
    """Comments beside a print that say what it prints; other comments say something else."""
    comments = re.findall(r"^ *print\(.*\)  # (.+)$", block, re.MULTILINE)
    return [told for told in comments if not told.startswith(("it, ", "what "))]


@pytest.mark.parametrize("page", WITH_PYTHON, ids=name_of)
def test_blocks_are_python(page: Path) -> None:
    for block in blocks(page.read_text("utf-8"), "python"):
        compile(block, name_of(page), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


@pytest.mark.parametrize("page", [page for page in WITH_PYTHON if name_of(page) in ELSEWHERE], ids=name_of)
def test_methods_of_blocks_that_run_elsewhere_are_there(page: Path) -> None:
    for block in blocks(page.read_text("utf-8"), "python"):
        for name, arguments in re.findall(r"\bmind\.([a-z_]+)\(([^()\n]*)\)", block):
            signature = inspect.signature(getattr(Mind, name))
            named = re.findall(r"\b([a-z_]+)=", re.sub(r'"[^"]*"', "", arguments))
            free = any(one.kind is one.VAR_KEYWORD for one in signature.parameters.values())
            assert free or set(named) <= set(signature.parameters), (name, named)


def test_the_list_of_pages_that_run_elsewhere_is_true() -> None:
    assert set(ELSEWHERE) <= {name_of(page) for page in WITH_PYTHON}
    assert [place for place in ELSEWHERE.values() if not (ROOT / place).exists()] == []


def test_a_wrong_promise_is_seen() -> None:
    assert promised("print(1)  # 1\n    print(f(2))  # 2: two\nx = 3  # 3\n") == ["1", "2: two"]
