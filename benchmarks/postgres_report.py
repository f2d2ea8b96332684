"""Results of postgres.py as Markdown: medians over the rounds, smallest and largest in brackets.

A ratio is taken within a round, then the median over the rounds is shown. Several runs beside each other, in brief:

    python benchmarks/postgres_report.py one.json other.json
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from report import LEAST, multiple, spread

POSTGRES, SQLITE, PLAIN = "postgres", "sqlite", "pgvector"
# What is shown of a part: its key, its label, and whether a ratio says anything.
ROUNDS = (
    ("add_p50", "add one, wall p50 µs", True),
    ("add_p95", "… p95 µs", False),
    ("add_cpu", "… CPU of the client, µs", True),
    ("add_server", "… CPU of the server, µs", True),
    ("bulk_p50", "add 1,000 at a time, wall µs each", True),
    ("bulk_cpu", "… CPU of the client, µs each", True),
    ("bulk_server", "… CPU of the server, µs each", True),
    ("drain_p50", "… and embedding what waits, wall µs each", False),
    ("drain_cpu", "… … CPU of the client, µs each", False),
    ("drain_server", "… … CPU of the server, µs each", False),
    ("recall_p50", "recall 10, wall p50 ms", True),
    ("recall_p95", "… p95 ms", True),
    ("recall_cpu", "… CPU of the client, ms", True),
    ("recall_server", "… CPU of the server, ms", True),
    ("recall_found", "… share that finds the right one", False),
    ("recall_scope_p50", "recall 10 in a scope of 1 %, wall p50 ms", True),
    ("recall_scope_p95", "… p95 ms", True),
    ("recall_scope_cpu", "… CPU of the client, ms", True),
    ("recall_scope_server", "… CPU of the server, ms", True),
    ("recall_scope_found", "… share that finds the right one", False),
    ("due_few_p50", "sweep what is due and apply it, wall ms", True),
    ("due_few_number", "… so many left recall", False),
    ("due_share_p50", "… with a hundredth of all due, wall ms", True),
    ("due_share_number", "… so many left recall", False),
    ("redate_p50", "re-date the first namespace, wall µs each", True),
    ("redate_cpu", "… CPU of the client, µs each", True),
    ("redate_server", "… CPU of the server, µs each", True),
    ("redate_number", "… so many memories", False),
)
ONCE = (
    ("first_p50", "open a namespace and recall, wall p50 ms", True),
    ("nearest_recall", "by meaning alone: recall@10", False),
    ("nearest_p50", "… wall p50 ms", True),
    ("nearest_scope_recall", "by meaning alone, in a scope of 1 %: recall@10", False),
    ("nearest_scope_p50", "… wall p50 ms", True),
    ("bytes", "bytes a memory, with indexes", True),
    ("empty_mb", "… of an empty store, MB", False),
    ("fill_seconds", "filling, s (in no figure)", False),
    ("index_seconds", "… and the indexes made afterwards, s", False),
)
BRIEF = {
    "add_p50": None,
    "add_server": "… CPU of the server, µs",
    "bulk_p50": None,
    "bulk_server": "… CPU of the server, µs each",
    "drain_p50": None,
    "recall_p50": None,
    "recall_p95": None,
    "recall_cpu": None,
    "recall_server": None,
    "recall_scope_p50": None,
    "recall_scope_p95": None,
    "due_few_p50": None,
    "due_share_p50": None,
    "redate_p50": None,
    "first_p50": None,
    "nearest_recall": None,
    "nearest_p50": None,
    "nearest_scope_recall": None,
    "nearest_scope_p50": None,
    "bytes": None,
    "fill_seconds": None,
    "index_seconds": None,
}
SUMMARY = {
    "add_p50": "add one",
    "bulk_p50": "add in bulk",
    "recall_p50": "recall p50",
    "recall_p95": "recall p95",
    "recall_scope_p50": "recall in a scope",
    "due_few_p50": "sweep",
    "redate_p50": "re-date",
}


def markdown(results: dict[str, Any]) -> str:
    """The whole report, from the plain data of a run."""
    lines = [f"## A store in PostgreSQL, {results['date']}", "", *_circumstances(results), ""]
    layouts = [each for each in results["layouts"] if each["rounds"]]
    if layouts:
        lines += [*_summary(layouts), ""]
    for layout in results["layouts"]:
        lines += [*_details(layout), ""]
    if "workers" in results:
        lines += [*_workers(results["workers"]), ""]
    return "\n".join(lines)


def side_by_side(runs: Sequence[dict[str, Any]]) -> str:
    """Several runs in one table: a column for each layout, in each cell the three contenders."""
    layouts = [layout for run in runs for layout in run["layouts"] if layout["rounds"]]
    heads = [f"{layout['size']:,} in {layout['namespaces']:,}" for layout in layouts]
    lines = ["| `postgres` / `sqlite` / `pgvector` | " + " | ".join(heads) + " |", "|---|" + "--:|" * len(heads)]
    for key, label, _ in (*ROUNDS, *ONCE):
        if key in BRIEF:
            cells = [" / ".join(_median(layout, name, key) for name in layout["once"]) for layout in layouts]
            lines.append(f"| {BRIEF[key] or label} | " + " | ".join(cells) + " |")
    for run in runs:
        if "workers" in run:
            lines += ["", *_workers(run["workers"])]
    return "\n".join([*(line for run in runs for line in (*_circumstances(run), "")), *_summary(layouts), "", *lines])


def _median(layout: dict[str, Any], name: str, key: str) -> str:
    found = [each[name][key] for each in (*layout["rounds"], layout["once"]) if each[name].get(key)]
    value = statistics.median(found) if found else 0.0
    return "–" if value < LEAST else f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _circumstances(results: dict[str, Any]) -> Iterator[str]:
    settings = ", ".join(f"{name} {value}" for name, value in results["settings"].items()) or "a server that was given"
    yield f"`{results['command']}`: Python {results['python']}, {results['system']}; PostgreSQL with {settings},"
    yield (
        f"over 127.0.0.1, as a role that is no superuser{'' if results['wall'] else ' but bypasses row security'}. "
        f"{results['adds']} adds and {results['queries']} recalls of "
        "each sort a round, the contenders taking turns in blocks."
    )
    loops = [each["python_loop_cpu_ms"] for layout in results["layouts"] for each in layout["calibration"]]
    waits = [each["fsync_wall_ms"] for layout in results["layouts"] for each in layout["calibration"]]
    if loops:
        yield f"Machine: 300,000 turns of a Python loop take {spread(loops)} ms, a 4 KB fsync {spread(waits)} ms."
    yield "Median over the rounds (smallest to largest); a ratio is taken within a round. Embedding is in no figure."
    if missed := sum(layout.get("unknown_texts", 0) for layout in results["layouts"]):
        yield f"**{missed} texts were not known to the embedder: the figures are wrong.**"


def _summary(layouts: Sequence[dict[str, Any]]) -> Iterator[str]:
    yield "| wall time of `postgres` as a multiple of | memories | namespaces | " + " | ".join(SUMMARY.values()) + " |"
    yield "|---|--:|--:|" + "--:|" * len(SUMMARY)
    for other in (SQLITE, PLAIN):
        for layout in layouts:
            rounds = layout["rounds"]
            if {POSTGRES, other} <= rounds[0].keys():
                cells = [_ratio(rounds, key, other) for key in SUMMARY]
                yield f"| `{other}` | {layout['size']:,} | {layout['namespaces']:,} | " + " | ".join(cells) + " |"


def _details(layout: dict[str, Any]) -> Iterator[str]:
    names = list(layout["once"])
    others = [name for name in (SQLITE, PLAIN) if name in names and POSTGRES in names]
    parts = f"{layout['partitions']} partition{'s' * (layout['partitions'] != 1)} a table"
    yield f"### {layout['size']:,} memories, {layout['namespaces']:,} namespaces, {parts}, {layout['vectors']} vectors"
    yield ""
    yield "| | " + " | ".join([*(f"`{name}`" for name in names), *(f"to `{name}`" for name in others)]) + " |"
    yield "|---|" + "--:|" * (len(names) + len(others))
    for measures, rounds in ((ROUNDS, layout["rounds"]), (ONCE, [layout["once"]])):
        for key, label, compared in measures:
            if any(each[name].get(key) for each in rounds for name in names):
                cells = [spread([each[name][key] for each in rounds if key in each[name]]) for name in names]
                ratios = [_ratio(rounds, key, other) if compared else "" for other in others]
                yield "| " + " | ".join([label, *cells, *ratios]) + " |"


def _ratio(rounds: Sequence[dict[str, Any]], key: str, other: str) -> str:
    return multiple((each[POSTGRES].get(key), each[other].get(key)) for each in rounds)


def _workers(found: dict[str, Any]) -> Iterator[str]:
    runs = found["runs"]
    alone = [run["nothing_to_do_seconds"] for run in runs if "nothing_to_do_seconds" in run]
    yield f"### Workers: {found['namespaces']:,} namespaces of {found['memories']:,} memories, all due"
    yield ""
    yield (
        "`rem work --all --once` in so many processes at once on one machine, with the server beside them; a process "
        f"that finds nothing to do takes {spread(alone)} s, which is in every time. The breaker lets a part of what is "
        "due leave recall at once; the rest stays for a person to look at."
    )
    yield ""
    yield (
        "| processes | wall s | namespaces/s | to one process | served by each | left recall | CPU of them, s "
        "| CPU of the server, s |"
    )
    yield "|--:|--:|--:|--:|---|--:|--:|--:|"
    first = {run["round"]: run["seconds"] for run in runs if run["processes"] == 1}
    for number in sorted({run["processes"] for run in runs}):
        own = [run for run in runs if run["processes"] == number]
        each = ", ".join(map(str, own[-1]["served_each"]))
        cells = [
            spread([run["seconds"] for run in own]),
            spread([found["namespaces"] / run["seconds"] for run in own]),
            multiple((first[run["round"]], run["seconds"]) for run in own),
            each,
            f"{statistics.median(run['left_recall'] for run in own):,.0f}",
            spread([run["cpu"] for run in own]),
            spread([run["server_cpu"] for run in own]),
        ]
        yield f"| {number} | " + " | ".join(cells) + " |"


if __name__ == "__main__":
    print(side_by_side([json.loads(Path(name).read_text(encoding="utf-8")) for name in sys.argv[1:]]))
