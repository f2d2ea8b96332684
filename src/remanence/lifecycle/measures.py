"""Measures: what a policy sees of memories at a moment: ages in days, retention, relevance, score, worth.

Everything is computed from stored base and anchors, for whole columns at once, at one moment or at a moment of its own
for each row (microseconds since 1970). A number that overrides change is an array, one value a row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from remanence.lifecycle import relevance as relevance_
from remanence.lifecycle import retention as retention_
from remanence.lifecycle import tiers as tiers_
from remanence.lifecycle import worth as worth_
from remanence.lifecycle.activity import ActivityClock, activity_clock
from remanence.lifecycle.regret import gains, slowing
from remanence.model.columns import LAYERS, SOURCES, Columns
from remanence.model.memory import Layer
from remanence.model.moment import LAST_MOMENT, MICROS_PER_DAY, NEVER
from remanence.model.policy import LASTING_KINDS, Override, Policy
from remanence.model.scope import holds

Floats = NDArray[np.float64]
Moments = NDArray[np.int64]
_SECOND = 1_000_000
_MOST_PLACES = 10_000


class Measures:
    """The measures of some rows under a policy.

    Under one with an activity clock, days on which nobody was there do not count for its curve and for `idle_days`. To
    look `ahead`, as dates do, today counts in any case: somebody may still come.
    """

    def __init__(self, columns: Columns, policy: Policy, *, ahead: bool = False) -> None:
        self.columns = columns
        self.policy = policy
        self.ahead = ahead
        self.clock = _clock(policy, ahead=ahead)
        self._at_places: dict[str, Any] = {}
        self._exempt: NDArray[np.bool_] | None = None
        self._stability: Floats | None = None
        self._anchored: dict[str, Moments] = {}
        self._asked: tuple[int, str, bool] | None = None
        self._last_left: Floats = np.zeros(0)

    def part(self, rows: NDArray[Any]) -> Measures:
        """The measures of some of the rows."""
        return Measures(self.columns.take(rows), self.policy, ahead=self.ahead)

    # -- what does not change with time

    def number(self, name: float | str, default: float | None = None) -> Any:
        """A bound or parameter: a number, or an array where overrides give rows their own."""
        if not isinstance(name, str) or name.startswith("tiers."):
            return self.policy.number(name)
        if not any(name in override.numbers for override in self.policy.overrides):
            return self.policy.number(name, default)
        if name not in self._at_places:
            policy = self.policy
            self._at_places[name] = self._by_place(lambda scope, kind: overridden(policy, scope, kind, name, default))
        return self._at_places[name]

    def exempt(self) -> NDArray[np.bool_]:
        """Rows that never decay and that no rule of the policy removes: by themselves, or by scope, kind or layer."""
        if self._exempt is None:
            layers = self._table("exempt layers", lambda: [layer in self.policy.exempt_layers for layer in LAYERS])
            self._exempt = self.columns.exempt | self._exempt_places() | layers[self.columns.layer]
        return self._exempt

    def _exempt_places(self) -> NDArray[np.bool_]:
        places = self.columns.places
        found = [exempt_place(self.policy, *place) for place in places]
        return np.array(found, dtype=np.bool_)[self.columns.place] if places else np.zeros(len(self.columns), np.bool_)

    def _table(self, name: str, made: Callable[[], Sequence[float]]) -> NDArray[Any]:
        """One value for each layer or source, made once for a policy."""
        tables = self.policy.tables
        if name not in tables:
            tables[name] = np.array(made())
        found: NDArray[Any] = tables[name]
        return found

    def ttl_ends(self) -> Moments:
        """The last moment of each row's kind under the policy; NEVER where a kind has no time."""
        policy = self.policy

        def days(scope: str, kind: str) -> float:
            found = policy.ttl_days.get(kind)
            for override in _matching(policy.overrides, scope, kind):
                found = override.ttl_days if override.sets_ttl else found
            return np.inf if found is None else found

        if not policy.ttl_days and not any(override.sets_ttl for override in policy.overrides):
            return np.full(len(self.columns), NEVER, dtype=np.int64)
        return later(self.columns.created_at, self._by_place(days))

    def kind_weight(self, table: Mapping[str, float]) -> Floats:
        return self._by_place(lambda scope, kind: table.get(kind, table.get("else", 0.5)))

    def _by_place(self, value: Callable[[str, str], float]) -> Floats:
        """One value for each place, spread over the rows."""
        values = np.array([value(scope, kind) for scope, kind in self.columns.places], dtype=np.float64)
        return values[self.columns.place] if len(values) else np.zeros(len(self.columns))

    # -- at a moment

    def age_days(self, at: Moments | int) -> Floats:
        return retention_.elapsed_days(self.columns.created_at, at)

    def idle_days(self, at: Moments | int) -> Floats:
        return self._passed_days("last_accessed_at", at)

    def _passed_days(self, anchor: str, at: Moments | int) -> Floats:
        """The days since an anchor on the policy's clock: those of the calendar, or the active ones among them."""
        since = getattr(self.columns, anchor)
        if self.clock is None:
            return retention_.elapsed_days(since, at)
        if anchor not in self._anchored:
            self._anchored[anchor] = self.clock.micros(np.minimum(since, LAST_MOMENT))
        return retention_.elapsed_days(self._anchored[anchor], self.clock.micros(at))

    def first_at(self, measure: str, days: Any) -> Moments:
        """The first moment at which `age_days` or `idle_days` has come to so many days; NEVER beyond any calendar."""
        if measure == "age_days":
            return later(self.columns.created_at, days)
        if self.clock is None:
            return later(self.columns.last_accessed_at, days)
        return self.clock.first_at(self.columns.last_accessed_at, days)

    def _left(self, at: Moments | int, clock: str, *, by_trust: bool) -> Floats:
        """What the curve leaves on a clock at a moment."""
        asked = (at, clock, by_trust) if isinstance(at, int) else None
        if asked is not None and asked == self._asked:
            return self._last_left
        anchor = "created_at" if clock == "created" else "last_accessed_at"
        left = self._curve(self._passed_days(anchor, at), by_trust=by_trust)
        if asked is not None:
            self._asked, self._last_left = asked, left
        return left

    def _curve(self, days: Floats, *, by_trust: bool) -> Floats:
        """The policy's curve after so many days, by trust and layer where the policy says so; exempt rows stay at 1."""
        days = self._slowed(days, by_trust=by_trust)
        days = days * self.layer_paces()[self.columns.layer]
        return np.where(self.exempt(), 1.0, self._plain_curve(days))

    def _slowed(self, days: Floats, *, by_trust: bool) -> Floats:
        """Days as the curve counts them: more where the source is trusted less, fewer where others were missed."""
        if by_trust:
            days = days / self.source_half_lives()[self.columns.source]
        if self.policy.lived is not None and self.policy.lived.missed and gains(self.policy):
            days = days / self.slowing()
        return days

    def curve_days(self, at: Moments | int) -> Floats:
        """Days on the policy's clock as its curve counts them, before layers: what learning fits the curve to."""
        anchor = "created_at" if self.policy.clock == "created" else "last_accessed_at"
        return self._slowed(self._passed_days(anchor, at), by_trust=self.policy.trust_weighted)

    def slowing(self) -> Floats:
        """How much slower each row decays than its policy says, since others of its kind were missed."""
        missed = {} if self.policy.lived is None else self.policy.lived.missed

        def factor(scope: str, kind: str) -> float:
            gain = overridden(self.policy, scope, kind, "regret_gain", 0.0)
            return slowing(missed[kind], gain) if kind in missed else 1.0

        if "slowing" not in self._at_places:
            self._at_places["slowing"] = self._by_place(factor)
        found: Floats = self._at_places["slowing"]
        return found

    def source_half_lives(self) -> Floats:
        """The half-life of each source's memories, of those that are fully believed 1."""
        return self._table("half-life by source", self._half_lives)

    def layer_paces(self) -> Floats:
        """How fast time passes in each layer."""
        return self._table("pace by layer", lambda: [self._pace(layer) for layer in LAYERS])

    def _half_lives(self) -> list[float]:
        told = [self.policy.trust.get(source, retention_.DECAY_TRUST_OF[source]) for source in SOURCES]
        return list(retention_.trusted_half_life(1.0, told))

    def _pace(self, layer: str) -> float:
        """How fast time passes in a layer: 1 for episodes, 0 where memories last, or as its own half-life says.

        What is at work does not fade under any policy: it leaves by promotion or by its time.
        """
        own = self.policy.layer_half_life_days.get(layer)
        if own is None or not self.policy.layered:
            lasting = retention_.LAYER_HALF_LIFE[LAYERS.index(Layer(layer))] == np.inf
            return float(not lasting or (layer != Layer.WORKING and not self.policy.layered))
        return self.policy.numbers.get("half_life_days", 30.0) / own

    def _plain_curve(self, days: Floats) -> Floats:
        number, curve = self.number, self.policy.curve
        if curve in ("halflife", "l2"):
            return retention_.halflife(days, number("half_life_days"))
        if curve == "huber":
            return retention_.huber(days, number("half_life_days"), number("delta"))
        if curve == "elastic":
            return retention_.elastic(days, number("half_life_days"), number("rho"))
        if curve == "exponential":
            return retention_.exponential(days, number("lambda"))
        if curve == "hyperbolic":
            return retention_.hyperbolic(days, number("tau_days"))
        return retention_.power(days, self.stability_days(), number("decay_exponent"))

    def stability_days(self) -> Floats:
        """How long 90 % of each row is left by the curve `power`, in days on its clock."""
        if self._stability is None:
            columns = self.columns
            self._stability = retention_.stability_days(
                self.number("stability_days"),
                columns.access_count,
                columns.recent,
                columns.created_at,
                columns.last_accessed_at,
                uses=columns.uses,
                rejections=columns.rejections,
                gain=self.number("stability_gain", retention_.STABILITY_GAIN),
                spacing_days=self.number("spacing_days", retention_.SPACING_DAYS),
                feedback_exponent=self.number("feedback_exponent", retention_.FEEDBACK_EXPONENT),
            )
        return self._stability

    def spaced_recalls(self) -> Floats:
        """How many accesses count for that, those soon after another in part."""
        columns, spacing = self.columns, self.number("spacing_days", retention_.SPACING_DAYS)
        anchors = (columns.created_at, columns.last_accessed_at)
        return retention_.spaced_recalls(columns.access_count, columns.recent, *anchors, spacing)

    def pace(self) -> Floats:
        """How many days of the curve a day counts for, by source and layer; what never decays has none."""
        layers, sources = self.layer_paces()[self.columns.layer], self.source_half_lives()[self.columns.source]
        return np.where(self.exempt(), 0.0, layers / sources if self.policy.trust_weighted else layers)

    def retention(self, at: Moments | int) -> Floats:
        """The policy's curve on its own clock, with what recall has strengthened."""
        value = self._left(at, self.policy.clock, by_trust=self.policy.trust_weighted)
        if not self.policy.reinforced:
            return value
        rate, most = self.number("reinforcement_rate"), self.number("reinforcement_most")
        return np.minimum(1.0, value + retention_.reinforcement(self.columns.access_count, rate, most))

    def effective_importance(self, at: Moments | int) -> Floats:
        return self.columns.importance * self.retention(at)

    def relevance(self, at: Moments | int) -> Floats:
        weight = self.kind_weight(self.policy.kind_weights or relevance_.KIND_WEIGHTS)
        return relevance_.relevance(self.age_days(at), self.columns.access_count, self.idle_days(at), weight)

    def score(self, at: Moments | int) -> Floats:
        columns, policy = self.columns, self.policy
        salience = tiers_.salience(self.kind_weight(policy.salience or tiers_.SALIENCE), columns.access_count)
        rate, sigma = (self.number(name) if name in policy.numbers else None for name in ("lambda", "sigma"))
        moments = np.broadcast_to(np.asarray(at, dtype=np.int64), (len(columns),))
        return tiers_.score(
            salience,
            self.age_days(at),
            columns.recent,
            moments,
            0.01 if rate is None else rate,
            0.3 if sigma is None else sigma,
        )

    def factors(self, at: Moments | int) -> dict[str, Floats]:
        """The nine factors of worth."""
        columns = self.columns
        return worth_.factors(
            importance=columns.importance,
            access_count=columns.access_count,
            recency=self._left(at, "accessed", by_trust=True),
            valence=columns.valence,
            recent=columns.recent,
            layer=columns.layer,
            source=columns.source,
            trust_limit=columns.trust_limit,
            confirmations=columns.confirmations,
            created_at=columns.created_at,
            now=at,
        )

    def worth(self, at: Moments | int) -> Floats:
        return worth_.worth(self.factors(at), self.policy.weights or worth_.WEIGHTS)

    def strength(self, at: Moments | int) -> Floats:
        """How strong a procedure or a fact is after full idle periods, which are those of the calendar."""
        idle_days = retention_.elapsed_days(self.columns.last_accessed_at, at)
        return retention_.strength(self.columns.confidence, idle_days)

    def lesson_confidence(self, at: Moments | int) -> Floats:
        """What a lesson's confidence has fallen to since its birth; what was reinforced counts in full, as never lost.

        How sure a reinforced one is by now depends on when that was, which `lifecycle.lessons` reads in its metadata.
        """
        left = retention_.lesson_confidence(self.columns.confidence, self.age_days(at))
        return np.where(self.columns.confirmations > 0, self.columns.confidence, left)

    def value(self, at: Moments | int) -> Floats:
        """The number this policy's rules compare."""
        return self.measure(self.policy.value, at)

    def measure(self, name: str, at: Moments | int) -> Floats:
        """A measure by its name."""
        if name in _STEADY:
            return np.asarray(getattr(self.columns, name), dtype=np.float64)
        found: Floats = getattr(self, name)(at)
        return found

    def ruled(self, name: str, at: Moments | int) -> Floats:
        """The same as rules see it: a recall less than a second old counts, though the score leaves it out."""
        if name == "score":
            at = np.where(self.columns.access_count > 0, np.maximum(at, self.columns.last_accessed_at + _SECOND), at)
        return self.measure(name, at)


def _clock(policy: Policy, *, ahead: bool) -> ActivityClock | None:
    """The activity clock of a policy that has one, and knows how its store was lived in."""
    if policy.lived is None or not policy.active_clock:
        return None
    name = "activity clock ahead" if ahead else "activity clock"
    if name not in policy.tables:
        policy.tables[name] = activity_clock(policy.lived, ahead=ahead)
    found: ActivityClock = policy.tables[name]
    return found


def exempt_place(policy: Policy, scope: str, kind: str) -> bool:
    """Whether a policy takes everything of a scope and kind from decay and removal."""
    known: dict[tuple[str, str], bool] = policy.tables.get("exempt places", {})
    if (scope, kind) in known:
        return known[scope, kind]
    if not known or len(known) > _MOST_PLACES:
        policy.tables["exempt places"] = known = {}
    exempt = kind in policy.exempt_kinds or any(holds(holder, scope) for holder in policy.exempt_scopes)
    exempt |= kind in LASTING_KINDS
    for override in _matching(policy.overrides, scope, kind):
        exempt = exempt if override.exempt is None else override.exempt
    known[scope, kind] = exempt
    return exempt


_STEADY = frozenset(("importance", "access_count", "confirmations", "confidence", "valence", "tokens"))


def later(moments: Moments, days: Any) -> Moments:
    """moments + days, in microseconds; NEVER beyond what a calendar has."""
    added = np.asarray(days, dtype=np.float64) * MICROS_PER_DAY
    sums = moments.astype(np.float64) + added
    fits = np.isfinite(sums) & (sums < LAST_MOMENT) & (moments != NEVER)
    whole = moments + np.where(fits, np.floor(added), 0).astype(np.int64)
    return np.where(fits, whole, NEVER)


def _matching(overrides: tuple[Override, ...], scope: str, kind: str) -> list[Override]:
    """The overrides that hold here, the most special last: a kind, then scopes from wide to narrow."""
    found = [
        override
        for override in overrides
        if (override.kind in (None, kind)) and (override.scope is None or holds(override.scope, scope))
    ]
    return sorted(found, key=lambda o: (o.scope is not None, len(o.scope or ""), o.kind is not None))


def overridden(policy: Policy, scope: str, kind: str, name: str, default: float | None = None) -> float:
    """A number of the policy as it is in a scope, for a kind."""
    value = policy.number(name, default)
    for override in _matching(policy.overrides, scope, kind):
        value = override.numbers.get(name, value)
    return value
