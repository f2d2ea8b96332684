"""S19: schemathesis reads the document of a running server and tries to prove it wrong, with all its checks.

Left out are /v1/events, which answers for as long as anybody listens, and test_events listens, and /v1/demo, which
wants a namespace of its own and has tests of its own.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.interfaces.serve.conftest import Server, environment
from tests.reliability.recording import Measured

HERE = Path(__file__).parent
SMALL_SECONDS = 110
FULL_SECONDS = 300
"""Fuzzing and walks through the links between calls go on for as long, beside the examples and edges of each call."""

QUICK = {"REMANENCE_SERVE__REQUESTS_PER_SECOND": "100000"}
"""It tries wrong tokens faster than a server lets anybody do that."""


def run(server: Server, folder: Path, *options: str, seconds: float) -> subprocess.CompletedProcess[str]:
    command = [
        str(Path(sys.executable).with_name("st")),
        *("--config-file", str(HERE / "schemathesis.toml"), "run", f"{server.url}/v1/openapi.json"),
        *("--header", f"Authorization: Bearer {server.token}", "--checks", "all"),
        *("--exclude-path", "/v1/events", "--exclude-path", "/v1/demo"),
        *("--no-color", "--no-shrink", *options),
    ]
    env = environment(folder, SCHEMATHESIS_HOOKS="schemathesis_hooks", PYTHONPATH=str(HERE))
    return subprocess.run(command, check=False, capture_output=True, text=True, env=env, cwd=folder, timeout=seconds)


def sound(server: Server, done: subprocess.CompletedProcess[str]) -> None:
    """Nothing was found, everything was looked at, and nothing broke meanwhile that no answer told of."""
    assert done.returncode == 0, done.stdout[-12_000:] + done.stderr[-2_000:]
    assert "Selected: 93/96" in done.stdout
    assert "Tested: 93" in done.stdout
    with server.client() as client:
        assert client.post("/v1/check").json()["problems"] == []
    server.stop()
    assert [line for line in server.logged() if line["level"] == "error"] == []


@pytest.mark.timeout(SMALL_SECONDS * 4)
def test_a_short_run_finds_nothing(start: Any, tmp_path: Path) -> None:
    server: Server = start(**QUICK)
    options = ("--phases", "examples,coverage,fuzzing,stateful", "--max-examples", "3", "--generation-deterministic")
    done = run(server, tmp_path, *options, seconds=SMALL_SECONDS * 3)
    sound(server, done)


@pytest.mark.promise("S19")
@pytest.mark.full
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", [11, 12])
def test_a_long_run_finds_nothing(start: Any, tmp_path: Path, seed: int, measured: Measured) -> None:
    server: Server = start(**QUICK)
    before = psutil.Process(server.process.pid).memory_info().rss
    done = run(
        server,
        tmp_path,
        *("--max-time", str(FULL_SECONDS), "--seed", str(seed), "--generation-database", "none"),
        seconds=3000,
    )
    cases = re.search(r"([\d,]+) generated", done.stdout)
    made = int(cases[1].replace(",", "")) if cases else 0
    measured(f"{FULL_SECONDS} s a seed", seed=seed, cases=made, failures=int(done.returncode != 0))
    assert psutil.Process(server.process.pid).memory_info().rss - before < 300 * 1024 * 1024
    sound(server, done)
