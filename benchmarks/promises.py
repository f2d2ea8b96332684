"""What is promised of forgetting, each with its goal and what was measured: one table of docs/benchmarks.md, made anew.

Runs the scripts and commands that measure each, and reads their JSON: the curve (curves.py), corrected values and what
must coexist (`rem bench recall`), learning (learning.py) and back-tests (recovery.py) on made-up years, the contract
(`rem bench contract`). What survives a budget has a section of its own (forgetting.py).

    python benchmarks/promises.py --data DIR [--page docs/benchmarks.md] [--seeds 100]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import sections

HERE = Path(__file__).parent
NAME = "promises"
CLEAR = 1.5
"""Two policies are told apart where one loses so many times as much in truth."""
Row = tuple[str, str, str, str]


def ran(arguments: Sequence[str | Path], script: str | None = None) -> Any:
    """What a script, or `rem`, writes as JSON."""
    first = [sys.executable, str(HERE / script)] if script else [sys.executable, "-m", "remanence.interfaces.cli"]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out.json")
        subprocess.run([*first, *map(str, arguments), "--json", str(out)], check=True, stdout=subprocess.DEVNULL)
        return json.loads(out.read_text("utf-8"))


def curve(data: Path) -> Row:
    rows = {row["curve"]: row["later"] for row in ran(["--data", data], "curves.py")["curves"]}

    def later(start: str) -> float | None:
        return next((loss for name, loss in rows.items() if name.startswith(start)), None)

    ours, fsrs = later("power, defaults"), later("FSRS-6")
    beside = ", ".join(f"{name} {loss:.3f}" for name, loss in rows.items() if not name.startswith("power"))
    goal = "at most FSRS-6's defaults" + ("" if fsrs is not None else " (the package fsrs is not installed)")
    return "log-loss on the later half of the review log", goal, f"{ours:.3f}; {beside}", "`curves.py`"


def corrected(data: Path) -> list[Row]:
    report = ran(["bench", "recall", "--data", data, "--only", "factconsolidation,coexist", "--contender", "ours"])
    rows: list[Row] = []
    for result in report["results"]:
        metrics = result["metrics"]
        if result["dataset"] == "coexist":
            row = (f"coexist, {result['protocol']}: lost", "0", f"{metrics['lost']:.0f} of {result['questions']}")
        else:
            name = f"FactConsolidation, {result['protocol']}: first hit is current"
            row = (name, "98 % or more", f"{100 * metrics['first']:.0f} %")
        rows.append((*row, "`rem bench recall`"))
    return rows


def learned(seeds: int) -> Row:
    worlds = ran(["--seeds", str(seeds)], "learning.py")["worlds"]
    better = sum(row["fresh"][0] <= row["fresh"][1] for row in worlds)
    usable = sum(row["usable"] for row in worlds)
    told = f"{better} of {len(worlds)}, refused {len(worlds) - usable}"
    return "learned curve no worse than balanced in a fresh year", "95 of 100 seeds", told, "`learning.py`"


def tested(seeds: int) -> list[Row]:
    rows: list[Row] = []
    for row in ran(["--seeds", str(seeds)], "recovery.py"):
        low, high = sorted(row["truth"])
        goal = "95 of 100 seeds" if high >= CLEAR * low else "none: they are nearly alike"
        told = f"{round(row['right'] * seeds)} of {seeds}; one loses {high / low:.2f} times the other"
        rows.append((f"back-test names the better of {' and '.join(row['pair'])}", goal, told, "`recovery.py`"))
    return rows


def contract() -> Row:
    probes = ran(["bench", "contract"])["probes"]
    kept = sum(probe["outcome"] == "kept" for probe in probes)
    return "promises of the forgetting contract kept", "all", f"{kept} of {len(probes)}", "`rem bench contract`"


def section(rows: Sequence[Row], seeds: int) -> str:
    lines = [
        "## What is promised of forgetting",
        "",
        f"{sections.today()}, `python benchmarks/promises.py --data DIR --page docs/benchmarks.md`, which "
        "`make bench DATA=DIR` runs. "
        f"Commit {sections.commit()}, seeds 0 to {seeds - 1}, dev data.",
        "",
        "| promise | goal | measured | by |",
        "|---|---|---|---|",
        *(f"| {' | '.join(row)} |" for row in rows),
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="What is promised of forgetting, measured.")
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="the folder of the data sets")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the section into this page")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows there as well")
    parser.add_argument("--seeds", type=int, default=100, help="made-up years")
    options = parser.parse_args()
    rows = [curve(options.data), *corrected(options.data), contract()]
    rows += [learned(options.seeds), *tested(options.seeds)]
    if options.json is not None:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
    text = section(rows, options.seeds)
    if options.page is None:
        print(text)
    else:
        sections.write(options.page, NAME, text)


if __name__ == "__main__":
    main()
