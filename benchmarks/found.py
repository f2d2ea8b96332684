"""What is found on the public data sets, as a table: `rem bench recall`, with ours beside bm25 and rrf.

python benchmarks/found.py --data DIR [--json out.json] [--limit 5]
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from promises import ran

CONTENDERS = ("bm25", "rrf", "ours")
SHOWN = ("all@5", "any@5", "MRR", "mrr", "any@10", "all@10", "share@10", "first", "hidden", "passed", "lost")


def table(results: Sequence[Mapping[str, Any]]) -> str:
    """A row a set, protocol and metric."""
    found: dict[tuple[str, str, str], dict[str, float]] = {}
    asked: dict[tuple[str, str, str], int] = {}
    for row in results:
        for metric, value in row["metrics"].items():
            if metric in SHOWN and value is not None:
                key = (row["dataset"], row["protocol"], metric)
                found.setdefault(key, {})[row["contender"]] = value
                asked[key] = row["questions"]
    lines = ["| set | protocol | metric | n | " + " | ".join(CONTENDERS) + " |", "|---|---|---|--:|" + "--:|" * 3]
    for key, values in found.items():
        cells = [_cell(values[name], key[2]) if name in values else "" for name in CONTENDERS]
        lines.append(f"| {' | '.join(key)} | {asked[key]:,} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(value: float, metric: str) -> str:
    return f"{value:.0f}" if metric in ("passed", "lost") else f"{100 * value:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="the folder of the data sets")
    parser.add_argument("--limit", help="only so many questions of each protocol")
    parser.add_argument("--only", help="only these data sets, by commas")
    parser.add_argument("--json", type=Path, help="write the figures there")
    options = parser.parse_args()
    more = [word for name in ("limit", "only") if (value := getattr(options, name)) for word in (f"--{name}", value)]
    report = ran(["bench", "recall", "--data", options.data, *more])
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(table(report["results"]))


if __name__ == "__main__":
    main()
