"""Archives: the members that are wanted, streamed out of a zip file; nothing is ever written to disk.

A member whose name leads elsewhere, a link, an encrypted one, and one that unpacks to far more than it is (over 100 MB
at more than 200 to 1, or over 4 GB) is passed over and told. A file that is no archive is its own only member.
"""

from __future__ import annotations

import io
import re
import stat
import zipfile
import zlib
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import IO

from remanence.sessions.importers import Skipped
from remanence.sessions.importers.documents import Item, items
from remanence.sessions.importers.streams import as_utf8, opened

LARGEST_BYTES = 4 << 30
SUSPICIOUS_BYTES = 100 << 20
LARGEST_RATIO = 200
_CONVERSATIONS = re.compile(r"(?:^|/)conversations(?:[-_]?\d{1,6})?\.json$")


class _Bomb(Exception):
    """Too much comes out of it."""


def conversations(path: Path, inside: Collection[str] = ()) -> Iterator[Item | Skipped]:
    """The items of a conversations.json, or of those in an archive, numbered on from one to the next."""
    try:
        if not zipfile.is_zipfile(path):
            with opened(path) as stream:
                yield from items(stream, inside)
            return
        with zipfile.ZipFile(path) as archive:
            yield from _all(archive, inside)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as reason:
        yield Skipped(0, f"damaged archive: {str(reason)[:100] or type(reason).__name__}")
    except OSError as reason:
        yield Skipped(0, f"cannot be read: {reason.strerror or reason}")


def _all(archive: zipfile.ZipFile, inside: Collection[str]) -> Iterator[Item | Skipped]:
    wanted = [info for info in archive.infolist() if _CONVERSATIONS.search(info.filename.replace("\\", "/"))]
    if not wanted:
        yield Skipped(0, "no conversations.json in the archive")
    number = read = 0
    for info in sorted(wanted, key=lambda info: info.filename):
        if why := _refused(info):
            yield Skipped(number, why)
            continue
        share = info.compress_size / max(1, info.file_size)
        begun = number
        try:
            with archive.open(info) as start:
                mark = start.read(3)
            with archive.open(info) as member:
                stream = as_utf8(io.BufferedReader(_Bounded(member, info.compress_size)), mark)
                for item in items(stream, inside):
                    number = begun + item.number
                    yield item._replace(number=number, place=read + int(item.place * share))
        except _Bomb as reason:
            yield Skipped(number + 1, str(reason))
        read += info.compress_size


def _refused(info: zipfile.ZipInfo) -> str | None:
    name = info.filename.replace("\\", "/")
    if name.startswith("/") or ".." in name.split("/") or re.match(r"[A-Za-z]:", name):
        return "a member's name leads out of the archive"
    if stat.S_ISLNK(info.external_attr >> 16):
        return "a member is a link"
    return "a member is encrypted" if info.flag_bits & 1 else None


class _Bounded(io.RawIOBase):
    """A member that may not unpack to far more than it is."""

    def __init__(self, member: IO[bytes], packed_bytes: int) -> None:
        self._member = member
        self._most = min(LARGEST_BYTES, max(SUSPICIOUS_BYTES, LARGEST_RATIO * packed_bytes))
        self._read = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        raw = self._member.read(len(buffer))
        self._read += len(raw)
        if self._read > self._most:
            raise _Bomb(f"a member unpacks to more than {self._most >> 20} MB")
        buffer[: len(raw)] = raw
        return len(raw)
