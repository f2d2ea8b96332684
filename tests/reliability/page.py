"""The results as they are kept, in docs/reliability.json, and the page that is written of them.

A promise is held on a store when every test of it ran there at its full size and every case passed; it is never held
by tests that did not run, nor where a figure is past what it allows. Of several cases of a test, counts are added up
and times are the worst.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tests.reliability.promises import BOTH, DATABASE, FILE, PROMISES, Promise

Results = dict[str, Any]
HELD, FAILED, NOT_RUN, IN_PART = "held", "**not held**", "not run", "in part"
_UNITS = {"ms": "ms", "s": "s", "mb": "MB", "percent": "%"}
_STORES = {FILE: "SQLite", DATABASE: "PostgreSQL"}
_HEAD = """# What is promised, and how it held

Every line below is a promise with the tests that show it, at the size the promise names. `make test-full` runs them all
and writes this page; a part that is run alone (`pytest --reliability tests/crash`) writes its own rows anew and leaves
the others with their dates. "Acked" means that the reply arrived. A promise none of whose tests ran says so and is not
called held; "in part" means that some of its tests did not run.
"""


def read(file: Path) -> Results:
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {"runs": {}, "tests": {}}


def add_run(results: Results, described: dict[str, str]) -> str:
    number = str(max(map(int, results["runs"]), default=0) + 1)
    results["runs"][number] = described
    return number


def drop_runs(results: Results) -> None:
    """Forget runs of which no row is left, and number the others from 1 on in their order."""
    rows = [row for test in results["tests"].values() for row in test["stores"].values() if row]
    kept = sorted({row["run"] for row in rows}, key=int)
    numbers = {old: str(place) for place, old in enumerate(kept, 1)}
    for row in rows:
        row["run"] = numbers[row["run"]]
    results["runs"] = {numbers[old]: results["runs"][old] for old in kept}


def know(results: Results, known: Mapping[tuple[str, str], list[str]], files: set[str]) -> None:
    """These tests there are; one of the same files that is not among them is gone, or says no promise any more."""
    there = {name for name, _ in known}
    tests = results["tests"]
    for name in [name for name in tests if name.partition("::")[0] in files and name not in there]:
        del tests[name]
    for (name, store), ids in known.items():
        test = tests.setdefault(name, {"stores": {}})
        test["promises"] = ids
        test["stores"].setdefault(store, None)


def begin(results: Results, name: str, told: dict[str, Any], run: str) -> None:
    test = results["tests"].setdefault(name, {"stores": {}})
    test["promises"] = told["ids"]
    counts = {"of": told["of"], "passed": 0, "failed": 0, "skipped": 0}
    test["stores"][told["store"]] = counts | {"run": run, "seconds": 0.0, "measured": []}


def add(row: dict[str, Any], outcome: str, seconds: float, measured: list[Any]) -> None:
    if outcome:
        row[outcome] += 1
    row["seconds"] = round(row["seconds"] + seconds, 1)
    row["measured"] += measured


def minutes(results: Results) -> float:
    rows = [row for test in results["tests"].values() for row in test["stores"].values() if row]
    return float(sum(row["seconds"] for row in rows)) / 60


# --- what the page says


def state(row: dict[str, Any] | None) -> str:
    """Of one test on one store; one that was left out everywhere did not run."""
    if row is None or not row["passed"] + row["failed"]:
        return NOT_RUN
    if missed(row):
        return FAILED
    return HELD if row["passed"] + row["skipped"] == row["of"] else IN_PART


def missed(row: dict[str, Any]) -> bool:
    """Whether a case failed, or a figure is past what is promised."""
    past = (case["figures"][name] > most for case in row["measured"] for name, most in case["at_most"].items())
    return bool(row["failed"]) or any(past)


def verdict(results: Results, promise: Promise, store: str) -> str:
    if store not in promise.stores:
        return "–"
    states = [state(row) for _, row in _rows(results, promise.id, store) if row is None or row["skipped"] < row["of"]]
    if FAILED in states:
        return FAILED
    if not states or set(states) == {NOT_RUN}:
        return NOT_RUN
    return HELD if set(states) == {HELD} else IN_PART


def _rows(results: Results, id: str, store: str) -> list[tuple[str, dict[str, Any] | None]]:
    tests = sorted(results["tests"].items())
    return [(name, test["stores"][store]) for name, test in tests if id in test["promises"] and store in test["stores"]]


def _figure(name: str, value: float | str, most: float | None) -> str:
    words, _, unit = name.rpartition("_")
    unit = _UNITS.get(unit, "") if words else ""
    if isinstance(value, float):
        value = round(value) if value >= 1000 else float(f"{value:.3g}")
    number = value if isinstance(value, str) else f"{value:,g}" if isinstance(value, float) else f"{value:,}"
    allowed = "" if most is None else f"(at most {most:g})" if float(value) <= most else f"(**at most {most:g}**)"
    return " ".join(filter(None, ((words if unit else name).replace("_", " "), number, unit, allowed)))


def gathered(measured: Iterable[dict[str, Any]]) -> str:
    """One line for all cases of a test."""
    cases = list(measured)
    sizes = list(dict.fromkeys(case["size"] for case in cases))
    seeds = sorted({case["seed"] for case in cases} - {None})
    values: dict[str, list[Any]] = {}
    for case in cases:
        for name, value in case["figures"].items():
            values.setdefault(name, []).append(value)
    most = {name: limit for case in cases for name, limit in case["at_most"].items()}
    figures = [_figure(name, _together(name, some), most.get(name)) for name, some in values.items()]
    size = "; ".join(sizes[:3]) + (f" and {len(sizes) - 3} more" if len(sizes) > 3 else "")
    line = ", ".join(filter(None, (size, *figures)))
    return line + (f"; seed {', '.join(map(str, seeds[:6]))}" if seeds else "")


def _together(name: str, some: list[Any]) -> Any:
    if any(isinstance(value, str) for value in some):
        return ", ".join(dict.fromkeys(map(str, some)))
    if name.endswith("found_percent") or name.startswith("least"):
        return min(some)
    is_worst = name.rpartition("_")[2] in _UNITS or name.startswith(("longest", "most"))
    return max(some) if is_worst else sum(some)


def written(results: Results) -> str:
    parts = [_HEAD, *_overview(results), "\n## Figures\n", *_details(results), *_runs(results)]
    return "\n".join(parts) + "\n"


def _overview(results: Results) -> list[str]:
    lines = ["| | tried | passes when | SQLite | PostgreSQL | last run |", "|---|---|---|---|---|---|"]
    for promise in PROMISES.values():
        cells = [verdict(results, promise, store) for store in BOTH]
        runs = {row["run"] for store in promise.stores for _, row in _rows(results, promise.id, store) if row}
        dates = sorted({results["runs"][run]["date"].split()[0] for run in runs})
        last = f"{dates[0]} to {dates[-1]}" if len(dates) > 1 else "".join(dates)
        lines.append(
            f"| [{promise.id}](#{promise.id.lower()}) | {promise.tried} | {promise.passes} | "
            + " | ".join((*cells, last))
            + " |"
        )
    return lines


def _details(results: Results) -> list[str]:
    lines: list[str] = []
    for promise in PROMISES.values():
        lines += [f"### {promise.id}", "", f"{promise.tried[0].upper()}{promise.tried[1:]}: {promise.passes}.", ""]
        lines += ["| test | store | cases | figures | time | run |", "|---|---|--:|---|--:|--:|"]
        for store in promise.stores:
            for name, row in _rows(results, promise.id, store):
                if row is None or row["skipped"] < row["of"]:
                    lines.append(_detail(name, store, row))
        lines.append("")
    return lines


def _detail(name: str, store: str, row: dict[str, Any] | None) -> str:
    test = f"`{name.removeprefix('tests/')}`"
    if row is None:
        return f"| {test} | {_STORES[store]} | {NOT_RUN} | | | |"
    cases = f"{row['passed']} of {row['of'] - row['skipped']}" + (
        f", **{row['failed']} failed**" if row["failed"] else ""
    )
    figures = gathered(row["measured"]).replace("|", "\\|")
    return f"| {test} | {_STORES[store]} | {cases} | {figures} | {row['seconds']:,.0f} s | {row['run']} |"


def _runs(results: Results) -> list[str]:
    lines = ["## Runs", "", "| run | begun (UTC) | commit | on |", "|--:|---|---|---|"]
    for number, run in results["runs"].items():
        lines.append(f"| {number} | {run['date']} | {run['commit']} | {run['machine']} |")
    return [*lines, "", f"All tests above took {minutes(results):,.0f} minutes together."]
