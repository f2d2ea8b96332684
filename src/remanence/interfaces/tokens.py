"""Bearer tokens of a served store: made, listed, revoked and checked, from any process, beside a running server.

A secret is `rem_<8 of its id>_<43 of 32 random bytes>` and is told once. Kept is its SHA-256 alone: 256 random bits
cannot be guessed, so a slow hash, which protects what people choose, would only slow each request. The file
`<db>.tokens.json` is replaced whole under a lock and never shrinks, so its stat tells a server of every change.
`<db>.serve.json` holds the owner's token with the address of the last server, for clients of the same user.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from hmac import compare_digest
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from remanence.errors import InvalidInput, NotFound, StoreDamaged, StoreError, StoreTooNew
from remanence.interfaces import private_files
from remanence.model.checks import flag_problems, string_problems
from remanence.model.duration import duration, duration_problems
from remanence.model.moment import later, parse_moment
from remanence.model.scope import scope_problems
from remanence.places import served_of, tokens_of

_LOG = logging.getLogger("remanence")
_PREFIX = "rem_"
_ID = slice(len(_PREFIX), len(_PREFIX) + 8)
_LONGEST = 200  # characters; a secret has 56
_NONE = bytes(32)
_FORMAT = 1
_OWNER = "owner"
_DEFAULT_PORTS = {"http": 80, "https": 443}
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """What the bearer of one secret may do, and until when; namespace None is any of them."""

    id: str
    name: str
    namespace: str | None = None
    scope: str | None = None
    read_only: bool = False
    human: bool = False
    """Whether what its bearer writes may be kept as a person's words."""
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    digest: bytes = field(repr=False)

    def state(self, now: datetime) -> str:
        """live, expired or revoked."""
        if self.revoked_at is not None:
            return "revoked"
        return "live" if self.expires_at is None or now < self.expires_at else "expired"

    def to_dict(self) -> dict[str, Any]:
        """Every field but the digest."""
        values = {name: getattr(self, name) for name in _FIELDS if name != "digest"}
        return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in values.items()}


_FIELDS: tuple[str, ...] = tuple(one.name for one in fields(Token))


@dataclass(frozen=True, slots=True)
class Owner:
    """The owner's token after a start; made by this one, or kept. A note says why it is no good, where it is not."""

    token: str = field(repr=False)
    made: bool
    note: str = ""


class Tokens:
    """The tokens of the store at `path`. Threads may share one; processes each have their own."""

    def __init__(self, path: str | Path, clock: Callable[[], datetime] | None = None) -> None:
        self._store = _file(path)
        self._path = Path(tokens_of(str(self._store)))
        self.clock = clock or partial(datetime.now, UTC)
        self._known: tuple[object, dict[str, Token]] = (None, {})

    def create(
        self,
        name: str,
        *,
        namespace: str | None = None,
        scope: str | None = None,
        read_only: bool = False,
        human: bool = False,
        expires_in: str | timedelta | None = None,
    ) -> tuple[str, Token]:
        """A new token and its secret, which nothing can show again; expires_in None is never."""
        problems = string_problems(name, "name")
        if not problems and not name.isprintable():
            problems.append("name has a character that cannot be printed")
        problems += [] if namespace is None else string_problems(namespace, "namespace")
        problems += [] if scope is None else scope_problems(scope)
        problems += flag_problems(read_only, "read_only") + flag_problems(human, "human")
        if read_only is True and human is True:
            problems.append("a token that may only read writes nothing as a person: give read_only or human")
        problems += [] if expires_in is None else duration_problems(expires_in, "expires")
        if problems:
            raise InvalidInput(problems)
        now = self.clock()
        ends = None if expires_in is None else later(now, duration(expires_in))
        limits = {"namespace": namespace, "scope": scope, "read_only": read_only, "human": human, "expires_at": ends}
        with self._alone() as known:
            return self._add(known, name=name, created_at=now, **limits)

    def _add(self, known: dict[str, Token], **values: Any) -> tuple[str, Token]:
        while (id := secrets.token_hex(4)) in known:
            pass
        secret = f"{_PREFIX}{id}_{secrets.token_urlsafe(32)}"
        token = Token(id=id, digest=_digest(secret), **values)
        self._keep(known | {id: token})
        return secret, token

    def list(self) -> tuple[Token, ...]:
        """All there ever were, oldest first; those that expired or were revoked too."""
        return tuple(self._read().values())

    def revoke(self, id: str) -> Token:
        """From now on this one opens nothing; a second time changes nothing. A whole secret will do for its id."""
        id = str(id).removeprefix(_PREFIX).partition("_")[0]
        with self._alone() as known:
            token = known.get(id)
            if token is None:
                raise NotFound(f"{self._path} holds no token {id[:8]!r}. See those there are with: rem token list")
            if token.revoked_at is None:
                token = replace(token, revoked_at=self.clock())
                self._keep(known | {id: token})
        return token

    def check(self, secret: str) -> Token | None:
        """The token of this secret while it is good. A wrong one, of whatever kind, costs the same as a right one."""
        token, good = self._checked(secret)
        return token if good else None

    def _checked(self, secret: str) -> tuple[Token | None, bool]:
        """The token of this id, and whether the secret is its own and it is neither expired nor revoked."""
        known, now = self._read(), self.clock()
        head = secret[:_LONGEST]  # of a longer one no prefix is a secret, so the same work may be done on it
        token = known.get(head[_ID])
        same = compare_digest(_digest(head), _NONE if token is None else token.digest)
        live = token is not None and token.state(now) == "live"
        return token, same and live

    def _read(self) -> dict[str, Token]:
        """All tokens by id, read anew where the file changed."""
        stamp, known = self._known
        now = private_files.stamp(self._path)
        if now != stamp:
            data, now = (b"", None) if now is None else private_files.read(self._path)
            known = {} if now is None else _parsed(self._path, data)
            self._known = (now, known)
        return known

    @contextmanager
    def _alone(self) -> Iterator[dict[str, Token]]:
        """The tokens as they are, while no other process changes them."""
        with private_files.alone(self._path, self._store):
            yield self._read()

    def _keep(self, tokens: dict[str, Token]) -> None:
        records = [token.to_dict() | {"digest": token.digest.hex()} for token in tokens.values()]
        private_files.write(self._path, {"format": _FORMAT, "tokens": records}, self._store)

    def owner(self, url: str) -> Owner:
        """What `first_token` says."""
        place = Path(served_of(str(self._store)))
        with self._alone() as known:
            held = _held(place)
            if held is None:
                secret, _ = self._add(known, name=_OWNER, human=True, created_at=self.clock())
            else:
                secret = held["token"]
            if held is None or held["url"] != url:
                private_files.write(place, {"url": url, "token": secret}, self._store)
            token, good = self._checked(secret)
        if good:
            return Owner(secret, made=held is None)
        state = "unknown" if token is None else token.state(self.clock())
        note = f"The token in {place} is {state}, so clients on this machine find none that is good."
        return Owner(secret, made=False, note=f"{note} For a new one: rm '{place}', and start the server again")


def first_token(path: str | Path, url: str, clock: Callable[[], datetime] | None = None) -> Owner:
    """The token that clients of the same user find, made by the first start; each start notes its own address.

    One that was revoked is not made anew while the file that holds it is there: somebody wanted it gone.
    """
    if _place(url) is None:
        raise InvalidInput(f"url {url[:80]!r} is not an address such as http://127.0.0.1:7411")
    return Tokens(path, clock).owner(url)


def local_token(path: str | Path, url: str) -> str | None:
    """The owner's token, if the server that this user's store was last served by has this address; else None."""
    try:
        place = Path(served_of(str(_file(path))))
        held = _held(place)
        if held is None or _place(url) is None or _place(held["url"]) != _place(url):
            return None
        return held["token"] if private_files.is_own(place) else None
    except (StoreError, InvalidInput, OSError) as reason:
        _LOG.warning("No token is taken from beside the store: %s", reason)
        return None


def being_served(path: str | Path) -> tuple[str, str] | None:
    """The address a store is served at just now and its owner's token; None where it is not, or is another's.

    A server holds a lock while it runs: without it, whoever has the port now may be anybody.
    """
    place = Path(served_of(str(_file(path))))
    held = _held(place)
    if held is None or not private_files.is_own(place) or not private_files.is_held(Path(f"{place}.lock")):
        return None
    return held["url"], held["token"]


def _file(path: str | Path) -> Path:
    """The store's own path; tokens stand beside a file, so a store that is none has no place for them."""
    text = str(path)
    if string_problems(text, "path", 4096) or text == ":memory:" or _ADDRESS.match(text):
        raise InvalidInput(f"tokens are kept beside a store that is a file, and {text[:80]!r} is none: give --db PATH")
    return Path(text).expanduser().absolute()


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


def _place(url: str) -> tuple[str, str, int] | None:
    """Where an address leads: scheme, host, port. An address with a user or of another scheme leads nowhere."""
    try:
        parts = urlsplit(url)
        port = parts.port or _DEFAULT_PORTS[parts.scheme]
    except (ValueError, KeyError):
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname and "@" not in parts.netloc else None


def _held(place: Path) -> dict[str, str] | None:
    """What the file of the last server says, if there is one."""
    if not place.exists():
        return None
    data, _ = private_files.read(place)
    try:
        values = json.loads(data)
        if {type(values["url"]), type(values["token"])} == {str}:
            return {"url": values["url"], "token": values["token"]}
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    raise StoreDamaged(f"{place} is damaged. Remove it, and start the server again: rm '{place}'")


def _parsed(path: Path, data: bytes) -> dict[str, Token]:
    try:
        values = json.loads(data)
        if isinstance(values["format"], int) and values["format"] > _FORMAT:
            raise StoreTooNew(f"{path} was written by a newer remanence (format {values['format']}). Upgrade this one")
        tokens = [_token(record) for record in values["tokens"]]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise StoreDamaged(
            f"{path}, the list of tokens, is damaged. It was left as it is: put back a good copy, or move it away, "
            "which makes every token invalid, and make new ones with: rem token create NAME"
        ) from None
    return {token.id: token for token in tokens}


def _token(record: dict[str, Any]) -> Token:
    """A record as it was written; a field more or less may be a limit that would be lost, so it is refused."""
    record = {"human": record.get("name") == _OWNER, **record}  # not there in files of before
    if set(record) != set(_FIELDS):
        raise ValueError(sorted(record))
    moments = {name: record[name] for name in ("created_at", "expires_at", "revoked_at")}
    read = {name: None if text is None else parse_moment(text) for name, text in moments.items()}
    token = Token(**record | read | {"digest": bytes.fromhex(record["digest"])})
    texts = (token.id, token.name, token.namespace or "", token.scope or "")
    sound = (
        all(isinstance(text, str) for text in texts)
        and isinstance(token.read_only, bool)
        and isinstance(token.human, bool)
    )
    if not sound or len(token.digest) != len(_NONE) or not isinstance(token.created_at, datetime):
        raise ValueError(token.id)
    return token
