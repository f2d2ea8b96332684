"""The files of a data folder: which belong to a set, what they hold, and the digest by which a result names them.

A folder has one folder a set (`longmemeval/`, `locomo/`, …); in it every `.json`, `.json.gz` and `.json.xz` is read.
None of the data comes with remanence: `WHERE` says where its owners publish it.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import lzma
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from remanence.errors import InvalidInput

WHERE = {
    "longmemeval": "LongMemEval by Wu and others (the project LongMemEval on GitHub): longmemeval_s as JSON; MIT",
    "locomo": "LoCoMo by Snap Research (the project locomo on GitHub): locomo10.json; CC BY-NC 4.0",
    "factconsolidation": "MemoryAgentBench by Hu and others (on GitHub and Hugging Face): the rows of "
    "Conflict_Resolution whose source begins with factconsolidation, as a JSON list; MIT",
    "precisionmembench": "PrecisionMemBench by Tenure (tenurehq on GitHub): fixtures/beliefs.seed.json and "
    "fixtures/retrieval.cases.json; MIT",
}
SETS = tuple(WHERE)
_OPEN: dict[str, Callable[[bytes], bytes]] = {".json": bytes, ".gz": gzip.decompress, ".xz": lzma.decompress}
_PATTERNS = ("*.json", "*.json.gz", "*.json.xz")
_BROKEN = (OSError, EOFError, ValueError, RecursionError, gzip.BadGzipFile, lzma.LZMAError)


@dataclass(frozen=True, slots=True)
class File:
    """One file of a set: its name in the data folder, its digest, and what it holds."""

    name: str
    sha256: str
    content: Any


def present(folder: Path, wanted: tuple[str, ...] | None = None, known: Sequence[str] = SETS) -> tuple[str, ...]:
    """The sets to run: those wanted, or all that are there; InvalidInput says what is missing and where to get it.

    `known` are the sets that can be asked for.
    """
    if wanted is not None and (unknown := [name for name in wanted if name not in known]):
        raise InvalidInput([f"no data set is called {name!r}; known are {', '.join(known)}" for name in unknown])
    if not folder.is_dir():
        raise InvalidInput([f"there is no data folder at {folder}", *sources(known)])
    found = tuple(name for name in known if paths(folder, name))
    missing = [name for name in wanted or () if name not in found]
    if missing:
        raise InvalidInput([f"{folder} has no file for {', '.join(missing)}", *sources(missing)])
    if not found:
        raise InvalidInput([f"{folder} holds none of the data sets", *sources(known)])
    return found if wanted is None else tuple(name for name in known if name in wanted)


def sources(names: Sequence[str]) -> list[str]:
    """Which files a set wants, and whose they are."""
    return [f"{name}/*.json, .json.gz or .json.xz, from {WHERE[name]}" for name in names]


def paths(folder: Path, name: str) -> list[Path]:
    """The files of a set, by name."""
    return sorted({path for pattern in _PATTERNS for path in (folder / name).glob(pattern) if path.is_file()})


def packaged(name: str) -> File:
    """A file that comes with the package."""
    raw = (resources.files(__package__) / name).read_bytes()
    return File(f"{name}, in the package", hashlib.sha256(raw).hexdigest(), json.loads(raw))


def load(folder: Path, name: str) -> list[File]:
    """Every file of a set, unpacked and parsed."""
    return [_load(path, name) for path in paths(folder, name)]


def _load(path: Path, set_name: str) -> File:
    name = f"{set_name}/{path.name}"
    try:
        raw = path.read_bytes()
        content = json.loads(_OPEN[path.suffix](raw))
    except _BROKEN as reason:
        raise InvalidInput(f"{name} cannot be read: {reason}. Get it again: {WHERE[set_name]}") from None
    return File(name, hashlib.sha256(raw).hexdigest(), content)


class Problems:
    """What is wrong with a file, collected so that it is said in one error."""

    MOST = 20

    def __init__(self, name: str) -> None:
        self.name = name
        self.found: list[str] = []

    def add(self, where: str, what: str) -> None:
        self.found.append(f"{self.name}, {where}: {what}")

    def field(self, where: str, holder: Any, name: str, kind: type | tuple[type, ...]) -> Any:
        """A field of the wanted type; otherwise None, and a problem."""
        value = holder.get(name) if isinstance(holder, dict) else None
        if isinstance(value, kind) and not (kind is int and isinstance(value, bool)):
            return value
        wanted = " or ".join(k.__name__ for k in (kind if isinstance(kind, tuple) else (kind,)))
        self.add(where, f"{name!r} must be {wanted}, not {type(value).__name__}")
        return None

    def raise_any(self) -> None:
        if self.found:
            more = len(self.found) - self.MOST
            raise InvalidInput(self.found[: self.MOST] + ([f"and {more} problems more"] if more > 0 else []))


def rows(file: File) -> list[dict[str, Any]]:
    """The file's content as a list of objects."""
    content = file.content
    if not isinstance(content, list) or not all(isinstance(row, dict) for row in content):
        raise InvalidInput(f"{file.name} must hold a JSON list of objects")
    return content
