"""The plot and the page of a back-test: token-days saved against later uses lost.

The policy's curve is thick, that of the policy in force thin; squares are what their rules would have done as they are.
The bounds are a perfect choice (dashed, below) and chance (above): what lies on the upper one is no better than lots.
"""

from __future__ import annotations

from collections.abc import Sequence

from remanence.interfaces.plots import escape, lines_svg, page
from remanence.model.backtest import Backtest

_KINDS = {"oracle": "bound", "random": "now"}
_OWN = ("value", "retention")


def savings_svg(found: Backtest) -> str:
    """The curves of both policies and of the bounds, with a square for what rules alone would have done."""
    replayed = [one for one in (found.policy, found.current) if one is not None]
    lines = []
    for number, curve in enumerate(found.curves):
        own = number < len(replayed)
        name = curve.name + (" (in force)" if own and number else "")
        points = [(0.0, 0.0), *sorted((point.saved, point.lost) for point in curve.points)]
        lines.append((name, _OWN[number] if own else _KINDS[curve.name], points))
    marks = [(kind, one.saved, one.lost) for kind, one in zip(_OWN, replayed, strict=False)]
    title = f"{found.policy.policy}: saved {found.policy.saved:.1%}, lost {found.policy.lost:.1%} by its rules"
    key = "squares: what the rules do as they are"
    return lines_svg(title, ("token-days saved", "later uses lost"), lines, marks, key)


def savings_page(found: Backtest, told: Sequence[tuple[str, str]]) -> str:
    """The plot, the numbers by kind, and the worst losses: when, and the text."""
    kinds = "".join(
        f"<tr><td>{escape(kind)}</td>" + "".join(f"<td class=number>{number:,}</td>" for number in numbers.values())
        for kind, numbers in found.policy.by_kind.items()
    )
    words = "".join(f"<p>{escape(line)}</p>" for line in str(found).split("\n"))
    table = f"<table><tr><th>kind</th><th>left</th><th>tokens out</th><th>uses lost</th></tr>{kinds}</table>"
    losses = "".join(f"<li>{escape(when)}: {escape(text)}</li>" for when, text in told)
    worst = f"<h2>The worst losses</h2><ol>{losses}</ol>" if losses else ""
    key = "<p><small>Squares: what the rules would have done as they are, without a budget.</small></p>"
    notes = key + "".join(f"<p><small>{escape(note)}</small></p>" for note in found.notes)
    return page(f"Back-test of {found.policy.policy}", savings_svg(found), words + table + worst + notes)
