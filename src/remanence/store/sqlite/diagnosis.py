"""What a machine gives a store: engine, file system, rights, room; and what to do where something is missing."""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import sys
from pathlib import Path

import apsw

from remanence.errors import RemanenceError
from remanence.model.report import Finding
from remanence.store.sqlite.engine import SAFE_ENGINE, Engine, engine_is_safe, engine_version
from remanence.store.sqlite.queue import fcntl

_SHARED = ("nfs", "nfs4", "cifs", "smb3", "smbfs", "fuse.sshfs", "9p", "afs", "glusterfs", "ceph")
_LEAST_ROOM = 100 << 20


def diagnose(path: Path) -> list[Finding]:
    """Everything worth knowing before trusting a store at this path; nothing is created."""
    folder = next(place for place in (path.parent, *path.parent.parents) if place.is_dir())
    findings = [
        _python(),
        _engine(),
        _full_text(),
        _queue(),
        _file_system(folder),
        _rights(path, folder),
        _room(folder),
    ]
    return [*findings, *_store(path)]


def _python() -> Finding:
    return Finding(
        "python", sys.version_info >= (3, 11), platform.python_version(), "remanence needs Python 3.11 or newer"
    )


def _engine() -> Finding:
    version = engine_version()
    advice = f"run: pip install --upgrade apsw (SQLite {'.'.join(map(str, SAFE_ENGINE))} or newer is needed)"
    return Finding("sqlite engine", engine_is_safe(version), f"SQLite {version} in apsw {apsw.apsw_version()}", advice)


def _full_text() -> Finding:
    has = "ENABLE_FTS5" in apsw.compile_options
    return Finding("full-text search", has, "FTS5" if has else "no FTS5", "run: pip install --force-reinstall apsw")


def _queue() -> Finding:
    has = fcntl is not None
    detail = "flock" if has else "SQLite's busy handler only"
    return Finding("writers' queue", True, detail, "")


def _file_system(folder: Path) -> Finding:
    kind = _mounted(folder)
    advice = "a store on a network file system can be damaged by two machines: set REMANENCE_DB to a local path"
    return Finding("file system", kind not in _SHARED, f"{kind} at {folder}", advice)


def _mounted(folder: Path) -> str:
    """The type of the file system a folder is on, as far as the system tells."""
    try:
        mounts = [line.split()[1:3] for line in Path("/proc/mounts").read_text().splitlines()]
    except (OSError, IndexError):
        return "unknown"
    place = folder.resolve()
    holding = [(len(point), kind) for point, kind in mounts if place.is_relative_to(point.replace("\\040", " "))]
    return max(holding)[1] if holding else "unknown"


def _rights(path: Path, folder: Path) -> Finding:
    target = path if path.exists() else folder
    kept = [one for one in (folder, path, Path(f"{path}.lock")) if one.exists() and not os.access(one, os.W_OK)]
    if kept:
        names = [str(one) for one in kept]
        return Finding("rights", False, f"{', '.join(names)} cannot be written", f"run: chmod u+w {shlex.join(names)}")
    if path.exists() and path.stat().st_mode & 0o077:
        mode = path.stat().st_mode & 0o777
        advice = f"run: chmod 600 {shlex.quote(str(path))}"
        return Finding("rights", False, f"{path} can be read by others ({mode:o})", advice)
    return Finding("rights", True, f"{target} can be written", "")


def _room(folder: Path) -> Finding:
    free = shutil.disk_usage(folder).free
    return Finding("room", free >= _LEAST_ROOM, f"{free / 1e9:.1f} GB free at {folder}", "free some space")


def _store(path: Path) -> list[Finding]:
    if not path.exists() or path.stat().st_size == 0:
        return [Finding("store", True, f"{path} is not there yet; the first write makes it", "")]
    try:
        engine = Engine(path)
    except RemanenceError as reason:
        return [Finding("store", False, str(reason), "")]
    try:
        with engine.read() as connection:
            number = connection.execute("SELECT count(*) FROM memories").get
            pending = connection.execute("SELECT value FROM meta WHERE name='purge_pending'").get
        log = Path(f"{path}-wal")
        size = log.stat().st_size if log.exists() else 0
    finally:
        engine.close()
    held = f"{number:,} {'memory' if number == 1 else 'memories'}"
    findings = [Finding("store", True, f"{path}: {held}, {size:,} bytes of log", "")]
    if pending:
        advice = "end the process that reads the store, then run: rem check"
        findings.append(Finding("purge", False, "a purge waits for a reader to let go of the log", advice))
    return findings
