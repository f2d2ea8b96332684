"""The Python of the pages about a server, run against one."""

from __future__ import annotations

import ast
import asyncio
import inspect
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.client.conftest import Served, started, stopped
from tests.documentation.pages import ROOT, blocks

PAGES = ("docs/howto/client.md", "docs/howto/serve.md")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    home = tmp_path_factory.mktemp("served")
    one = started(home / "memory.db", home)
    yield one
    stopped(one)


@pytest.mark.parametrize("page", PAGES)
def test_blocks_run(page: str, served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REMANENCE_DB", str(served.db))
    monkeypatch.setenv("REMANENCE_CONFIG", str(tmp_path / "config.yml"))
    run = 0
    for block in blocks((ROOT / page).read_text("utf-8"), "python"):
        if "memory.example.com" in block:
            continue  # an address of somebody's own
        source = block.replace("http://127.0.0.1:7411", served.url)
        code = compile(source, page, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        made = types.FunctionType(code, {"__name__": "example"})()
        if inspect.iscoroutine(made):
            asyncio.run(made)
        run += 1
    assert run
