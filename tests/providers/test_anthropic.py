"""Writers over a server that speaks Anthropic's messages."""

from __future__ import annotations

import json
from typing import Any

import pytest

from remanence.errors import LlmFailed
from tests.providers.scripted import Answer, Server
from tests.providers.writing import KEY, SCHEMA, SECRET, VALID, Purse, failure, writers

USAGE = {"input_tokens": 7, "output_tokens": 3, "cache_read_input_tokens": 5, "cache_creation_input_tokens": None}


def answer(*blocks: dict[str, Any], ended: str = "end_turn", usage: Any = USAGE) -> Answer:
    made = {"type": "message", "role": "assistant", "content": blocks, "stop_reason": ended, "usage": usage}
    return 200, {}, json.dumps(made).encode()


def said(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def called(value: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": "t", "name": "answer", "input": value}


def writer(server: Server, purse: Purse | None = None) -> Any:
    return writers("anthropic", url=f"http://{server.host}", model="m", key=KEY, purse=purse).default


def test_text_on_the_wire(server: Server) -> None:
    server.answers = [answer(said("Ber"), said("lin."))]
    purse = Purse()
    assert writer(server, purse).text("Which city?", system="Be short.", most_tokens=9) == "Berlin."
    path, headers, body = server.asked[0]
    assert path == "/v1/messages"
    assert (headers["x-api-key"], headers["anthropic-version"]) == (KEY, "2023-06-01")
    assert "authorization" not in headers
    assert body == {
        "model": "m",
        "max_tokens": 9,
        "system": "Be short.",
        "messages": [{"role": "user", "content": "Which city?"}],
        "temperature": 0,
    }
    assert purse.rows == [(12, 3, False)], "what came from the cache was sent as well"


def test_json_by_a_tool_that_must_be_called(server: Server) -> None:
    server.answers = [answer(said("I will."), called(json.loads(VALID)), ended="tool_use")]
    assert writer(server).json("Which city?", SCHEMA) == {"city": "Berlin", "year": 2024}
    body = server.asked[0][2]
    assert [(tool["name"], tool["input_schema"]) for tool in body["tools"]] == [
        ("answer", SCHEMA | {"additionalProperties": False})
    ]
    assert body["tool_choice"] == {"type": "tool", "name": "answer"}
    assert "system" not in body


def test_json_by_the_prompt_where_tools_are_refused(server: Server) -> None:
    server.answers = [failure(400), answer(said(f"```json\n{VALID}\n```"))]
    made = writer(server)
    assert made.json("Which city?", SCHEMA)["city"] == "Berlin"
    assert made.json("Which city?", SCHEMA)["city"] == "Berlin"
    assert ["tools" in body for _, _, body in server.asked] == [True, False, False]
    assert "JSON Schema" in server.asked[1][2]["messages"][0]["content"]


def test_temperature_is_left_out_where_it_is_refused(server: Server) -> None:
    server.answers = [failure(400, "temperature is deprecated for this model"), answer(said("x"))]
    writer(server).text("x")
    assert ["temperature" in body for _, _, body in server.asked] == [True, False]


def test_a_wrong_input_is_repaired(server: Server) -> None:
    server.answers = [answer(called({"city": 1})), answer(called(json.loads(VALID)))]
    assert writer(server).json("Which city?", SCHEMA)["year"] == 2024
    told = server.asked[1][2]["messages"][0]["content"]
    assert "$ lacks year; $.city must be string, not integer." in told


@pytest.mark.parametrize(
    ("given", "message", "available"),
    [
        (answer(said("It was"), ended="max_tokens"), "was cut off at 1024 tokens", True),
        (answer(said("No."), ended="refusal"), "refused to answer this prompt", True),
        (answer(), "gave an empty answer", True),
        (failure(401), "answered 401: it refuses the key", False),
        (failure(529), "answered 529; tried 3 times", False),
        ((200, {}, b'{"content": "hunter2"}'), "no completion", False),
        ((200, {}, b'{"content": [{"type": "text"}], "stop_reason": "end_turn"}'), "no completion", False),
        ((200, {}, b'{"content": [{"type": "text", "text": 1}], "stop_reason": "x"}'), "no completion", False),
    ],
)
def test_faults(server: Server, given: Answer, message: str, available: bool) -> None:
    server.answers = [given]
    made = writer(server)
    with pytest.raises(LlmFailed) as raised:
        made.text("Which city?")
    assert message in str(raised.value)
    assert SECRET not in str(raised.value)
    assert KEY not in str(raised.value)
    assert made.available() is available


@pytest.mark.parametrize("url", ["http://{}", "http://{}/v1", "http://{}/v1/messages"])
def test_addresses_are_completed(server: Server, url: str) -> None:
    server.answers = [answer(said("x"), usage=None)]
    writers("anthropic", url=url.format(server.host), model="m").default.text("x")
    path, headers, _ = server.asked[0]
    assert path == "/v1/messages"
    assert "x-api-key" not in headers
