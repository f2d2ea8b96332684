"""Source trees for tests, with git and without."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def write(folder: Path, **files: str) -> Path:
    """Files by their paths, with two underscores for a stroke and a last one for the dot: src__a_py."""
    for name, text in files.items():
        stem, _, ending = name.replace("__", "/").rpartition("_")
        put(folder, f"{stem}.{ending}", text)
    return folder


def put(folder: Path, path: str, text: str) -> Path:
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)
    return target


def git(folder: Path, *words: str) -> None:
    named = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *named, *words], cwd=folder, check=True, capture_output=True)


def commit(folder: Path, message: str = "work") -> None:
    if not (folder / ".git").exists():
        git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", message)
