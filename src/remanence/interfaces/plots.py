"""Plots of explain and forecast: small ones for a terminal, and SVG drawn by hand, alone or on a page.

Nothing is fetched and nothing runs: a plot is text. What a memory says is escaped.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from html import escape as _escape

from remanence.model.explanation import Curve, Explanation, Forecast

_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 760, 320, 56, 24, 40, 44
_STYLE = """
  .page { fill: #fdfcfa } text { font: 12px system-ui, sans-serif; fill: #3c3a36 }
  text { paint-order: stroke; stroke: #fdfcfa; stroke-width: 3px; stroke-linejoin: round }
  .title { font-size: 15px; font-weight: 600 }
  .grid { stroke: #e4e0d8; stroke-width: 1 } .axis { stroke: #a8a294; stroke-width: 1 }
  .value { fill: none; stroke: #2f6f8f; stroke-width: 2.2 } .ahead { stroke-dasharray: 5 4 }
  .retention { fill: none; stroke: #c08a3e; stroke-width: 1.4; opacity: .8 }
  .bound { stroke: #b3452f; stroke-width: 1.2; stroke-dasharray: 2 3 } .bad { fill: #b3452f }
  .now { stroke: #6b675e; stroke-width: 1 } .access { fill: #2f6f8f }
  .live { fill: #2f6f8f; opacity: .85 } .archived { fill: #c08a3e; opacity: .75 }
  .forgotten { fill: #b3452f; opacity: .6 }
  .line { fill: none } .value.dot { fill: #2f6f8f; stroke: none } .retention.dot { fill: #c08a3e; stroke: none }
  @media (prefers-color-scheme: dark) {
    .page { fill: #1c1b19 } text { fill: #d8d4ca; stroke: #1c1b19 } .grid { stroke: #34322d } .axis { stroke: #6b675e }
    .value { stroke: #7fb8d4 } .access { fill: #7fb8d4 } .live { fill: #7fb8d4 }
    .retention { stroke: #e0b06a } .archived { fill: #e0b06a }
    .value.dot { fill: #7fb8d4 } .retention.dot { fill: #e0b06a }
    .bound { stroke: #e58a76 } .bad { fill: #e58a76 } .forgotten { fill: #e58a76 } .now { stroke: #a8a294 }
  }
"""


def escape(text: str, quote: bool = True) -> str:
    """Text for XML, which knows no control characters, not even escaped."""
    return _escape("".join(c if c.isprintable() else "\ufffd" for c in text), quote=quote)


# --- terminal


def curve_text(curve: Curve, width: int = 64, height: int = 8) -> str:
    """The value over time in dots: ┊ is now, ╌ the bound of the rule that acts next, ▴ the accesses."""
    columns = max(width - 6, 10)
    first, last = curve.moments[0].timestamp(), curve.moments[-1].timestamp()
    span = max(last - first, 1.0)

    def column(moment: datetime) -> int:
        return min(int((moment.timestamp() - first) / span * (columns - 1)), columns - 1)

    cells = [[0] * columns for _ in range(height)]
    steps = columns * 2
    for step in range(steps):
        value = _at(curve, first + span * step / (steps - 1))
        level = min(int((1 - min(max(value, 0), 1)) * (height * 4 - 1) + 0.5), height * 4 - 1)
        cells[level // 4][step // 2] |= _DOTS[level % 4][step % 2]
    bound = None if curve.bound is None else min(int((1 - curve.bound) * height), height - 1)
    now = column(curve.now)
    lines = []
    for number, row in enumerate(cells):
        drawn = [
            chr(0x2800 + cell) if cell else "┊" if place == now else "╌" if number == bound else " "
            for place, cell in enumerate(row)
        ]
        label = f"{1 - number / height:.2f}" if number % 2 == 0 else "    "
        lines.append(f"{label} │{''.join(drawn).rstrip()}")
    marks = [" "] * columns
    for access in curve.accesses:
        marks[column(access)] = "▴"
    lines.append("0.00 └" + "─" * columns)
    if curve.accesses:
        lines.append("      " + "".join(marks).rstrip())
    start, end = f"{curve.moments[0]:%Y-%m-%d}", f"{curve.moments[-1]:%Y-%m-%d}"
    lines.append(f"      {start}{end:>{max(columns - len(start), 1)}}")
    return "\n".join(lines)


def _at(curve: Curve, moment: float) -> float:
    """The value at a moment, straight between the points."""
    times = curve.moments
    low, high = 0, len(times) - 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if times[middle].timestamp() <= moment else (low, middle)
    before, after = times[low].timestamp(), times[high].timestamp()
    share = 0.0 if after == before else min(max((moment - before) / (after - before), 0.0), 1.0)
    return curve.values[low] + (curve.values[high] - curve.values[low]) * share


def forecast_text(forecast: Forecast, width: int = 64) -> str:
    """Live memories over the days as bars, one for each step of days."""
    count = min(max(width - 30, 10), 60)
    top = max(forecast.live[0], 1)
    rows = 12
    days = sorted({round(number * forecast.days / rows) for number in range(rows + 1)})
    lines = [f"{'day':>6} {'live':>9} {'archived':>9} {'forgotten':>9}"]
    for day in days:
        bar = "█" * round(forecast.live[day] / top * count)
        numbers = (forecast.live[day], forecast.archived[day], forecast.forgotten[day])
        lines.append(f"{day:>6} {' '.join(f'{number:>9,}' for number in numbers)} {bar}".rstrip())
    return "\n".join(lines)


# --- SVG


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _label(text: str, x: float, y: float, kind: str = "", anchor: str = "start") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _svg(title: str, drawn: Sequence[str], height: int = _HEIGHT) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'aria-label="{escape(title, quote=True)}"><style>{_STYLE}</style>'
        f'<rect class="page" width="{_WIDTH}" height="{height}"/>{_label(title, _LEFT, 24, "title")}'
        f"{''.join(drawn)}</svg>"
    )


def curve_svg(told: Explanation) -> str:
    """The value and the retention from birth to the end, with accesses, now, and the rule's bound."""
    curve = told.curve
    first, last = curve.moments[0].timestamp(), curve.moments[-1].timestamp()
    wide, high = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM

    def x(moment: datetime) -> float:
        return _LEFT + (moment.timestamp() - first) / max(last - first, 1.0) * wide

    def y(value: float) -> float:
        return _TOP + (1 - min(max(value, 0.0), 1.0)) * high

    drawn = []
    for step in range(5):
        level = step / 4
        drawn += [_line("grid", _LEFT, y(level), _WIDTH - _RIGHT, y(level))]
        drawn += [_label(f"{level:.2f}", _LEFT - 8, y(level) + 4, anchor="end")]
    past = [(m, v) for m, v in zip(curve.moments, curve.values, strict=True) if m <= curve.now]
    ahead = [(m, v) for m, v in zip(curve.moments, curve.values, strict=True) if m >= curve.now]
    drawn.append(_path("retention", [(x(m), y(v)) for m, v in zip(curve.moments, curve.retention, strict=True)]))
    drawn += [_path("value", [(x(m), y(v)) for m, v in past]), _path("value ahead", [(x(m), y(v)) for m, v in ahead])]
    if curve.bound is not None:
        drawn += [_line("bound", _LEFT, y(curve.bound), _WIDTH - _RIGHT, y(curve.bound))]
        drawn += [_label(f"{told.next_rule}: {curve.bound:g}", _WIDTH - _RIGHT, y(curve.bound) - 5, "bad", "end")]
    drawn += [
        _line("now", x(curve.now), _TOP, x(curve.now), _TOP + high),
        _label("now", x(curve.now), _HEIGHT - 28, anchor="middle"),
    ]
    drawn += [f'<circle class="access" cx="{x(a):.1f}" cy="{_TOP + high:.1f}" r="3.2"/>' for a in curve.accesses]
    if curve.ends is not None and curve.moments[0] <= curve.ends <= curve.moments[-1]:
        drawn += [_line("bound", x(curve.ends), _TOP, x(curve.ends), _TOP + high)]
        end = "end" if x(curve.ends) > _WIDTH - 200 else "start"
        shift = -4 if end == "end" else 4
        label = f"{told.next_action}, {curve.ends:%Y-%m-%d}"
        drawn += [_label(label, x(curve.ends) + shift, _TOP + 26, "bad", end)]
    drawn += [_line("axis", _LEFT, _TOP + high, _WIDTH - _RIGHT, _TOP + high)]
    drawn += [_label(f"{curve.moments[0]:%Y-%m-%d}", _LEFT, _HEIGHT - 20)]
    drawn += [_label(f"{curve.moments[-1]:%Y-%m-%d}", _WIDTH - _RIGHT, _HEIGHT - 20, anchor="end")]
    name = told.value_name.replace("_", " ")
    both = "" if name == "retention" else ", and retention (thin)"
    return _svg(f"{name} {told.value:.3f} under {told.policy}{both}", drawn)


def _path(kind: str, points: Sequence[tuple[float, float]]) -> str:
    if not points:
        return ""
    steps = " L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return f'<path class="{kind}" d="M{steps}"/>'


def forecast_svg(forecast: Forecast) -> str:
    """Live, archived and forgotten over the days, stacked."""
    wide, high = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    layers = (("live", forecast.live), ("archived", forecast.archived), ("forgotten", forecast.forgotten))
    top = max(1, *map(sum, zip(*(series for _, series in layers), strict=True)))

    def x(day: int) -> float:
        return _LEFT + day / forecast.days * wide

    def y(number: float) -> float:
        return _TOP + (1 - number / top) * high

    drawn = []
    for step in range(5):
        level = top * step / 4
        drawn += [_line("grid", _LEFT, y(level), _WIDTH - _RIGHT, y(level))]
        drawn += [_label(f"{level:,.0f}", _LEFT - 8, y(level) + 4, anchor="end")]
    base = [0] * (forecast.days + 1)
    for place, (name, series) in enumerate(layers):
        upper = [below + number for below, number in zip(base, series, strict=True)]
        there = [(x(day), y(number)) for day, number in enumerate(upper)]
        back = [(x(day), y(number)) for day, number in reversed(list(enumerate(base)))]
        points = " L".join(f"{px:.1f} {py:.1f}" for px, py in (*there, *back))
        drawn.append(f'<path class="{name}" d="M{points} Z"/>')
        drawn.append(f'<rect class="{name}" x="{_WIDTH - 330 + place * 105}" y="14" width="11" height="11"/>')
        drawn.append(_label(name, _WIDTH - 314 + place * 105, 24))
        base = upper
    drawn += [_line("axis", _LEFT, _TOP + high, _WIDTH - _RIGHT, _TOP + high)]
    drawn += [_label(f"{forecast.at:%Y-%m-%d}", _LEFT, _HEIGHT - 20)]
    drawn += [_label(f"day {forecast.days}", _WIDTH - _RIGHT, _HEIGHT - 20, anchor="end")]
    return _svg(f"{forecast.leaves:,} leave under {forecast.policy}", drawn)


def bars_svg(
    title: str,
    groups: Sequence[tuple[str, Sequence[tuple[str, float, str]]]],
    kinds: Mapping[str, str] | None = None,
) -> str:
    """Bars in groups, all from 0 to 1: each has a name, a share, and the number written at its end.

    `kinds` (live, archived, forgotten) colour the names; without them names take turns.
    """
    turns = ("live", "archived", "forgotten")
    names = list(dict.fromkeys(name for _, bars in groups for name, _, _ in bars))
    left, step, gap = max([130, *(18 + 7 * len(name) for name in names)]), 20, 34
    wide = _WIDTH - left - 90
    drawn, y = [], float(_TOP)
    for label, bars in groups:
        drawn.append(_label(label, left, y + 14))
        for place, (name, share, number) in enumerate(bars):
            top = y + 22 + place * step
            kind = turns[names.index(name) % len(turns)] if kinds is None else kinds[name]
            width = min(max(share, 0.0), 1.0) * wide
            drawn.append(f'<rect class="{kind}" x="{left}" y="{top:.1f}" width="{width:.1f}" height="{step - 5}"/>')
            drawn.append(_label(name, left - 8, top + 12, anchor="end"))
            drawn.append(_label(number, left + width + 6, top + 12))
        drawn.append(_line("axis", left, y + 18, left, y + 22 + len(bars) * step))
        y += gap + len(bars) * step
    return _svg(title, drawn, round(y) + 12)


Line = tuple[str, str, Sequence[tuple[float, float]]]
"""A name, a kind (value, retention, bound, now) and points."""


def lines_svg(
    title: str,
    names: tuple[str, str],
    lines: Sequence[Line],
    marks: Sequence[tuple[str, float, float]] = (),
    key: str = "",
) -> str:
    """Lines over shares, both axes in per cent.

    `names` are those of the axes, across and up. Marks are squares, of the kind of the line they belong to; `key` says
    what they are.
    """
    wide, high = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    drawn = _panel(_LEFT, _TOP, wide, high, lines, marks)
    for place, (name, kind, _) in enumerate(lines):
        drawn += _key(name, kind, _LEFT + 14, _TOP + 14 + place * 18)
    if marks and key:
        level = _TOP + 14 + len(lines) * 18
        drawn += [_label("■", _LEFT + 26, level, anchor="middle"), _label(key, _LEFT + 46, level)]
    drawn += [_label(f"{names[0]} →", _WIDTH - _RIGHT, _HEIGHT - 10, anchor="end")]
    drawn += [_label(f"↑ {names[1]}", _LEFT, _HEIGHT - 10)]
    return _svg(title, drawn)


def panels_svg(title: str, across: str, rows: Sequence[tuple[str, Sequence[tuple[str, Sequence[Line]]]]]) -> str:
    """Rows of panels side by side, each a named set of lines over shares; a row's panels have the same lines' names."""
    high, step, gap = 190, 290, 56
    drawn, top = [], float(_TOP)
    for label, panels in rows:
        wide = (_WIDTH - _LEFT - _RIGHT - gap * (len(panels) - 1)) / len(panels)
        drawn.append(_label(label, _LEFT, top + 16, "title"))
        place = float(_LEFT)
        for name, kind, _ in panels[0][1]:
            drawn += _key(name, kind, place, top + 36)
            place += 56 + 7 * len(name)
        for number, (up, lines) in enumerate(panels):
            left = _LEFT + number * (wide + gap)
            drawn += _panel(left, top + 50, wide, high, lines)
            drawn += [_label(f"↑ {up}", left, top + 50 + high + 34)]
            drawn += [_label(f"{across} →", left + wide, top + 50 + high + 34, anchor="end")]
        top += step + 10
    return _svg(title, drawn, round(top))


def _key(name: str, kind: str, x: float, y: float) -> list[str]:
    return [_line(f"{kind} line", x, y - 4, x + 24, y - 4), _label(name, x + 32, y)]


def _panel(
    left: float,
    top: float,
    wide: float,
    high: float,
    lines: Sequence[Line],
    marks: Sequence[tuple[str, float, float]] = (),
) -> list[str]:
    """Lines and marks between two axes that begin at 0."""
    spots = [*(point for _, _, points in lines for point in points), *((x, y) for _, x, y in marks)]
    across, up = (_ticks(max([0.01, *(spot[axis] for spot in spots)])) for axis in (0, 1))

    def x(share: float) -> float:
        return left + share / across[-1] * wide

    def y(share: float) -> float:
        return top + (1 - share / up[-1]) * high

    drawn = []
    for level in up:
        drawn += [_line("grid", left, y(level), left + wide, y(level))]
        drawn += [_label(f"{level:.0%}", left - 8, y(level) + 4, anchor="end")]
    drawn += [_label(f"{level:.0%}", x(level), top + high + 16, anchor="middle") for level in across]
    for _, kind, points in lines:
        drawn.append(_path(f"{kind} line", [(x(a), y(b)) for a, b in points]))
        if kind in ("value", "retention"):
            drawn += [f'<circle class="{kind} dot" cx="{x(a):.1f}" cy="{y(b):.1f}" r="2.6"/>' for a, b in points]
    drawn += [
        f'<rect class="{kind} dot" x="{x(a) - 5:.1f}" y="{y(b) - 5:.1f}" width="10" height="10"/>'
        for kind, a, b in marks
    ]
    return [*drawn, _line("axis", left, top + high, left + wide, top + high)]


def _ticks(top: float) -> list[float]:
    """Shares in round steps, from 0 to the first that is no less than the top: 0.44 → 0, 0.1, … 0.5."""
    step = next(step for step in (0.01, 0.02, 0.05, 0.1, 0.2, 1.0) if top / step <= 6)
    return [number * step for number in range(math.ceil(round(top / step, 9)) + 1)]


# --- pages


def page(title: str, plot: str, body: str) -> str:
    """A page that stands alone: one plot, some text, no script and nothing to fetch."""
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        f"<title>{escape(title)}</title><style>:root{{color-scheme:light dark}}"
        "body{font:15px/1.5 system-ui,sans-serif;max-width:800px;margin:2rem auto;padding:0 1rem;"
        "background:#fdfcfa;color:#3c3a36}table{border-collapse:collapse}td,th{padding:.15rem .8rem .15rem 0;"
        "text-align:left}td.number{text-align:right;font-variant-numeric:tabular-nums}svg{width:100%;height:auto}"
        "@media(prefers-color-scheme:dark){body{background:#1c1b19;color:#d8d4ca}}</style>"
        f"<h1>{escape(title)}</h1>{plot}{body}</html>\n"
    )


def explanation_page(told: Explanation, text: str) -> str:
    rows = "".join(
        f"<tr><td>{escape(name.replace('_', ' '))}</td><td class=number>{value:.4f}</td></tr>"
        for name, value in {**told.measures, **told.parts}.items()
    )
    words = "".join(f"<p>{escape(line)}</p>" for line in told.text.split("\n"))
    body = f"{words}<table><tr><th>measure</th><th>now</th></tr>{rows}</table>"
    return page(text, curve_svg(told), body)


def forecast_page(forecast: Forecast) -> str:
    tables = ""
    for name, counts in (("rule", forecast.by_rule), ("scope", forecast.by_scope), ("kind", forecast.by_kind)):
        rows = "".join(
            f"<tr><td>{escape(item)}</td><td class=number>{number:,}</td></tr>"
            for item, number in list(counts.items())[:30]
        )
        tables += f"<table><tr><th>{name}</th><th>leave</th></tr>{rows}</table>"
    return page(str(forecast), forecast_svg(forecast), tables)
