"""Tokens of a served store: what a secret opens and until when, files for one pair of eyes, many processes at once."""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from remanence.errors import (
    InvalidInput,
    NotFound,
    StoreDamaged,
    StoreError,
    StoreReadOnly,
    StoreTooNew,
    StoreUnavailable,
)
from remanence.interfaces import private_files
from remanence.interfaces import tokens as module
from remanence.interfaces.tokens import Tokens, first_token, local_token
from tests.conftest import START, Clock

URL = "http://127.0.0.1:7411"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def tokens(store: Path, clock: Clock) -> Tokens:
    return Tokens(store, clock)


def listed(store: Path) -> Path:
    return store.with_name("memory.db.tokens.json")


def served(store: Path) -> Path:
    return store.with_name("memory.db.serve.json")


def test_a_secret_opens_what_its_token_says(tokens: Tokens) -> None:
    secret, made = tokens.create("ci", namespace="team", scope="/project/api", read_only=True, expires_in="90d")
    assert re.fullmatch(r"rem_[0-9a-f]{8}_[A-Za-z0-9_-]{43}", secret) and secret[4:12] == made.id
    assert (made.name, made.namespace, made.scope, made.read_only) == ("ci", "team", "/project/api", True)
    assert (made.created_at, made.expires_at, made.revoked_at) == (START, START + timedelta(days=90), None)
    assert tokens.check(secret) == made
    assert tokens.list() == (made,)


def test_without_limits_it_opens_everything_for_good(tokens: Tokens, clock: Clock) -> None:
    secret, made = tokens.create("owner")
    assert (made.namespace, made.scope, made.read_only, made.expires_at) == (None, None, False, None)
    clock.advance(days=36_500)
    assert tokens.check(secret) == made


def test_no_two_secrets_are_alike(tokens: Tokens) -> None:
    made = [tokens.create("one") for _ in range(50)]
    assert len({secret for secret, _ in made}) == len({token.id for _, token in made}) == 50
    assert [tokens.check(secret) for secret, _ in made] == [token for _, token in made]


def test_the_secret_is_nowhere_but_with_its_bearer(tokens: Tokens, store: Path) -> None:
    secret, made = tokens.create("ci")
    files = b"".join(file.read_bytes() for file in store.parent.iterdir())
    assert secret.encode() not in files and secret[13:].encode() not in files
    assert hashlib.sha256(secret.encode()).hexdigest().encode() in files
    told = f"{made!r} {made.to_dict()} {tokens!r}"
    assert secret[13:] not in told and made.digest.hex() not in told and repr(made.digest) not in told
    assert "digest" not in made.to_dict()
    json.dumps(made.to_dict())


@pytest.mark.parametrize(
    "spoiled",
    [
        lambda s: s[:-1],
        lambda s: s + "A",
        lambda s: s + "A" * 500,
        lambda s: s[:-2] + ("AA" if s[-2:] != "AA" else "BB"),
        lambda s: s.upper(),
        lambda s: f" {s}",
        lambda s: s[:12],
        lambda s: s[4:12],
        lambda s: "rem_00000000_" + s[13:],
        lambda s: "",
        lambda s: "rem_",
        lambda s: "\x00" * 56,
        lambda s: "\udcff" * 56,
        lambda s: "ß" * 10_000,
    ],
)
def test_what_is_not_the_secret_opens_nothing(tokens: Tokens, spoiled: Any) -> None:
    secret, _ = tokens.create("ci")
    assert tokens.check(spoiled(secret)) is None
    assert tokens.check(secret) is not None


def test_one_tokens_secret_does_not_open_another(tokens: Tokens) -> None:
    (one, _), (_, other) = tokens.create("one"), tokens.create("other")
    assert tokens.check(f"rem_{other.id}_{one[13:]}") is None


def test_it_expires_at_its_moment(tokens: Tokens, clock: Clock) -> None:
    secret, made = tokens.create("ci", expires_in=timedelta(minutes=10))
    assert made.expires_at is not None
    clock.now = made.expires_at - timedelta(microseconds=1)
    assert tokens.check(secret) == made and made.state(clock.now) == "live"
    clock.now = made.expires_at
    assert tokens.check(secret) is None and made.state(clock.now) == "expired"


def test_a_life_longer_than_the_calendar_ends_with_it(tokens: Tokens) -> None:
    secret, made = tokens.create("ci", expires_in="999999y")
    assert made.expires_at == datetime.max.replace(tzinfo=UTC)
    assert tokens.check(secret) == made and Tokens(tokens._store, tokens.clock).list() == (made,)


def test_revoked_it_opens_nothing_and_stays_revoked(tokens: Tokens, clock: Clock) -> None:
    secret, made = tokens.create("ci")
    kept, other = tokens.create("other")
    clock.advance(hours=1)
    gone = tokens.revoke(made.id)
    assert gone == replace(made, revoked_at=clock.now) and gone.state(clock.now) == "revoked"
    assert tokens.check(secret) is None and tokens.check(kept) == other
    clock.advance(hours=1)
    assert tokens.revoke(made.id) == gone, "the first time counts"
    assert tokens.list() == (gone, other)


def test_a_whole_secret_will_do_to_revoke_it(tokens: Tokens) -> None:
    secret, made = tokens.create("ci")
    assert tokens.revoke(secret).id == made.id
    assert tokens.check(secret) is None


@pytest.mark.parametrize("id", ["", "zzzzzzzz", "rem_", "../../etc"])
def test_an_unknown_id_is_not_found(tokens: Tokens, id: str) -> None:
    tokens.create("ci")
    with pytest.raises(NotFound, match="rem token list"):
        tokens.revoke(id)


def test_more_than_an_id_revokes_nothing_and_is_not_repeated(tokens: Tokens) -> None:
    secret, made = tokens.create("ci")
    with pytest.raises(NotFound) as error:
        tokens.revoke(made.id + secret[13:].replace("_", "-"))
    assert secret[13:20] not in str(error.value)
    assert tokens.check(secret) == made


def test_every_problem_is_named_at_once(tokens: Tokens, store: Path) -> None:
    with pytest.raises(InvalidInput) as error:
        tokens.create("", namespace=" ", scope="api/", read_only="yes", expires_in="soon")  # type: ignore[arg-type]
    problems = error.value.problems
    assert len(problems) == 6
    for word in ("name", "namespace", "begin with '/'", "end with '/'", "read_only", "expires "):
        assert any(word in problem for problem in problems), word
    assert not listed(store).exists()


@pytest.mark.parametrize("name", ["a\nb", "\x1b[31mred", "x" * 201, "a\x00b", "\ud800"])
def test_a_name_is_one_short_line(tokens: Tokens, name: str) -> None:
    with pytest.raises(InvalidInput, match="name"):
        tokens.create(name)


def test_names_of_any_script_come_back(tokens: Tokens, store: Path, clock: Clock) -> None:
    secret, made = tokens.create("Ännchens Läptop 部署 🔑", namespace="équipe", scope="/projet/été")
    assert Tokens(store, clock).check(secret) == made


# The same work for every kind of secret.


def test_the_check_does_the_same_whatever_it_is_given(
    tokens: Tokens, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, _ = tokens.create("good")
    old, _ = tokens.create("old", expires_in="1h")
    clock.advance(hours=2)
    revoked, _ = tokens.create("revoked")
    tokens.revoke(revoked)
    hashed: list[int] = []
    compared: list[tuple[int, int]] = []

    def digest(secret: str, of: Any = module._digest) -> bytes:
        hashed.append(len(secret))
        return of(secret)

    def same(one: bytes, two: bytes, of: Any = module.compare_digest) -> bool:
        compared.append((len(one), len(two)))
        return of(one, two)

    monkeypatch.setattr(module, "_digest", digest)
    monkeypatch.setattr(module, "compare_digest", same)
    unknown = "rem_00000000_" + good[13:]
    given = [good, old, revoked, unknown, good[:-1] + "!", "", "x", good + "x" * 10_000]
    assert [tokens.check(secret) is not None for secret in given] == [True] + [False] * 7
    assert compared == [(32, 32)] * len(given)
    assert hashed == [min(len(secret), 200) for secret in given]


# Several processes.


def test_others_see_every_change_at_once(store: Path, clock: Clock) -> None:
    server, hand = Tokens(store, clock), Tokens(store, clock)
    assert server.check("rem_00000000_x") is None, "it has seen that there is no file"
    made = []
    for number in range(20):
        secret, token = hand.create(f"t{number}")
        assert server.check(secret) == token
        made.append(secret)
    for secret in made:
        hand.revoke(secret)
        assert server.check(secret) is None
    listed(store).unlink()
    assert server.list() == ()


def test_a_file_that_did_not_change_is_not_read_again(tokens: Tokens, monkeypatch: pytest.MonkeyPatch) -> None:
    secret, _ = tokens.create("ci")
    assert tokens.check(secret)
    monkeypatch.setattr(private_files, "read", lambda path: pytest.fail("read again"))
    for _ in range(10):
        assert tokens.check(secret)


def test_threads_share_one(store: Path, clock: Clock) -> None:
    tokens = Tokens(store, clock)
    start = threading.Barrier(8)

    def work(number: int) -> list[str]:
        start.wait()
        made = [tokens.create(f"{number}.{n}")[0] for n in range(5)]
        assert all(tokens.check(secret) for secret in made)
        tokens.revoke(made[0])
        assert tokens.check(made[0]) is None
        return made

    with ThreadPoolExecutor(8) as pool:
        made = [secret for secrets in pool.map(work, range(8)) for secret in secrets]
    assert len(tokens.list()) == 40
    assert sum(tokens.check(secret) is not None for secret in made) == 32


AT_WORK = """
import sys
from remanence.interfaces.tokens import Tokens
tokens = Tokens(sys.argv[1])
for number in range(int(sys.argv[2])):
    secret, _ = tokens.create(f"{sys.argv[3]}.{number}")
    assert tokens.check(secret), "made and not there"
    if number % 2:
        tokens.revoke(secret)
        assert tokens.check(secret) is None
    else:
        print(secret, flush=True)
"""


def at_work(store: Path, number: int, name: str) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", AT_WORK, str(store), str(number), name]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_processes_lose_nothing(store: Path) -> None:
    server = Tokens(store)
    workers = [at_work(store, 20, f"w{n}") for n in range(4)]
    while any(worker.poll() is None for worker in workers):
        server.check("rem_00000000_x")  # never half a file
    answers = [worker.communicate(timeout=60) for worker in workers]
    assert [worker.returncode for worker in workers] == [0] * 4, [err for _, err in answers]
    kept = [secret for out, _ in answers for secret in out.split()]
    assert len(kept) == 40 and all(server.check(secret) for secret in kept)
    assert len(server.list()) == 80
    assert sum(token.revoked_at is not None for token in server.list()) == 40


def test_one_that_is_killed_leaves_whole_tokens_and_no_lock(store: Path) -> None:
    tokens = Tokens(store)
    for round in range(5):
        worker = at_work(store, 100_000, f"w{round}")
        assert worker.stdout is not None
        acknowledged = [worker.stdout.readline().strip() for _ in range(3 + round)]
        worker.kill()
        worker.communicate(timeout=60)
        assert all(tokens.check(secret) for secret in acknowledged)
        mine, _ = tokens.create("after it")
        assert tokens.check(mine)


def test_a_lock_that_is_never_let_go_is_named(tokens: Tokens, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret, _ = tokens.create("before")
    monkeypatch.setattr(private_files, "_WAIT_SECONDS", 0.05)
    with private_files.alone(listed(store), store):
        with pytest.raises(StoreUnavailable, match="Another process"):
            tokens.create("ci")
        assert tokens.check(secret), "who only reads does not wait"
    tokens.create("ci")


# Files for one pair of eyes.


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o777])
def test_files_are_their_owners_alone(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        store = tmp_path / "memory.db"
        first_token(store, URL)
        first_token(store, "http://127.0.0.1:9000")
        Tokens(store).create("ci")
    finally:
        os.umask(before)
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
    assert modes.keys() >= {"memory.db.tokens.json", "memory.db.serve.json"}
    assert not any(mode & 0o077 for mode in modes.values()), modes
    assert modes["memory.db.tokens.json"] == modes["memory.db.serve.json"] == 0o600


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o602, 0o666])
def test_a_file_that_is_open_to_others_is_refused(tokens: Tokens, store: Path, mode: int) -> None:
    secret, made = tokens.create("ci")
    assert tokens.check(secret)
    before = listed(store).read_bytes()
    listed(store).chmod(mode)
    for ask in (lambda: tokens.check(secret), tokens.list, lambda: tokens.create("b"), lambda: tokens.revoke(made.id)):
        with pytest.raises(StoreError, match=rf"mode {mode:o}.*chmod 600"):
            ask()
    assert listed(store).read_bytes() == before
    listed(store).chmod(0o600)
    assert tokens.check(secret) == made


def record(**values: Any) -> dict[str, Any]:
    made = {"id": "ab12cd34", "name": "ci", "namespace": None, "scope": None, "read_only": False}
    made |= {"created_at": START.isoformat(), "expires_at": None, "revoked_at": None, "digest": "00" * 32}
    return made | values


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in record().items() if key != name}


def test_the_record_of_these_tests_is_sound(store: Path) -> None:
    put(listed(store), {"format": 1, "tokens": [record()]})
    assert [token.id for token in Tokens(store).list()] == ["ab12cd34"]


def put(path: Path, values: Any) -> None:
    path.write_bytes(values if isinstance(values, bytes) else json.dumps(values).encode())
    path.chmod(0o600)


@pytest.mark.parametrize(
    "values",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[" * 100_000,
        [],
        {},
        {"format": 1},
        {"format": 1, "tokens": 7},
        {"format": 1, "tokens": [7]},
        {"format": 1, "tokens": [without("scope")]},
        {"format": 1, "tokens": [record(only_on_sundays=True)]},
        {"format": 1, "tokens": [record(digest="00")]},
        {"format": 1, "tokens": [record(digest="zz" * 32)]},
        {"format": 1, "tokens": [record(digest=None)]},
        {"format": 1, "tokens": [record(read_only="no")]},
        {"format": 1, "tokens": [record(namespace=7)]},
        {"format": 1, "tokens": [record(expires_at="soon")]},
        {"format": 1, "tokens": [record(expires_at="2026-03-01T12:00:00")]},
        {"format": 1, "tokens": [record(expires_at=7)]},
        {"format": 1, "tokens": [record(created_at=None)]},
    ],
)
def test_a_damaged_file_opens_nothing_and_is_left_as_it_is(tokens: Tokens, store: Path, values: Any) -> None:
    put(listed(store), values)
    before = listed(store).read_bytes()
    for ask in (lambda: tokens.check("rem_ab12cd34_x"), tokens.list, lambda: tokens.create("b")):
        with pytest.raises(StoreDamaged, match="rem token create"):
            ask()
    assert listed(store).read_bytes() == before


def test_a_file_of_a_newer_version_is_left_alone(tokens: Tokens, store: Path) -> None:
    put(listed(store), {"format": 2, "tokens": {"in": "another way"}})
    with pytest.raises(StoreTooNew, match="format 2"):
        tokens.create("ci")


def test_a_folder_in_its_place_is_named(tokens: Tokens, store: Path) -> None:
    listed(store).mkdir(mode=0o700)
    with pytest.raises(StoreError, match=r"memory\.db\.tokens\.json"):
        tokens.list()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_is_named(tokens: Tokens, store: Path) -> None:
    store.parent.chmod(0o500)
    try:
        with pytest.raises(StoreReadOnly, match="write rights"):
            tokens.create("ci")
    finally:
        store.parent.chmod(0o700)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_what_root_writes_beside_a_services_store_is_the_services(tokens: Tokens, store: Path) -> None:
    store.touch()
    os.chown(store, 12_345, 12_345)
    tokens.create("ci")
    first_token(store, URL)
    owners = {file.stat().st_uid for file in store.parent.iterdir()}
    assert owners == {12_345}


@pytest.mark.parametrize("place", [":memory:", "postgresql://db/x", "http://127.0.0.1:7411", "", "a\x00b"])
def test_a_store_that_is_no_file_has_no_tokens(place: str) -> None:
    with pytest.raises(InvalidInput, match="beside a store that is a file"):
        Tokens(place)
    assert local_token(place, URL) is None


def test_the_folder_of_a_new_store_is_made(tmp_path: Path) -> None:
    secret, made = Tokens(tmp_path / "new" / "er" / "memory.db").create("ci")
    assert Tokens(tmp_path / "new" / "er" / "memory.db").check(secret) == made
    assert stat.S_IMODE((tmp_path / "new" / "er").stat().st_mode) == 0o700


# The owner's token.


def test_the_first_start_makes_one_and_the_next_keep_it(store: Path, clock: Clock) -> None:
    first = first_token(store, URL, clock)
    assert first.made and first.note == "" and first.token not in repr(first)
    token = Tokens(store, clock).check(first.token)
    assert token is not None and (token.name, token.namespace, token.expires_at) == ("owner", None, None)
    assert json.loads(served(store).read_text()) == {"url": URL, "token": first.token}
    later = first_token(store, "http://127.0.0.1:9000", clock)
    assert (later.token, later.made, later.note) == (first.token, False, "")
    assert json.loads(served(store).read_text()) == {"url": "http://127.0.0.1:9000", "token": first.token}
    assert len(Tokens(store, clock).list()) == 1
    assert local_token(store, URL) is None
    assert local_token(store, "http://127.0.0.1:9000") == first.token


def test_a_revoked_one_is_made_anew_only_when_its_file_is_gone(store: Path, clock: Clock) -> None:
    first = first_token(store, URL, clock)
    Tokens(store, clock).revoke(first.token)
    again = first_token(store, URL, clock)
    assert (again.token, again.made) == (first.token, False)
    assert "revoked" in again.note and f"rm '{served(store)}'" in again.note
    assert len(Tokens(store, clock).list()) == 1
    served(store).unlink()
    new = first_token(store, URL, clock)
    assert new.made and new.note == "" and new.token != first.token
    assert Tokens(store, clock).check(new.token) and not Tokens(store, clock).check(first.token)


def test_one_that_is_not_in_the_list_is_named(store: Path) -> None:
    first_token(store, URL)
    listed(store).unlink()
    assert "unknown" in first_token(store, URL).note


def test_servers_that_start_at_once_agree_on_one(store: Path) -> None:
    start = threading.Barrier(6)

    def begin(number: int) -> str:
        start.wait()
        return first_token(store, f"http://127.0.0.1:{7000 + number}").token

    with ThreadPoolExecutor(6) as pool:
        assert len(set(pool.map(begin, range(6)))) == 1
    assert len(Tokens(store).list()) == 1


@pytest.mark.parametrize(
    ("asked", "is_it"),
    [
        ("http://127.0.0.1:7411", True),
        ("http://127.0.0.1:7411/", True),
        ("HTTP://127.0.0.1:7411/v1?x=1", True),
        ("http://127.0.0.1:7412", False),
        ("http://127.0.0.1", False),
        ("https://127.0.0.1:7411", False),
        ("http://localhost:7411", False),
        ("http://127.0.0.1.evil.example:7411", False),
        ("http://127.0.0.1:7411@evil.example", False),
        ("http://me@127.0.0.1:7411", False),
        ("http://evil.example:7411/127.0.0.1:7411", False),
        ("ftp://127.0.0.1:7411", False),
        ("127.0.0.1:7411", False),
        ("http://127.0.0.1:99999", False),
        ("http://[::1", False),
        ("", False),
    ],
)
def test_it_is_told_for_its_own_address_alone(store: Path, asked: str, is_it: bool) -> None:
    first = first_token(store, URL)
    assert local_token(store, asked) == (first.token if is_it else None)


def test_usual_ports_need_not_be_written(store: Path) -> None:
    first = first_token(store, "https://Memory.example")
    assert local_token(store, "https://memory.example:443/v1") == first.token
    assert local_token(store, "http://memory.example:443") is None


@pytest.mark.parametrize("url", ["", "127.0.0.1:7411", "ftp://127.0.0.1", "http://", "http://u@h", "http://h:99999"])
def test_a_server_needs_an_address(store: Path, url: str) -> None:
    with pytest.raises(InvalidInput, match="url"):
        first_token(store, url)
    assert not served(store).exists() and not listed(store).exists()


def test_without_a_server_there_is_none(store: Path) -> None:
    assert local_token(store, URL) is None


@pytest.mark.parametrize("mode", [0o644, 0o620])
def test_one_that_others_can_read_is_not_used(store: Path, mode: int, caplog: pytest.LogCaptureFixture) -> None:
    first_token(store, URL)
    served(store).chmod(mode)
    assert local_token(store, URL) is None
    assert "chmod 600" in caplog.text
    with pytest.raises(StoreError, match="chmod 600"):
        first_token(store, URL)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_one_of_another_user_is_not_used(store: Path) -> None:
    first_token(store, URL)
    os.chown(served(store), 12_345, 12_345)
    assert local_token(store, URL) is None


@pytest.mark.parametrize("text", ["", "{", "[]", "7", '{"url": 1, "token": "x"}', '{"url": "http://127.0.0.1:7411"}'])
def test_a_damaged_one_is_not_used(store: Path, text: str) -> None:
    first_token(store, URL)
    put(served(store), text.encode())
    assert local_token(store, URL) is None
    with pytest.raises(StoreDamaged, match="rm "):
        first_token(store, URL)
