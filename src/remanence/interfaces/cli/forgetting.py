"""`rem bench forgetting`: how much of what is asked later survives a budget, for each contender, beside the bounds.

One row a contender, access model and budget, with skill and its interval; `--plot` draws what is found against what is
kept. The data is a user's own folder, as for `rem bench recall`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from remanence.errors import InvalidInput

if TYPE_CHECKING:
    from rich.console import Console

    from remanence.interfaces.cli.app import Door
    from remanence.simulator.forgetting.run import Report

_STDOUT = "-"


@click.command("forgetting")
@click.option("--data", metavar="DIR", help="The folder of the data sets; default: the setting bench.data.")
@click.option("--only", multiple=True, metavar="SETS", help="Only these of locomo, longmemeval; by commas.")
@click.option("--contender", multiple=True, metavar="NAMES", help="By commas; the bounds are always there.")
@click.option("--budget", multiple=True, metavar="PERCENT", help="How much may be kept; default: 50,30,20,10.")
@click.option("--access", multiple=True, metavar="MODELS", help="Of none, dialogue, questions; default: none,dialogue.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of chance and of intervals.")
@click.option("--plot", metavar="FILE", help="Write what is found against what is kept as SVG.")
@click.option(
    "--json", "out", is_flag=False, flag_value=_STDOUT, metavar="[OUT]", help="One JSON document: to a file, or here."
)
@click.pass_obj
def forgetting(
    door: Door,
    data: str | None,
    only: tuple[str, ...],
    contender: tuple[str, ...],
    budget: tuple[str, ...],
    access: tuple[str, ...],
    seed: int,
    plot: str | None,
    out: str | None,
) -> None:
    """Of what is asked later, how much is still there? LoCoMo and LongMemEval, replayed under a budget."""
    import remanence
    from remanence import settings
    from remanence.interfaces.cli import bench, output
    from remanence.interfaces.wire import to_json
    from remanence.policies import reading
    from remanence.simulator.contenders.encoder import Cached
    from remanence.simulator.contenders.ours import make_mind
    from remanence.simulator.datasets import files
    from remanence.simulator.forgetting import contenders, run
    from remanence.simulator.forgetting.product import Product

    printed = door.as_json or out == _STDOUT
    folder = data or getattr(settings.load(), "bench__data", None)
    if folder is None:
        raise InvalidInput(["say where the data is: --data DIR, or the setting bench.data", *files.sources(run.SETS)])
    names = bench.by_commas(contender) or list(contenders.NAMES)
    policies = {name: reading.preset(name) for name in reading.PRESETS}
    embedder = bench.chosen_embedder()
    make = partial(make_mind, embedder=None if embedder is None else Cached(embedder))
    product = Product(make, policies[contenders.OURS]) if contenders.PRODUCT in names else None
    with output.progress("Replaying", quiet=printed) as progress:
        report = run.forgetting(
            Path(folder),
            names,
            policies,
            version=remanence.__version__,
            only=bench.by_commas(only) or None,
            budgets=_shares(bench.by_commas(budget)) or run.BUDGETS,
            access=bench.by_commas(access) or ("none", "dialogue"),
            seed=seed,
            product=product,
            progress=progress,
        )
    if plot is not None:
        bench.write(plot, drawn(report))
    if out not in (None, _STDOUT):
        bench.write(str(out), to_json(report) + "\n")
    if printed:
        output.write_json(report)
    else:
        show(report, output.console())


def _shares(percents: Sequence[str]) -> list[float]:
    """Percents as shares; InvalidInput names those that are no number."""
    shares, problems = [], []
    for text in percents:
        try:
            shares.append(float(text.rstrip("%")) / 100)
        except ValueError:
            problems.append(f"{text!r} is no budget; give a percentage such as 30")
    if problems:
        raise InvalidInput(problems)
    return shares


def show(report: Report, out: Console) -> None:
    """The table, the best first within each set, access model and budget."""
    for number, row in enumerate(table(report)):
        out.print(row, style=None if number else "bold")
    out.print("found: share of the evidence among ten; skill: 0 is chance, 1 the oracle; in brackets 95 % by bootstrap")
    for note in report.notes:
        out.print(note)


def table(report: Report) -> list[str]:
    """The rows, padded."""
    rows = [("data set", "access", "kept", "contender", "found", "evidence", "skill", "")]
    order = {score: place for place, score in enumerate(dict.fromkeys((s.dataset, s.access) for s in report.scores))}
    for s in sorted(report.scores, key=lambda s: (order[s.dataset, s.access], -(s.budget or 0), -s.skill, s.contender)):
        kept = "mean" if s.budget is None else f"{100 * s.budget:g} %"
        numbers = (f"{s.share:.3f}", f"{s.evidence_kept:.3f}", f"{s.skill:.3f}", f"[{s.low:.2f}, {s.high:.2f}]")
        rows.append((s.dataset, s.access, kept, s.contender, *numbers))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def drawn(report: Report, dataset: str | None = None) -> str:
    """What is found against what is kept in a set, else in the first: the bounds, ours, the best other rule."""
    from remanence.interfaces import plots
    from remanence.simulator.forgetting.contenders import ALL, ORACLE, OURS, RANDOM
    from remanence.simulator.forgetting.run import REFIT

    first = next(score for score in report.scores if dataset in (None, score.dataset))
    lines: dict[str, list[tuple[float, float]]] = {}
    for s in report.scores:
        if (s.dataset, s.access) == (first.dataset, first.access) and s.budget is not None:
            lines.setdefault(s.contender, []).append((s.budget, s.share))
    others = [n for n in lines if n not in (ORACLE, ALL, RANDOM, OURS) and not n.startswith(REFIT)]
    best = max(others, key=lambda name: sum(share for _, share in lines[name]), default=None)
    kinds = {ORACLE: "bound", OURS: "value", best: "retention", RANDOM: "now"}
    return plots.lines_svg(
        f"{first.dataset}, access {first.access}: found of what is asked later",
        ("kept of all characters", "found among ten"),
        [(name, kind, sorted(lines[name])) for name, kind in kinds.items() if name in lines],
    )
