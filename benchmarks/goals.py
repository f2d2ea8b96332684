"""The goals, each with the figure that a run gave: the table at the top of docs/benchmarks.md.

A goal names the part (parts.py) whose figures it is read from, and says whether they hold it. Figures of a part that
did not run are those of its last run here; where there are none the row says so.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sections
from parts import PARTS

Told = tuple[str, bool]
TITLES = {part.name: part.title for part in PARTS}


@dataclass(frozen=True, slots=True)
class Goal:
    """What is to hold, by the figures of which part; `read` gives the figure and whether it holds."""

    what: str
    limit: str
    part: str
    read: Callable[[Any], Told]


def _ratio(found: Any, measure: str, size: int, of: str = "floor") -> float:
    """Ours as a multiple of a floor: taken within each round, then the median."""
    rounds = found["cost"]["sizes"][str(size)]
    return statistics.median(one["remanence"][measure] / one[of][measure] for one in rounds)


def _at_most(limit: float, measures: Sequence[str], sizes: Sequence[int]) -> Callable[[Any], Told]:
    def read(found: Any) -> Told:
        there = [size for size in sizes if str(size) in found["cost"]["sizes"]]
        ratios = {(size, one): _ratio(found, one, size) for size in there for one in measures}
        if not ratios:
            raise ValueError("other numbers of memories")
        told = ", ".join(f"{ratio:.2f}× {NAMES[one]} at {size:,}" for (size, one), ratio in ratios.items())
        return told, max(ratios.values()) <= limit

    return read


NAMES = {"add_cpu": "an add", "recall_scope_cpu": "in a scope", "recall_all_cpu": "anywhere"}


def _flat(found: Any) -> Told:
    """Ours and the floor at the largest size, each as a multiple of itself at the smallest."""
    sizes = sorted(map(int, found["cost"]["sizes"]))
    grown = {}
    for name in ("remanence", "floor"):
        first, last = (
            statistics.median(one[name]["add_cpu"] for one in found["cost"]["sizes"][str(size)])
            for size in (sizes[0], sizes[-1])
        )
        grown[name] = last / first
    told = f"{grown['remanence']:.2f}× from {sizes[0]:,} to {sizes[-1]:,} (the floor {grown['floor']:.2f}×)"
    return told, grown["remanence"] <= max(1.5, grown["floor"])


def _fsyncs(found: Any) -> Told:
    each = found["fsyncs_per_add"]["remanence"]
    return f"{each:.2f}", each <= 1.05


def _bytes(when: str, limit: int) -> Callable[[Any], Told]:
    def read(found: Any) -> Told:
        largest = max(found["bytes"], key=lambda row: row["given"])
        return f"{largest[when]:,.0f} B at {largest['given']:,}", largest[when] <= limit

    return read


def _largest(found: Any, least: int) -> Any:
    """The row of the most memories; a goal for many says nothing of few."""
    largest = max(found, key=lambda row: row["size"])
    if largest["size"] < least:
        raise ValueError(f"no more than {largest['size']:,} memories")
    return largest


def _sweep(found: Any) -> Told:
    largest = _largest(found, 1_000_000)
    return f"{1e3 * largest['due sweep']:.0f} ms at {largest['size']:,}", largest["due sweep"] <= 0.05


def _redate(found: Any) -> Told:
    largest = _largest(found, 1_000_000)
    took, peak = largest["re-date all"], largest["peak_mb"]
    return f"{took:.1f} s and {peak:.0f} MB at {largest['size']:,}", took <= 10 and peak < 300


def _near_duplicates(found: Any) -> Told:
    size = _largest(found, 100_000)["size"]
    slowest = max((row for row in found if row["size"] == size), key=lambda row: row["flow_cpu"])
    exact = all(row.get("same_pairs", True) for row in found)
    told = f"{slowest['flow_cpu']:.0f} s at {size:,} ({slowest['texts']}), {'exact' if exact else 'not exact'}"
    return told, exact and slowest["flow_cpu"] <= 60


def _tools(found: Any) -> Told:
    seconds, size = found["tools_list_seconds"], found["tools_list_bytes"]
    return f"{seconds:.2f} s, {size:,} B", seconds <= 1 and size <= 8192


def _rest(found: Any) -> Told:
    above = found["above_library_ms_none"]
    worst = max((name for name in above if "REST" in name), key=lambda name: above[name])
    return f"{above[worst]:.1f} ms ({worst})", above[worst] <= 3


def _install(found: Any) -> Told:
    told = f"{found['megabytes']:.0f} MB, first recall after {found['first_recall_seconds']:.1f} s"
    return told, found["megabytes"] <= 250 and found["first_recall_seconds"] <= 5


def _found(dataset: str, protocol: str, metric: str, least: float) -> Callable[[Any], Told]:
    def read(found: Any) -> Told:
        for row in found["results"]:
            if (row["dataset"], row["contender"]) == (dataset, "ours") and protocol in row["protocol"]:
                value = row["metrics"][metric]
                share = value if value > 1 else 100 * value
                return f"{share:.1f}", share >= least
        raise KeyError(dataset)

    return read


def _skill(dataset: str, least: float) -> Callable[[Any], Told]:
    def read(found: Any) -> Told:
        skill = _skill_of(found, dataset, "balanced")
        return f"{skill:.2f}", round(skill, 2) >= least

    return read


def _skill_of(found: Any, dataset: str, contender: str) -> float:
    for row in found["scores"]:
        if (row["dataset"], row["contender"], row["access"], row["budget"]) == (dataset, contender, "none", 0.3):
            return float(row["skill"])
    raise KeyError(dataset)


def _unseen(found: Any) -> Told:
    ours = _skill_of(found, "unseen-talks", "balanced")
    simple = {name: _skill_of(found, "unseen-talks", name) for name in ("rare words", "shortest", "lru", "lfu", "fifo")}
    best = max(simple, key=lambda name: simple[name])
    return f"{ours:.2f}; {best} {simple[best]:.2f}", ours >= simple[best]


def _promised(start: str, holds: Callable[[str], bool]) -> Callable[[Any], Told]:
    def read(found: Any) -> Told:
        rows = [row for row in found if row[0].startswith(start)]
        if not rows:
            raise KeyError(start)
        return "; ".join(row[2].split(";")[0] for row in rows), all(holds(row[2]) for row in rows)

    return read


def _curve(found: Any) -> Told:
    (told,) = (row[2] for row in found if row[0].startswith("log-loss"))
    ours, fsrs = float(told.split(";")[0]), float(told.split("FSRS-6 defaults (told the ratings) ")[1].split(",")[0])
    return f"{ours:.3f}; FSRS-6 {fsrs:.3f}", ours <= fsrs


GOALS = (
    Goal("LongMemEval, all sessions of the evidence among 5", "above 91.1", "recall",
         _found("longmemeval", "own", "all@5", 91.1)),
    Goal("LoCoMo, evidence turns among 10", "above BM25's 62.3", "recall", _found("locomo", "turn", "share@10", 62.3)),
    Goal("LoCoMo, evidence sessions among 10", "above BM25's 93.1", "recall",
         _found("locomo", "session", "share@10", 93.1)),
    Goal("LoCoMo at 30 % kept: skill", "at least .45", "forgetting", _skill("locomo", 0.45)),
    Goal("LongMemEval at 30 % kept: skill", "at least .80", "forgetting", _skill("longmemeval", 0.80)),
    Goal("talks nobody had seen at 30 % kept: skill", "the best simple rule's", "forgetting", _unseen),
    Goal("FactConsolidation: first hit is current", "98 % or more", "promises",
         _promised("FactConsolidation", lambda told: float(told.split()[0]) >= 98)),
    Goal("facts that must coexist: lost", "0", "promises", _promised("coexist", lambda told: told.startswith("0 "))),
    Goal("the curve on a review log: log-loss", "at most FSRS-6's", "promises", _curve),
    Goal("promises of the forgetting contract", "all kept", "promises",
         _promised("promises of the forgetting", lambda told: len(set(told.split(" of "))) == 1)),
    Goal("add one, embedding apart", "at most 3× `floor`", "recall-cost",
         _at_most(3.0, ["add_cpu"], [1000, 10_000, 100_000])),
    Goal("add one: flat in N", "no steeper than `floor`", "recall-cost", _flat),
    Goal("forced writes to disk an add", "at most 1", "foundation", _fsyncs),
    Goal("recall by words and meaning to 10,000", "at most 1.5× `floor`", "recall-cost",
         _at_most(1.5, ["recall_scope_cpu", "recall_all_cpu"], [1000, 10_000])),
    Goal("recall by words and meaning at 100,000", "at most 0.5× `floor`", "recall-cost",
         _at_most(0.5, ["recall_scope_cpu", "recall_all_cpu"], [100_000])),
    Goal("due sweep, 100 due, CPU", "at most 50 ms at 1,000,000", "ageing", _sweep),
    Goal("date all anew, CPU and memory", "at most 10 s and 300 MB at 1,000,000", "ageing", _redate),
    Goal("near-duplicate pass, CPU", "100,000 exactly, at most 60 s", "near-duplicates", _near_duplicates),
    Goal("MCP tools/list from the start of a process", "at most 1 s, 8 KB", "serving", _tools),
    Goal("REST above the library, CPU a call", "at most 3 ms", "serving", _rest),
    Goal("disk a memory, hot", "at most 2,600 B", "recall-cost", _bytes("hot", 2600)),
    Goal("disk a memory, cold", "at most 900 B", "recall-cost", _bytes("cold", 900)),
    Goal("installed with model and server; first recall", "at most 250 MB, 5 s", "install", _install),
)  # fmt: skip


def table(results: Path) -> str:
    """Every goal with what the figures in a folder, one file a part, say of it."""
    lines = ["| goal | limit | measured | | section |", "|---|---|---|---|---|"]
    for goal in GOALS:
        told, held = measured(goal, results / f"{goal.part}.json")
        title = TITLES[goal.part]
        lines.append(f"| {goal.what} | {goal.limit} | {told} | {held} | [{title}](#{sections.anchor(title)}) |")
    return "\n".join(lines)


def measured(goal: Goal, file: Path) -> tuple[str, str]:
    """The figure, and whether the goal is held or missed; blank where there is no figure."""
    try:
        told, held = goal.read(json.loads(file.read_text("utf-8")))
    except FileNotFoundError:
        return "not measured here", ""
    except (KeyError, IndexError, ValueError, TypeError) as lacking:
        return f"not in the figures ({lacking})", ""
    return told, "held" if held else "**missed**"
