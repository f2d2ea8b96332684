"""memory:// addresses as resources: what is listed, what each is, and what a client may read.

Listed are the artifacts of the client's project; a memory is read by its id. What is forgotten, quarantined, or was
quarantined and never accepted by a person, is not found.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from remanence.errors import InvalidInput, NotFound
from remanence.tools.memory import is_withheld

ROOT = "memory://root"
MEMORY = f"{ROOT}/MEMORY.md"
SUMMARY = f"{ROOT}/memory_summary.md"
SKILLS = f"{ROOT}/skills"
MARKDOWN, PLAIN, ADDRESSES = "text/markdown", "text/plain", "text/uri-list"
_ID = re.compile(r"memory://([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})", re.ASCII)
_END = re.compile(r"memory://([0-9a-f]{8})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Listed:
    """A resource as it is listed, or a family of them, whose address has names in braces."""

    address: str
    name: str
    about: str
    mime: str


TEMPLATES = (
    Listed("memory://{id}", "memory", "A memory by its id, or by the last eight signs of it.", PLAIN),
    Listed(f"{ROOT}/{{+path}}", "artifact", "A file of the project: MEMORY.md, skills/NAME/SKILL.md …", MARKDOWN),
)
FILES = (
    Listed(ROOT, "summary", "What this project's sessions should know, in short.", MARKDOWN),
    Listed(MEMORY, "MEMORY.md", "What is remembered of this project.", MARKDOWN),
    Listed(SUMMARY, "memory_summary.md", "The same as memory://root.", MARKDOWN),
    Listed(SKILLS, "skills", "Addresses of this project's skills.", ADDRESSES),
)


def listed(mind: Any, project: str | Path) -> list[Listed]:
    """memory://root, whether it is written yet or not, and the artifacts that there are."""
    found = [FILES[0]]
    for one in FILES[1:]:
        with suppress(NotFound):
            text = mind.artifacts.read(one.address, project)
            found.append(one)
            if one.address == SKILLS:
                found += _skills(text)
    return found


def _skills(text: str) -> Iterator[Listed]:
    for address in text.split():
        name = address.removeprefix(f"{SKILLS}/").partition("/")[0]
        yield Listed(address, f"skill {name}", "A way of working that was met again.", MARKDOWN)


def read(mind: Any, project: str | Path, address: str) -> tuple[str, str]:
    """The text of a resource, and its type; NotFound and InvalidInput as artifacts raise them."""
    if whole := _ID.fullmatch(address):
        _refuse_withheld(mind, whole[1])
    text = mind.artifacts.read(address, project)
    if end := _END.fullmatch(address):
        # The frame names the memory whole, and only now can be told whether this client may have it. A text that
        # names others so can only make this stricter.
        for id in set(_ID.findall(text)):
            if id.endswith(end[1]):
                _refuse_withheld(mind, id)
    return text, type_of(address)


def type_of(address: str) -> str:
    if address == SKILLS:
        return ADDRESSES
    return MARKDOWN if address == ROOT or address.startswith(f"{ROOT}/") else PLAIN


def _refuse_withheld(mind: Any, id: str) -> None:
    if is_withheld(mind.get(id)):
        raise NotFound(f"Memory {id} waits for review by a person, and only a review shows it. Run: rem review")


def is_artifact(address: str) -> bool:
    return address == ROOT or address.startswith(f"{ROOT}/")


def named(address: str, ids: Collection[str]) -> Iterator[str]:
    """Those of the memories that an address names."""
    if whole := _ID.fullmatch(address):
        yield from (id for id in ids if id == whole[1])
    elif end := _END.fullmatch(address):
        yield from (id for id in ids if id.endswith(end[1]))


def fingerprint(mind: Any, project: str | Path, address: str) -> bytes:
    """What tells a new content of an artifact from the old; empty where there is none."""
    try:
        return blake2b(mind.artifacts.read(address, project).encode("utf-8", "replace"), digest_size=16).digest()
    except (NotFound, InvalidInput):
        return b""
