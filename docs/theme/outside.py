"""Files outside docs/ that its pages link to become pages of the site, and links between the two sides are led there.

README.md is the first page. A Markdown file is a page as it stands; any other file (LICENSE, a unit, an example) is
shown whole, in a page of its own that only those links lead to. So the same links work in the repository and in the
site. A hook of MkDocs.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from mkdocs.structure.files import File, Files, InclusionLevel

DOCS = "docs"
_LINK = re.compile(r"(\]\()([^)\s]+)(\))")
_FENCE = re.compile(r"(^```.*?^```)", re.DOTALL | re.MULTILINE)
_ALWAYS = ("README.md",)
_LANGUAGES = {".conf": "nginx", ".py": "python", ".service": "ini"}


def on_files(files: Files, config) -> Files:
    root = Path(config.docs_dir).parent
    inside = [(f"{DOCS}/{one.src_uri}", one.content_string) for one in files.documentation_pages()]
    for path in _linked(root, inside):
        shown = InclusionLevel.UNDEFINED if path.endswith(".md") else InclusionLevel.NOT_IN_NAV
        files.append(File.generated(config, place_of(path), content=_content(root, path), inclusion=shown))
    return files


def on_page_markdown(markdown: str, page, config, files: Files) -> str:
    here = page.file.src_uri
    if here == "index.md":
        page.meta["hide"] = ["navigation"]  # it has no neighbours to show
    path = next((one for one in _origins if _origins[one] == here), f"{DOCS}/{here}")

    def led(target: str) -> str:
        goal = resolved(path, target)
        if goal is None or (path.startswith(f"{DOCS}/") and goal.startswith(f"{DOCS}/")):
            return target
        anchor = target[len(target.partition("#")[0]) :]
        return posixpath.relpath(place_of(_page(Path(config.docs_dir).parent, goal)), posixpath.dirname(here)) + anchor

    return _replaced(markdown, led)


def place_of(path: str) -> str:
    """Where a file of the repository is in the site, as MkDocs names its source."""
    if path.startswith(f"{DOCS}/"):
        return path.removeprefix(f"{DOCS}/")
    if path not in _origins:
        stem = path if "/" in path else path.lower()
        _origins[path] = "index.md" if path == "README.md" else stem if stem.endswith(".md") else f"{stem}.md"
    return _origins[path]


_origins: dict[str, str] = {}


def resolved(page: str, target: str) -> str | None:
    """The file of the repository that a link of a page leads to; None for another site or the same page."""
    name = target.partition("#")[0]
    if not name or re.match(r"[a-z]+:", name):
        return None
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), name))


def _linked(root: Path, pages: list[tuple[str, str]]) -> Iterator[str]:
    """Every file outside docs/ that a page leads to, also by way of another such file."""
    seen: set[str] = set()
    waiting = [(path, (root / path).read_text("utf-8")) for path in _ALWAYS] + pages
    yield from _ALWAYS
    seen.update(_ALWAYS)
    while waiting:
        page, text = waiting.pop()
        for goal in filter(None, (resolved(page, target) for target in _targets(text))):
            goal = _page(root, goal)
            if goal in seen or goal.startswith((f"{DOCS}/", "..")) or not (root / goal).is_file():
                continue
            seen.add(goal)
            yield goal
            if goal.endswith(".md"):
                waiting.append((goal, (root / goal).read_text("utf-8")))


def _targets(markdown: str) -> list[str]:
    return [found[1] for part in _FENCE.split(markdown)[::2] for found in _LINK.findall(part)]


def _page(root: Path, path: str) -> str:
    return f"{path}/README.md" if (root / path).is_dir() else path


def _content(root: Path, path: str) -> str:
    text = (root / path).read_text("utf-8")
    if path.endswith(".md"):
        return text
    return f"# {Path(path).name}\n\n```{_LANGUAGES.get(Path(path).suffix, 'text')}\n{text.rstrip()}\n```\n"


def _replaced(markdown: str, led: Callable[[str], str]) -> str:
    """The same page with other targets of its links; what stands in code is left alone."""
    parts = _FENCE.split(markdown)
    parts[::2] = [_LINK.sub(lambda found: found[1] + led(found[2]) + found[3], part) for part in parts[::2]]
    return "".join(parts)
