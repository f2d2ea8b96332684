"""Sections of docs/benchmarks.md that scripts write: each stands between two marks and says when and from what."""

from __future__ import annotations

import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path


def commit() -> str:
    """The commit of the tree, with a mark where what is measured was changed since; docs are what gets written."""
    name = _git("describe", "--always").stdout.strip() or "unknown"
    return f"{name}-dirty" if _git("diff", "--quiet", "HEAD", "--", ".", ":!docs").returncode == 1 else name


def _git(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["git", *words], cwd=Path(__file__).parent.parent, capture_output=True, text=True, check=False
    )


def today() -> str:
    return f"{datetime.now(UTC):%Y-%m-%d}"


def anchor(title: str) -> str:
    """What a link to a heading ends with: "The forgetting contract" → "the-forgetting-contract"."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def marks(name: str) -> tuple[str, str]:
    return f"<!-- {name}: begin -->", f"<!-- {name}: end -->"


def written(page: str, name: str, section: str) -> str:
    """The page with another section in the place of that name; ValueError where it has no such place."""
    begin, end = marks(name)
    if begin not in page or end not in page:
        raise ValueError(f"it has no place for {name}: put the lines {begin!r} and {end!r} where it is to stand")
    before, after = page.split(begin, maxsplit=1)[0], page.split(end)[1].lstrip("\n")
    return f"{before}{begin}\n{section.strip()}\n{end}\n\n{after}"


def inside(page: str, name: str) -> str:
    """What stands in the place of that name."""
    begin, end = marks(name)
    return page.split(begin, maxsplit=1)[1].split(end, maxsplit=1)[0].strip()


def write(path: Path, name: str, section: str) -> None:
    path.write_text(written(path.read_text("utf-8"), name, section), "utf-8")
