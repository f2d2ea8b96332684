"""explain: every number behind one memory's fate, which rule acts next and when, and what would change that."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np

from remanence.flows.find import found
from remanence.flows.sizes import is_answer, near_targets
from remanence.flows.sweep import sweep
from remanence.lifecycle import content
from remanence.lifecycle.due import next_hold
from remanence.lifecycle.forgetting import NO_RULE, bound_of, decide, rules_of
from remanence.lifecycle.lessons import confidence_now
from remanence.lifecycle.measures import Measures
from remanence.lifecycle.retention import STABILITY_GAIN
from remanence.lifecycle.sizes import Size, allowed
from remanence.lifecycle.tiers import TIER_NAMES, TIERS, tier_numbers
from remanence.model.columns import Columns, columns_of
from remanence.model.explanation import Curve, Explanation, Left
from remanence.model.memory import Memory, Source, State
from remanence.model.moment import LAST_MOMENT, MICROS_PER_DAY, NEVER, from_micros, to_micros
from remanence.model.policy import (
    LASTING_KINDS,
    MOVING,
    OFFERING,
    REMOVING,
    STANDING,
    Condition,
    Policy,
    Rule,
)
from remanence.model.scope import holds
from remanence.store.protocol import Store

_POINTS = 96
_LEAST_SPAN_DAYS = 30
_WHOLE_JOURNAL = 2**31 - 1
_ROUNDING = 1e-9
_TOLD_FROM = 0.05  # of spaced recalls: one an hour after birth counts 0.02
_SHOWN = (
    *("age_days", "idle_days", "access_count", "confirmations", "retention", "effective_importance"),
    *("relevance", "score", "worth"),
)
_FULL = "its set holds too much, and it is among the lowest there"
_DOES = {
    "archive": "archives it",
    "forget": "forgets it",
    "promote": "promotes it",
    "demote": "demotes it",
    "compact": "offers it to the dream",
    "review": "puts it up for review",
}


def explain(store: Store, policy: Policy, id: str, now: datetime) -> Explanation:
    """Why this memory is where it is, and what becomes of it next."""
    memory = found(store, id)
    columns, at = columns_of([memory]), to_micros(now)
    measures = Measures(columns, policy)
    due, rule = _next(store, memory, columns, policy, now)
    value = float(measures.value(at)[0])
    tier = TIER_NAMES[int(tier_numbers(measures.value(at), policy.tiers or TIERS)[0])]
    protected = _protections(memory, measures, now)
    left = _left(store, memory)
    advice = _advice(memory, policy, due, rule, now, left)
    answer = is_answer(store, memory)
    told = Explanation(
        memory_id=memory.id,
        policy=policy.name,
        at=now,
        state=memory.state.value,
        value=value,
        value_name=policy.value,
        retention=float(measures.retention(at)[0]),
        worth=float(measures.worth(at)[0]),
        effective_importance=float(measures.effective_importance(at)[0]),
        tier=tier,
        due_at=None if due is None else from_micros(due),
        next_rule=None if rule is None else rule.name,
        next_action=None if rule is None else rule.action,
        parts={name: float(values[0]) for name, values in measures.factors(at).items()},
        measures=_measures(memory, measures, at, answer=answer),
        protected_by=protected,
        advice=advice,
        text="",
        curve=_curve(memory, policy, now, due, rule),
        regrets=_regrets(store, memory),
        content=content.factors(memory.text, answer=answer),
        left=left,
    )
    lines = [_text(told, memory, rule, policy), *_fades(measures), *_lived(told, memory, policy)]
    return replace(told, text="\n".join([*lines, *_says(told, memory, policy)]))


def _left(store: Store, memory: Memory) -> Left | None:
    """How it came to be out of recall, from the journal."""
    if memory.state is State.LIVE:
        return None
    for entry in store.journal(_WHOLE_JOURNAL, memory_ids=[memory.id]):
        if entry.state_after is memory.state and entry.state_before is not memory.state:
            return Left(
                at=entry.at,
                verb=entry.verb,
                reason=entry.reason,
                receipt_id=entry.receipt_id,
                by_rule=entry.by_rule,
            )
    return None


def _says(told: Explanation, memory: Memory, policy: Policy) -> list[str]:
    """What its text is worth, what that counts for, and the signals that make it so, each with its reason."""
    lines = [f"What it says is worth {told.measures['content']:.2f} of 1. {_budget(memory, policy)}"]
    return lines + [f"  {name} {weight:+.2f}: {content.SIGNALS[name].why}" for name, weight in told.content.items()]


def _budget(memory: Memory, policy: Policy) -> str:
    """Which budget goes by what a text says, where this memory is."""
    of_content = [target for target in policy.targets if target.lowest == STANDING]
    names = ", ".join(str(target.tokens or target.memories) for target in of_content)
    held = {target.name: Size(target, memory.scope, 0, allowed(target, policy, memory.scope)) for target in of_content}
    bounds = [f"{name} of {size.allowed:,.0f} {size.unit}" for name, size in held.items() if size.allowed < np.inf]
    if bounds:
        return f"That counts only under a budget, here the {' and the '.join(bounds)} ({names})."
    return f"That counts only under a budget, and {policy.name} has none here" + (f" ({names})." if names else ".")


def _fades(measures: Measures) -> list[str]:
    """What its stability is made of, where that is what the curve goes by."""
    pace, columns = float(measures.pace()[0]), measures.columns
    if measures.policy.curve != "power" or not pace:
        return []
    base, gain = (
        float(np.reshape(measures.number(name, default), -1)[0])
        for name, default in (("stability_days", None), ("stability_gain", STABILITY_GAIN))
    )
    days, spaced = float(measures.stability_days()[0]), float(measures.spaced_recalls()[0])
    uses, rejections = int(columns.uses[0]), int(columns.rejections[0])
    grown = 1.0 + gain * spaced
    made = [f"times {_plainly(grown)} for {_many(spaced, 'spaced recall')}"] if spaced >= _TOLD_FROM else []
    if uses or rejections:
        told = f"{_many(uses, 'use')} and {_many(rejections, 'rejection')}"
        made.append(f"times {_plainly(days / (base * grown))} for {told}")
    days = days if made else base
    made = made or ["since no spaced recall, use or rejection has changed it"]
    of = ", ".join([f"{base:g} by {measures.policy.name}", *made])
    lines = [f"It fades with a stability of {_plainly(days)} days, after which 90 % is left: {of}."]
    if abs(pace - 1.0) > _ROUNDING:
        lines.append(f"A day counts as {pace:.3g} for that, by its source and layer.")
    return [" ".join([*lines, "The factor of worth of that name is another thing: how regularly it was recalled."])]


def _plainly(number: float) -> str:
    """Four figures, or all before the point where there are more."""
    return f"{number:,.0f}" if number >= 1000 else f"{number:.4g}"


def _many(number: float, name: str) -> str:
    return f"{number:.3g} {name}{'' if number == 1 else 's'}"


def _lived(told: Explanation, memory: Memory, policy: Policy) -> list[str]:
    """How the store was lived in, where that makes a difference for this memory."""
    lines = []
    calendar, active = told.measures.get("calendar_days", 0.0), told.measures["idle_days"]
    if calendar - active >= 1:
        last = "recalled" if memory.access_count else "written"
        lines.append(
            f"It was last {last} {calendar:.0f} days ago by the calendar, of which {active:.0f} count: on the others "
            "nobody was here."
        )
    if "slowing" in told.measures and policy.lived is not None:
        missed = policy.lived.missed[memory.kind]
        lines.append(
            f"Decay of {memory.kind} is slowed {told.measures['slowing']:g}x: {missed.memories} of {missed.archived} "
            "archived ones were missed."
        )
    return lines


def _regrets(store: Store, memory: Memory) -> int:
    """How often an archived memory would have been a hit since it left."""
    if memory.state is not State.ARCHIVED:
        return 0
    store.flush()
    return store.log.regrets(memory.id)[0]


def _next(
    store: Store, memory: Memory, columns: Columns, policy: Policy, now: datetime
) -> tuple[int | None, Rule | None]:
    """When a rule next acts on it, and which; a set that holds too much acts at the next sweep."""
    if not policy.enabled:
        return None, None
    at = to_micros(now)
    due = next_hold(columns, policy, at)
    if (due is None or due > at) and memory.state is State.LIVE:
        for change in sweep(store, policy, now) if _in_full_set(store, memory, policy, now) else ():
            if change.memory_id == memory.id and not change.action.is_offer and "state" in change.after:
                return at, Rule(name=change.reason, action=change.action.value, when=(), why=_FULL)
    if due is None:
        return None, None
    decisions = decide(columns, policy, due)
    number = decisions.moves[0].rule if decisions.moves else int(decisions.removed[0])
    number = number if number != NO_RULE else int(decisions.offered[0])
    return due, rules_of(policy)[number]


def _in_full_set(store: Store, memory: Memory, policy: Policy, now: datetime) -> bool:
    """Whether a size target that this memory may count to is exceeded."""
    return any(
        size.is_over and (size.scope is None or holds(size.scope, memory.scope))
        for size in near_targets(store, policy, now)
        if size.target.action in REMOVING
    )


def _measures(memory: Memory, measures: Measures, at: int, *, answer: bool) -> dict[str, float]:
    """The measures rules may ask for."""
    found = {name: float(measures.measure(name, at)[0]) for name in _SHOWN}
    if measures.clock is not None:
        found["calendar_days"] = float(measures.calendar_days(at)[0])
    if measures.policy.curve == "power":
        found["stability_days"] = float(measures.stability_days()[0])
        found["spaced_recalls"] = float(measures.spaced_recalls()[0])
        found |= {"uses": float(memory.uses), "rejections": float(memory.rejections)}
    if (slowing := float(measures.slowing()[0])) > 1.0:
        found["slowing"] = slowing
    if memory.kind == "procedure" or memory.source is Source.DREAM:
        found["strength"] = float(measures.strength(at)[0])
    if memory.kind == "lesson":
        found["lesson_confidence"] = confidence_now(memory, from_micros(at))
    found["content"] = content.content(memory.text, answer=answer)
    return found


def _protections(memory: Memory, measures: Measures, now: datetime) -> tuple[str, ...]:
    policy = measures.policy
    found = []
    if memory.pinned:
        found.append("it is pinned")
    if memory.kept_until is not None and memory.kept_until > now:
        found.append(f"it came back and is kept until {_day(memory.kept_until)}")
    if measures.exempt()[0]:
        found += _exemptions(memory, policy) or [f"an override of {policy.name} exempts it"]
    if not policy.enabled:
        found.append(f"sweeps are switched off by {policy.name}")
    return tuple(found)


def _exemptions(memory: Memory, policy: Policy) -> list[str]:
    found = ["it is exempt from decay"] if memory.exempt else []
    if memory.kind in (*policy.exempt_kinds, *LASTING_KINDS):
        found.append(f"kind {memory.kind} is exempt under {policy.name}")
    if memory.layer.value in policy.exempt_layers:
        found.append(f"layer {memory.layer.value} is exempt under {policy.name}")
    return found + [f"scope {s} is exempt under {policy.name}" for s in policy.exempt_scopes if holds(s, memory.scope)]


def _advice(
    memory: Memory, policy: Policy, due: int | None, rule: Rule | None, now: datetime, left: Left | None
) -> tuple[str, ...]:
    """What would change its fate; a recall only where it really would."""
    if memory.state is State.SUPERSEDED:
        return ()
    if memory.state is not State.LIVE:
        undo = (f"or take back all of {left.receipt_id} with: rem undo {left.receipt_id}",) if left else ()
        return (f"bring it back with: rem restore {memory.id}", *undo)
    if due is None or rule is None or rule.action in MOVING:
        return ()
    if rule.name == "expired":
        return (f"give it another time with: rem revise {memory.id} --ttl 30d", "or pin it")
    when = from_micros(due)
    recalled = max(when - timedelta(microseconds=1), now)
    after = memory.but(
        access_count=memory.access_count + 1,
        last_accessed_at=max(recalled, memory.last_accessed_at),
        recent_accesses=(*memory.recent_accesses, recalled)[-20:],
    )
    held = decide(columns_of([after]), policy, due)
    if not rule.when or held.removed[0] != NO_RULE or held.offered[0] != NO_RULE:
        return ("pin it to keep it",)
    return ("recall it before the next sweep" if when <= now else f"recall it before {_day(when)}", "or pin it")


def _day(moment: datetime) -> str:
    return f"{moment.day} {moment:%B %Y}"


def _went(told: Explanation, policy: Policy) -> str:
    """How it came to be out of recall, in words."""
    left = told.left
    if left is None:
        return f"It is {told.state}: no rule acts on it."
    since = f"It is {told.state} since {_day(left.at)}"
    if not left.by_rule:
        return f"{since}, by {left.verb} ({left.reason}), receipt {left.receipt_id}."
    why = next((f" ({rule.why})" for rule in policy.rules if rule.name == left.reason and rule.why), "")
    return f"{since}: rule {left.reason!r}{why} took it, in the {left.verb} of receipt {left.receipt_id}."


def _text(told: Explanation, memory: Memory, rule: Rule | None, policy: Policy) -> str:
    numbers = {name: getattr(told, name) for name in ("retention", "worth", "effective_importance")}
    beside = (f"{name.replace('_', ' ')} {number:.4f}" for name, number in numbers.items() if name != told.value_name)
    lines = [
        f"{memory.state.value.capitalize()}, {told.tier}: {told.value_name.replace('_', ' ')} {told.value:.4f} "
        f"under {told.policy}; {', '.join(beside)}."
    ]
    if memory.state not in (State.LIVE, State.SUPERSEDED):
        lines.append(_went(told, policy))
        if told.regrets:
            times = "once" if told.regrets == 1 else f"{told.regrets} times, counted once a day"
            lines.append(f"It was missed {times}: a recall would have had it first, or a host used it.")
    elif told.due_at is None or rule is None:
        lines.append("No rule will act on it" + (f": {', '.join(told.protected_by)}." if told.protected_by else "."))
    else:
        when = f"from {_day(told.due_at)} on"
        if told.due_at <= told.at:
            when = "at the next sweep"
        elif told.due_at - told.at < timedelta(days=1):
            when = f"from {told.due_at:%H:%M} UTC on"
        why = f" ({rule.why})" if rule.why else ""
        lines.append(f"Rule {rule.name!r} {_DOES[rule.action]} {when}{why}.")
        if told.protected_by and rule.action not in (*MOVING, *OFFERING):
            lines.append(f"Until then {', '.join(told.protected_by)}.")
    if told.advice:
        sentence = ", ".join(told.advice)
        lines.append(sentence[0].upper() + sentence[1:] + ".")
    return "\n".join(lines)


def _curve(memory: Memory, policy: Policy, now: datetime, due: int | None, rule: Rule | None) -> Curve:
    """The value from birth to a while after it is due, a month at least, with the accesses known at each moment."""
    born, at = to_micros(memory.created_at), to_micros(now)
    last = max(at, due or 0, born + 1)
    span = max(last - born, _LEAST_SPAN_DAYS * MICROS_PER_DAY)
    end = min(born + span + span // 8, LAST_MOMENT)
    moments = np.unique(
        np.concatenate(
            [
                np.minimum(np.linspace(born, end, _POINTS), end - 1e3).astype(np.int64).clip(born, end),
                np.array([max(at, born), *(to_micros(a) for a in memory.recent_accesses)], dtype=np.int64),
            ]
        )
    )
    seen = _as_seen(memory, moments, at)
    measures = Measures(seen, policy)
    bound = None
    for condition in rule.when if rule is not None else ():
        if isinstance(condition, Condition) and condition.measure in (policy.value, "retention"):
            bound = float(np.asarray(bound_of(condition, Measures(columns_of([memory]), policy))).reshape(-1)[0])
    return Curve(
        moments=tuple(from_micros(moment) for moment in moments.tolist()),
        values=tuple(measures.value(moments).tolist()),
        retention=tuple(measures.retention(moments).tolist()),
        now=now,
        accesses=memory.recent_accesses,
        bound=bound,
        ends=None if due is None else from_micros(due),
    )


def _as_seen(memory: Memory, moments: np.ndarray, now: int) -> Columns:
    """The memory once for each moment, with the accesses it had by then; after now it keeps those it has."""
    one = columns_of([memory])
    many = one.take(np.zeros(len(moments), dtype=np.intp))
    if not one.recent.size:
        return many
    accesses = np.broadcast_to(one.recent[0], (len(moments), one.recent.shape[1]))
    horizon = max(now, int(one.last_accessed_at[0]))
    known = accesses <= np.where(moments <= horizon, moments, horizon)[:, None]
    newest = np.where(known, accesses, np.iinfo(np.int64).min).max(axis=1)
    later = (~known & (accesses != NEVER)).sum(axis=1)
    return replace(
        many,
        recent=np.where(known, accesses, NEVER),
        last_accessed_at=np.maximum(newest, many.created_at),
        access_count=many.access_count - later,
    )
