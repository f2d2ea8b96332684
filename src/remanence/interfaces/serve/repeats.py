"""Idempotency keys: the same request with the same key is done once, and answered twice alike.

Answers hold texts of memories, so they are kept in memory alone, for an hour, and go when something is purged; a
remember is known by its key in the store itself, for good. A key used for another request is a conflict, one whose
first request still runs too.
"""

from __future__ import annotations

import hashlib
import re
import time
from dataclasses import dataclass

from starlette.responses import Response

from remanence.interfaces.serve.problems import Problem

KEPT_SECONDS = 3600.0
MOST = 2_000
LONGEST_BODY = 64_000
KEY = r"^[A-Za-z0-9_.:-]{1,128}$"


@dataclass(slots=True)
class _Kept:
    digest: bytes
    at: float
    response: Response | None = None


class Repeats:
    """The requests that carried a key. Used by the event loop's thread alone."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], _Kept] = {}

    def begin(self, owner: str, key: str, *parts: bytes) -> Response | None:
        """The answer that was given before; None where the request is new, which it is then no longer."""
        if not re.fullmatch(KEY, key):
            raise Problem(
                422, "invalid_input", "Idempotency-Key must have 1 to 128 letters, digits or _.:- such as a UUID"
            )
        digest, now = hashlib.sha256(b"\0".join(parts)).digest(), time.monotonic()
        known = self._kept.get((owner, key))
        if known is not None and now - known.at < KEPT_SECONDS:
            if known.digest != digest:
                raise Problem(409, "conflict", "This Idempotency-Key was used for another request. Take a new one")
            if known.response is None:
                raise Problem(409, "conflict", "The first request with this key still runs. Ask again in a moment")
            return known.response
        self._kept.pop((owner, key), None)
        self._kept[(owner, key)] = _Kept(digest, now)
        while len(self._kept) > MOST:
            del self._kept[next(iter(self._kept))]
        return None

    def end(self, owner: str, key: str, response: Response | None) -> None:
        """Keep the answer; none, or one that a second try may change, is not kept."""
        known = self._kept.get((owner, key))
        if known is None:
            return
        if response is None or response.status_code >= 429 or len(response.body) > LONGEST_BODY:
            del self._kept[(owner, key)]
        else:
            known.response = response

    def forget(self) -> None:
        """Keep no answer any longer."""
        self._kept = {name: one for name, one in self._kept.items() if one.response is None}
