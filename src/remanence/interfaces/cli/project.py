"""The project a command is run in: the git folder around it gives new memories their scope."""

from __future__ import annotations

from pathlib import Path

from remanence.model.scope import ROOT
from remanence.places import project_of, repository_of


def inferred_scope(folder: Path) -> str:
    """`/project/NAME` inside a git folder of that name (a worktree counts as its repository), else `/`."""
    return ROOT if repository_of(str(folder)) is None else project_of(str(folder))
