"""The verbs a model calls by name, one tool each: what a host with room for many tools is given.

They keep to the rules of memory_tool, and use it where it has the action. A plan (sweep, dream) is shown, and done with
`apply`, never past the breaker. What waits for review is neither shown nor touched: a receipt that concerns such a
memory is not undone. Captured events, which no receipt brings back, a model cannot let go.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from remanence.errors import BreakerTripped, NotFound, PlanRefused
from remanence.guard.framing import markers, neutralised
from remanence.model import checks
from remanence.model.claim import EVENTS, Claim
from remanence.model.memory import Memory, State
from remanence.model.plan import Change, Plan
from remanence.tools.arguments import ARGUMENTS, MOST_SHOWN, SOURCES, Action, Argument, checked
from remanence.tools.memory import MOST_IDS_SHOWN, NOTE, is_withheld, memory_tool, shown, text_of, waits
from remanence.tools.protocol import Keeper

Progress = Callable[[int, int], None]
_LINES = 20
_LINE_CHARACTERS = 200
_TOO_MUCH = "Nothing was changed. A person can look at it and decide: rem {0}; rem {0} --apply{1} --force"
_EVENTS = "Captured events of more than 90 days ago stay: a dream that a person or upkeep runs lets them go"


def _of(name: str, **schema: Any) -> Argument:
    return Argument(schema, ARGUMENTS[name].problems)


def _texts(help: str) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "string"}, "description": help}


def _flag(name: str, help: str) -> Argument:
    return Argument({"type": "boolean", "description": help}, lambda value: checks.flag_problems(value, name))


def _tags(name: str, help: str) -> Argument:
    return Argument(_texts(help), lambda value: checks.tags_problems(value, name))


_STRING = {"type": "string"}
_STRINGS = {"type": "array", "items": _STRING}
ARGUMENTS_OF_VERBS: dict[str, Argument] = {
    "text": Argument(_STRING, lambda value: checks.text_problems(value, "text")),
    "query": _of("query", **_STRING),
    "id": _of("id", **_STRING),
    "ids": _of("ids", **_STRINGS),
    "receipt": _of("receipt", type="string", description="Such as r12."),
    "receipt_id": Argument(
        {"type": "string", "description": "Such as r12."}, lambda value: checks.string_problems(value, "receipt_id")
    ),
    "scope": _of("scope", type="string", description="/project/api, and all below."),
    "kind": _of("kind", type="string", description="fact, preference, decision, bug, …"),
    "kinds": _of("kinds", **_STRINGS),
    "categories": _of("categories", **_texts("Tags; a filter takes any of them.")),
    "concepts": _of("concepts", **_texts("Who or what it is about.")),
    "files": _of("files", **_texts("Paths it refers to.")),
    "importance": _of("importance", type="number", minimum=0, maximum=1),
    "ttl": _of("ttl", type="string", description="How long it holds: 12h, 30d, 6m."),
    "source": _of("source", type="string", enum=list(SOURCES)),
    "older_than": _of("older_than", type="string", description="30d, 6m."),
    "since": _of("since", type="string", description="7d, last week, 2026-03-01."),
    "until": _of("until", **_STRING),
    "limit": _of("limit", type="integer", minimum=1, maximum=MOST_SHOWN),
    "pinned": _flag("pinned", "false lets it age again."),
    "apply": _flag("apply", "Do it."),
    "steps": _tags("steps", "Only these: curve, cluster, cards, bridges, beliefs, drift, prune."),
    "only": _tags("only", "Only claims with these keys."),
}
_SAID = ("scope", "kind", "categories", "concepts", "files", "importance", "ttl", "source")
VERBS: dict[str, Action] = {
    "remember": Action(required=("text",), optional=_SAID),
    "recall": Action(required=("query",), optional=("scope", "limit", "kinds", "categories", "since", "until")),
    "extract": Action(required=("text",), blank=("text",)),
    "forget": Action(any_of=("ids", "scope", "older_than", "categories", "kinds", "query")),
    "restore": Action(any_of=("ids", "receipt")),
    "promote": Action(required=("id",)),
    "demote": Action(required=("id",)),
    "pin": Action(required=("id",), optional=("pinned",)),
    "explain": Action(required=("id",)),
    "sweep": Action(optional=("scope", "apply")),
    "dream": Action(optional=("scope", "steps", "only", "apply")),
    "undo": Action(required=("receipt_id",)),
}


def _unheard(done: int, total: int) -> None:
    """Progress that nobody follows."""


def call(
    mind: Keeper, verb: str, arguments: Mapping[str, Any], *, scope: str | None = None, progress: Progress = _unheard
) -> dict[str, Any]:
    """Do what a model asked for; `scope` is where its memories belong when it names none.

    `progress` may raise to stop the call; it is told once more right before anything is applied.
    """
    given = checked(verb, arguments, VERBS, ARGUMENTS_OF_VERBS)
    if verb in _MARKS:
        return _marked(mind, verb, given)
    if verb == "sweep":
        plan = mind.sweep(given.get("scope"), progress=progress)
        return _planned(mind, plan, given, progress)
    if verb == "dream":
        plan = mind.dream(given.get("scope"), given.get("steps"), progress=progress)
        return _planned(mind, plan.only(given["only"]) if "only" in given else plan, given, progress)
    if verb == "undo":
        return _undone(mind, given["receipt_id"])
    if verb == "remember" and scope is not None:
        given.setdefault("scope", scope)
    if "text" in given:
        given["content"] = given.pop("text")
    return memory_tool(mind, "add" if verb == "remember" else verb, **given)


# --- marks on one memory

_MARKS = ("promote", "demote", "pin")


def _marked(mind: Keeper, verb: str, given: dict[str, Any]) -> dict[str, Any]:
    id = given["id"]
    if is_withheld(mind.get(id)):
        raise NotFound(f"Memory {id} waits for review by a person, and only a review shows it. Run: rem review")
    if verb == "pin" and not given.get("pinned", True):
        verb = "unpin"
    memory: Memory = getattr(mind, verb)(id)
    return {**shown(memory), "layer": memory.layer.value, "pinned": memory.pinned, "note": NOTE}


def framed(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    """An answer that holds texts of memories, with a frame's markers before and behind, its boundary drawn anew."""
    if answer.get("note") != NOTE:
        return answer
    opening, closing = markers(secrets.token_hex(12))
    return {"frame": opening, **answer, "end": closing}


# --- plans


def _planned(mind: Keeper, plan: Plan, given: dict[str, Any], progress: Progress) -> dict[str, Any]:
    warnings = list(plan.warnings)
    if any(EVENTS in claim.evidence for claim in plan.claims):
        warnings.append(_EVENTS)
    plan = _allowed(plan)
    answer: dict[str, Any] = {"verb": plan.verb, "changes": len(plan), "applied": False, **_rules(plan)}
    if plan.claims:
        answer["claims"] = [_claim(mind, claim) for claim in plan.claims[:_LINES]]
        answer["claims_in_all"] = len(plan.claims)
    else:
        answer["first"] = [_line(mind, change) for change in plan.changes[:_LINES]]
    answer["note"] = NOTE
    if warnings:
        answer["warnings"] = [neutralised(warning) for warning in warnings]
    if not given.get("apply"):
        refused = None if plan.refused is None else _too_much(plan, given, str(plan.refused))
        return answer | ({} if refused is None else {"refused": refused})
    progress(1, 1)
    try:
        receipt = mind.apply(plan)
    except BreakerTripped as tripped:
        raise BreakerTripped(_too_much(plan, given, str(tripped).partition(". ")[0])) from None
    done = {"applied": True, "receipt_id": receipt.id, "changes": len(receipt.applied)}
    left = {id: neutralised(why) for id, why in list(receipt.skipped.items())[:MOST_IDS_SHOWN]}
    return answer | done | ({"skipped": left} if left else {})


def _too_much(plan: Plan, given: Mapping[str, Any], what: str) -> str:
    chosen = "" if plan.verb != "dream" else " --only KEY"
    if "scope" in given:
        chosen = f" --scope {given['scope']}{chosen}"
    return f"{what}. {_TOO_MUCH.format(plan.verb, chosen)}"


def _allowed(plan: Plan) -> Plan:
    """The plan without claims that destroy captured events, and without what waits for review; claims stay whole."""
    held = {change.claim for change in plan if waits(change)}
    claims = tuple(one for one in plan.claims if EVENTS not in one.evidence and one.key not in held)
    keys = {claim.key for claim in claims}
    changes = (change for change in plan if not waits(change) and (change.claim is None or change.claim in keys))
    return replace(plan, claims=claims, changes=tuple(changes))


def _rules(plan: Plan) -> dict[str, Any]:
    """How many changes each rule, or each reason, makes."""
    if plan.groups:
        return {
            "rules": [
                {"rule": neutralised(one.rule), "action": one.action.value, "memories": one.memories, "why": one.why}
                for one in plan.groups
            ]
        }
    counted: dict[tuple[str, str], int] = {}
    for change in plan:
        key = (str(change.reason), change.action.value)
        counted[key] = counted.get(key, 0) + 1
    return {
        "rules": [{"rule": neutralised(rule), "action": action, "memories": n} for (rule, action), n in counted.items()]
    }


def _line(mind: Keeper, change: Change) -> dict[str, Any]:
    memory = change.memory
    if memory is None:
        with suppress(NotFound):  # purged since the plan was made
            memory = mind.get(change.memory_id)
    reason = neutralised(str(change.reason))
    return {"id": change.memory_id, "action": change.action.value, "reason": reason, "text": _cut(text_of(memory))}


def _claim(mind: Keeper, claim: Claim) -> dict[str, Any]:
    is_told = not any(_is_hidden(mind, id) for id in claim.sources)
    return {
        "key": claim.key,
        "step": claim.step,
        "title": _cut(neutralised(claim.title)) if is_told else None,
        "made": len(claim.made),
        "leaving": len(claim.leaving),
        "llm": claim.llm,
    }


def _is_hidden(mind: Keeper, id: str) -> bool:
    try:
        return is_withheld(mind.get(id))
    except NotFound:  # a memory that the same plan makes
        return False


def _cut(text: str | None) -> str | None:
    return text if text is None or len(text) <= _LINE_CHARACTERS else text[:_LINE_CHARACTERS] + " …"


# --- undo


def _undone(mind: Keeper, receipt_id: str) -> dict[str, Any]:
    changes = mind.receipt(receipt_id).changes
    if held := {change.memory_id for change in changes if _is_held(mind, change)}:
        raise PlanRefused(
            f"Receipt {receipt_id} concerns {len(held)} of {len(changes)} memories that are for a person to review, so "
            f"it was not taken back. A person can do it with: rem undo {receipt_id}"
        )
    receipt = mind.undo(receipt_id)
    left = {id: neutralised(why) for id, why in list(receipt.skipped.items())[:MOST_IDS_SHOWN]}
    ids = list(receipt.applied[:MOST_IDS_SHOWN])
    return {"undone": len(receipt.applied), "ids": ids, "receipt_id": receipt.id, "undoes": receipt_id, "skipped": left}


def _is_held(mind: Keeper, change: Change) -> bool:
    """Whether taking this back would move a memory into or out of quarantine, or free one that nobody accepted."""
    states = (change.before.get("state"), change.after.get("state"))
    return State.QUARANTINED in states or _is_hidden(mind, change.memory_id)
