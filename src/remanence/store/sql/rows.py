"""Memories as rows, and back: what each column holds, and the hashes that tell a flipped bit from a change.

The text and its tags are one row (`memories`, written once), the life another (`lives`, narrow). `digest` covers the
first, `hash` the columns of the second that only `apply` writes; accesses, due dates and the copied source are
outside it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from hashlib import blake2b
from struct import pack, unpack
from typing import Any

from remanence.model.memory import Layer, Memory, Source, State, memory_of
from remanence.model.moment import from_micros, to_micros

STATES = tuple(State)
LAYERS = tuple(Layer)
SOURCES = tuple(Source)
STATE_NUMBER = {state: number for number, state in enumerate(STATES)}
LAYER_NUMBER = {layer: number for number, layer in enumerate(LAYERS)}
SOURCE_NUMBER = {source: number for number, source in enumerate(SOURCES)}
LIVE = STATE_NUMBER[State.LIVE]
DATED = (LIVE, STATE_NUMBER[State.SUPERSEDED])
"""The states in which rules act on a memory: only those have a due date."""
SPAN = 37
"""The index of due dates goes by spans of so many bits of microseconds, 38 hours; its expression says the same."""
RECENT = 20
DAY = 86_400_000_000

WIDE = frozenset(("categories", "concepts", "files", "metadata"))

FEEDBACK = "l.uses, l.rejections"
TRUST_LIMIT = "coalesce(l.trust_limit, 1.0)"
COLUMNS = (
    "m.no, m.id, s.scope, s.kind, m.source, m.text, m.categories, m.concepts, m.files, m.lineage, m.origin, "
    "m.metadata, l.state, l.layer, l.importance, l.valence, l.confidence, l.confirmations, l.pinned, l.exempt, "
    "l.created_at, l.last_accessed_at, l.access_count, l.recent, l.expires_at, l.kept_until, l.challenged_by, "
    f"l.valid_from, l.valid_until, l.version, l.supersedes, l.superseded_by, l.depth, l.surprise, {FEEDBACK}, "
    f"{TRUST_LIMIT}, "
    "l.revision, m.shelf, l.tokens"
)
JOINED = "memories m JOIN lives l ON /*l.here*/ l.no = m.no JOIN shelves s ON /*s.here*/ s.no = m.shelf"
LIFE_COLUMNS = (
    "no, space, shelf, state, layer, importance, valence, confidence, confirmations, pinned, exempt, created_at, "
    "last_accessed_at, access_count, recent, expires_at, kept_until, challenged_by, valid_from, valid_until, version, "
    "supersedes, superseded_by, depth, surprise, uses, rejections, trust_limit, tokens, due_at, revision, hash, source"
)


def id_bytes(id: str) -> bytes:
    return bytes.fromhex(id.replace("-", ""))


def id_bytes_or_none(id: str) -> bytes | None:
    """The same for a text that may be no id."""
    try:
        return id_bytes(id)
    except ValueError:
        return None


def id_text(raw: bytes) -> str:
    text = raw.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def _micros(moment: datetime | None) -> int | None:
    return None if moment is None else to_micros(moment)


def file_name(path: str) -> str:
    """The last part of a path, by which memories are found that name the file."""
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]


def listed(text: str | None) -> tuple[str, ...]:
    """A stored JSON list."""
    return tuple(json.loads(text)) if text else ()


def _text(value: Any) -> str | None:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if value else None


def recent_bytes(micros: list[int]) -> bytes | None:
    """The newest 20 accesses, oldest first."""
    return pack(f"<{len(micros)}q", *micros) if micros else None


def recent_micros(raw: bytes | None) -> list[int]:
    return list(unpack(f"<{len(raw) // 8}q", raw)) if raw else []


@lru_cache(maxsize=4096)  # a memory that is often recalled has twenty of them
def _recent_moments(raw: bytes) -> tuple[datetime, ...]:
    return tuple(map(from_micros, recent_micros(raw)))


def decoded(row: tuple[Any, ...], namespace: str, unwritten: Sequence[int] = ()) -> Memory:
    """The memory of a row of COLUMNS, with its accesses that are not in the file yet.

    The values stand in the order of the fields of Memory.
    """
    if row[2] is None:
        raise ValueError("its shelf is missing")
    last, count, recent = row[21], row[22], _recent_moments(row[23]) if row[23] else ()
    if unwritten:
        last, count = max(last, *unwritten), count + len(unwritten)
        recent = tuple(sorted([*recent, *map(from_micros, unwritten)])[-RECENT:])
    expires_at, kept_until, valid_from, valid_until = row[24], row[25], row[27], row[28]
    supersedes, superseded_by = row[30], row[31]
    return memory_of(
        id_text(row[1]),
        namespace,
        row[2],
        LAYERS[row[13]],
        row[3],
        row[5],
        SOURCES[row[4]],
        row[14],
        from_micros(row[20]),
        from_micros(last),
        tuple(json.loads(row[6])) if row[6] else (),
        tuple(json.loads(row[7])) if row[7] else (),
        tuple(json.loads(row[8])) if row[8] else (),
        row[10],
        row[15],
        row[16],
        row[17],
        row[18] == 1,
        row[19] == 1,
        count,
        recent,
        from_micros(expires_at) if expires_at is not None else None,
        from_micros(kept_until) if kept_until is not None else None,
        row[26],
        from_micros(valid_from) if valid_from is not None else None,
        from_micros(valid_until) if valid_until is not None else None,
        STATES[row[12]],
        row[29],
        id_text(supersedes) if supersedes else None,
        id_text(superseded_by) if superseded_by else None,
        tuple(json.loads(row[9])) if row[9] else (),
        row[32],
        row[33],
        row[34],
        row[35],
        row[36],
        json.loads(row[11]) if row[11] else {},
        row[37],
    )


def said(memory: Memory) -> tuple[Any, ...]:
    """What a memory says: source, text, categories, concepts, files, lineage, origin, metadata."""
    return (
        SOURCE_NUMBER[memory.source],
        memory.text,
        _text(memory.categories),
        _text(memory.concepts),
        _text(memory.files),
        _text(memory.lineage),
        memory.origin,
        _text(memory.metadata),
    )


def life(memory: Memory) -> tuple[Any, ...]:
    """The columns of `lives` that only apply writes, in the order of the hash."""
    return (
        STATE_NUMBER[memory.state],
        LAYER_NUMBER[memory.layer],
        memory.importance + 0.0,  # SQLite keeps -0.0 as 0.0, and the hash must be that of what it gives back
        memory.valence + 0.0,
        memory.confidence + 0.0,
        memory.confirmations,
        int(memory.pinned),
        int(memory.exempt),
        to_micros(memory.created_at),
        _micros(memory.expires_at),
        _micros(memory.kept_until),
        memory.challenged_by,
        _micros(memory.valid_from),
        _micros(memory.valid_until),
        memory.version,
        id_bytes(memory.supersedes) if memory.supersedes else None,
        id_bytes(memory.superseded_by) if memory.superseded_by else None,
        memory.depth,
        memory.surprise,
        memory.uses,
        memory.rejections,
        memory.trust_limit if memory.trust_limit < 1.0 else None,
    )


LIFE = (
    "state, layer, importance, valence, confidence, confirmations, pinned, exempt, created_at, expires_at, kept_until, "
    "challenged_by, valid_from, valid_until, version, supersedes, superseded_by, depth, surprise, "
    "uses, rejections, trust_limit"
)
_FIRST_FEEDBACK = LIFE.split(", ").index("uses")


def hash_of(values: tuple[Any, ...]) -> bytes:
    """Eight bytes over the values of a row, in order."""
    return blake2b(repr(values).encode(), digest_size=8).digest()


def life_hash(no: int, shelf: int, life: tuple[Any, ...]) -> bytes:
    """Eight bytes over a life; one without a limit of trust, or feedback, has the hash it had before there was any."""
    if life[-1] is None:
        life = life[:-1] if any(life[_FIRST_FEEDBACK:-1]) else life[:_FIRST_FEEDBACK]
    return hash_of((no, shelf, *life))


def digest_of(raw_id: bytes, shelf: int, values: tuple[Any, ...]) -> bytes:
    """Eight bytes over what a memory says, and who it is."""
    return hash_of((raw_id, shelf, *values))
