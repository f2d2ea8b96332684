"""At the door: what every draft passes before anything is written, embedded, logged or sent.

Secrets are taken out of the text and of all that goes with it; a scope or kind that holds one is refused, since it
would be another scope without it. What is made from other memories is trusted no more than the least trusted of them.
A text that is not fully trusted and reads like an instruction, or is made from something quarantined, is quarantined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from remanence.errors import InvalidInput
from remanence.guard.secrets import find, redact, redact_value
from remanence.model.checks import TAG_CHARACTERS
from remanence.model.draft import Draft
from remanence.model.memory import ACCEPTED, SCREENED, Memory, State
from remanence.model.plan import REDACTED, Plan
from remanence.store.protocol import Embedded, Store

FROM_QUARANTINE = "it was made from a quarantined memory"
_TAGS = ("categories", "concepts", "files")
_FREE = frozenset((*_TAGS, "origin", "metadata"))
"""Fields beside the text that may hold anything."""


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A draft without secrets, and how many there were of each kind."""

    draft: Draft
    redacted: Mapping[str, int] = field(default_factory=dict)

    @property
    def evidence(self) -> dict[str, float]:
        return evidence_of(self.redacted)


def cleaned(draft: Draft, personal: Collection[str] = ()) -> Cleaned:
    """The draft without secrets; InvalidInput where its scope or kind holds one."""
    refuse_secrets(scope=draft.scope, kind=draft.kind)
    text = redact(draft.text, personal=personal)
    changes, counts = clean_fields({name: getattr(draft, name) for name in _FREE}, personal)
    counts += Counter(text.counts)
    if draft.key is not None and find(draft.key):
        changes["key"] = "digest:" + blake2b(draft.key.encode(), digest_size=16).hexdigest()
    if not counts and "key" not in changes:
        return Cleaned(draft)
    return Cleaned(replace(draft, text=text.text, **changes), dict(counts))


def clean_tags(tags: Sequence[str], personal: Collection[str]) -> tuple[tuple[str, ...], Counter[str]]:
    """Tags without secrets, each once."""
    found: Counter[str] = Counter()
    kept = []
    for tag in tags:
        clean = redact(tag, personal=personal)
        found += Counter(clean.counts)
        kept.append(clean.text[:TAG_CHARACTERS])
    return tuple(dict.fromkeys(kept)), found


def refuse_secrets(**names: str) -> None:
    """InvalidInput for a name that holds a secret: without it, it would be another name."""
    found = {name: _secret_in(value) for name, value in names.items()}
    problems = [f"{name} holds a secret ({kind}); give one without it" for name, kind in found.items() if kind]
    if problems:
        raise InvalidInput(problems)


@lru_cache(maxsize=1024)  # few scopes and kinds, and many memories in each
def _secret_in(name: str) -> str | None:
    found = find(name)
    return found[0].kind if found else None


def limited(store: Store, memory: Memory) -> Memory:
    """The memory trusted no more than what it was made from."""
    if not memory.lineage:
        return memory
    sources = store.get(memory.lineage).values()
    limit = min((source.trust for source in sources), default=1.0)
    return memory if limit >= memory.trust_limit else memory.but(trust_limit=limit)


def suspicions(store: Store, memory: Memory, embedded: Embedded | None = None) -> tuple[str, ...]:
    """Why a memory is to be quarantined; empty where it is not."""
    reasons: tuple[str, ...] = ()
    if memory.trust < 1.0:
        from remanence.guard.screening import screen  # its words take a while to load, and a person's need none

        model, vector = embedded if embedded is not None else (None, None)
        reasons = screen("\n".join(_strings(memory)), model=model, vector=vector)
    if memory.lineage and any(made.state is State.QUARANTINED for made in store.get(memory.lineage).values()):
        reasons = (*reasons, FROM_QUARANTINE)
    return reasons


def quarantined(memory: Memory, reasons: Sequence[str]) -> Memory:
    """The memory as it waits for review."""
    return memory.but(state=State.QUARANTINED, metadata=unreviewed(memory.metadata) | {SCREENED: list(reasons)})


def unreviewed(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Metadata without what an earlier screening and its review left there."""
    return {name: value for name, value in metadata.items() if name not in (SCREENED, ACCEPTED)}


def _strings(memory: Memory) -> Iterable[str]:
    """Everything of a memory that a reader may get to see."""
    yield memory.text
    for tags in (memory.categories, memory.concepts, memory.files, (memory.origin,) if memory.origin else ()):
        yield from tags
    waiting: list[Any] = [unreviewed(memory.metadata)] if memory.metadata else []
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            waiting += (*value, *value.values())
        elif isinstance(value, (list, tuple)):
            waiting += value


def clean_memory(memory: Memory, personal: Collection[str] = ()) -> tuple[Memory, dict[str, int]]:
    """A whole memory without secrets; the same one where there are none."""
    refuse_secrets(scope=memory.scope, kind=memory.kind)
    text = redact(memory.text, personal=personal)
    fields, counts = clean_fields({name: getattr(memory, name) for name in _FREE}, personal)
    counts += Counter(text.counts)
    return (memory.but(text=text.text, **fields), dict(counts)) if counts else (memory, {})


def clean_fields(fields: Mapping[str, Any], personal: Collection[str] = ()) -> tuple[dict[str, Any], Counter[str]]:
    """Fields of a memory that hold words of others, without secrets."""
    counts: Counter[str] = Counter()
    clean = dict(fields)
    for name in _FREE & fields.keys():
        if not fields[name]:
            continue
        if name in _TAGS:
            clean[name], found = clean_tags(fields[name], personal)
        elif name == "origin":
            origin = redact(fields[name], personal=personal)
            clean[name], found = origin.text[:1000], Counter(origin.counts)
        else:
            clean[name], told = redact_value(fields[name], personal=personal)
            found = Counter(told)
        counts += found
    return clean, counts


def without_secrets(plan: Plan) -> Plan:
    """A plan, whoever made it, that writes no secret."""
    changes = list(plan.changes)
    changed = False
    for place, change in enumerate(changes):
        if change.memory is not None:
            memory, counts = clean_memory(change.memory)
            if counts:
                changes[place] = replace(change, memory=memory, evidence={**change.evidence, **evidence_of(counts)})
                changed = True
        elif _FREE & change.after.keys():
            after, found = clean_fields(change.after)
            if found:
                changes[place] = replace(change, after=after, evidence={**change.evidence, **evidence_of(found)})
                changed = True
    return replace(plan, changes=tuple(changes)) if changed else plan


def evidence_of(redacted: Mapping[str, int]) -> dict[str, float]:
    """How a receipt counts what was redacted."""
    return {REDACTED + kind: float(number) for kind, number in redacted.items()}
