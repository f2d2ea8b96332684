"""Nothing in the repository names a package registry or a place on the machine of the person who wrote it."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT

REGISTRY = re.compile(
    r"(?:https?|file)://[^\s\"'<>]*/simple\b"
    r"|\bpythonhosted\.org"
    r"|\bregistry\.(?:npmjs|yarnpkg)\."
    r"|\bindex[-_]url\b"
    r"|\bfind[-_]links\b",
    re.IGNORECASE,
)
# A hand-made environment, or a file in someone's home; "~" and tmp_path say it without a name.
PRIVATE = re.compile(r"/tmp/[\w.-]*venv|(?:/root|/home/[\w-]+)/\.\w")


def tracked(root: Path) -> list[Path]:
    """Files that are, or would be, committed."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode == 0:
        return [root / name for name in listed.stdout.split("\0") if name]
    # An unpacked source archive has no git; then everything but environments and caches counts.
    return [
        path for path in root.rglob("*") if not any(p.startswith((".", "__")) for p in path.relative_to(root).parts)
    ]


@cache
def machine_paths() -> re.Pattern[str]:
    """Where this checkout, its neighbours and this interpreter are."""
    places = {ROOT, Path(sys.prefix), Path(sys.base_prefix)}
    if ROOT.parent not in (Path.home(), Path(tempfile.gettempdir()), Path("/")):
        places.update(ROOT.parent.iterdir())
    # A place such as /src or /usr is a word of the language, not the address of anything.
    long = sorted(str(place) for place in places if len(place.parts) > 2 and place.parts[1] != "usr")
    if not long:
        return re.compile(r"(?!)")
    # The sign that all begin with stands first: what follows is looked at only where it is found.
    return re.compile(rf"/(?<![\w./-]/)(?:{'|'.join(re.escape(place[1:]) for place in long)})(?![\w-])")


def addresses(text: str) -> list[str]:
    return [
        f"{text.count(chr(10), 0, match.start()) + 1}: {match[0]}"
        for pattern in (REGISTRY, PRIVATE, machine_paths())
        for match in pattern.finditer(text)
    ]


def test_files_name_no_registry_and_no_machine() -> None:
    files = [path for path in tracked(ROOT) if path.is_file()]
    assert ROOT / "pyproject.toml" in files, "the listing of files is broken"
    found = []
    for path in files:
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        found += [f"{path.relative_to(ROOT)}:{address}" for address in addresses(text)]
    assert not found, "\n".join(found)


# Joined at run time: written out, they would be found in this file.
@pytest.mark.parametrize(
    "parts",
    [
        ("https://example.org", "simple/numpy"),
        ("https://files.python" + "hosted.org", "packages"),
        ("--index" + "-url=https://example.org", "x"),
        ("", "tmp", "my-venv", "bin"),
        ("", "root", ".cache"),
        (str(ROOT), "src"),
    ],
)
def test_an_address_is_seen(parts: tuple[str, ...]) -> None:
    assert addresses("see " + "/".join(parts))


@pytest.mark.parametrize("text", ["scope /project/api", "numpy==2.4.6", "https://example.org/docs", "~/.config/rem"])
def test_plain_text_is_no_address(text: str) -> None:
    assert not addresses(text)
