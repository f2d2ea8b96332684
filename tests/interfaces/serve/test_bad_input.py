"""What comes in wrong: always the right 4xx with a code, the fields and advice; never a 5xx, never a traceback."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from remanence import Mind
from remanence.errors import InvalidInput
from remanence.interfaces.calls import CALLS, Argument, Call
from remanence.interfaces.shapes import SHAPES
from tests.interfaces.serve.routes import NOBODY, filled

TAKES_A_BODY = [call for call in CALLS.values() if call.method != "GET"]
EVERY_CALL = list(CALLS.values())


def good(argument: Argument) -> Any:
    """A value of an argument's shape."""
    return good_of(argument.shape, argument.name)


def good_of(shape: dict[str, Any], name: str) -> Any:
    if "enum" in shape:
        return shape["enum"][0]
    if shape.get("examples"):
        return shape["examples"][0]
    if "anyOf" in shape:
        return good_of(shape["anyOf"][0], name)
    kind = shape.get("type")
    if kind == "array":
        return [good_of(shape["items"], name)]
    if kind == "object":
        return {}
    if kind == "string" and shape.get("format") == "date":
        return "2026-03-01"
    return {"string": "x", "boolean": True, "integer": 1, "number": 0.5}[kind]


def body_of(call: Call) -> dict[str, Any]:
    """The least that a call wants in its body."""
    wanted = {one.name: good(one) for one in call.arguments if one.required and one.name not in call.in_path}
    more: dict[str, Any] = {
        "revise": {"importance": 0.5},
        "recall": {"query": "x"},
        "forget": {"scope": "/nowhere"},
        "plan_forget": {"scope": "/nowhere"},
        "restore": {"receipt": "r999999"},
        "purge": {"scope": "/nowhere"},
        "review.accept": {"scope": "/nowhere"},
        "review.reject": {"scope": "/nowhere"},
        "memory_tool": {"action": "list"},
    }.get(call.name, {})
    return {**wanted, **more}


def refused(told: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """What a refusal says, which is well formed whatever it was about."""
    assert told.status_code == status, told.text
    assert told.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = told.json()
    assert body["code"] == code
    assert body["status"] == status
    assert body["type"] == f"urn:remanence:{code}"
    assert body["title"]
    assert body["detail"]
    assert body["instance"] == f"urn:request:{told.headers['x-request-id']}"
    assert "Traceback" not in told.text
    return body


def ask(api: httpx.Client, call: Call, values: dict[str, Any], **path: str) -> httpx.Response:
    """A call with these values where they belong."""
    where = filled(call.path, **path)
    if call.method == "GET":
        return api.get(where, params=values)
    return api.request(call.method, where, json=values)


@pytest.mark.parametrize("call", EVERY_CALL, ids=lambda call: call.name)
def test_an_unknown_field_is_named(api: httpx.Client, call: Call) -> None:
    told = refused(ask(api, call, {**body_of(call), "surprise": "x"}), 422, "invalid_input")
    assert "unknown field 'surprise'" in told["detail"]
    assert "surprise" in told["fields"]


@pytest.mark.parametrize("call", [call for call in EVERY_CALL if body_of(call)], ids=lambda call: call.name)
def test_what_is_missing_is_named(api: httpx.Client, call: Call) -> None:
    if not any(one.required and one.name not in call.in_path for one in call.arguments) and call.schema is None:
        pytest.skip("nothing must be given")
    told = refused(ask(api, call, {}), 422, "invalid_input")
    for one in call.arguments:
        if one.required and one.name not in call.in_path:
            assert f"{one.name} is missing" in told["problems"]
            assert one.name in told["fields"]


WRONG: dict[str, tuple[Any, ...]] = {
    "string": (5, True, [], {}, None, 1.5),
    "boolean": ("yes", 1, 0, [], None),
    "integer": ("5", 1.5, True, [], None, 2**70, -(2**70), 1e300),
    "number": ("0.5", True, [], None, 10**400),
    "array": ("x", 5, {"a": 1}, None),
    "object": ("x", 5, [1], None),
}


@pytest.mark.parametrize("call", TAKES_A_BODY, ids=lambda call: call.name)
def test_a_value_of_a_wrong_type_is_named(api: httpx.Client, call: Call) -> None:
    for one in call.arguments:
        if one.name in call.in_path:
            continue
        kind = one.shape.get("type")
        for value in WRONG.get(kind if isinstance(kind, str) else "", (None, 5.5)):
            told = refused(ask(api, call, {**body_of(call), one.name: value}), 422, "invalid_input")
            assert one.name in told["fields"], (one.name, value, told)


@pytest.mark.parametrize("call", EVERY_CALL, ids=lambda call: call.name)
def test_no_text_that_cannot_be_stored_gets_in_or_breaks_anything(api: httpx.Client, call: Call) -> None:
    """NUL and half a character in every text of every call, also inside lists and objects, and in the path."""
    for one in call.arguments:
        for bad in ("\0", "a\0b", "\ud800", "a\udfffb"):
            for value in _with_text(one, bad):
                if one.name in call.in_path:
                    if "\0" in bad:
                        told = ask(api, call, body_of(call), **{one.name: bad.replace("\0", "%00")})
                        assert told.status_code in (404, 422), (one.name, told.text)
                    continue
                values = {**body_of(call), one.name: value}
                if call.method == "GET":
                    if "\0" not in bad:
                        continue
                    told = api.get(filled(call.path), params=values)
                else:
                    raw = json.dumps(values).encode()  # with \\ud800 written out, as a client may
                    told = api.request(
                        call.method, filled(call.path), content=raw, headers={"Content-Type": "application/json"}
                    )
                accepted = call.name in ("extract", "absorb", "sessions.observe") and "\0" in bad
                wanted = (200, 404, 422) if accepted or one.name in ("arguments", "policy") else (404, 422)
                assert told.status_code in wanted, (one.name, ascii(value), told.text[:300])
                assert "Traceback" not in told.text


def _with_text(argument: Argument, bad: str) -> list[Any]:
    shape = argument.shape
    kind = shape.get("type")
    if "anyOf" in shape or kind == "string":
        return [bad] if "anyOf" not in shape or argument.shape_name in ("as_of", "since", "until") else [bad, [bad]]
    if argument.name == "items":
        return [[bad], [{"text": bad}], [{"text": "x", "metadata": {"k": bad}}], [{"text": "x", "scope": "/" + bad}]]
    if kind == "array":
        return [[bad]]
    if kind == "object":
        return [{bad: 1}, {"k": bad}, {"k": {"k": [bad]}}]
    return []


def test_bodies_that_are_no_json_object_are_refused(api: httpx.Client) -> None:
    kinds = {"Content-Type": "application/json"}

    def sent(raw: bytes) -> httpx.Response:
        return api.post("/v1/memories", content=raw, headers=kinds)

    for raw in (b"{", b'{"text": "x"', b"\xff\xfe{", b"'x'", b'{"text": "x"} {}', b"{'text': 'x'}", b"nul", b"\x00"):
        refused(sent(raw), 400, "malformed")
    for raw in (b'{"text": "a", "text": "b"}', b'{"text": "a", "metadata": {"k": 1, "k": 2}}'):
        assert "twice" in refused(sent(raw), 400, "malformed")["detail"]
    for word in (b"NaN", b"Infinity", b"-Infinity"):
        assert (
            "no JSON number" in refused(sent(b'{"text": "a", "importance": ' + word + b"}"), 400, "malformed")["detail"]
        )
    for raw in (b"[]", b'"text"', b"null", b"5", b"true", b'[{"text": "x"}]'):
        refused(sent(raw), 422, "invalid_input")
    refused(sent(b'{"text": "x", "importance": 1e999}'), 422, "invalid_input")
    refused(sent(b'{"text": "x", "metadata": {"k": 1e999}}'), 422, "invalid_input")
    refused(sent(b'{"text": "x", "metadata": {"k": ' + b"9" * 5000 + b"}}"), 400, "malformed")
    refused(sent(b'{"text": "x", "lineage": "' + b"\xed\xa0\x80" + b'"}'), 400, "malformed")


@pytest.mark.parametrize("kind", ["text/plain", "application/xml", "application/x-www-form-urlencoded", "json", ""])
def test_another_content_type_is_refused(api: httpx.Client, kind: str) -> None:
    headers = {"Content-Type": kind} if kind else {}
    told = refused(api.post("/v1/memories", content=b'{"text": "x"}', headers=headers), 415, "wrong_content_type")
    assert "application/json" in told["detail"]


def test_a_wrong_method_and_an_unknown_path_are_told(api: httpx.Client) -> None:
    for method, path, allowed in (
        ("DELETE", "/v1/memories", "GET, POST"),
        ("PUT", f"/v1/memories/{NOBODY}", "GET, PATCH"),
        ("PATCH", "/v1/memories/bulk", "POST"),
        ("GET", "/v1/memories/batch", "POST"),
        ("GET", "/v1/sessions/run", "POST"),
        ("GET", "/v1/recall", "POST"),
        ("POST", "/healthz", "GET, HEAD"),
        ("TRACE", "/v1/stats", "GET"),
        ("HEAD", "/v1/stats", "GET"),
    ):
        told = api.request(method, path)
        assert told.status_code == 405, path
        assert told.headers["allow"] == allowed
        if method != "HEAD":
            refused(told, 405, "wrong_method")
    assert api.request("BREW", "/v1/stats").status_code == 405
    for path in (
        "/v1",
        "/v1/",
        "/v1/nothing",
        "/v2/memories",
        "/v1/memories/",
        "/v1//memories",
        "/v1/memories//history",
    ):
        told = api.get(path)
        assert told.status_code == 404, path
        assert told.json()["code"] in ("no_such_path", "not_found")


def test_ids_and_places_that_are_none_are_refused(api: httpx.Client) -> None:
    for id in (
        "x",
        "%00",
        "..",
        "%2e%2e%2f",
        NOBODY[:-1] + "A",
        NOBODY + "0",
        "%ff%fe",
        "%",
        "%zz",
        "' OR 1=1 --",
        "a" * 5000,
    ):
        told = api.get(f"/v1/memories/{id}")
        assert told.status_code in (404, 422), id
        told = api.get(f"/v1/receipts/{id}")
        assert told.status_code in (404, 422), id
    refused(api.get(f"/v1/memories/{NOBODY}"), 404, "not_found")
    for id in ("r", "r-1", "r1.5", "1", "r" + "9" * 40, "r٣"):
        assert api.get(f"/v1/receipts/{id}").status_code in (404, 422), id
        assert api.post(f"/v1/receipts/{id}/undo").status_code in (404, 422), id
    for cursor in ("x", "o-1", "o" + "9" * 30, "1~x", "", "r1", "%00", "a", "ar", "9" * 15 + "~" + NOBODY[:-1] + "A"):
        for path in ("/v1/memories", "/v1/actions", "/v1/sessions"):
            refused(api.get(path, params={"cursor": cursor}), 422, "invalid_input")
    for place in ("x", "r1.x", "-1", "r" + "9" * 30):
        for name in ("before", "after", "cursor"):
            refused(api.get("/v1/journal", params={name: place}), 422, "invalid_input")
        refused(api.get("/v1/journal", params={"before": place, "cursor": "r0.0"}), 422, "invalid_input")
    for header in ("x", '"x"', 'W/"-1"', "1", '"1", "2"'):
        told = api.post(f"/v1/memories/{NOBODY}/pin", headers={"If-Match": header})
        refused(told, 422, "invalid_input")


def test_a_query_is_as_strict_as_a_body(api: httpx.Client) -> None:
    for params in (
        {"limit": "0"},
        {"limit": "-1"},
        {"limit": "1001"},
        {"limit": "5.5"},
        {"limit": "5x"},
        {"limit": ""},
        {"limit": "٥"},
        {"limit": "1e2"},
        {"limit": "9" * 30},
        {"offset": "-1"},
        {"state": "gone"},
        {"scope": ""},
        {"scope": "x"},
        {"kind": " "},
        {"limit": ["1", "2"]},
        {"ids": "x"},
        {"scope": ["/a"] * 17},
    ):
        told = refused(api.get("/v1/memories", params=params), 422, "invalid_input")
        assert told["fields"] == [next(iter(params))], params
    refused(api.get("/v1/memories?limit=%ff"), 422, "invalid_input")
    refused(api.get("/v1/memories?%00=1"), 422, "invalid_input")
    refused(api.post("/v1/recall?query=x", json={"query": "x"}), 422, "invalid_input")
    refused(api.request("GET", "/v1/memories", content=b"{}"), 413, "too_large")
    told = api.get("/v1/memories?limit=5&limit=6&scope=x&state=gone&surprise=1").json()
    assert told["status"] == 422


def test_all_problems_are_told_at_once(api: httpx.Client) -> None:
    body = {"text": 5, "scope": 5, "importance": 2, "ttl": 5, "pinned": "yes", "colour": "red"}
    told = refused(api.post("/v1/memories", json=body), 422, "invalid_input")
    assert set(told["fields"]) == set(body)
    assert len(told["problems"]) == len(body)


def test_numbers_at_and_beyond_their_limits(api: httpx.Client) -> None:
    for name, inside, outside in (
        ("importance", (0, 1, 0.0, 1.0, 5e-324), (-1e-9, 1.0000001, -1, 2, 10**30)),
        ("valence", (-1, 1), (-1.1, 1.1)),
    ):
        for value in inside:
            assert api.post("/v1/memories", json={"text": f"{name} {value}", name: value}).status_code in (200, 201)
        for value in outside:
            told = api.post("/v1/memories", json={"text": "x", name: value})
            assert refused(told, 422, "invalid_input")["fields"] == [name]
    for value, status in ((1, 200), (1000, 200), (5.0, 200), (1e3, 200), (0, 422), (1001, 422), (5.5, 422), (-3, 422)):
        assert api.post("/v1/recall", json={"query": "x", "limit": value}).status_code == status, value


@pytest.mark.parametrize("depth", [17, 200, 900, 980, 5_000, 100_000])
@pytest.mark.parametrize("key", [None, "a-key-of-mine"])
def test_json_that_is_nested_deep_is_refused(api: httpx.Client, depth: int, key: str | None) -> None:
    raw = b'{"text": "x", "metadata": {"k": ' + b"[" * depth + b"]" * depth + b"}}"
    headers = {"Content-Type": "application/json"} | ({"Idempotency-Key": f"{key}-{depth}"} if key else {})
    told = api.post("/v1/memories", content=raw, headers=headers)
    assert told.status_code in (400, 422), told.text
    assert told.json()["code"] in ("malformed", "invalid_input")
    objects = b'{"text": "x", "metadata": ' + b'{"k":' * depth + b"1" + b"}" * (depth + 1)
    assert api.post("/v1/memories", content=objects, headers=headers).status_code in (400, 422)


def test_every_shape_is_used_by_a_call() -> None:
    used = {one.shape_name for call in CALLS.values() for one in call.arguments}
    assert set(SHAPES) - used <= {"cursor", "claims", "most"}


@pytest.mark.parametrize("verb", ["forget", "restore", "purge"])
def test_a_call_that_names_nothing_is_refused_in_the_words_of_the_library(api: httpx.Client, verb: str) -> None:
    given = {"reason": "asked"} if verb == "purge" else {}
    with Mind(":memory:") as mind, pytest.raises(InvalidInput) as error:
        getattr(mind, verb)(**given)
    told = refused(api.post(f"/v1/{verb}", json=given), 422, "invalid_input")
    assert told["problems"] == list(error.value.problems)
    assert told["fields"] == [], "no field was wrong"


def test_every_problem_is_told_at_once_whatever_finds_it(api: httpx.Client) -> None:
    body = {"text": " ", "scope": "x", "importance": 3, "ttl": "1x", "layer": "attic"}
    told = refused(api.post("/v1/memories", json=body), 422, "invalid_input")
    assert set(told["fields"]) == set(body)
    many = {"items": [{"text": " ", "importance": 3}, {"text": "fine", "scope": "y"}]}
    problems = refused(api.post("/v1/memories/batch", json=many), 422, "invalid_input")["problems"]
    assert [one.split(" ")[:3] for one in problems] == [
        ["item", "0:", "text"],
        ["item", "0:", "importance"],
        ["item", "1:", "scope"],
    ]


def test_fields_name_arguments_alone_and_sentences_are_the_librarys(api: httpx.Client) -> None:
    told = refused(api.post("/v1/forget", json={}), 422, "invalid_input")
    assert told["detail"] == "forget needs at least one of ids, scope, older_than, categories, kinds or query"
    assert told["fields"] == []
    made = api.post("/v1/memories", json={"text": "a heron", "layer": "semantic"}).json()["memory"]["id"]
    assert refused(api.post(f"/v1/memories/{made}/promote"), 422, "invalid_input")["fields"] == []


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "recall wants at least one of query, like, files, since, until"),
        ({"query": "x", "as_of": "2d", "include": "archived"}, "as_of shows what was live then"),
    ],
)
def test_of_the_rules_between_arguments_only_the_broken_ones_are_told(
    api: httpx.Client, given: dict[str, str], words: str
) -> None:
    told = refused(api.post("/v1/recall", json=given), 422, "invalid_input")
    assert len(told["problems"]) == 1
    assert told["detail"].startswith(words)


def test_what_is_wrong_is_said_as_it_is(api: httpx.Client) -> None:
    told = refused(api.get("/v1/memories", params={"limit": "9" * 30}), 422, "invalid_input")
    assert told["detail"] == f"limit {'9' * 30} is outside 1 to 1000"
    for name, words in (("kinds", "text or a list"), ("since", "text")):
        told = refused(api.post("/v1/recall", json={"query": "x", name: 5}), 422, "invalid_input")
        assert told["detail"] == f"{name} must be {words}, not int"
    told = refused(api.post("/v1/memories", json={"text": "x", "metadata": []}), 422, "invalid_input")
    assert told["detail"] == "metadata must be an object, not a list"


def test_a_wrong_scope_is_named_beside_the_other_problems(api: httpx.Client) -> None:
    given = {"text": 5, "scope": "shop/", "importance": "high", "colour": "red"}
    told = refused(api.post("/v1/memories", json=given), 422, "invalid_input")
    assert sorted(told["fields"]) == ["colour", "importance", "scope", "text"]
    assert "scope 'shop/' must begin with '/'" in told["problems"]
