"""rem token at the command line: made, listed, revoked, in words and in JSON, with codes for mistakes."""

from __future__ import annotations

import json
import os
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from remanence.interfaces import private_files
from remanence.interfaces.tokens import Token, Tokens, first_token
from remanence.model.moment import parse_moment
from tests.interfaces.doors import said, told, typed


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "own.db"
    monkeypatch.setenv("REMANENCE_DB", str(path))
    monkeypatch.setenv("REMANENCE_CONFIG", str(tmp_path / "config.yml"))
    return path


def failed(*words: str) -> tuple[int, dict[str, Any]]:
    code, out, err = typed(["--json", *words])
    assert out == ""
    return code, json.loads(err)


def days_of(token: Token) -> list[str]:
    return [f"{token.created_at:%Y-%m-%d}", f"{token.expires_at:%Y-%m-%d}"]


def test_from_nothing_to_revoked_in_words(store: Path) -> None:
    assert "rem token create NAME" in said("token", "list")
    out = said("token", "create", "laptop")
    secret = out.splitlines()[0]
    token = Tokens(store).check(secret)
    assert token is not None and token.name == "laptop"
    assert out.count(secret) == 1, "shown once"
    assert 'Authorization: Bearer $TOKEN" http://127.0.0.1:7411/v1/count' in out
    assert "read and write any namespace, until" in out and f"rem token revoke {token.id}" in out
    head, line = said("token", "list").splitlines()
    assert token.expires_at == token.created_at + timedelta(days=90)
    assert head.split() == ["id", "name", "namespace", "scope", "may", "made", "until", "state"]
    assert line.split() == [token.id, "laptop", "any", "/", "write", *days_of(token), "live"]
    assert line.startswith(token.id) and secret[13:] not in line
    gone = said("token", "revoke", token.id)
    assert gone.startswith(f"x {token.id} (laptop) is revoked since ")
    assert said("token", "list").splitlines()[1].endswith("  revoked")
    assert Tokens(store).check(secret) is None


def test_the_same_in_json(store: Path) -> None:
    assert told("token", "list") == []
    words = ["--namespace", "team", "--scope", "/project/api", "--read-only", "--expires", "never"]
    made = told("token", "create", "ci", *words)
    token = Tokens(store).check(made.pop("token"))
    assert token is not None
    assert made == token.to_dict() | {"state": "live"}
    assert (token.namespace, token.scope, token.read_only, token.expires_at) == ("team", "/project/api", True, None)
    assert told("token", "list") == [made]
    gone = told("token", "revoke", token.id)
    assert gone["state"] == "revoked" and gone["revoked_at"] is not None
    assert told("token", "list") == [gone]


@pytest.mark.parametrize(
    "words",
    [
        ["token", "create", "--namespace", "team", "ci"],
        ["token", "--namespace", "team", "create", "ci"],
        ["--namespace", "team", "token", "create", "ci"],
    ],
)
def test_a_namespace_binds_wherever_it_stands(words: list[str]) -> None:
    assert told(*words)["namespace"] == "team"


def test_a_namespace_that_is_only_a_setting_binds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REMANENCE_NAMESPACE", "team")
    assert told("token", "create")["namespace"] is None


def test_the_help_says_what_a_namespace_does() -> None:
    assert "without, for any" in " ".join(said("token", "create", "--help").split())
    assert "create" in said("token")


@pytest.mark.parametrize(("span", "days"), [("1h", 1 / 24), ("30d", 30), ("1y", 365)])
def test_it_ends_when_it_was_told_to(span: str, days: float) -> None:
    token = told("token", "create", "ci", "--expires", span)
    assert parse_moment(token["expires_at"]) - parse_moment(token["created_at"]) == timedelta(days=days)


def test_one_that_expired_is_shown_as_such(store: Path) -> None:
    Tokens(store, lambda: datetime(2020, 1, 1, tzinfo=UTC)).create("old", expires_in="1d")
    assert said("token", "list").splitlines()[1].endswith("2020-01-01  2020-01-02  expired")
    assert told("token", "list")[0]["state"] == "expired"


def test_it_stands_beside_the_store_that_is_named(tmp_path: Path) -> None:
    secret = told("token", "create", "ci", "--db", str(tmp_path / "other.db"))["token"]
    assert Tokens(tmp_path / "other.db").check(secret)
    assert told("token", "list") == []
    file = tmp_path / "other.db.tokens.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert not (tmp_path / "other.db").exists(), "making a token makes no store"


def test_the_token_of_a_server_is_listed(store: Path) -> None:
    owner = first_token(store, "http://127.0.0.1:7411")
    (line,) = said("token", "list").splitlines()[1:]
    assert line.split()[1:5] == ["owner", "any", "/", "write"] and "never" in line
    said("token", "revoke", owner.token)
    assert "revoked" in first_token(store, "http://127.0.0.1:7411").note


def test_mistakes_have_codes_and_say_what_to_do(store: Path) -> None:
    code, error = failed("token", "create", "", "--scope", "api", "--expires", "soon")
    assert (code, error["error"], len(error["problems"])) == (2, "invalid_input", 3)
    code, error = failed("token", "revoke", "00000000")
    assert (code, error["error"]) == (3, "not_found") and "rem token list" in error["message"]
    code, error = failed("token", "list", "--db", ":memory:")
    assert (code, error["error"]) == (2, "invalid_input") and "--db PATH" in error["message"]
    said("token", "create", "ci")
    file = store.with_name("own.db.tokens.json")
    file.chmod(0o644)
    code, error = failed("token", "list")
    assert code == 1 and f"chmod 600 '{file}'" in error["message"]
    file.chmod(0o600)
    file.write_text("{")
    code, error = failed("token", "create", "ci")
    assert (code, error["error"]) == (1, "store_damaged") and "move it away" in error["message"]
    assert file.read_text() == "{"


def test_nothing_steers_the_terminal(store: Path) -> None:
    code, error = failed("token", "create", "red \x1b[31m")
    assert code == 2 and "\x1b" not in error["message"]
    said("token", "create", "ci", "--namespace", "a\nb")
    assert "a\\nb" in said("token", "list").splitlines()[1]


def test_the_example_goes_to_where_the_store_is_served_now(store: Path) -> None:
    first_token(store, "http://127.0.0.1:39783")
    assert "http://127.0.0.1:7411/v1/count" in said("token", "create", "laptop"), "no server runs"
    lock = private_files.held(Path(f"{store}.serve.json.lock"), store)
    assert lock is not None
    try:
        assert "http://127.0.0.1:39783/v1/count" in said("token", "create", "laptop")
    finally:
        os.close(lock)


def test_an_expiry_is_refused_by_the_name_of_its_option() -> None:
    code, told = failed("token", "create", "ci", "--expires", "1s")
    assert code == 2 and told["message"].startswith("expires '1s' is not a duration")
