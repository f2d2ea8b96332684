"""Secrets in JSON-like values: in any depth, in keys, and under keys that tell what they hold."""

from __future__ import annotations

import sys

import pytest

from remanence.guard.secrets import redact_value

A = "Zq3vT9xLm2Rk8WpY"
GITHUB = f"ghp_{A}{A}"


@pytest.mark.parametrize(("value", "left"), [
    ({"password": "hunter2"}, {"password": "[redacted:password]"}),
    ({"password": "swordfish"}, {"password": "[redacted:password]"}),
    ({"password": "two words 7"}, {"password": "[redacted:password]"}),
    ({"db": {"user": "ann", "dbPassword": "k7"}}, {"db": {"user": "ann", "dbPassword": "[redacted:password]"}}),
    ({"password": 12345678}, {"password": "[redacted:password]"}),
    ({"pin": "4931"}, {"pin": "[redacted:pin]"}),
    ({"pin": 4931}, {"pin": "[redacted:pin]"}),
    ({"api_key": A}, {"api_key": "[redacted:key]"}),
    ({"apiKey": A}, {"apiKey": "[redacted:key]"}),
    ({"x-api-key": A}, {"x-api-key": "[redacted:key]"}),
    ({"client_secret": A}, {"client_secret": "[redacted:secret]"}),
    ({"Authorization": f"Bearer {A}"}, {"Authorization": "Bearer [redacted:authorization]"}),
    ({"passwords": ["one1", "two2"]}, {"passwords": ["[redacted:password]", "[redacted:password]"]}),
    ({"password": {"value": "hunter2"}}, {"password": {"value": "[redacted:password]"}}),
    ([{"name": "DB_PASSWORD", "value": "x1"}], [{"name": "DB_PASSWORD", "value": "[redacted:password]"}]),
    (["a", ("b", f"with {GITHUB} c")], ["a", ("b", "with [redacted:github-token] c")]),
    ({GITHUB: 1}, {"[redacted:github-token]": 1}),
    ({GITHUB: 1, GITHUB + "x": 2}, {"[redacted:github-token]": 1, "[redacted:github-token] 2": 2}),
    (f"password is {A}", "password is [redacted:password]"),
    ({"/prod/db/password": "hunter2"}, {"/prod/db/password": "[redacted:password]"}),
    ({"db/password": "hunter2"}, {"db/password": "[redacted:password]"}),
])  # fmt: skip
def test_secrets_leave(value: object, left: object) -> None:
    done, counts = redact_value(value)
    assert done == left
    assert sum(counts.values()) >= 1
    assert redact_value(done) == (done, {})


@pytest.mark.parametrize("value", [
    {"password": None, "token": "", "secret": False},
    {"password": "${DB_PASSWORD}", "api_key": "<your-key>"},
    {"password": {"type": "string", "minLength": 8}},
    {"password": "must be at least 12 characters"},
    {"max_tokens": 4096, "token_count": 12, "tokens": ["the", "a", "secret"]},
    {"token": "hello", "type": "word"},
    {"public_key": A, "key": "value", "id": 7},
    {"tags": ["a", "b"], "at": 1.5, "who": ("ann", None)},
    {1: "a", None: "b"},
    {"../../etc/passwd": "../../etc/passwd", "deep": {"/etc/passwd": ["x1y2"]}},
    {"file:///etc/passwd": "file:///etc/passwd", "https://example.org/password": "a7b8"},
    {"~/.secrets/password": "a7b8", "..\\passwd": "a7b8", "c:\\password": "a7b8", "conf/password.txt": "a7b8"},
    "plain",
    7,
    None,
])  # fmt: skip
def test_what_is_no_secret_is_the_same_object(value: object) -> None:
    done, counts = redact_value(value)
    assert done is value
    assert counts == {}


def test_depth_breaks_nothing() -> None:
    deep: object = GITHUB
    for number in range(20 * sys.getrecursionlimit()):
        deep = [deep] if number % 2 else {"a": deep}
    done, counts = redact_value(deep)
    assert counts == {"github-token": 1}
    while not isinstance(done, str):
        done = done[0] if isinstance(done, list) else done["a"]
    assert done == "[redacted:github-token]"


def test_personal_data_goes_where_asked() -> None:
    value = {"to": ["ann@example.org"], "ann@example.org": 1}
    assert redact_value(value) == (value, {})
    assert redact_value(value, personal=["email"]) == (
        {"to": ["[redacted:email]"], "[redacted:email]": 1},
        {"email": 2},
    )
