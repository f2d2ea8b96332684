"""How well each curve predicts what a person still remembers, on a log of real reviews.

Asked is the first review of a card on a later day (UTC) than its last one: 6,032 of the 12,580 reviews of
reviewlog/review_logs_josh.csv.gz. Remembered means any rating but the worst. The measure is the log-loss of the
predicted retention, with predictions held within 0.0001 of 0 and 1; smaller is better. Days are fractions of 24 hours.
`later` is the later half by time, where a constant, and our numbers, know the first half alone.

- constant: the share remembered.
- 30-day half-life: 0.5^(d/30) since the last review. e^-0.01d: since the first one, as a score by age has it.
- half-life doubling: from one day, doubled by a success, a quarter after a failure, at least one day.
- FSRS-6: the package `fsrs` with its default parameters, told every rating; left out where it is not installed.
- power: remanence's own, as a store would know a card: every review is an access, of which the newest 20 are known by
  their moments; one that went well is a confirmed use, one that failed a rejection, known by their numbers. `fitted` is
  the best of a grid on the first half, with the exponent of FSRS-6 or with its own; `defaults` are those of
  lifecycle.retention. `told nothing` leaves the feedback away, as a host does that reports none.

    python benchmarks/curves.py --data DIR [--json OUT]      # DIR holds reviewlog/
"""

from __future__ import annotations

import argparse
import csv
import gzip
import itertools
import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from remanence.lifecycle.retention import (
    BASE_STABILITY_DAYS,
    FEEDBACK_EXPONENT,
    SPACING_DAYS,
    STABILITY_GAIN,
    Floats,
    elapsed_days,
    exponential,
    feedback_factor,
    halflife,
    power,
    spaced_recalls,
)
from remanence.model.moment import NEVER, to_micros

LOG = "reviewlog/review_logs_josh.csv.gz"
MARGIN = 1e-4
RECENT = 20
WORST_RATING = 1

BASES = (0.02, 0.03, 0.04, 0.05, 0.075, 0.1, 0.15, 0.2, 0.25, 0.5)
GAINS = (0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0)
SPACINGS = (0.5, 1.0, 2.0, 4.0, 8.0)
FEEDBACKS = (0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0)
EXPONENTS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.8)
FSRS_EXPONENT = 0.1542

Review = tuple[datetime, int]


@dataclass(frozen=True)
class Questions:
    """The reviews to predict, in time order, with what was known before each."""

    remembered: NDArray[np.bool_]
    now: NDArray[np.int64]
    created_at: NDArray[np.int64]
    last_accessed_at: NDArray[np.int64]
    access_count: NDArray[np.int64]
    recent: NDArray[np.int64]
    uses: NDArray[np.int64]
    rejections: NDArray[np.int64]
    doubling_days: Floats
    fsrs_days: Floats | None

    @property
    def half(self) -> int:
        return len(self.now) // 2

    @property
    def days(self) -> Floats:
        return elapsed_days(self.last_accessed_at, self.now)


def cards(path: Path) -> list[list[Review]]:
    """The reviews of each card, oldest first."""
    histories: dict[str, list[Review]] = {}
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            review = (datetime.fromisoformat(row["review_time"]), int(row["review_rating"]))
            histories.setdefault(row["card_id"], []).append(review)
    return [sorted(history) for history in histories.values()]


def doubling(history: list[Review]) -> list[float]:
    """The half-life in days after each review."""
    after, days = [], 1.0
    for _, rating in history:
        days = days * 2 if rating > WORST_RATING else max(days / 4, 1.0)
        after.append(days)
    return after


class Fsrs:
    """FSRS-6 with its default parameters."""

    def __init__(self) -> None:
        import fsrs

        self._fsrs = fsrs
        self._scheduler = fsrs.Scheduler(enable_fuzzing=False)
        self.exponent = float(self._scheduler.parameters[20])

    def stabilities(self, history: list[Review]) -> list[float]:
        """The stability in days after each review."""
        card, after = self._fsrs.Card(card_id=0), []
        for moment, rating in history:
            card, _ = self._scheduler.review_card(card, self._fsrs.Rating(rating), moment)
            after.append(float(card.stability))
        return after


def questions(histories: list[list[Review]], fsrs: Fsrs | None) -> Questions:
    """What was known before each review that came on a later day than the one before it."""
    rows: list[tuple[Any, ...]] = []
    for history in histories:
        micros = [to_micros(moment) for moment, _ in history]
        half_lives = doubling(history)
        stabilities = fsrs.stabilities(history) if fsrs else [0.0] * len(history)
        useful = np.cumsum([rating > WORST_RATING for _, rating in history]).tolist()
        for place in range(1, len(history)):
            (before, _), (moment, rating) = history[place - 1], history[place]
            if moment.date() > before.date():
                accesses = micros[1:place][-RECENT:]
                padded = accesses + [NEVER] * (RECENT - len(accesses))
                uses = useful[place - 1]
                known = (micros[0], micros[place - 1], place - 1, padded, uses, place - uses)
                told = (half_lives[place - 1], stabilities[place - 1])
                rows.append((micros[place], rating > WORST_RATING, *known, *told))
    rows.sort(key=lambda row: row[0])
    now, remembered, *known, stability = map(np.array, zip(*rows, strict=True))
    return Questions(remembered, now, *known, stability if fsrs else None)


def log_loss(predicted: Floats, remembered: NDArray[np.bool_]) -> float:
    held = np.clip(predicted, MARGIN, 1 - MARGIN)
    return float(-np.mean(np.log(np.where(remembered, held, 1 - held))))


@dataclass(frozen=True)
class Numbers:
    """The numbers of our curve."""

    base_days: float = BASE_STABILITY_DAYS
    gain: float = STABILITY_GAIN
    spacing_days: float = SPACING_DAYS
    feedback: float = FEEDBACK_EXPONENT
    exponent: float = FSRS_EXPONENT

    def __str__(self) -> str:
        told = f"{self.base_days:g} d, gain {self.gain:g}, spacing {self.spacing_days:g} d, feedback {self.feedback:g}"
        return f"{told}, exponent {self.exponent:g}"


class Ours:
    """Our curve on the questions; what does not change from one choice of numbers to the next is worked out once."""

    def __init__(self, asked: Questions) -> None:
        self._asked = asked
        args = (asked.access_count, asked.recent, asked.created_at, asked.last_accessed_at)
        self._spaced = {spacing: spaced_recalls(*args, spacing) for spacing in SPACINGS}
        self._told = {exponent: feedback_factor(asked.uses, asked.rejections, exponent) for exponent in FEEDBACKS}

    def predicted(self, numbers: Numbers, rows: slice = slice(None)) -> Floats:
        grown = 1.0 + numbers.gain * self._spaced[numbers.spacing_days][rows]
        stability = numbers.base_days * grown * self._told[numbers.feedback][rows]
        return power(self._asked.days[rows], stability, numbers.exponent)

    def fitted(self, *, feedbacks: tuple[float, ...] = FEEDBACKS, exponents: tuple[float, ...]) -> Numbers:
        """The numbers of the grid with the least loss on the first half."""
        first = slice(self._asked.half)
        remembered = self._asked.remembered[first]
        grid = itertools.product(BASES, GAINS, SPACINGS, feedbacks, exponents)
        return min(
            itertools.starmap(Numbers, grid), key=lambda numbers: log_loss(self.predicted(numbers, first), remembered)
        )


def measure(asked: Questions, fsrs: Fsrs | None) -> list[dict[str, Any]]:
    """The loss of every curve: on all, on the first half and on the later half."""
    half, remembered = asked.half, asked.remembered
    ours = Ours(asked)
    told_nothing = ours.fitted(feedbacks=(0.0,), exponents=(FSRS_EXPONENT,))
    fitted = ours.fitted(exponents=(FSRS_EXPONENT,))
    own_tail = ours.fitted(exponents=EXPONENTS)
    predictions: dict[str, Floats] = {
        "30-day half-life": halflife(asked.days, 30.0),
        "e^-0.01d since creation": exponential(elapsed_days(asked.created_at, asked.now), 0.01),
        "half-life doubling per success": halflife(asked.days, asked.doubling_days),
        f"power, told nothing, fitted ({told_nothing})": ours.predicted(told_nothing),
        f"power, fitted ({fitted})": ours.predicted(fitted),
        f"power, fitted with its exponent ({own_tail})": ours.predicted(own_tail),
        f"power, defaults ({Numbers()})": ours.predicted(Numbers()),
    }
    if fsrs and asked.fsrs_days is not None:
        predictions["FSRS-6 defaults (told the ratings)"] = power(asked.days, asked.fsrs_days, fsrs.exponent)
    table = [
        {
            "curve": name,
            "all": log_loss(predicted, remembered),
            "first": log_loss(predicted[:half], remembered[:half]),
            "later": log_loss(predicted[half:], remembered[half:]),
        }
        for name, predicted in predictions.items()
    ]
    known, every = float(np.mean(remembered[:half])), float(np.mean(remembered))
    constants = {
        "curve": "constant (all: fitted on all; later: on the first half)",
        "all": log_loss(np.full(len(remembered), every), remembered),
        "first": log_loss(np.full(half, known), remembered[:half]),
        "later": log_loss(np.full(len(remembered) - half, known), remembered[half:]),
    }
    return sorted([constants, *table], key=lambda row: row["all"])


def main() -> None:
    parser = argparse.ArgumentParser(description="Log-loss of predicted retention on a log of real reviews.")
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help=f"the folder that holds {LOG}")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the table there as well")
    options = parser.parse_args()
    path = options.data / LOG
    if not path.is_file():
        parser.error(f"{path} is not there; --data names the folder that holds reviewlog/")
    try:
        fsrs = Fsrs()
    except ImportError:
        fsrs = None
        print('The package "fsrs" is not installed: its row is left out. Install it in an environment of its own.')
    asked = questions(cards(path), fsrs)
    table = measure(asked, fsrs)
    print(f"{len(asked.now):,} reviews, {np.mean(asked.remembered):.1%} remembered; log-loss, smaller is better")
    print(f"{'curve':<112}{'all':>7}{'first':>7}{'later':>7}")
    for row in table:
        print(f"{row['curve']:<112}{row['all']:>7.4f}{row['first']:>7.4f}{row['later']:>7.4f}")
    if options.json:
        written = {"reviews": len(asked.now), "margin": MARGIN, "curves": table}
        options.json.write_text(json.dumps(written, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
