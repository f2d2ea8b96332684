"""The pages that people read, and what stands on them: headings with their anchors, links, blocks of code."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
OUTSIDE = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "deploy/README.md", "benchmarks/README.md")
_FENCE = re.compile(r"^(`{3,}).*?^\1\s*$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\]\(([^)\s]+)\)")


def pages() -> list[Path]:
    found = [ROOT / name for name in OUTSIDE]
    return [*found, *sorted((ROOT / "docs").rglob("*.md"))]


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def prose(text: str) -> str:
    """A page without its code."""
    return re.sub(r"`[^`\n]*`", "", _FENCE.sub("", text))


def links(text: str) -> list[str]:
    """Targets of links and pictures that lead to no other site."""
    return [target for target in _LINK.findall(prose(text)) if not re.match(r"[a-z]+:", target)]


def anchors(text: str) -> set[str]:
    """Anchors of a page's headings, as the repository's host makes them."""
    found: set[str] = set()
    for heading in re.findall(r"^#{1,6} (.*)$", _FENCE.sub("", text), re.MULTILINE):
        stem = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()).replace(" ", "-")
        number, name = 0, stem
        while name in found:
            number += 1
            name = f"{stem}-{number}"
        found.add(name)
    return found


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def typed_lines(text: str) -> list[str]:
    """What a page has people type."""
    joined = "\n".join(blocks(text, "console")).replace("\\\n", " ")
    return [line[2:] for line in joined.splitlines() if line.startswith("$ ")]
