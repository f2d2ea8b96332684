"""`rem bench`: how well memories are found, on public data sets that a user has in a folder.

`--json OUT` writes the whole report to a file beside the table; `--json` alone, or `--json -`, prints it instead of
the table, as it does for every other command.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from remanence.errors import InvalidInput
from remanence.interfaces.cli.listing import Family, list_commands

if TYPE_CHECKING:
    from rich.console import Console

    from remanence.interfaces.cli.app import Door
    from remanence.simulator.report import Report, Result

_STDOUT = "-"
_COUNTED = ("passed", "active", "lost")
_SETS = ("longmemeval", "locomo", "factconsolidation", "precisionmembench", "coexist")


@click.group("bench", cls=Family, invoke_without_command=True)
@click.pass_context
def bench(context: click.Context) -> None:
    """Measure remanence on public data sets, beside plain contenders."""
    list_commands(context)


@bench.command("recall")
@click.option("--data", metavar="DIR", help="The folder of the data sets; default: the setting bench.data.")
@click.option("--only", multiple=True, metavar="SETS", help=f"Only these of {', '.join(_SETS)}; by commas.")
@click.option("--contender", multiple=True, metavar="NAMES", help="Only these contenders: ours, bm25, rrf; by commas.")
@click.option("--limit", type=click.IntRange(min=1), help="Only so many questions of each protocol: a quick look.")
@click.option(
    "--granularity",
    type=click.Choice(["session", "round", "turn"]),
    default="session",
    show_default=True,
    help="What one memory is in longmemeval.",
)
@click.option("--plot", metavar="FILE", help="Write the headline numbers as SVG.")
@click.option("--verbose", is_flag=True, help="Every metric, and why each missed case failed.")
@click.option(
    "--json", "out", is_flag=False, flag_value=_STDOUT, metavar="[OUT]", help="One JSON document: to a file, or here."
)
@click.pass_obj
def recall(
    door: Door,
    data: str | None,
    only: tuple[str, ...],
    contender: tuple[str, ...],
    limit: int | None,
    granularity: str,
    plot: str | None,
    verbose: bool,
    out: str | None,
) -> None:
    """Is what was said found again? LongMemEval, LoCoMo, FactConsolidation, PrecisionMemBench, coexist."""
    import remanence
    from remanence import settings
    from remanence.interfaces import plots
    from remanence.interfaces.cli import output
    from remanence.interfaces.wire import to_json
    from remanence.simulator import run

    printed = door.as_json or out == _STDOUT
    if problems := write_problems(plot, out):
        raise InvalidInput(problems)
    embedder = chosen_embedder()
    names = by_commas(contender) or ["ours", "bm25", *(["rrf"] if embedder is not None else [])]
    runners = run.contenders(names, embedder)
    folder = data or getattr(settings.load(), "bench__data", None)
    if folder is None and set(by_commas(only)) != {"coexist"}:
        raise InvalidInput(["say where the data is: --data DIR, or the setting bench.data", *run.sources()])
    with output.progress("Asking", quiet=printed) as progress:
        report = run.recall(
            None if folder is None else Path(folder),
            runners,
            version=remanence.__version__,
            only=by_commas(only) or None,
            limit=limit,
            granularity=granularity,
            progress=progress,
        )
    if plot is not None:
        output.write_file(plot, plots.bars_svg("Recall: headline numbers", _groups(report)))
    if out not in (None, _STDOUT):
        output.write_file(str(out), to_json(report) + "\n")
    if printed:
        output.write_json(report)
    else:
        show(report, output.console(), verbose=verbose)


def register(rem: click.Group, common: Callable[[Any], Any]) -> None:
    """Add the commands to `rem`; the common --json gives way to one that can name a file."""
    from remanence.interfaces.cli.contract import contract
    from remanence.interfaces.cli.forgetting import forgetting

    bench.add_command(contract)
    bench.add_command(forgetting)
    rem.add_command(common(bench))
    for command in bench.commands.values():
        own = list(command.params)
        common(command)
        command.params = own + [p for p in command.params if p not in own and "--json" not in p.opts]


def chosen_embedder() -> Any:
    """What contenders embed with."""
    from remanence import settings
    from remanence.opening import encoder_of

    return encoder_of(None, settings.load())


def show(report: Report, out: Console, *, verbose: bool) -> None:
    """The table, and below it what to know about its numbers."""
    rows = [("data set", "protocol", "contender", "metric", "value", "of", "cpu s")]
    for result in report.results:
        for metric in _shown(result, verbose):
            star = "*" if metric == result.headline else ""
            number = written(metric, result.metrics[metric])
            first = (result.dataset, result.protocol, result.contender)
            rows.append((*first, metric + star, number, str(result.questions), f"{result.cpu_seconds:.1f}"))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for number_of_row, row in enumerate(rows):
        cells = (c.rjust(w) if place > 3 else c.ljust(w) for place, (c, w) in enumerate(zip(row, widths, strict=True)))
        out.print("  ".join(cells), style=None if number_of_row else "bold")
    out.print("* headline; shares in %; passed, active and lost in cases")
    for note in report.notes:
        out.print(note)
    for result in report.results if verbose else ():
        if result.counts:
            counts = ", ".join(f"{number:,} {name}" for name, number in result.counts.items())
            out.print(f"{result.dataset}, {result.protocol}, {result.contender}: of {result.memories:,}, {counts}")
        for case, why in result.failures.items():
            out.print(f"{result.contender} failed {case}: {'; '.join(why)}")


def _shown(result: Result, verbose: bool) -> list[str]:
    return [metric for metric in result.metrics if verbose or " " not in metric]


def written(metric: str, value: float) -> str:
    """A share in percent; a count as it is."""
    return f"{value:.0f}" if metric in _COUNTED else f"{100 * value:.1f}"


def _groups(report: Report) -> list[tuple[str, list[tuple[str, float, str]]]]:
    groups: dict[str, list[tuple[str, float, str]]] = {}
    for result in report.results:
        value = result.metrics[result.headline]
        counted = result.headline in _COUNTED
        of = f" of {result.questions}" if counted else " %"
        share = value / result.questions if counted else value
        label = f"{result.dataset}, {result.protocol}: {result.headline}"
        groups.setdefault(label, []).append((result.contender, share, written(result.headline, value) + of))
    return list(groups.items())


def by_commas(values: Iterable[str]) -> list[str]:
    """The names in options that may be given twice, or once with commas; each once."""
    return list(dict.fromkeys(part.strip() for value in values for part in value.split(",") if part.strip()))


def write_problems(*paths: str | None) -> list[str]:
    """Why files cannot be written, asked before hours of work rather than after; None and "-" are no file."""
    problems = []
    for path in dict.fromkeys(Path(path) for path in paths if path is not None and path != _STDOUT):
        if path.is_dir():
            problems.append(f"{path} cannot be written: it is a folder")
        elif not path.parent.is_dir():
            problems.append(f"{path} cannot be written: there is no folder {path.parent}")
        elif not os.access(path if path.exists() else path.parent, os.W_OK):
            problems.append(f"{path} cannot be written: permission denied")
    return problems
