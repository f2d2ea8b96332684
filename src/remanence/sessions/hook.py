"""`rem hook EVENT --host HOST`: an agent's event goes into the spool, and a session begins with what is remembered.

A host calls it at every step and waits, so it loads little, never opens the store, and gives up after two seconds. At
the start of a session it prints the guidance that stage 2 left ready, in the form the host wants, and starts a run in
the background, at most every ten minutes; before a context is compacted, at most every minute. This is a door of its
own: it reads the environment and the clock, and whoever calls it sees to it that nothing it raises gets out.
"""

from __future__ import annotations

import json
import os
import select
import signal
import stat
import sys
from time import monotonic, time_ns

from remanence.places import (
    GUIDANCE,
    artifacts_of,
    beside,
    data_folder,
    folder_of,
    is_database,
    is_keywords,
    project_of,
    spool_of,
)
from remanence.sessions import spool as spooled
from remanence.sessions import switches
from remanence.sessions.envelope import COMPACT, EVENTS, PROMPT, START, enveloped

TYPE_CHECKING = False  # as in typing, which takes longer to load than a hook may
if TYPE_CHECKING:
    from typing import Any, NoReturn

PATIENCE_SECONDS = 2.0
_READ_SECONDS = 1.5
MOST_BYTES = 16 << 20
"""Of standard input; what is more is read up to four times as much, so that the host can write it, and dropped."""
_MOST_GUIDANCE_BYTES = 256 << 10
_EVERY_SECONDS = {START: 600, COMPACT: 60}
MOST_SHOWN = {"claude-code": 9_900}
"""Characters of guidance that a host shows its model; of a longer one Claude Code shows the first 2,000."""
_ENTRY, _FURTHER, _LEFT_OUT, _CLOSING = "- (", "  | ", "… ", "</memories "
_OPTIONS = ("--host", "--db", "--namespace")


def watch(seconds: float = PATIENCE_SECONDS) -> None:
    """Whatever it is doing then, the process ends, as if all was well."""
    signal.signal(signal.SIGALRM, lambda *_: os._exit(0))
    signal.setitimer(signal.ITIMER_REAL, seconds)


def main(arguments: list[str]) -> None:
    """Take the event that standard input holds."""
    event, options = _options(arguments)
    data = _read(0)
    set_ = switches.load(os.environ, {"db": options.get("--db"), "namespace": options.get("--namespace")})
    if set_ is None or not set_.enabled:
        return
    store = _located(set_.db)
    if store is None:
        return
    host, spool, now_ns = options.get("--host", ""), spool_of(store), time_ns()
    kind = EVENTS.get(host, {}).get(event)
    payload = _parsed(data)
    if kind is None or payload is None:
        spooled.prepare(spool)
        spooled.note(spool, "ignored, an unknown event" if kind is None else "ignored, no JSON object in time", now_ns)
        return
    project = project_of(_folder(host, payload))
    _answer(host, event, kind, folder_of(artifacts_of(store, set_.namespace, set_.artifacts), project))
    try:
        made = enveloped(host, event, payload, project)
        if made is not None:
            spooled.put(spool, {**made, "namespace": set_.namespace, "at": now_ns}, now_ns)
    finally:
        if kind in _EVERY_SECONDS and set_.background:
            named = set_.db if set_.db is not None and is_database(set_.db) else store
            _in_background(spool, named, set_.namespace, now_ns, _EVERY_SECONDS[kind])


def _options(arguments: list[str]) -> tuple[str, dict[str, str]]:
    """The event, and the options by name; what is unknown is passed over."""
    found: dict[str, str] = {}
    rest: list[str] = []
    waiting = iter(arguments)
    for word in waiting:
        name, sign, value = word.partition("=")
        if name in _OPTIONS:
            found[name] = value if sign else next(waiting, "")
        elif not word.startswith("-"):
            rest.append(word)
    return (rest[0] if rest else ""), found


def _read(file: int) -> bytes | None:
    """All of standard input; None where it is too much, or does not end in time."""
    parts: list[bytes] = []
    size, ends = 0, monotonic() + _READ_SECONDS
    while size <= 4 * MOST_BYTES:
        if not select.select([file], [], [], max(0.0, ends - monotonic()))[0]:
            return None
        part = os.read(file, 1 << 20)
        if not part:
            return b"".join(parts) if size <= MOST_BYTES else None
        size += len(part)
        if size <= MOST_BYTES:
            parts.append(part)
    return None


def _parsed(data: bytes | None) -> dict[str, Any] | None:
    try:
        payload = None if data is None else json.loads(data, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None
    return payload if isinstance(payload, dict) else None


def _located(db: str | None) -> str | None:
    """What stands for the store on this machine; None for one that nothing does."""
    if db is None:
        return os.path.join(data_folder(os.environ), "memory.db")
    if is_database(db):
        return beside(db, os.environ)
    if db == ":memory:" or "://" in db or is_keywords(db):
        return None
    return os.path.join(os.getcwd(), os.path.expanduser(db))


def _folder(host: str, payload: dict[str, Any]) -> str:
    """The folder the agent works in: as the event says, or the one this runs in."""
    roots = payload.get("workspace_roots")
    for folder in (roots[0] if isinstance(roots, list) and roots else None, payload.get("cwd")):
        if isinstance(folder, str) and folder.startswith("/") and len(folder) <= 4096 and "\0" not in folder:
            return folder
    return "/" if host == "cursor" else os.getcwd()  # Cursor runs hooks in a folder of its own


def _answer(host: str, event: str, kind: str, folder: str) -> None:
    """Print what the host wants to hear; that it listens no more is its own business."""
    said: dict[str, Any] | None = None
    if kind == START and (text := shortened(_guidance(folder), MOST_SHOWN.get(host))):
        inner = {"hookEventName": event, "additionalContext": text}
        said = {"additional_context": text} if host == "cursor" else {"hookSpecificOutput": inner}
    elif kind == PROMPT and host == "cursor":
        said = {"continue": True}
    if said is None:
        return
    view = memoryview(json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
    try:
        while view:
            view = view[os.write(1, view) :]
    except OSError:
        pass


def _guidance(folder: str) -> str:
    """What stage 2 left ready for the next session; "" where there is nothing, or nothing of ours."""
    try:
        file = os.open(os.path.join(folder, GUIDANCE), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return ""
    try:
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode) or found.st_size > _MOST_GUIDANCE_BYTES:
            return ""
        return os.read(file, _MOST_GUIDANCE_BYTES).decode().strip()
    except UnicodeDecodeError:
        return ""
    finally:
        os.close(file)


def shortened(text: str, most: int | None) -> str:
    """The guidance with memories left out from the end of its frame, until it has at most so many characters."""
    if most is None or _size(text) <= most:
        return text
    lines = text.split("\n")
    closing = next((at for at in range(len(lines) - 1, -1, -1) if lines[at].startswith(_CLOSING)), None)
    if closing is None:
        return text
    head, rest, missing = lines[:closing], lines[closing:], 0
    if head and head[-1].startswith(_LEFT_OUT):
        count = head.pop()[len(_LEFT_OUT) :].partition(" ")[0]
        missing = int(count) if count.isdigit() else 0
    size = _size("\n".join([*head, f"{_LEFT_OUT}{missing + len(head)} more left out", *rest]))
    while size > most:
        last = len(head) - 1
        while last >= 0 and head[last].startswith(_FURTHER):
            last -= 1
        if last < 0 or not head[last].startswith(_ENTRY):
            return text
        size -= _size("\n".join(head[last:])) + 1
        del head[last:]
        missing += 1
    return "\n".join([*head, f"{_LEFT_OUT}{missing} more left out", *rest])


def _size(text: str) -> int:
    """Characters as JavaScript counts them."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


def _in_background(spool: str, store: str, namespace: str, now_ns: int, every_seconds: int) -> None:
    """Start a run that outlives this process, with nothing of it open, unless one was started a while ago."""
    spooled.prepare(spool)
    stamp = os.path.join(spool, spooled.STAMP)
    try:
        if 0 <= now_ns - os.lstat(stamp).st_mtime_ns < every_seconds * 1_000_000_000:
            return
    except FileNotFoundError:
        pass
    os.close(os.open(stamp, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o600))
    os.utime(stamp, ns=(now_ns, now_ns), follow_symlinks=False)
    if sys.executable and os.fork() == 0:
        _become_run(spool, store, namespace)


def _become_run(spool: str, store: str, namespace: str) -> NoReturn:
    # -P: nothing is imported from the folder it runs in, which is somebody's project.
    words = [sys.executable, "-P", "-m", "remanence.interfaces.cli", "session", "run", "--quiet"]
    environment = dict(os.environ)
    if config := environment.get("REMANENCE_CONFIG"):
        environment["REMANENCE_CONFIG"] = os.path.abspath(config)
    try:
        os.setsid()
        os.nice(10)
        os.chdir(spool)
        null = os.open(os.devnull, os.O_RDWR)
        for file in (0, 1, 2):
            os.dup2(null, file)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        if is_database(store):  # others see a process's arguments, and it may hold a password
            environment["REMANENCE_DB"] = store
        else:
            words += ["--db", store]
        os.execve(sys.executable, [*words, "--namespace", namespace], environment)  # nosec B606 # no shell is wanted
    finally:
        os._exit(0)
