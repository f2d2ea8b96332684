"""Many at once: NDJSON in, NDJSON out."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.interfaces.serve.conftest import Server

LINES = {"Content-Type": "application/x-ndjson"}


@pytest.fixture
def space(server: Server, request: pytest.FixtureRequest) -> Iterator[httpx.Client]:
    with server.client(server.token_for("bulk", namespace=request.node.name, human=True)) as client:
        yield client


def sent(client: httpx.Client, *lines: Any) -> dict[str, Any]:
    raw = b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines)
    told = client.post("/v1/memories/bulk", content=raw, headers=LINES)
    assert told.status_code == 200, told.text
    answer: dict[str, Any] = told.json()
    return answer


def test_lines_are_texts_or_what_remember_takes(space: httpx.Client) -> None:
    told = sent(
        space, "a plain text", {"text": "an object", "scope": "/a", "created_at": "2026-03-01T09:00:00Z"}, b"", b"  "
    )
    assert (told["read"], told["stored"], told["rejected"]) == (2, 2, 0)
    assert told["outcomes"] == {"added": 2}
    items = space.get("/v1/memories").json()["items"]
    assert {(one["text"], one["scope"]) for one in items} == {("a plain text", "/"), ("an object", "/a")}
    assert sent(space, "a plain text")["outcomes"] == {"duplicate": 1}


def test_a_bad_line_is_told_by_its_number_and_costs_no_other(space: httpx.Client) -> None:
    good = [f"a good line, number {number}" for number in range(500)]
    lines: list[Any] = list(good)
    bad: dict[int, tuple[Any, str]] = {
        3: (b"{", "malformed"),
        7: ({"text": ""}, "invalid_input"),
        50: ({"text": "\u200b"}, "invalid_input"),
        51: ({"text": "x", "scope": "no/slash"}, "invalid_input"),
        90: ({"text": "x", "colour": "red"}, "invalid_input"),
        150: ([1], "invalid_input"),
        151: (b'{"text": "a", "text": "b"}', "malformed"),
        220: ({"text": "x", "importance": 5}, "invalid_input"),
        221: ({"text": "\ud800"}, "invalid_input"),
        399: (b"\xff\xfe", "malformed"),
        450: ({"text": "x", "expires_at": "never"}, "invalid_input"),
        451: ({"text": "x" * 1_100_000}, "invalid_input"),
    }
    for place, (line, _) in sorted(bad.items()):
        lines.insert(place - 1, line)
    told = sent(space, *lines)
    assert (told["read"], told["stored"], told["rejected"]) == (512, 500, 12)
    assert {one["line"]: one["code"] for one in told["problems"]} == {line: code for line, (_, code) in bad.items()}
    assert all(one["detail"] and "The body" not in one["detail"] for one in told["problems"])
    assert space.get("/v1/count").json() == {"count": 500}
    assert all(space.get(f"/v1/receipts/{receipt}").status_code == 200 for receipt in told["receipts"])


def test_a_scoped_token_writes_what_it_may_and_is_told_the_rest(server: Server) -> None:
    with server.client(server.token_for("s", namespace="bulk-scoped", scope="/in")) as client:
        told = sent(client, "goes inside", {"text": "below", "scope": "/in/x"}, {"text": "outside", "scope": "/out"})
        assert (told["stored"], told["rejected"]) == (2, 1)
        assert told["problems"] == [{"line": 3, "code": "forbidden", "detail": told["problems"][0]["detail"]}]
        assert {one["scope"] for one in client.get("/v1/memories").json()["items"]} == {"/in", "/in/x"}


def test_many_bad_lines_are_counted_and_the_first_hundred_told(space: httpx.Client) -> None:
    told = sent(space, *[b"{"] * 1000)
    assert (told["read"], told["rejected"], len(told["problems"])) == (1000, 1000, 100)


def test_a_stream_that_is_cut_off_keeps_the_batches_before(server: Server, space: httpx.Client) -> None:
    lines = "".join(json.dumps(f"line number {number} of a broken stream") + "\n" for number in range(250))
    head = (
        f"POST /v1/memories/bulk HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        f"Authorization: {space.headers['authorization']}\r\nContent-Type: application/x-ndjson\r\n"
        f"Content-Length: {len(lines) + 100}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", server.port), 30) as connection:
        connection.sendall(head.encode() + lines.encode())
        deadline = time.monotonic() + 60
        while space.get("/v1/count").json() == {"count": 0} and time.monotonic() < deadline:
            time.sleep(0.02)
        connection.shutdown(socket.SHUT_WR)
        connection.settimeout(30)
        connection.recv(65536)
    assert space.get("/v1/count").json() == {"count": 200}
    assert space.post("/v1/check").json()["problems"] == []


@pytest.mark.parametrize("kind", ["application/json", "text/plain", ""])
def test_lines_of_another_type_are_refused(space: httpx.Client, kind: str) -> None:
    headers = {"Content-Type": kind} if kind else {}
    for path in ("/v1/memories/bulk", "/v1/import"):
        told = space.post(path, content=b'"x"\n', headers=headers)
        assert (told.status_code, told.json()["code"]) == (415, "wrong_content_type")


def test_a_batch_in_one_body_is_all_or_nothing(space: httpx.Client) -> None:
    told = space.post("/v1/memories/batch", json={"items": ["one", {"text": "two", "ttl": "30d"}]})
    assert [one["outcome"] for one in told.json()["items"]] == ["added", "added"]
    wrong = space.post("/v1/memories/batch", json={"items": ["three", "", {"text": 5}, {"colour": 1}, "four"]})
    assert wrong.status_code == 422
    assert space.get("/v1/count").json() == {"count": 2}
    told = space.post("/v1/memories/batch", json={"items": [{"text": 5}, "fine", {"colour": 1}]}).json()
    assert [one.partition(":")[0] for one in told["problems"]] == ["item 0", "item 2", "item 2"]


def test_what_is_exported_and_imported_is_exported_the_same(server: Server, space: httpx.Client) -> None:
    for number in range(30):
        space.post("/v1/memories", json={"text": f"exported number {number}", "categories": ["é", "b"], "ttl": "30d"})
    ids = [one["id"] for one in space.get("/v1/memories").json()["items"]]
    space.post("/v1/forget", json={"ids": ids[:3]})
    space.patch(f"/v1/memories/{ids[4]}", json={"text": "exported, and revised since"})
    space.post(f"/v1/memories/{ids[5]}/pin")
    first = space.get("/v1/export")
    assert first.headers["content-type"] == "application/x-ndjson"
    with server.client(server.token_for("in", namespace="bulk-imported", human=True)) as other:
        told = other.post("/v1/import", content=first.content, headers=LINES)
        assert told.status_code == 200, told.text
        second = other.get("/v1/export")
        assert _plain(second.text) == _plain(first.text)
        again = other.post("/v1/import", content=first.content, headers=LINES).json()
        assert again["added"] == 0
        assert _plain(other.get("/v1/export").text) == _plain(first.text)
    assert "exported number" in space.get("/v1/export", params={"format": "markdown"}).text


def _plain(export: str) -> list[Any]:
    """The memories of an export, whatever namespace they are in."""
    return sorted(
        (
            {name: value for name, value in json.loads(line).items() if name != "namespace"}
            for line in export.splitlines()
        ),
        key=str,
    )


def test_an_import_of_anything_else_is_refused_and_leaves_nothing(space: httpx.Client) -> None:
    for raw in (b"{", b'{"text": "no export"}', b"[]", b'"x"', b"\xff", b'{"id": "x"}\n'):
        told = space.post("/v1/import", content=raw, headers=LINES)
        assert told.status_code in (400, 422), raw
    assert space.get("/v1/count").json() == {"count": 0}
    assert space.get("/v1/export", params={"format": "csv"}).status_code == 422
    assert space.get("/v1/export", params={"limit": "1"}).status_code == 422
