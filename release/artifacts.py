"""What a wheel and a source archive must hold, and must not.

The wheel: code with its types, policies, schemas, prompts, the page, licences; no tests, no caches, no models. Each
data file in it is named in THIRD-PARTY-NOTICES.md, so a data set that slips in is a problem by itself. The archive has
what builds the same wheel and tests it. `python -m release.artifacts DIST WHEEL` checks what is in DIST, and that
WHEEL, built from the tree, is byte for byte the one built from the archive.
"""

from __future__ import annotations

import sys
import tarfile
import zipfile
from collections.abc import Iterable
from email.parser import HeaderParser
from pathlib import Path, PurePosixPath

from release.inventory import ROOT

MOST_BYTES = 3_000_000
"""Of a wheel; it has some 2,000,000."""
_CODE = {".py", ".pyi", ".sql", ".yml", ".md", ".js", ".css", ".html", ".svg"}
_DATA = {".json", ".txt"}
_BARE = {"py.typed", "NOTICE"}
_NEEDED = ("remanence/__init__.py", "remanence/py.typed", "remanence/aio.pyi", "remanence/interfaces/web/index.html")
_LICENCES = ("licenses/LICENSE", "licenses/THIRD-PARTY-NOTICES.md")
_TESTS = {"test", "tests", "testing", "conftest.py"}
_SOURCES = ("pyproject.toml", "constraints.txt", "Makefile", "LICENSE", "THIRD-PARTY-NOTICES.md", "README.md")
_FOLDERS = ("src", "tests", "docs", "examples", "deploy", "release", "benchmarks")
_STRAY = {".venv", ".venvs", ".git", "__pycache__", "dist", "build"}


def wheel_problems(names: Iterable[str], notices: str) -> list[str]:
    """What is wrong with the files of a wheel, by their names and the notices that came with it."""
    listed = list(names)
    (about,) = {name.split("/")[0] for name in listed if name.split("/")[0].endswith(".dist-info")}
    missing = [name for name in (*_NEEDED, *(f"{about}/{one}" for one in _LICENCES)) if name not in listed]
    found = [f"{name} is missing" for name in missing]
    for name in listed:
        path = PurePosixPath(name)
        if path.parts[0] == about:
            continue
        if path.parts[0] != "remanence":
            found.append(f"{name} is outside of the package")
        elif _TESTS & set(path.parts) or path.name.startswith("test_"):
            found.append(f"{name} is a test")
        elif path.suffix in _DATA and path.name not in notices:
            found.append(f"{name} is data that THIRD-PARTY-NOTICES.md does not name")
        elif path.suffix not in _CODE | _DATA and path.name not in _BARE:
            found.append(f"{name} is of no kind that belongs into the package")
    return found


def archive_problems(names: Iterable[str]) -> list[str]:
    """What is wrong with the files of a source archive, by their names below its one folder."""
    listed = [PurePosixPath(*PurePosixPath(name).parts[1:]) for name in names]
    files = {str(path) for path in listed}
    folders = {path.parts[0] for path in listed if len(path.parts) > 1}
    found = [f"{name} is missing" for name in _SOURCES if name not in files]
    found += [f"{name}/ is missing" for name in _FOLDERS if name not in folders]
    return found + [f"{path} is none of the sources" for path in listed if _STRAY & set(path.parts)]


def checked(dist: Path, from_tree: Path) -> list[str]:
    """Every problem of the wheel and the archive of this folder."""
    (wheel,), (archive,) = dist.glob("*.whl"), dist.glob("*.tar.gz")
    found = []
    if (size := wheel.stat().st_size) > MOST_BYTES:
        found.append(f"{wheel.name} has {size:,} bytes; at most {MOST_BYTES:,} are expected")
    if wheel.read_bytes() != from_tree.read_bytes():
        found.append(f"{wheel.name}, built from the archive, differs from the wheel built from the tree")
    with zipfile.ZipFile(wheel) as opened:
        names = opened.namelist()
        found += wheel_problems(names, (ROOT / "THIRD-PARTY-NOTICES.md").read_text("utf-8"))
        about = next(name for name in names if name.endswith(".dist-info/METADATA"))
        told = HeaderParser().parsestr(opened.read(about).decode())
    if f"remanence-{told['Version']}" not in (archive.name.removesuffix(".tar.gz"), wheel.name):
        found.append(f"{archive.name} and the metadata, version {told['Version']}, differ")
    found += [f"{need} has an address" for need in told.get_all("Requires-Dist", []) if "@" in need]
    with tarfile.open(archive) as packed:
        found += archive_problems(packed.getnames())
    return found


if __name__ == "__main__":
    if said := checked(Path(sys.argv[1]), Path(sys.argv[2])):
        raise SystemExit("\n".join(said))
    print("wheel and source archive: as they should be, and the archive builds the same wheel")
