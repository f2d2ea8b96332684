"""A draft: what a caller asks to remember, checked in full before anything else looks at it.

`importance=None` means "not given": the memory starts at 0.5 and may be adjusted by surprise; a given importance is
kept as it is. `ttl` and `expires_at` both say when it expires; giving both is a problem.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime, timedelta
from typing import Any

from remanence.errors import InvalidInput
from remanence.model import checks
from remanence.model.duration import duration, duration_problems
from remanence.model.memory import Layer, Memory, Source
from remanence.model.moment import later, moment_problems
from remanence.model.scope import ROOT, scope_problems

DEFAULT_IMPORTANCE = 0.5
DEFAULT_LAYERS = {"procedure": Layer.PROCEDURAL}
# What a new memory has where its draft says nothing. Changing a copy is several times as quick as building a memory.
_FIRST = Memory(
    id="",
    namespace="",
    scope=ROOT,
    layer=Layer.EPISODIC,
    kind="",
    text="",
    source=Source.HUMAN,
    importance=DEFAULT_IMPORTANCE,
    created_at=datetime.min,
    last_accessed_at=datetime.min,
)
_LAYERS = tuple(layer.value for layer in Layer)
_SOURCES = tuple(source.value for source in Source)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What a caller asks to remember."""

    text: str
    scope: str = ROOT
    kind: str = "fact"
    layer: str | None = None
    categories: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    importance: float | None = None
    source: str = "human"
    valence: float = 0.0
    confidence: float = 1.0
    ttl: str | timedelta | None = None
    expires_at: datetime | None = None
    pinned: bool = False
    exempt: bool = False
    metadata: dict[str, Any] = field(default_factory=dict)
    created_at: datetime | None = None
    origin: str | None = None
    lineage: tuple[str, ...] = ()
    key: str | None = None
    relearn: bool = False

    def memory(self, id: str, namespace: str, now: datetime) -> Memory:
        """The memory this draft becomes, first version, live."""
        created = (self.created_at or now).astimezone(UTC)
        expires = self.expires_at.astimezone(UTC) if self.expires_at is not None else None
        if self.ttl is not None:
            expires = later(created, duration(self.ttl))
        return _FIRST.but(
            id=id,
            namespace=namespace,
            scope=self.scope,
            layer=Layer(self.layer) if self.layer else DEFAULT_LAYERS.get(self.kind, Layer.EPISODIC),
            kind=self.kind,
            text=self.text,
            source=Source(self.source),
            importance=DEFAULT_IMPORTANCE if self.importance is None else float(self.importance),
            created_at=created,
            last_accessed_at=created,
            categories=self.categories,
            concepts=self.concepts,
            files=self.files,
            origin=self.origin,
            valence=float(self.valence),
            confidence=float(self.confidence),
            pinned=self.pinned,
            exempt=self.exempt,
            expires_at=expires,
            lineage=self.lineage,
            metadata=dict(self.metadata),
        )


NAMES: tuple[str, ...] = tuple(f.name for f in fields(Draft))
DEFAULTS: dict[str, Any] = {f.name: None if f.name == "metadata" else f.default for f in fields(Draft)}
_CHECKS: dict[str, Callable[[Any], list[str]]] = {
    "text": checks.text_problems,
    "scope": scope_problems,
    "kind": lambda v: checks.printable_problems(v, "kind", checks.TAG_CHARACTERS),
    "layer": lambda v: checks.choice_problems(v, "layer", _LAYERS),
    "categories": lambda v: checks.tags_problems(v, "categories"),
    "concepts": lambda v: checks.tags_problems(v, "concepts"),
    "files": lambda v: checks.tags_problems(v, "files"),
    "importance": lambda v: checks.number_problems(v, "importance", 0, 1),
    "source": lambda v: checks.choice_problems(v, "source", _SOURCES),
    "valence": lambda v: checks.number_problems(v, "valence", -1, 1),
    "confidence": lambda v: checks.number_problems(v, "confidence", 0, 1),
    "ttl": lambda v: duration_problems(v, "ttl"),
    "expires_at": lambda v: moment_problems(v, "expires_at"),
    "pinned": lambda v: checks.flag_problems(v, "pinned"),
    "exempt": lambda v: checks.flag_problems(v, "exempt"),
    "metadata": checks.metadata_problems,
    "created_at": lambda v: moment_problems(v, "created_at"),
    "origin": checks.origin_problems,
    "lineage": lambda v: checks.ids_problems(v, "lineage"),
    "key": lambda v: checks.string_problems(v, "key"),
    "relearn": lambda v: checks.flag_problems(v, "relearn"),
}
_TAGS = ("categories", "concepts", "files", "lineage")


def draft_problems(values: Mapping[str, Any]) -> list[str]:
    """Every reason why these values are no draft."""
    problems = [f"unknown field {name!r}" for name in values if name not in _CHECKS]
    if "text" not in values:
        problems.append("text is missing")
    for name, value in values.items():
        if name in _CHECKS and value is not DEFAULTS[name]:
            problems += _CHECKS[name](value)
    if values.get("ttl") is not None and values.get("expires_at") is not None:
        problems.append("ttl and expires_at both say when it expires: give one of them")
    return problems


def draft_from(values: Mapping[str, Any]) -> Draft:
    """The draft these values make; InvalidInput with every problem when they make none."""
    if problems := draft_problems(values):
        raise InvalidInput(problems)
    fields_: dict[str, Any] = {
        name: distinct(v) if name in _TAGS else v for name, v in values.items() if v is not DEFAULTS[name]
    }
    return Draft(**fields_)


def distinct(tags: Any) -> tuple[str, ...]:
    """Tags without repeats; a list keeps its order, a set is sorted."""
    return tuple(dict.fromkeys(sorted(tags) if isinstance(tags, (set, frozenset)) else tags))
