"""At the door: what everything passes before it is written, embedded, logged or sent, whoever brings it.

Secrets are taken out of the text and of all that goes with it; a scope or kind that holds one is refused, since it
would be another scope without it. What is made from other memories is trusted no more than the least trusted of them.
A text that is not fully trusted and reads like an instruction, or is made from something quarantined, is quarantined.
Looking at texts takes time, so it is done before a transaction; what others are, is looked up inside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from remanence.errors import InvalidInput, PlanRefused
from remanence.guard.secrets import find, redact, redact_value
from remanence.lifecycle.provenance import admitted, limited, unreviewed
from remanence.model import checks
from remanence.model.draft import Draft
from remanence.model.memory import ACCEPTED, SCREENED, TRUST, Memory, Source, State, is_untried
from remanence.model.plan import REDACTED, Change, Plan
from remanence.store.protocol import Embedded, Store

_TAGS = ("categories", "concepts", "files")
_OF_A_DRAFT = (*_TAGS, "origin", "metadata")
_FREE = frozenset((*_OF_A_DRAFT, "challenged_by"))
"""Fields beside the text that may hold anything."""
_RESERVED = ("screened:", "absorbed:", "digest:")
"""How keys begin that the door itself gives."""
_OUTSIDE = (State.LIVE, State.ARCHIVED, State.SUPERSEDED)
"""Where nothing is that waits for review, or was rejected."""
_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A draft without secrets, how many there were of each kind, and why it is suspicious where it is not trusted."""

    draft: Draft
    redacted: Mapping[str, int] = field(default_factory=dict)
    suspicions: tuple[str, ...] = ()

    @property
    def evidence(self) -> dict[str, float]:
        return evidence_of(self.redacted)


def cleaned(draft: Draft, personal: Collection[str] = ()) -> Cleaned:
    """The draft without secrets; InvalidInput where its scope or kind holds one, or it is too long without them."""
    refuse_secrets(personal, scope=draft.scope, kind=draft.kind)
    text = redact(draft.text, personal=personal)
    if not (text.counts or draft.key or any(getattr(draft, name) for name in _OF_A_DRAFT)):
        return Cleaned(draft)  # most have a text and nothing else
    changes, counts = clean_fields({name: getattr(draft, name) for name in _OF_A_DRAFT}, personal)
    counts += Counter(text.counts)
    if draft.key is not None and (find(draft.key, personal=personal) or draft.key.startswith(_RESERVED)):
        changes["key"] = "digest:" + blake2b(draft.key.encode(), digest_size=16).hexdigest()
    if draft.metadata.keys() & {SCREENED, ACCEPTED}:
        changes["metadata"] = unreviewed(changes["metadata"])
    elif not counts and "key" not in changes:
        return Cleaned(draft)
    if problems := checks.text_problems(text.text, "text, with its secrets redacted,"):
        raise InvalidInput(problems)
    return Cleaned(replace(draft, text=text.text, **changes), dict(counts))


def looked_at(clean: Cleaned, embedded: Embedded | None = None) -> Cleaned:
    """The same, with what makes it suspicious where a person does not vouch for it."""
    if TRUST[Source(clean.draft.source)] >= 1.0 and not clean.draft.lineage:
        return clean
    return replace(clean, suspicions=_suspicious(clean.draft, embedded))


def reasons_of(memory: Memory) -> tuple[str, ...]:
    """Why a whole memory is suspicious; empty where a person vouches for it, and it was made from nothing else."""
    return () if memory.trust >= 1.0 and not memory.lineage else _suspicious(memory)


def _suspicious(said: Draft | Memory, embedded: Embedded | None = None) -> tuple[str, ...]:
    """Why all that a reader of this may get to see is suspicious."""
    from remanence.guard.screening import screen  # its words take a while to load, and a person's need none

    strings = [said.text, *said.categories, *said.concepts, *said.files, said.origin or ""]
    model, vector = embedded if embedded is not None else (None, None)
    return screen("\n".join([*strings, *_strings_in(unreviewed(said.metadata))]), model=model, vector=vector)


def made_from(store: Store, memory: Memory, among: Mapping[str, Memory] | None = None) -> tuple[Memory, bool]:
    """The memory trusted no more than what it was made from; and whether some of that is quarantined, or was rejected.

    `among` are memories that are written together with it.
    """
    poisoned = False
    for start in range(0, len(memory.lineage), _AT_ONCE):
        ids = memory.lineage[start : start + _AT_ONCE]
        beside = {id: among[id] for id in ids if id in among} if among else {}
        memory, found = limited(memory, (store.get(ids) | beside).values())
        poisoned = poisoned or found
    return memory, poisoned


def refuse_secrets(personal: Collection[str] = (), **names: str) -> None:
    """InvalidInput for a name that holds a secret: without it, it would be another name."""
    if problems := secret_problems(personal, **names):
        raise InvalidInput(problems)


def secret_problems(personal: Collection[str] = (), **names: str) -> list[str]:
    asked = tuple(personal)
    return [
        f"{name} holds a secret ({kind}); give one without it"
        for name, value in names.items()
        if (kind := _secret_in(value, asked))
    ]


@lru_cache(maxsize=1024)  # few scopes and kinds, and many memories in each
def _secret_in(name: str, personal: tuple[str, ...]) -> str | None:
    found = find(name, personal=personal)
    return found[0].kind if found else None


def clean_memory(memory: Memory, personal: Collection[str] = ()) -> tuple[Memory, dict[str, int]]:
    """A whole memory without secrets; the same one where there are none."""
    refuse_secrets(personal, scope=memory.scope, kind=memory.kind)
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
            clean[name], found = _clean_tags(fields[name], personal)
        elif name == "metadata":
            clean[name], told = redact_value(fields[name], personal=personal)
            found = Counter(told)
        else:
            one = redact(fields[name], personal=personal)
            clean[name], found = one.text[:1000], Counter(one.counts)
        counts += found
    return clean, counts


def _clean_tags(tags: Sequence[str], personal: Collection[str]) -> tuple[tuple[str, ...], Counter[str]]:
    found: Counter[str] = Counter()
    kept = []
    for tag in tags:
        clean = redact(tag, personal=personal)
        found += Counter(clean.counts)
        kept.append(clean.text[: checks.TAG_CHARACTERS])
    return tuple(dict.fromkeys(kept)), found


def through_the_door(store: Store, plan: Plan, personal: Collection[str] = ()) -> Plan:
    """A plan, whoever made it, that writes no secret, lifts nobody's trust, and lets nothing out of quarantine."""
    together = {change.memory_id: change.memory for change in plan if change.memory is not None}
    _refuse_release(store, plan)
    changes = tuple(_passed(store, change, together, personal) for change in plan)
    note = None if plan.note is None else redact(plan.note, personal=personal).text
    if note == plan.note and all(one is other for one, other in zip(changes, plan.changes, strict=True)):
        return plan
    return replace(plan, changes=changes, note=note)


def _refuse_release(store: Store, plan: Plan) -> None:
    """PlanRefused where a memory that nobody accepted would go anywhere but to quarantine or among the forgotten."""
    # A row that is not in the state a change begins with is skipped as it is written, so those need no look.
    moved = {c.memory_id for c in plan if c.after.get("state") in _OUTSIDE and c.before.get("state") not in _OUTSIDE}
    waiting = [id for id, one in store.get(moved).items() if one.state is State.QUARANTINED or is_untried(one)]
    if waiting:
        raise PlanRefused(
            f"This {plan.verb} would take {len(waiting)} memories out of quarantine, which only a review does. "
            f"Run: rem review accept {waiting[0]}"
        )


def _passed(store: Store, change: Change, together: Mapping[str, Memory], personal: Collection[str]) -> Change:
    reason, names = _clean_line(str(change.reason), tuple(personal)), tuple(change.evidence)
    if reason != change.reason or any(_clean_line(name, ()) != name for name in names):
        evidence = {_clean_line(name, ()): number for name, number in change.evidence.items()}
        change = replace(change, reason=reason, evidence=evidence)
    if change.memory is not None:
        memory, counts = clean_memory(change.memory, personal)
        memory, poisoned = made_from(store, memory, together)
        memory = admitted(memory, reasons_of(memory), poisoned)
        if memory is change.memory:
            return change
        return replace(change, memory=memory, evidence={**change.evidence, **evidence_of(counts)})
    if _FREE & change.after.keys():
        after, found = clean_fields(change.after, personal)
        if found:
            return replace(change, after=after, evidence={**change.evidence, **evidence_of(found)})
    return change


@lru_cache(maxsize=1024)  # a plan gives few reasons, and each many times
def _clean_line(text: str, personal: tuple[str, ...]) -> str:
    return redact(text, personal=personal).text


def evidence_of(redacted: Mapping[str, int]) -> dict[str, float]:
    """How a receipt counts what was redacted."""
    return {REDACTED + kind: float(number) for kind, number in redacted.items()}


def _strings_in(value: Any) -> Iterable[str]:
    """Every text in a JSON-like value, names too."""
    waiting: list[Any] = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, Mapping):
            waiting += (*one, *one.values())
        elif isinstance(one, (list, tuple)):
            waiting += one
