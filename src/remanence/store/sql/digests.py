"""Keyed digests of names: equal for equal names of a namespace, telling nothing to who lacks the key of the file.

They stand where a name must be known again after it was purged: which sessions were erased, which sources were read.
"""

from __future__ import annotations

from hashlib import blake2b

SESSION_ID, SOURCE = b"session", b"source"
_SIZE = 16


class Digests:
    """The digests of one namespace."""

    def __init__(self, namespace: str, key: bytes) -> None:
        self._namespace = namespace.encode()
        self._key = key

    def session(self, id: str) -> bytes:
        return self._digest(id, SESSION_ID)

    def source(self, name: str) -> bytes:
        return self._digest(name, SOURCE)

    def _digest(self, name: str, kind: bytes) -> bytes:
        said = self._namespace + b"\0" + name.encode("utf-8", "surrogatepass")
        return blake2b(said, key=self._key, person=kind, digest_size=_SIZE).digest()
