"""Losses: which recalls of the last days would miss a hit if a plan were applied."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from remanence.model.memory import State
from remanence.model.moment import earlier
from remanence.model.plan import Plan
from remanence.store.protocol import Recent, Store

LOOKED_BACK = timedelta(days=30)
_MOST_LOOKED_AT = 2_000
_SHOWN = 3


def with_losses(store: Store, plan: Plan, now: datetime) -> Plan:
    """The plan, with a warning about the recalls that found what would leave."""
    leaving = [change.memory_id for change in plan if change.before.get("state") == State.LIVE and change.after]
    found = store.log.finding(leaving[:_MOST_LOOKED_AT], earlier(now, LOOKED_BACK)) if leaving else {}
    if not found:
        return plan
    recalls = {recent for some in found.values() for recent in some}
    newest = sorted(recalls, key=lambda recent: (recent.at, recent.query), reverse=True)[:_SHOWN]
    asked = ", ".join(f"{_short(recent)!r} ({recent.at:%d %B})" for recent in newest)
    warning = (
        f"{len(recalls)} recall{'s' * (len(recalls) != 1)} of the last 30 days found what would leave "
        f"({len(found)} {'memory' if len(found) == 1 else 'memories'}): {asked}"
    )
    return replace(plan, warnings=(*plan.warnings, warning))


def _short(recent: Recent) -> str:
    text = " ".join(recent.query.split())
    return text if len(text) <= 40 else text[:39] + "…"
