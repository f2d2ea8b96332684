"""Every number a policy can set: its unit, its range, and what reads it."""

from __future__ import annotations

from dataclasses import dataclass

CENTURY_DAYS = 36_500.0
_ANY = 1e12


@dataclass(frozen=True, slots=True)
class Number:
    """A number's unit and range. `above` means the lower end itself is not allowed; `endless` allows "never"."""

    unit: str
    low: float
    high: float
    above: bool = False
    endless: bool = False

    @property
    def range(self) -> str:
        if self.high >= _ANY:
            return f"{self.low:g} or more {self.unit}"
        low = f"more than {self.low:g}" if self.above else f"{self.low:g}"
        word = "up to" if self.above else "to"
        return f"{low} {word} {self.high:,.0f} {self.unit}".rstrip() if self.high > 1 else f"{low} {word} {self.high:g}"

    def problem(self, value: object, name: str) -> str | None:
        """Why this is no such number."""
        if self.endless and value is None:
            return None
        never = (' ("never" switches it off)' if self.low else ' (or "never")') if self.endless else ""
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return f"{name} is {_shown(value)}; it must be a number, {self.range}{never}"
        if value != value or not (self.low < value if self.above else self.low <= value) or value > self.high:
            return f"{name} is {value:g}; allowed is {self.range}{never}"
        return None


def _shown(value: object) -> str:
    return repr(value)[:40]


_SPAN = Number("days", 0, CENTURY_DAYS)
_LIFE = Number("days", 0, CENTURY_DAYS, above=True)
_SHARE = Number("", 0, 1)
_COUNT = Number("accesses", 0, _ANY)
_TOKENS = Number("tokens", 0, _ANY, endless=True)
_MEMORIES = Number("memories", 0, _ANY, endless=True)
_BUDGET = Number("tokens", 1, _ANY, endless=True)  # 0 would be read as "none", and take everything

# Read by a curve or a measure: the first word says which.
CURVE_NUMBERS: dict[str, tuple[str, ...]] = {
    "half_life_days": ("halflife", "l2", "huber", "elastic"),
    "delta": ("halflife", "l2", "huber", "elastic"),
    "rho": ("halflife", "l2", "huber", "elastic"),
    "lambda": ("exponential", "score"),
    "sigma": ("score",),
    "tau_days": ("hyperbolic",),
    "stability_days": ("power",),
    "stability_gain": ("power",),
    "spacing_days": ("power",),
    "feedback_exponent": ("power",),
    "decay_exponent": ("power",),
    "regret_gain": ("halflife", "l2", "huber", "elastic", "exponential", "hyperbolic", "power"),
    "reinforcement_rate": ("reinforced",),
    "reinforcement_most": ("reinforced",),
}

NUMBERS: dict[str, Number] = {
    "half_life_days": Number("days", 0, CENTURY_DAYS, above=True),
    "delta": Number("half-lives", 0, 100, above=True),
    "rho": _SHARE,
    "lambda": Number("a day", 0, 100),
    "sigma": Number("days", 0, 100),
    "tau_days": _LIFE,
    "stability_days": _LIFE,
    "stability_gain": Number("stabilities a recall", 0, 1000),
    "spacing_days": _LIFE,
    "feedback_exponent": Number("", 0, 10),
    "decay_exponent": Number("", 0, 1, above=True),
    "regret_gain": Number("", 0, 100),
    "reinforcement_rate": _SHARE,
    "reinforcement_most": _SHARE,
    "working_minutes": Number("minutes", 0, 1_000_000),
    "working_accesses": _COUNT,
    "semantic_importance": _SHARE,
    "semantic_accesses": _COUNT,
    "prune_threshold": _SHARE,
    "prune_after_days": _SPAN,
    "keep_all_days": _SPAN,
    "keep_findings_days": _SPAN,
    "keep_details_days": _SPAN,
    "stale_days": _SPAN,
    "preserved_above": _SHARE,
    "archive_after_days": _SPAN,
    "archive_below": _SHARE,
    "importance_below": _SHARE,
    "accesses_below": _COUNT,
    "max_evict": Number("memories", 1, 1000),
    "superseded_days": _SPAN,
    "low_importance_max_days": _SPAN,
    "low_importance_threshold": _SHARE,
    "low_value_max_days": _SPAN,
    "low_value_threshold": _SHARE,
    "max_observations": _MEMORIES,
    "lesson_confidence_least": _SHARE,
    "stale_session_days": _SPAN,
    "identity_tokens": _TOKENS,
    "critical_tokens": _TOKENS,
    "project_tokens": _TOKENS,
    "historical_tokens": _TOKENS,
    "historical_days": _SPAN,
    "index_memories": _MEMORIES,
    "scope_tokens": _BUDGET,
    "historical_review_days": Number("days", 1, CENTURY_DAYS, endless=True),
    "archive_review_days": Number("days", 1, CENTURY_DAYS, endless=True),
}

# Read by other parts than rules: captured sessions, and reviews by a person.
INERT = ("stale_session_days", "historical_review_days", "archive_review_days")

# A memory's own measures, as bounds are checked: unit and range of what they are compared with.
MEASURE_RANGES: dict[str, Number] = {
    "age_days": _SPAN,
    "idle_days": _SPAN,
    "calendar_days": _SPAN,
    "access_count": _COUNT,
    "confirmations": Number("confirmations", 0, _ANY),
    "tokens": Number("tokens", 0, _ANY),
    "valence": Number("", -1, 1),
}
SHARE = _SHARE
