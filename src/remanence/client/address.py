"""Where a server is and how a client is let in: the address, the token, the namespace, as they go into each request.

The token is the argument, else the setting client.token, else what `rem serve` left beside this user's own store, which
is taken for the very address that it was left for and no other.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit, urlunsplit

import remanence
from remanence.errors import InvalidInput
from remanence.interfaces.tokens import local_token
from remanence.model import checks
from remanence.places import is_database
from remanence.settings import Settings

_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_USUAL_NAMESPACE = "default"
_EXAMPLE = "for example http://127.0.0.1:7411"


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """One server, as one client sees it. `namespace` is None where the server chooses it."""

    url: str
    token: str | None = field(default=None, repr=False)
    namespace: str | None = None
    seconds: float = 60.0

    @property
    def is_local(self) -> bool:
        return urlsplit(self.url).hostname in _LOOPBACK

    @property
    def headers(self) -> dict[str, str]:
        """What every request carries."""
        # What the library is told is a person's unless it says otherwise; the server looks whether the token may that.
        sent = {"Remanence-Source": "human", "Accept": "application/json"}
        sent["User-Agent"] = f"remanence/{remanence.__version__}"
        if self.token is not None:
            sent["Authorization"] = f"Bearer {self.token}"
        if self.namespace is not None:
            sent["Remanence-Namespace"] = self.namespace
        return sent


def address_of(
    url: object, settings: Settings, *, token: object, namespace: object, timeout_seconds: object
) -> Address:
    """The address these arguments and settings give; InvalidInput with every problem."""
    problems: list[str] = []
    where = _url(url, problems)
    chosen = settings.client__token if token is None else token
    if chosen is not None and not (isinstance(chosen, str) and _fits_a_header(chosen)):
        problems.append("token must be printable ASCII without blanks at its ends")
    asked = namespace
    if asked is None and settings.namespace != _USUAL_NAMESPACE:
        asked = settings.namespace
    if asked is not None:
        problems += checks.string_problems(asked, "namespace") or _unsendable(str(asked))
    if timeout_seconds is None:
        timeout_seconds = settings.client__timeout_seconds
    problems += checks.number_problems(timeout_seconds, "timeout_seconds", 0.01, 86_400)
    if problems or not isinstance(timeout_seconds, (int, float)):
        raise InvalidInput(problems)
    found = Address(
        url=where,
        token=None if chosen is None else str(chosen),
        namespace=None if asked is None else str(asked),
        seconds=float(timeout_seconds),
    )
    return found if chosen is not None else _with_local_token(found, settings)


def _with_local_token(address: Address, settings: Settings) -> Address:
    if not address.is_local:
        return address
    # Where the setting names the server itself, its store is the user's own.
    is_own = "://" not in settings.location() or is_database(settings.location())
    store = settings.beside() if is_own else replace(settings, db=None).location()
    if (token := local_token(store, address.url)) is not None:
        return replace(address, token=token)
    parts = urlsplit(address.url)
    if parts.hostname != "localhost":
        return address
    # Another user may listen on ::1, which "localhost" may name first; the token goes to where its server was.
    there = urlunsplit(parts._replace(netloc=f"127.0.0.1:{parts.port}" if parts.port else "127.0.0.1"))
    token = local_token(store, there)
    return address if token is None else replace(address, url=there, token=token)


def _url(url: object, problems: list[str]) -> str:
    """The address without a slash at its end."""
    if checks.string_problems(url, "location", 4096):
        problems.append(f"location must be the address of a server, {_EXAMPLE}")
        return ""
    text = str(url).strip()
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        problems.append(f"location {text[:80]!r} is no web address, {_EXAMPLE}")
        return ""
    if parts.scheme not in ("http", "https") or not parts.hostname or not text.isascii():
        problems.append(f"location {text[:80]!r} must begin with http:// or https:// and name a host, {_EXAMPLE}")
    elif "@" in parts.netloc:
        problems.append("location must hold no user or password: give the token as token=…")
    elif parts.query or parts.fragment:
        problems.append(f"location {text[:80]!r} must end with the path: {_EXAMPLE}")
    return urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/"), "", ""))


def _fits_a_header(text: str) -> bool:
    return bool(text) and text.isascii() and text.isprintable() and text == text.strip()


def _unsendable(namespace: str) -> list[str]:
    if _fits_a_header(namespace):
        return []
    return [
        f"namespace {namespace[:40]!r} cannot stand in a request, which takes printable ASCII: "
        "use a token that is kept to it (rem token create NAME --namespace …)"
    ]
