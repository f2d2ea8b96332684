"""axe-core on a page: nothing that keeps people out may be found.

Its script comes with the package axe-playwright-python. It is evaluated through the debugger, so the page's content
security policy, which would refuse it, stays in force.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from playwright.sync_api import Page

GRAVE = ("serious", "critical")
_MOST_NODES = 5
_SETTLED = """() => Promise.all(document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().endTime !== Infinity)
  .map((one) => one.finished.catch(() => null)))"""


@cache
def _script() -> str:
    return (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")


def findings(page: Page, *, within: str | None = None, impacts: tuple[str, ...] = GRAVE) -> list[dict[str, Any]]:
    """What axe finds wrong in the page, or in the part that a selector names."""
    debugger = page.context.new_cdp_session(page)
    try:
        run = f"axe.run({_quoted(within)}, {{resultTypes: ['violations']}}).then(found => found.violations)"
        answer = debugger.send(
            "Runtime.evaluate",
            {"expression": f"{_script()}\n;{run}", "awaitPromise": True, "returnByValue": True},
        )
    finally:
        debugger.detach()
    assert "exceptionDetails" not in answer, answer["exceptionDetails"]
    return [found for found in answer["result"]["value"] if found["impact"] in impacts]


def check(page: Page, *, within: str | None = None) -> None:
    """No serious and no critical finding."""
    # Colours half way through a transition are nobody's colours.
    page.evaluate(_SETTLED)
    found = findings(page, within=within)
    assert not found, told(found)


def told(found: list[dict[str, Any]]) -> str:
    """Findings for a person to read: the rule, what to do, and where."""
    lines: list[str] = []
    for one in found:
        lines.append(f"{one['impact']}: {one['id']}: {one['help']} ({len(one['nodes'])} places)")
        for node in one["nodes"][:_MOST_NODES]:
            lines.append(f"    {' '.join(map(str, node['target']))}")
            lines.append(f"        {node['html'][:200]}")
            lines += (f"        {line}" for line in (node.get("failureSummary") or "").splitlines()[1:])
    return "\n".join(lines)


def _quoted(within: str | None) -> str:
    return "document" if within is None else json.dumps(within)
