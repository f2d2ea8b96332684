"""Whatever stands on a line, it is answered with an error or ignored; the server goes on, and holds at most a line."""

from __future__ import annotations

import json
import random
from pathlib import Path

import psutil
import pytest
from mcp_types import JSONRPCError, JSONRPCNotification, JSONRPCRequest

from remanence.interfaces.mcp.frames import MOST_BYTES, Lines, message_of
from tests.interfaces.mcp.support import speaking

PARSE, INVALID, PARAMS = -32700, -32600, -32602
REFUSED = [
    (b"{", PARSE),
    (b"nonsense", PARSE),
    (b"\xff\xfe\x00", PARSE),
    (b'{"jsonrpc":"2.0","id":1,"method":"\xc3"}', PARSE),
    (b'{"jsonrpc":"2.0","id":NaN,"method":"ping"}', PARSE),
    (b'{"jsonrpc":"2.0","id":1,"method":"p\x00ing"}', PARSE),
    (b"\x00", PARSE),
    (b"[" * 100_000, PARSE),
    (b'{"a":' * 100_000, PARSE),
    (b"[]", INVALID),
    (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', INVALID),
    (b"null", INVALID),
    (b"17", INVALID),
    (b'"ping"', INVALID),
    (b"{}", INVALID),
    (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', INVALID),
    (b'{"jsonrpc":2.0,"id":1,"method":"ping"}', INVALID),
    (b'{"id":1,"method":"ping"}', INVALID),
    (b'{"jsonrpc":"2.0","id":1}', INVALID),
    (b'{"jsonrpc":"2.0","id":1,"method":7}', INVALID),
    (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', INVALID),
    (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', INVALID),
    (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', INVALID),
    (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', INVALID),
    (b'{"jsonrpc":"2.0","id":"' + b"x" * 500 + b'","method":"ping"}', INVALID),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', PARAMS),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}', PARAMS),
    (b'{"jsonrpc":"2.0","id":1,"error":7}', INVALID),
    (None, INVALID),
]


@pytest.mark.parametrize(("line", "code"), REFUSED, ids=range(len(REFUSED)))
def test_what_is_no_message_is_refused_with_its_code(line: bytes | None, code: int) -> None:
    answer = message_of(line)
    assert isinstance(answer, JSONRPCError)
    assert answer.error.code == code
    assert answer.error.message and len(answer.error.message) < 300


def test_an_error_has_the_id_of_what_it_answers() -> None:
    assert message_of(b'{"jsonrpc":"1.0","id":"a1","method":"ping"}').id == "a1"
    assert message_of(b'{"jsonrpc":"2.0","id":7,"method":"ping","params":[]}').id == 7


def test_messages_are_read_and_blank_lines_are_nothing() -> None:
    assert isinstance(message_of(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\r'), JSONRPCRequest)
    assert isinstance(message_of(b'{"jsonrpc":"2.0","method":"notifications/initialized"}'), JSONRPCNotification)
    assert message_of(b"") is None is message_of(b" \r")


def test_lines_are_cut_however_they_come_and_long_ones_are_not_held() -> None:
    data = b"one\n\ntwo\n" + b"x" * 50 + b"\nthree\nrest"
    for step in (1, 2, 3, 7, 100):
        lines = Lines(most_bytes=10)
        cut = [line for at in range(0, len(data), step) for line in lines.fed(data[at : at + step])]
        assert cut == [b"one", b"", b"two", None, b"three"]
        assert lines.rest() == b"rest"
        assert list(lines.fed(b"y" * 1000)) == []
        assert sum(map(len, lines._held)) <= 10
        assert lines.rest() is None


def mutated(chance: random.Random) -> bytes:
    """A good message that something happened to."""
    good = json.dumps(
        {"jsonrpc": "2.0", "id": 1_000_000, "method": "tools/call", "params": {"name": "recall", "arguments": {}}}
    ).encode()
    kind = chance.randrange(7)
    if kind == 0:
        return chance.randbytes(chance.randrange(1, 200)).replace(b"\n", b" ")
    if kind == 1:
        return good[: chance.randrange(1, len(good) - 1)]
    if kind == 2:
        at = chance.randrange(len(good))
        return good[:at] + chance.randbytes(3).replace(b"\n", b"\r") + good[at:]
    if kind == 3:
        value = chance.choice([None, [], {}, 0, -1, 1e308, "x", True, [[[]]], "\u0000", "\ud83d\ude00"])
        field = chance.choice(["jsonrpc", "method", "params", "id"])
        return json.dumps({**json.loads(good), field: value}).encode()
    if kind == 4:
        return chance.choice([b"[", b"{", b'{"a":']) * chance.randrange(1, 50_000)
    if kind == 5:
        return chance.choice(REFUSED)[0] or b"null"
    return json.dumps(
        {**json.loads(good), "params": {"name": "recall", "arguments": chance.choice([[], 1, "x"])}}
    ).encode()


@pytest.mark.promise("S18")
def test_five_hundred_malformed_frames(tmp_path: Path) -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    with speaking(tmp_path / "a.db") as s:
        process = psutil.Process(s.process.pid)
        s.call("recall", query="warm")
        before = process.memory_info().rss
        for number in range(500):
            s.put(mutated(chance) + b"\n")
            if number % 50 == 49:
                assert s.ask("ping")["result"] == {}
        for _ in range(16):  # a line of 64 MiB
            s.put(b"x" * MOST_BYTES)
        s.put(b"\n")
        assert s.ask("ping")["result"] == {}
        assert process.memory_info().rss - before < 50 * 2**20
        assert s.call("remember", text="It still works")["structuredContent"]["outcome"] == "added"


def test_a_flood_that_nobody_reads_the_answers_of_is_held_back(tmp_path: Path) -> None:
    """More requests than may wait are refused, each with its own id; none is lost."""
    with speaking(tmp_path / "a.db") as s:
        ids = [s.request("tools/call", {"name": "recall", "arguments": {"query": "x"}}) for _ in range(3000)]
        codes: dict[int, int | None] = {}
        while len(codes) < len(ids):
            message = s.heard()
            codes[message["id"]] = message.get("error", {}).get("code")
        assert codes.keys() == set(ids)
        assert set(codes.values()) <= {None, -32000}
        assert None in codes.values()
        assert s.ask("ping")["result"] == {}


def test_an_id_that_is_under_way_is_not_taken_twice(tmp_path: Path) -> None:
    with speaking(tmp_path / "a.db") as s:
        line = json.dumps({"jsonrpc": "2.0", "id": 5000, "method": "resources/list"}).encode() + b"\n"
        s.put(line * 2)
        answers = [s.heard() for _ in range(2)]
        assert sorted("error" in answer for answer in answers) == [False, True]
