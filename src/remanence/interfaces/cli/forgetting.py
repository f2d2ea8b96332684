"""`rem bench forgetting`: how much of what is asked later survives a budget, for each contender, beside the bounds.

One row a contender, access model and budget, with skill and its interval; `--plot` draws what is found, and what is
kept of the evidence, against the budget. The data is a user's own folder, as for `rem bench recall`; worlds are made
up, and `store` is the past of the user's own store, the one back-tests replay.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from remanence.errors import InvalidInput

if TYPE_CHECKING:
    from rich.console import Console

    from remanence.interfaces.cli.app import Door
    from remanence.model.policy import Policy
    from remanence.simulator.forgetting.product import Product
    from remanence.simulator.forgetting.run import Report, Score
    from remanence.simulator.forgetting.talks import Talk

_STDOUT = "-"
_TITLE = "Forgetting: what is left of what is asked later"


@click.command("forgetting")
@click.option("--data", metavar="DIR", help="The folder of the data sets; default: the setting bench.data.")
@click.option(
    "--only",
    multiple=True,
    metavar="SETS",
    help="Only these of locomo, longmemeval, talks, unseen-talks, worlds, store; by commas.",
)
@click.option("--contender", multiple=True, metavar="NAMES", help="By commas; the bounds are always there.")
@click.option("--budget", multiple=True, metavar="PERCENT", help="How much may be kept; default: 50,30,20,10.")
@click.option(
    "--access",
    multiple=True,
    metavar="MODELS",
    help="Who recalls in the replay: none, dialogue, questions; default: none,dialogue.",
)
@click.option("--jobs", type=click.IntRange(min=1), help="How many processes; default: one a core.")
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="The seed of chance, intervals and worlds."
)
@click.option("--plot", metavar="FILE", help="Write what is found and kept against the budget as SVG.")
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
    jobs: int | None,
    seed: int,
    plot: str | None,
    out: str | None,
) -> None:
    """Of what is asked later, how much is still there? Talks, made-up years or this store's past, under a budget.

    Without --only: the sets of the folder, and worlds.
    """
    import remanence
    from remanence import settings
    from remanence.interfaces.cli import bench, output
    from remanence.interfaces.wire import to_json
    from remanence.policies import reading
    from remanence.simulator.forgetting import contenders, run

    printed = door.as_json or out == _STDOUT
    given = data or getattr(settings.load(), "bench__data", None)
    folder = None if given is None else Path(given)
    given_names, sets, models = (bench.by_commas(values) for values in (contender, only, access))
    shares, problems = _shares(bench.by_commas(budget))
    options = {"--only": (only, sets), "--contender": (contender, given_names), "--access": (access, models)}
    options["--budget"] = (budget, bench.by_commas(budget))
    problems += [
        f"{name} names nothing; leave it out for its default"
        for name, (said, parts) in options.items()
        if said and not parts
    ]
    names = given_names or list(contenders.NAMES)
    asked: dict[str, Any] = {"only": sets or None, "budgets": shares or run.BUDGETS, "access": models or run.ACCESS}
    problems += run.problems_of(folder, names, **asked)
    if problems := [*problems, *bench.write_problems(plot, out)]:
        raise InvalidInput(problems)
    policies = {name: reading.preset(name) for name in reading.PRESETS}
    with output.progress("Replaying", quiet=printed) as progress:
        report = run.forgetting(
            folder,
            names,
            policies,
            version=remanence.__version__,
            **asked,
            seed=seed,
            store=_past(door) if run.STORE in sets else None,
            product=_product(policies) if contenders.PRODUCT in names and run.needs_folder(sets or None) else None,
            product_talks=None if given_names else run.PRODUCT_TALKS,
            jobs=jobs or os.cpu_count() or 1,
            progress=progress,
        )
    if plot is not None:
        output.write_file(plot, drawn(report))
    if out not in (None, _STDOUT):
        output.write_file(str(out), to_json(report) + "\n")
    if printed:
        output.write_json(report)
    else:
        show(report, output.console())


def _shares(percents: Sequence[str]) -> tuple[list[float], list[str]]:
    """Percents as shares, and which of them are no number."""
    shares, problems = [], []
    for text in percents:
        try:
            shares.append(float(text.rstrip("%")) / 100)
        except ValueError:
            problems.append(f"{text!r} is no budget; give a percentage such as 30")
    return shares, problems


def _past(door: Door) -> Talk:
    """The past of the user's store, as back-tests replay it."""
    from remanence.simulator.forgetting import traces

    with door.mind() as mind:
        return traces.of_trace("store", *mind.policies.past())


def _product(policies: Mapping[str, Policy]) -> Product:
    from remanence.interfaces.cli import bench
    from remanence.simulator.contenders.encoder import Cached
    from remanence.simulator.contenders.ours import make_mind
    from remanence.simulator.forgetting.contenders import OURS
    from remanence.simulator.forgetting.product import Product

    embedder = bench.chosen_embedder()
    return Product(partial(make_mind, embedder=None if embedder is None else Cached(embedder)), policies[OURS])


def show(report: Report, out: Console) -> None:
    """The table, the best first within each set, access model and budget."""
    for number, row in enumerate(table(report)):
        out.print(row, style=None if number else "bold")
    out.print("found: share of the evidence among ten; skill: 0 is chance, 1 the oracle; in brackets 95 % by bootstrap")
    for note in report.notes:
        out.print(note)


def table(report: Report) -> list[str]:
    """The rows, padded; where all is kept, its skill is by the bounds of the budget it stands with."""
    from remanence.simulator.forgetting.contenders import ALL

    rows = [("data set", "access", "kept", "contender", "found", "evidence", "skill", "")]
    order = {score: place for place, score in enumerate(dict.fromkeys((s.dataset, s.access) for s in report.scores))}
    for s in sorted(report.scores, key=lambda s: (order[s.dataset, s.access], -(s.budget or 0), -s.skill, s.contender)):
        kept = "100 %" if s.contender == ALL else "mean" if s.budget is None else f"{100 * s.budget:g} %"
        between = "" if s.low is None or s.high is None else f"[{s.low:.2f}, {s.high:.2f}]"
        numbers = (f"{s.share:.3f}", f"{s.evidence_kept:.3f}", f"{s.skill:.3f}")
        rows.append((s.dataset, s.access, kept, s.contender, *numbers, between))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def drawn(report: Report, dataset: str | None = None) -> str:
    """What is found and kept against the budget, a row of two panels a set: the bounds, ours, the best other rule.

    Of one budget there is no line to draw: every contender has a bar.
    """
    from remanence.interfaces import plots
    from remanence.simulator.forgetting.contenders import ALL, ORACLE, OURS, PRODUCT, RANDOM

    first: dict[str, str] = {}
    for score in report.scores:
        first.setdefault(score.dataset, score.access)
    rows = []
    for name, access in first.items():
        some = [s for s in report.scores if (s.dataset, s.access) == (name, access) and s.budget is not None]
        if some and dataset in (None, name):
            rows.append((name, access, some))
    if all(len({s.budget for s in some}) == 1 for _, _, some in rows):
        own, bounds = (OURS, PRODUCT), (ORACLE, ALL, RANDOM)
        kinds = {s.contender: "live" if s.contender in own else "archived" for s in report.scores}
        kinds |= dict.fromkeys(bounds, "forgotten")
        return plots.bars_svg(_TITLE, [group for row in rows for group in _bars(*row)], kinds)
    return plots.panels_svg(
        _TITLE, "budget", [(f"{name}, access: {access}", _lines(some)) for name, access, some in rows]
    )


def _bars(name: str, access: str, some: Sequence[Score]) -> list[tuple[str, list[tuple[str, float, str]]]]:
    """What is found and what is kept, best first, the same order for both."""
    ranked = sorted(some, key=lambda s: (-s.share, s.contender))
    under = f"{name}, access: {access}, budget {100 * (some[0].budget or 0):g} %"
    found = [(s.contender, s.share, f"{s.share:.3f}") for s in ranked]
    kept = [(s.contender, s.evidence_kept, f"{s.evidence_kept:.3f}") for s in ranked]
    return [(f"{under}: found", found), (f"{under}: evidence kept", kept)]


def _lines(some: Sequence[Score]) -> list[tuple[str, list[tuple[str, str, list[tuple[float, float]]]]]]:
    """Two panels of the same contenders."""
    from remanence.simulator.forgetting.contenders import ALL, ORACLE, OURS, PRODUCT, RANDOM
    from remanence.simulator.forgetting.run import REFIT

    of: dict[str, list[Score]] = {}
    for s in sorted(some, key=lambda s: s.budget or 0):
        of.setdefault(s.contender, []).append(s)
    others = [n for n in of if n not in (ORACLE, ALL, RANDOM, OURS, PRODUCT) and not n.startswith(REFIT)]
    best = max(others, key=lambda name: sum(s.share for s in of[name]), default=None)
    kinds = {ORACLE: "bound", OURS: "value", best: "retention", RANDOM: "now"}
    there = [(name, kind, of[name]) for name, kind in kinds.items() if name in of]
    return [
        ("found", [(name, kind, [(s.budget or 0, s.share) for s in scores]) for name, kind, scores in there]),
        (
            "evidence kept",
            [(name, kind, [(s.budget or 0, s.evidence_kept) for s in scores]) for name, kind, scores in there],
        ),
    ]
