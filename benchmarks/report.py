"""Results of a run as Markdown: medians over the rounds, smallest and largest in brackets, ratios to the floor.

A ratio is taken within a round, then the median over the rounds is shown.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from typing import Any

from contenders import DESCRIPTIONS, FLOOR, FLOOR_VECTORS, OURS

SUMMARY_FLOORS = (FLOOR, "floor-full", "floor-apsw-full", FLOOR_VECTORS)
LEAST = 0.01  # a ratio to less than this is noise and stays blank
MEASURES = {
    "add_cpu": ("add one, CPU ms", "at most 3x"),
    "add_typical": ("… in the median block, without checkpoints and merges", ""),
    "add_wall": ("add one, wall p50 ms", ""),
    "correct_cpu": ("add one that corrects a stored one, CPU ms", ""),
    "bulk_cpu": ("add 1,000 at a time, CPU µs each", ""),
    "recall_scope_cpu": ("recall 10 in a scope, CPU ms", "at most 1.5x"),
    "recall_scope_behind": ("… of which after the call, written behind", ""),
    "recall_scope_wall": ("recall 10 in a scope, wall p50 ms", ""),
    "recall_scope_found": ("… share that finds the right memory among the 10", ""),
    "recall_all_cpu": ("recall 10 anywhere, CPU ms", "at most 1.5x"),
    "recall_all_behind": ("… of which after the call, written behind", ""),
    "recall_all_wall": ("recall 10 anywhere, wall p50 ms", ""),
    "recall_all_found": ("… share that finds the right memory among the 10", ""),
    "disk_bytes": ("disk, bytes per text given", ""),
    "memory_mb": ("resident memory added, MB (mapped files apart)", ""),
    "load_cpu": ("import, CPU ms", ""),
    "open_cpu": ("open the store, CPU ms", ""),
    "open_wall": ("open the store, wall ms", ""),
    "first_recall_cpu": ("first recall after opening, CPU ms", ""),
    "close_cpu": ("close the store, CPU ms", ""),
}
SUMMARY = {
    "add_cpu": "add one",
    "correct_cpu": "correct one",
    "bulk_cpu": "add in bulk",
    "recall_scope_cpu": "recall in a scope",
    "recall_all_cpu": "recall anywhere",
    "disk_bytes": "disk",
}


def markdown(results: dict[str, Any]) -> str:
    """The whole report, from the plain data of a run."""
    sizes = {int(size): rounds for size, rounds in results["sizes"].items()}
    lines = [f"## Storing and finding by words, {results['date']}", "", *_circumstances(results), ""]
    names = list(next(iter(sizes.values()))[0])
    if OURS in names and FLOOR in names:
        lines += [*_summary(sizes, [name for name in SUMMARY_FLOORS if name in names]), ""]
    lines += [*_fsyncs(results["fsyncs_per_add"]), ""]
    for size, rounds in sizes.items():
        lines += [f"### {size:,} memories", "", *_details(rounds, names), ""]
    return "\n".join(lines)


def _circumstances(results: dict[str, Any]) -> list[str]:
    loops = [each["python_loop_cpu_ms"] for each in results["calibration"]]
    waits = [each["fsync_wall_ms"] for each in results["calibration"]]
    lines = [
        f"`{results['command']}`: Python {results['python']}, {results['system']}; {results['rounds']} rounds, "
        f"{results['adds']} single adds and {results['queries']} recalls of each sort per round and size.",
        f"Machine: 300,000 turns of a Python loop take {spread(loops)} ms of CPU, a 4 KB fsync {spread(waits)} ms.",
        "Median over the rounds (smallest to largest); CPU is the whole process's; a ratio is taken within a round.",
        "",
    ]
    lines += [f"- `{name}`: {DESCRIPTIONS[name]}; {engine}" for name, engine in results["engines"].items()]
    lines += [f"- `{name}` was left out: {package} is not installed" for name, package in results["left_out"].items()]
    return lines


def _summary(sizes: dict[int, list[dict[str, Any]]], floors: list[str]) -> Iterable[str]:
    yield f"| {OURS} as a multiple of | memories | " + " | ".join(SUMMARY.values()) + " |"
    yield "|---|--:|" + "--:|" * len(SUMMARY)
    for floor in floors:
        for size, rounds in sizes.items():
            cells = [_ratio(rounds, key, floor) for key in SUMMARY]
            yield f"| `{floor}` | {size:,} | " + " | ".join(cells) + " |"
    first, *larger = sizes
    for size in larger:
        cells = [_growth(sizes[size], sizes[first], key) for key in SUMMARY]
        yield f"| itself at {first:,} | {size:,} | " + " | ".join(cells) + " |"


def _fsyncs(counted: dict[str, float] | str) -> Iterable[str]:
    if isinstance(counted, str):
        yield f"Forced writes to disk per add were not counted: {counted}."
        return
    yield "| | " + " | ".join(f"`{name}`" for name in counted) + " |"
    yield "|---|" + "--:|" * len(counted)
    yield "| forced writes to disk per add | " + " | ".join(f"{value:.2f}" for value in counted.values()) + " |"


def _details(rounds: list[dict[str, Any]], names: list[str]) -> Iterable[str]:
    floors = [floor for floor in (FLOOR, FLOOR_VECTORS) if floor in names and OURS in names]
    heads = ["", *(f"`{name}`" for name in names), *(f"to `{floor}`" for floor in floors), "goal"]
    yield "| " + " | ".join(heads) + " |"
    yield "|---|" + "--:|" * (len(heads) - 1)
    for key, (label, goal) in MEASURES.items():
        if not any(key in each[name] for each in rounds for name in names):
            continue
        cells = [spread([each[name][key] for each in rounds if key in each[name]]) for name in names]
        ratios = [_ratio(rounds, key, floor) if not key.endswith(("_found", "_behind")) else "" for floor in floors]
        yield "| " + " | ".join([label, *cells, *ratios, goal]) + " |"


def _ratio(rounds: list[dict[str, Any]], key: str, floor: str) -> str:
    return multiple((each[OURS].get(key), each[floor].get(key)) for each in rounds)


def _growth(rounds: list[dict[str, Any]], before: list[dict[str, Any]], key: str) -> str:
    return multiple((now[OURS].get(key), then[OURS].get(key)) for now, then in zip(rounds, before, strict=True))


def multiple(pairs: Iterable[tuple[float | None, float | None]]) -> str:
    ratios = [above / below for above, below in pairs if above is not None and below is not None and below > LEAST]
    if not ratios:
        return ""
    text = f"{statistics.median(ratios):.2f}x"
    return text if len(ratios) == 1 else f"{text} ({min(ratios):.2f} to {max(ratios):.2f})"


def spread(values: list[float]) -> str:
    if not values:
        return ""
    middle = number(statistics.median(values))
    least, most = number(min(values)), number(max(values))
    return middle if least == most else f"{middle} ({least} to {most})"


def number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
