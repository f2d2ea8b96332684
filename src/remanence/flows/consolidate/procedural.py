"""Tier procedural: patterns seen in 2 sessions or more, at least 2 of a scope → procedures with trigger and steps.

Patterns are read by rules; those that give no steps may be put to a model, whose trigger and steps must stand in the
pattern. What gives none is left alone and counted. A new procedure has the strength 0.5; each further pattern that
tells the same, be it in slightly other words, adds 1 to its frequency and 0.1 to its strength, once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from remanence.errors import LlmFailed
from remanence.flows.consolidate import asking
from remanence.flows.consolidate.making import by_scope, is_suspicious, made, skipped, unmet, with_also
from remanence.flows.dream.night import Proposal, claim_key, claimed
from remanence.lifecycle.grounding import Ground
from remanence.lifecycle.procedures import (
    FIRST_STRENGTH,
    LONGEST_TEXT,
    MOST_STEPS,
    is_same,
    place_of,
    procedure_of,
    strength_after,
    text_of,
    trigger_of,
)
from remanence.model.claim import Claim
from remanence.model.consolidation import PROCEDURAL, Procedure
from remanence.model.memory import Layer, Memory, State
from remanence.model.plan import Change
from remanence.model.selection import EVERY_STATE, Selection

if TYPE_CHECKING:
    from remanence.flows.dream.night import Night

LEAST_PATTERNS = 2
LEAST_SESSIONS = 2
MOST_PATTERNS = 1_000
_Key = tuple[str, ...]
_Place = tuple[tuple[str, ...], int]
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "procedures": {
            "type": "array",
            "maxItems": 50,
            "items": {
                "type": "object",
                "properties": {
                    "pattern": {"type": "integer"},
                    "trigger": {"type": "string", "minLength": 2, "maxLength": 200},
                    "steps": {
                        "type": "array",
                        "minItems": 1,
                        "maxItems": MOST_STEPS,
                        "items": {"type": "string", "minLength": 1, "maxLength": 300},
                    },
                },
                "required": ["pattern", "trigger", "steps"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["procedures"],
    "additionalProperties": False,
}


def procedural(night: Night) -> Proposal:
    """The procedures that recurring patterns tell."""
    claims: list[Claim] = []
    changes: list[Change] = []
    dropped: Counter[str] = Counter()
    failures: list[str] = []
    whys: dict[str, str] = {}
    silent, ran = 0, False
    for scope, patterns in by_scope(_patterns(night)).items():
        seen = [one for one in patterns if sessions_of(night, one) >= LEAST_SESSIONS]
        if len(seen) < LEAST_PATTERNS:
            number = f"{len(seen)} of {len(patterns)} patterns seen in {LEAST_SESSIONS} sessions"
            whys[scope] = f"{number}, {LEAST_PATTERNS} are needed"
            continue
        ran = True
        told, by_model = _told(night, seen, dropped, failures)
        silent += len(seen) - sum(map(len, told.values()))
        known = _known(night, scope)
        for procedure, sources in _each_once(told):
            parts = _parts(night, procedure, sources, _standing(known, procedure))
            if parts:
                claim = _claim(procedure, sources, parts, llm=procedure.key in by_model)
                claims.append(claim)
                changes += claimed(claim, parts)
    warnings = skipped(PROCEDURAL, whys, f"0 patterns, {LEAST_PATTERNS} are needed", ran=ran)
    if silent:
        warnings.append(f"{PROCEDURAL}: {silent} {'pattern gives' if silent == 1 else 'patterns give'} no steps")
    warnings += asking.told(PROCEDURAL, dropped, failures)
    llm = any(claim.llm for claim in claims)
    return Proposal(PROCEDURAL, tuple(claims), tuple(changes), tuple(warnings), llm=llm, dropped=dropped)


def _patterns(night: Night) -> list[Memory]:
    selection = Selection(scopes=night.scopes, kinds=("pattern",), unexpired_at=night.now)
    newest = night.store.select(selection, limit=MOST_PATTERNS)
    return sorted(newest, key=lambda one: (one.created_at, one.id))


def sessions_of(night: Night, pattern: Memory) -> int:
    """In how many sessions a pattern was seen: as it says, as others confirmed it, or where its sources come from."""
    named = pattern.metadata.get("sessions", ())
    listed = {str(one) for one in named} if isinstance(named, (list, tuple)) else set()
    if pattern.origin is not None:
        listed.add(pattern.origin)
    sources = night.store.get(pattern.lineage).values() if pattern.lineage else ()
    origins = {one.origin for one in sources if one.origin is not None}
    return max(len(listed), pattern.confirmations + 1, len(origins))


# --- what patterns tell

_Told = dict[Procedure, list[Memory]]


def _told(
    night: Night, patterns: Sequence[Memory], dropped: Counter[str], failures: list[str]
) -> tuple[_Told, frozenset[_Key]]:
    """The procedures, with the patterns that tell each; and the keys of those that a model found."""
    told: _Told = {}
    silent: list[Memory] = []
    for pattern in patterns:
        found = procedure_of(pattern.text)
        if found is None:
            silent.append(pattern)
        else:
            told.setdefault(found, []).append(pattern)
    asked = [one for one in silent if len(one.text) <= LONGEST_TEXT]
    by_model: set[_Key] = set()
    for part in asking.parts([one.text for one in asked]):
        if night.llm is None or not asking.can_ask(night):
            break
        texts = [asked[place].text for place in part]
        try:
            answered = asking.answer(night.llm, "consolidate_procedural", texts, SCHEMA)["procedures"]
        except LlmFailed as failed:
            failures.append(str(failed))
            break
        taken: set[int] = set()
        for given in answered:
            place = given["pattern"] - 1
            fault = "of an unknown pattern" if not 0 <= place < len(part) else _fault(given, texts[place])
            if fault is None and place not in taken:
                taken.add(place)
                found = Procedure(trigger_of(given["trigger"]), tuple(" ".join(s.split()) for s in given["steps"]))
                by_model.add(found.key)
                told.setdefault(found, []).append(asked[part[place]])
            elif fault is not None:
                dropped[fault] += 1
    return told, frozenset(by_model)


def _fault(given: Mapping[str, Any], text: str) -> str | None:
    """Why a procedure of a model is dropped: its trigger and each step must stand in the pattern."""
    ground = Ground(text, [text])
    return next(
        (fault for said in (given["trigger"], *given["steps"]) if (fault := asking.fault_of(said, ground))), None
    )


def _each_once(told: _Told) -> list[tuple[Procedure, list[Memory]]]:
    """Each procedure once, in the words of its oldest pattern, with the patterns of all that are the same."""
    found: list[tuple[Procedure, list[Memory]]] = []
    places: dict[_Place, list[tuple[Procedure, list[Memory]]]] = {}
    for procedure, patterns in sorted(told.items(), key=lambda item: min(one.id for one in item[1])):
        alike = places.setdefault(place_of(procedure), [])
        for other, others in alike:
            if is_same(other, procedure):
                others.extend(patterns)
                break
        else:
            alike.append((procedure, list(patterns)))
            found.append(alike[-1])
    return found


# --- against what is known


def _known(night: Night, scope: str) -> dict[_Place, list[tuple[Procedure, Memory]]]:
    """The procedures of a scope, also those that someone took out of recall; live ones first, newer before older."""
    selection = Selection(scopes=(scope,), kinds=("procedure",), states=EVERY_STATE)
    held = [one for page in night.store.pages(selection) for one in page if one.scope == scope]
    found: dict[_Place, list[tuple[Procedure, Memory]]] = {}
    for memory in sorted(held, key=lambda one: (one.state is State.LIVE, one.created_at, one.id), reverse=True):
        if (procedure := Procedure.of(memory)) is not None:
            found.setdefault(place_of(procedure), []).append((procedure, memory))
    return found


def _standing(known: Mapping[_Place, Sequence[tuple[Procedure, Memory]]], procedure: Procedure) -> Memory | None:
    """The memory of this procedure: a live one before others, and of those one in the very same words."""
    alike = [(one, memory) for one, memory in known.get(place_of(procedure), ()) if is_same(one, procedure)]
    alike.sort(key=lambda pair: (pair[1].state is State.LIVE, pair[0].key == procedure.key), reverse=True)
    return alike[0][1] if alike else None


def _parts(night: Night, procedure: Procedure, patterns: Sequence[Memory], known: Memory | None) -> list[Change]:
    """The new procedure, or the known one strengthened by patterns that it was not met in yet."""
    if known is None:
        if night.store.tombstones([text_of(procedure)]):
            return []
        strength = strength_after(FIRST_STRENGTH, len(patterns) - 1)
        memory = made(
            night,
            text_of(procedure),
            patterns,
            kind="procedure",
            layer=Layer.PROCEDURAL,
            confidence=strength,
            metadata=procedure.metadata(len(patterns), strength),
            importance=max(one.importance for one in patterns),
            concepts=[tag for one in patterns for tag in one.concepts],
            files=[path for one in patterns for path in one.files],
        )
        if is_suspicious(memory):
            return []
        return [Change.add(memory, "recurring pattern", patterns=float(len(patterns)), strength=strength)]
    new = unmet(known, patterns)
    if known.state is not State.LIVE or not new or not night.free(known):
        return []
    strength = strength_after(known.confidence, len(new))
    frequency = _whole(known.metadata.get("frequency")) + len(new)
    metadata = with_also(known, new, frequency=frequency, strength=strength)
    if metadata is None:
        return []
    night.taken.add(known.id)
    return [Change.of(known, "seen again", confidence=strength, metadata=metadata)]


def _whole(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 1


def _claim(procedure: Procedure, patterns: Sequence[Memory], parts: Sequence[Change], *, llm: bool) -> Claim:
    first = parts[0]
    after = first.memory.metadata if first.memory is not None else first.after["metadata"]
    return Claim(
        key=claim_key(PROCEDURAL, [*(one.id for one in patterns), *procedure.key]),
        step=PROCEDURAL,
        title=text_of(procedure),
        made=() if first.memory is None else (first.memory_id,),
        sources=tuple(one.id for one in patterns),
        evidence={"patterns": len(patterns), "frequency": after["frequency"], "strength": after["strength"]},
        llm=llm,
    )
