"""Files as streams of UTF-8 bytes: a byte order mark is left out, UTF-16 with one is turned into UTF-8 on the way.

Nothing is read ahead but a buffer, so the size of a file does not matter.
"""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

CHUNK_BYTES = 1 << 20
_MARKS = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """The file as UTF-8; OSError where it cannot be read."""
    with path.open("rb") as file:
        start = file.read(3)
        file.seek(0)
        yield as_utf8(file, start)


def as_utf8(file: IO[bytes], start: bytes) -> IO[bytes]:
    """The stream itself, or the UTF-8 of the UTF-16 in it; `start` is what it begins with."""
    for mark, encoding in _MARKS:
        if start.startswith(mark):
            file.read(len(mark))
            return io.BufferedReader(_Recoded(file, encoding))
    return file


class _Recoded(io.RawIOBase):
    """UTF-16 read as UTF-8."""

    def __init__(self, file: IO[bytes], encoding: str) -> None:
        self._file = file
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._ready = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._ready:
            raw = self._file.read(CHUNK_BYTES)
            self._ready = self._decoder.decode(raw, not raw).encode("utf-8", "replace")
            if not raw and not self._ready:
                return 0
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size
