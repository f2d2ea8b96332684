"""Writers over an OpenAI-compatible server that behaves as badly as servers do: retries bounded, all of it counted."""

from __future__ import annotations

import json
import socket
import threading
import time
from typing import Any

import pytest

from remanence.errors import InvalidInput, LlmFailed
from remanence.model.words import estimate_tokens
from remanence.providers.chat import chat
from remanence.providers.metered import Metered
from remanence.providers.spending import Account
from tests.providers.scripted import Server, break_off, drip, hang, reset
from tests.providers.writing import DAY, KEY, SCHEMA, SECRET, VALID, Purse, chat_answer, clean, failure, writers

PROMPT = "Which city?"
SIZE = estimate_tokens(PROMPT)


class Asked:
    """A writer over a scripted server, with all that can be seen of it."""

    def __init__(self, server: Server, *answers: Any, **options: Any) -> None:
        server.answers = list(answers)
        self.server, self.purse, self.waits = server, Purse(), list[float]()
        settings: dict[str, Any] = {"key": KEY, "sleep": self.waits.append, "timeout_seconds": 20.0} | options
        llm = chat(server.url, "m", **settings)
        self.writer = Metered(llm, account=Account(self.purse, lambda: DAY), clean=clean, timeout_seconds=30)

    @property
    def bodies(self) -> list[Any]:
        return [body for _, _, body in self.server.asked]

    def failed(self, prompt: str = PROMPT) -> str:
        """The message of the failure, which never holds a secret."""
        with pytest.raises(LlmFailed) as raised:
            self.writer.text(prompt)
        message = str(raised.value)
        assert KEY not in message
        assert SECRET not in message
        assert "\n" not in message
        return message


def test_text_on_the_wire(server: Server) -> None:
    asked = Asked(server, chat_answer("Berlin."))
    assert asked.writer.text(PROMPT, system="Be short.", most_tokens=9) == "Berlin."
    path, headers, body = server.asked[0]
    assert path == "/v1/chat/completions"
    assert headers["authorization"] == f"Bearer {KEY}"
    assert body == {
        "model": "m",
        "messages": [{"role": "system", "content": "Be short."}, {"role": "user", "content": PROMPT}],
        "max_tokens": 9,
        "temperature": 0,
        "stream": False,
    }
    assert asked.purse.rows == [(7, 3, False)]
    assert KEY not in repr(asked.writer)


def test_json_on_the_wire(server: Server) -> None:
    asked = Asked(server, chat_answer(VALID))
    assert asked.writer.json(PROMPT, SCHEMA) == {"city": "Berlin", "year": 2024}
    form = asked.bodies[0]["response_format"]
    assert form["type"] == "json_schema"
    assert form["json_schema"]["strict"] is True
    assert form["json_schema"]["schema"] == SCHEMA | {"additionalProperties": False}
    assert asked.bodies[0]["messages"] == [{"role": "user", "content": PROMPT}]


@pytest.mark.parametrize("status", [400, 422])
def test_the_form_a_server_accepts_is_remembered(server: Server, status: int) -> None:
    asked = Asked(server, failure(status), failure(status), chat_answer(VALID))
    asked.writer.json(PROMPT, SCHEMA)
    asked.writer.json(PROMPT, SCHEMA)
    forms = [body.get("response_format", {}).get("type", "prompt") for body in asked.bodies]
    assert forms == ["json_schema", "json_object", "prompt", "prompt"]
    assert ["JSON Schema" in body["messages"][0]["content"] for body in asked.bodies] == [False, True, True, True]
    assert asked.purse.rows == [(21, 3, False), (7, 3, False)], "a prompt that was sent three times counts three times"
    assert asked.writer.available()


def test_json_object_is_the_second_form(server: Server) -> None:
    asked = Asked(server, failure(400), chat_answer(VALID))
    asked.writer.json(PROMPT, SCHEMA)
    assert asked.bodies[1]["response_format"] == {"type": "json_object"}


def test_a_prompt_that_no_form_gets_through_is_about_the_prompt(server: Server) -> None:
    asked = Asked(server, failure(400))
    with pytest.raises(LlmFailed, match="answered 400: it refuses the prompt, its length or the options for 'm'"):
        asked.writer.json(PROMPT, SCHEMA)
    assert len(server.asked) == 3
    assert asked.writer.available()
    server.answers = [chat_answer(VALID)]
    asked.writer.json(PROMPT, SCHEMA)
    assert asked.bodies[3]["response_format"]["type"] == "json_schema", "nothing was learned from it"


def test_options_that_a_server_refuses_by_name_are_left_out(server: Server) -> None:
    asked = Asked(
        server,
        failure(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        failure(400, "'temperature' does not support 0 with this model."),
        chat_answer("Berlin."),
    )
    asked.writer.text(PROMPT)
    asked.writer.text(PROMPT)
    told = [sorted(body.keys() & {"temperature", "max_tokens", "max_completion_tokens"}) for body in asked.bodies]
    newer = "max_completion_tokens"
    assert told == [["max_tokens", "temperature"], [newer, "temperature"], [newer], [newer]]


@pytest.mark.parametrize(
    ("answers", "waits"),
    [
        ([failure(429, Retry_After="2"), failure(503)], [2.0, 0.5]),
        ([failure(500), reset], [0.25, 0.5]),
        ([break_off], [0.25]),
    ],
)
def test_what_passes_is_tried_again_and_costs(server: Server, answers: list[Any], waits: list[float]) -> None:
    asked = Asked(server, *answers, chat_answer("Berlin."))
    assert asked.writer.text(PROMPT) == "Berlin."
    assert asked.waits == waits
    assert asked.purse.rows == [(7 * (len(answers) + 1), 3, False)]


FAULTS: dict[str, tuple[Any, str, int]] = {
    "429": (failure(429, Retry_After="1"), "answered 429; tried 3 times", 3),
    "429 for long": (failure(429, Retry_After="3600"), "answered 429 and asks to wait 3600 s; 5 s is the limit", 1),
    "500": (failure(500), "answered 500; tried 3 times", 3),
    "reset": (reset, "cannot be reached (", 3),
    "half an answer": (break_off, "cannot be reached (RemoteProtocolError); tried 3 times", 3),
    "401": (failure(401), "answered 401: it refuses the key", 1),
    "404": (failure(404), "no model 'm'. Check url and model", 1),
    "redirect": (failure(307, Location="http://127.0.0.1:9/"), "a redirect, which is not followed", 1),
    "a page": ((200, {}, b"<html>hunter2"), "no completion. Check url and model", 1),
    "nothing": ((200, {}, b""), "no completion", 1),
    "half JSON": ((200, {}, b'{"choices": [{"message": {"content": "hun'), "no completion", 1),
    "another JSON": ((200, {}, b'{"error": "hunter2"}'), "no completion", 1),
    "no choices": ((200, {}, b'{"choices": []}'), "no completion", 1),
    "a number": ((200, {}, b'{"choices": [{"message": {"content": 1}}]}'), "no completion", 1),
    "deep": ((200, {}, b"[" * 100_000), "no completion", 1),
    "huge": ((200, {}, b" " * (2 * 1024 * 1024)), "answered with more than 1 MB, the limit", 1),
}


@pytest.mark.parametrize(("answer", "said", "sent"), FAULTS.values(), ids=FAULTS.keys())
def test_faults_are_failures_that_name_the_host_and_count_what_was_sent(
    server: Server, answer: Any, said: str, sent: int
) -> None:
    asked = Asked(server, answer)
    message = asked.failed()
    assert said in message
    assert message.startswith(server.host)
    assert len(server.asked) == sent
    assert asked.purse.rows == [(SIZE * sent, 0, True)]
    assert not asked.writer.available()


@pytest.mark.parametrize("fault", [hang, drip])
def test_a_slow_server_is_left_at_the_deadline(server: Server, fault: Any) -> None:
    asked = Asked(server, fault, timeout_seconds=0.3)
    assert "gave no whole answer within 0.3 s" in asked.failed()
    assert len(server.asked) == 1
    assert asked.purse.rows == [(SIZE, 0, True)]


def test_a_wait_past_the_deadline_is_not_begun(server: Server) -> None:
    asked = Asked(server, failure(429, Retry_After="4"), timeout_seconds=2.0)
    assert "tried 1 times within 2 s" in asked.failed()
    assert not asked.waits


def test_forms_share_one_deadline(server: Server) -> None:
    def refuse_late(request: Any) -> None:
        time.sleep(1.2)
        request.send_response(400)
        request.send_header("Content-Length", "0")
        request.end_headers()

    asked = Asked(server, refuse_late, failure(503, Retry_After="1"), timeout_seconds=2.0)
    with pytest.raises(LlmFailed, match="answered 503; tried 1 times within 2 s"):
        asked.writer.json(PROMPT, SCHEMA)
    assert len(server.asked) == 2


def test_nobody_there_costs_nothing() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    purse = Purse()
    llm = chat(f"http://127.0.0.1:{port}", "m", sleep=lambda seconds: None)
    made = Metered(llm, account=Account(purse, lambda: DAY), clean=clean)
    with pytest.raises(LlmFailed, match=rf"127.0.0.1:{port} cannot be reached \(ConnectError\); tried 3 times"):
        made.text(PROMPT)
    assert not purse.rows


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (chat_answer("It was a d", ended="length"), "was cut off at 1024 tokens"),
        (chat_answer(None, ended="length"), "was cut off at 1024 tokens"),
        (chat_answer(None, refusal=SECRET), "refused to answer this prompt"),
        (chat_answer("", ended="content_filter"), "refused to answer this prompt"),
        (chat_answer(""), "gave an empty answer"),
        (chat_answer(None), "gave an empty answer"),
    ],
)
def test_what_is_about_the_prompt_keeps_the_server_in_use(server: Server, answer: Any, said: str) -> None:
    asked = Asked(server, answer)
    assert said in asked.failed()
    assert len(server.asked) == 1
    assert asked.writer.available()
    assert asked.purse.rows[0][0] > 0


def test_parts_of_text_are_joined(server: Server) -> None:
    parts = [{"type": "text", "text": "Ber"}, {"type": "image"}, {"type": "text", "text": "lin."}]
    assert Asked(server, chat_answer(parts)).writer.text(PROMPT) == "Berlin."


@pytest.mark.parametrize("usage", [None, (-1, 3), ("7", 3), (None, None)])
def test_without_counts_they_are_estimated(server: Server, usage: Any) -> None:
    asked = Asked(server, chat_answer("Berlin.", usage=usage))
    asked.writer.text(PROMPT)
    assert asked.purse.rows[0][0] == SIZE
    assert asked.purse.rows[0][1] in (3, estimate_tokens("Berlin."))


def test_wrong_json_is_repaired_over_the_wire(server: Server) -> None:
    asked = Asked(server, chat_answer('{"city": "Berlin"}'), chat_answer(VALID))
    assert asked.writer.json(PROMPT, SCHEMA)["year"] == 2024
    assert "cannot be used: $ lacks year." in asked.bodies[1]["messages"][0]["content"]
    assert asked.purse.rows == [(7, 3, False)] * 2


def test_no_secret_and_no_half_character_on_the_wire(server: Server) -> None:
    asked = Asked(server, chat_answer("fine"))
    asked.writer.text(f"{SECRET} \ud800", system=SECRET)
    assert SECRET not in json.dumps(asked.bodies)
    assert asked.bodies[0]["messages"][1]["content"] == "[redacted] ?"


def test_threads_share_one(server: Server) -> None:
    asked = Asked(server, chat_answer("Berlin."))
    found: list[str] = []
    threads = [threading.Thread(target=lambda: found.append(asked.writer.text(PROMPT))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert found == ["Berlin."] * 8
    assert asked.purse.spent(DAY) == 80


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("http://{}", "/v1/chat/completions"),
        ("http://{}/v1/", "/v1/chat/completions"),
        ("http://{}/api/chat/completions", "/api/chat/completions"),
        ("http://{}/openai/m?api-version=1", "/openai/m/chat/completions?api-version=1"),
    ],
)
def test_addresses_are_completed(server: Server, url: str, path: str) -> None:
    server.answers = [chat_answer("x")]
    writers("openai", url=url.format(server.host), model="m").default.text("x")
    assert server.asked[0][0] == path
    assert "authorization" not in server.asked[0][1]


@pytest.mark.parametrize("url", ["localhost:11434", "ftp://host", "http://", "http://[::1"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(InvalidInput, match="the url of the language model"):
        writers("openai", url=url, model="m")
