"""The project a command is run in: the git folder around it gives new memories their scope."""

from __future__ import annotations

from pathlib import Path

from remanence.model.scope import ROOT, scope_problems


def inferred_scope(folder: Path) -> str:
    """`/project/NAME` inside a git folder of that name (a worktree counts as its repository), else `/`."""
    for place in (folder, *folder.parents):
        mark = place / ".git"
        if mark.exists():
            scope = f"/project/{_repository(place, mark).name}"
            return ROOT if scope_problems(scope) else scope
    return ROOT


def _repository(place: Path, mark: Path) -> Path:
    """The repository's own folder, also from a worktree, whose .git is a file naming it."""
    if mark.is_dir():
        return place
    try:
        named = Path(mark.read_text().removeprefix("gitdir:").strip())
    except (OSError, UnicodeDecodeError):
        return place
    at = next((parent for parent in named.parents if parent.name == ".git"), None)
    return at.parent if at is not None and named.parent.name == "worktrees" else place
