"""rem policy backtest: what a policy would have saved and lost here, in a table, a plot and words.

The table has what rules and targets would have done; the curve what each policy's own order of leaving saves and loses
under budgets, with a perfect choice and chance as bounds. The worst losses are told memory by memory.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import click

from remanence.errors import InvalidInput, NotFound
from remanence.interfaces.cli.words import counted, many, one_line, safe

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

    from remanence.interfaces.cli.app import Door
    from remanence.model.backtest import Backtest, Loss
    from remanence.model.memory import Memory


@click.command("backtest")
@click.argument("policy", required=False)
@click.option("--budgets", metavar="LIST", help="Shares of the tokens to keep, in per cent: 90,70,50,30,20,10.")
@click.option("--svg", metavar="FILE", help="Write the plot as SVG.")
@click.option("--html", metavar="FILE", help="Write a page with the plot.")
@click.pass_obj
def backtest(door: Door, policy: str | None, budgets: str | None, svg: str | None, html: str | None) -> None:
    """What a policy would have saved and lost on this store's own past, beside the one in force."""
    from remanence.interfaces import savings
    from remanence.interfaces.cli import output

    asked = {} if budgets is None else {"budgets": _shares(budgets)}
    with door.mind() as mind:
        with output.progress("Replaying", quiet=door.as_json) as progress:
            found = mind.policies.backtest(policy, **asked, progress=progress)
        told = [(loss, _text(mind.get, loss)) for loss in found.policy.losses] if html or not door.as_json else []
    if svg:
        output.write_file(svg, savings.savings_svg(found))
    if html:
        output.write_file(html, savings.savings_page(found, [(_sentence(loss), text) for loss, text in told]))
    if door.as_json:
        door.say(found)
    else:
        show(found, told, output.console())


def _shares(text: str) -> list[float]:
    """Per cents, with commas, as shares."""
    problems, found = [], []
    for part in map(str.strip, text.split(",")):
        try:
            found.append(float(part.removesuffix("%")) / 100)
        except ValueError:
            problems.append(f"budget {part!r} is no number of per cent: write for example --budgets 50,30,10")
        else:
            if not 0.001 <= found[-1] <= 1:
                problems.append(
                    f"--budgets has {part}, which is outside 0.1 to 100 per cent: --budgets 30 keeps 30 % of the tokens"
                )
    if problems:
        raise InvalidInput(problems)
    return found


def _text(get: Callable[[str], Memory], loss: Loss) -> str:
    try:
        return get(loss.memory_id).text
    except NotFound:
        return "(purged meanwhile)"


def show(found: Backtest, told: list[tuple[Loss, str]], out: Console) -> None:
    """The table, the curve, the worst losses, and what the numbers cannot know."""
    span = f"{_day(found.begins)} to {_day(found.ends)}"
    out.print(f"{counted(found.memories)} and {many(found.uses, 'later use')} from {span}", style="bold")
    table(
        ["policy", "left", "tokens out", "token-days saved", "later uses lost", "of memories"],
        [
            [
                safe(one.policy) + (" (in force)" if number else ""),
                f"{one.memories:,}",
                f"{one.tokens:,}",
                f"{one.saved:.1%}",
                f"{one.lost_uses:,} ({one.lost:.1%})",
                f"{one.lost_memories:,}",
            ]
            for number, one in enumerate([found.policy, *([found.current] if found.current else [])])
        ],
        out,
    )
    out.print()
    out.print("Saved / lost when only so much of the tokens is kept, the lowest leaving first:", style="bold")
    rows = [
        [f"{100 * points[0].budget:.3g}% kept"] + [f"{point.saved:.0%} / {point.lost:.1%}" for point in points]
        for points in zip(*(curve.points for curve in found.curves), strict=True)
    ]
    names = [curve.name for curve in found.curves]
    if found.current:
        names[1] += " (in force)"
    table(["", *map(safe, names)], rows, out)
    out.print()
    out.print(safe(found.verdict), style="bold")
    if told:
        out.print(f"The worst losses under {safe(found.policy.policy)}:")
        for loss, text in told:
            out.print(f"  {_sentence(loss)}: {one_line(text, 80)}")
    for note in found.notes:
        out.print(safe(note), style="dim")


def table(names: list[str], rows: list[list[str]], out: Console) -> None:
    """The first column to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(names, *rows, strict=True)]
    for number, row in enumerate([names, *rows]):
        cells = (
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        out.print("  ".join(cells).rstrip(), style=None if number else "dim")


def _day(moment: datetime) -> str:
    return f"{moment.day} {moment:%B %Y}"


def _sentence(loss: Loss) -> str:
    """When a memory would have left, and when it was wanted: "left 3 March 2026, recalled 9 May 2026"."""
    times = "" if loss.times == 1 else f" and later, {many(loss.times, 'use')} lost"
    return f"left {_day(loss.left_at)}, recalled {_day(loss.used_at)}{times}"
