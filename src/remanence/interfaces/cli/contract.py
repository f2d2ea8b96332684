"""`rem bench contract`: is what was forgotten forgotten, and what must be found found? No data is needed.

One row a promise, with how many probes of it each contender kept; below it every broken one in words. Exits with 1
where one was broken. Peers take part through benchmarks/contract.py, which shows its report by `show` as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from remanence.errors import InvalidInput

if TYPE_CHECKING:
    from rich.console import Console

    from remanence.interfaces.cli.app import Door
    from remanence.simulator.contract import Outcome, Report

_STDOUT = "-"


@click.command("contract")
@click.option("--contender", multiple=True, metavar="NAMES", help="Only these contenders: ours; by commas.")
@click.option("--verbose", is_flag=True, help="Every probe: its scene, when, which promise, and what was seen.")
@click.option(
    "--json", "out", is_flag=False, flag_value=_STDOUT, metavar="[OUT]", help="One JSON document: to a file, or here."
)
@click.pass_obj
def contract(door: Door, contender: tuple[str, ...], verbose: bool, out: str | None) -> int:
    """Forget, purge, correct, tell again, run every job, put old copies back: is each promise of it kept?"""
    import remanence
    from remanence.interfaces.cli import bench, output
    from remanence.interfaces.wire import to_json
    from remanence.simulator.contract import run

    printed = door.as_json or out == _STDOUT
    if problems := bench.write_problems(out):
        raise InvalidInput(problems)
    names = bench.by_commas(contender) or list(run.CONTENDERS)
    runners = run.contenders(names, remanence.__version__, bench.chosen_embedder())
    with output.progress("Looking", quiet=printed) as progress:
        report = run.contract(runners, version=remanence.__version__, progress=progress)
    if out not in (None, _STDOUT):
        output.write_file(str(out), to_json(report) + "\n")
    if printed:
        output.write_json(report)
    else:
        show(report, output.console(), verbose=verbose)
    return 1 if report.broken else 0


def show(report: Report, out: Console, *, verbose: bool) -> None:
    """The table, what was broken, and how many promises were kept in all."""
    for number, row in enumerate(padded(table(report))):
        out.print(row, style=None if number else "bold")
    if any(probe.outcome == "cannot" for probe in report.probes):
        out.print("+ n: n more could not be looked at, as its interface has no such act")
    for probe in report.probes:
        if verbose or probe.outcome == "broken":
            why = f": {probe.why}" if probe.why else ""
            out.print(f"{probe.contender} {probe.outcome}: {probe.scene}, {probe.moment}: {probe.promise}{why}")
    for line in summary(report):
        out.print(line)


def table(report: Report) -> list[tuple[str, ...]]:
    """A row a promise: of how many probes each contender kept how many."""
    from remanence.simulator.contract import Promise

    names = list(report.contenders)
    rows = [("promise", *names)]
    for promise in Promise:
        counts = [report.counts(name, promise) for name in names]
        if any(sum(count.values()) for count in counts):
            rows.append((str(promise), *(_kept(count) for count in counts)))
    return rows


def _kept(count: Mapping[Outcome, int]) -> str:
    kept, broken, cannot = count.values()
    if not kept + broken:
        return "cannot"
    return f"{kept} of {kept + broken}" + (f" + {cannot}" if cannot else "")


def summary(report: Report) -> list[str]:
    """The last lines: how many promises each contender kept of those it could be asked for."""
    lines = []
    for name in report.contenders:
        kept, broken, cannot = report.counts(name).values()
        whose = f"{name}: " if len(report.contenders) > 1 else ""
        apart = f"; {cannot} could not be looked at" if cannot else ""
        lines.append(f"{whose}{kept} of {kept + broken} promises kept{apart}")
    return lines


def padded(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines, each column as wide as its widest cell."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
