"""Under which heading `rem --help` and the reference show a command, in the order a new user meets them."""

from __future__ import annotations

from collections.abc import Iterable

HEADINGS: dict[str, tuple[str, ...]] = {
    "Remember and recall": (
        "remember",
        "recall",
        "context",
        "extract",
        "absorb",
        "show",
        "list",
        "count",
        "entities",
        "entity",
    ),
    "Correct": ("revise", "confirm", "challenge", "pin", "unpin", "promote", "demote", "used", "feedback"),
    "Forget, and bring back": ("forget", "restore", "undo", "purge"),
    "Why": ("explain", "history", "lineage", "journal", "receipts", "past", "stats"),
    "Ageing and consolidation": ("sweep", "forecast", "policy", "dedup", "dream", "consolidate", "compact", "work"),
    "Agents at work": ("connect", "session", "memory", "read", "ingest", "action", "crystallize", "lesson", "hook"),
    "Serve": ("serve", "page", "mcp", "token", "demo"),
    "Look after a store": (
        "review",
        "scan",
        "check",
        "doctor",
        "config",
        "backup",
        "export",
        "import",
        "migrate",
        "reembed",
        "db",
    ),
    "More": ("bench", "completion"),
}


def arranged(names: Iterable[str]) -> list[tuple[str, list[str]]]:
    """The headings with their commands among these names; a command without one stands under the last."""
    left = dict.fromkeys(names)
    rows = [(heading, [name for name in of if name in left]) for heading, of in HEADINGS.items()]
    named = {name for _, of in rows for name in of}
    rows[-1][1].extend(name for name in left if name not in named)
    return [row for row in rows if row[1]]


def brief(help: str, width: int) -> str:
    """The first sentence of a help text; one that is too long ends where its first clauses do."""
    first = help.split("\n\n", maxsplit=1)[0].replace("\n", " ").split(". ")[0].rstrip(".") + "."
    if len(first) <= width:
        return first
    for end in ("; ", ": ", ", "):
        if (at := first.rfind(end, 0, width)) > 0:
            return first[:at] + "."
    return first[: width - 1].rsplit(" ", 1)[0] + " …"
