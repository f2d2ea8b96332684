"""Exports of mem0 and OpenMemory: memories as a JSON list, as {"results": [...]}, {"memories": [...]}, or JSON lines.

Each becomes a draft of source `ingest` that keeps its text, moment and categories; whose it was and the rest of what is
known of it stands in its metadata, under "mem0". Its key is mem0's own id, so that it comes in once; what was deleted
is left out. A memory belongs to its user (/user/NAME), else its agent or app, unless a scope is given to all.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from remanence.model.checks import TAGS, metadata_problems
from remanence.sessions.importers import Noted, Skipped
from remanence.sessions.importers.archives import conversations
from remanence.sessions.importers.lines import is_lines, lines
from remanence.sessions.importers.shapes import digest, first_of, key_of, moment, name_of, named, word

LISTS = ("results", "memories", "data", "items")
_TEXTS = ("memory", "text", "content", "data")
_OWNERS = (("user_id", "user"), ("agent_id", "agent"), ("app_id", "app"), ("app_name", "app"))
_KEPT = ("user_id", "agent_id", "app_id", "app_name", "run_id", "actor_id", "role", "updated_at", "metadata")
_FOREVER = datetime.max.replace(tzinfo=UTC)
_GONE = ("deleted", "delete", "none")


def read(path: Path, start: int, now: datetime) -> Iterator[Noted | Skipped]:
    """The memories from a byte of JSON lines, or after so many elements of a document, on."""
    if is_lines(path):
        for line in lines(path, start):
            if (found := _noted(line.values, line.number, line.why, now)) is not None:
                yield found if isinstance(found, Skipped) else found._replace(upto=line.end)
        return
    for item in conversations(path, LISTS):
        if isinstance(item, Skipped):
            yield item
        elif 0 < item.number <= start:
            continue
        elif (found := _noted(item.value, item.number, item.why, now)) is not None:
            yield found if isinstance(found, Skipped) else found._replace(upto=item.number, place=item.place)


def is_memory(values: object) -> bool:
    """Whether a value looks like a memory of mem0; one of our own exports is none."""
    if not isinstance(values, dict) or "namespace" in values:
        return False
    inner = _inner(values)
    return bool(_text(inner)) and ("memory" in inner or "payload" in values or "hash" in inner or "user_id" in inner)


def _inner(values: dict[str, Any]) -> dict[str, Any]:
    """A memory as a vector store keeps it has its values in a payload."""
    payload = values.get("payload")
    return {**payload, "id": values.get("id")} if isinstance(payload, dict) else values


def _text(values: dict[str, Any]) -> str:
    return next((text for name in _TEXTS if (text := word(values.get(name)).strip())), "")


def _noted(values: object, number: int, why: str | None, now: datetime) -> Noted | Skipped | None:
    """The memory as a draft's values; None where it was deleted."""
    if why is not None or not isinstance(values, dict):
        return Skipped(number, why or "not a memory of mem0")
    values = _inner(values)
    text = _text(values)
    if not text:
        return Skipped(number, "a memory without a text")
    if word(first_of(values, ("event", "state"))).lower() in _GONE:
        return None
    own = key_of(values.get("id")) or digest(text, values.get("user_id"), values.get("created_at"))
    id = key_of(f"mem0:{own}")
    draft = {
        "text": text,
        "scope": _scope(values),
        "source": "ingest",
        "origin": id,
        "key": id,
        "categories": _categories(values.get("categories")),
        "metadata": _metadata(values),
        "created_at": moment(first_of(values, ("created_at", "updated_at")), now),
    }
    if (expires := moment(values.get("expiration_date"), _FOREVER)) is not None:
        draft["expires_at"] = expires
    return Noted(draft, number, 0)


def _scope(values: dict[str, Any]) -> str:
    """Where a memory belongs by its owner."""
    for field, above in _OWNERS:
        if name := named(word(values.get(field)).strip().replace("/", "-"), 100):
            return f"/{above}/{name}"
    return "/"


def _categories(value: object) -> list[str]:
    listed = value if isinstance(value, list) else []
    names = (name_of(one.get("name") if isinstance(one, dict) else one) for one in listed)
    return list(dict.fromkeys(name for name in names if name))[:TAGS]


def _metadata(values: dict[str, Any]) -> dict[str, Any]:
    """What else is known of it; what cannot be stored is left out."""
    kept = {name: values[name] for name in _KEPT if values.get(name) is not None}
    for found in ({"mem0": kept}, {"mem0": {**kept, "metadata": None}}):
        if not metadata_problems(found):
            return found
    return {}
