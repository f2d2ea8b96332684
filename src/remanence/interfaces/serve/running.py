"""The process of `rem serve`: one address, the app, the timer, and an end that loses nothing.

A signal ends it: no new requests, listeners of events are let go, calls that run are finished, stores are closed. The
timer does for each open namespace what `rem work` does: sessions each minute, upkeep when it is due.
"""

from __future__ import annotations

import errno
import gc
import ipaddress
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from remanence.errors import InvalidInput, RemanenceError
from remanence.interfaces import private_files
from remanence.interfaces.serve.gate import LOOPBACK
from remanence.interfaces.serve.watching import log_to_stderr
from remanence.interfaces.tokens import Owner, first_token
from remanence.interfaces.working import upkeep_is_due
from remanence.places import expanded, page_of, served_of, shown
from remanence.settings import Settings

_LOG = logging.getLogger("remanence.serve")
_FIRST_SECONDS, _TIMER_SECONDS = 1.0, 60.0
_STOP_SECONDS = 8
_WATCH_SECONDS = 0.5
_EVERYWHERE = ("0.0.0.0", "::", "")  # nosec B104 # what is told apart, not what is bound


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server listens, bound already."""

    socket: socket.socket
    url: str


def is_local(host: str) -> bool:
    """Whether only this machine can reach it."""
    if host in LOOPBACK:
        return True
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return False


def check(settings: Settings) -> None:
    """InvalidInput where this server may not be started as it is set."""
    problems = []
    secure = settings.serve__tls_cert is not None and settings.serve__tls_key is not None
    if (settings.serve__tls_cert is None) != (settings.serve__tls_key is None):
        problems.append("serve.tls_cert and serve.tls_key belong together: give both")
    for name in ("serve__tls_cert", "serve__tls_key"):
        path = getattr(settings, name)
        if path is not None and not Path(expanded(path)).is_file():
            problems.append(f"{name.replace('__', '.')}: there is no file {path}")
    if not is_local(settings.serve__host) and not secure and not settings.serve__behind_proxy:
        problems.append(
            f"{settings.serve__host} can be reached from other machines, and tokens and memories would go over the "
            "network in clear: give --tls-cert and --tls-key, or --behind-proxy if a proxy on the way speaks TLS"
        )
    if problems:
        raise InvalidInput(problems)


def _alone(beside: str, said: str) -> int:
    """A lock that one server of a store on this machine holds; InvalidInput where another does, with its address."""
    place = Path(served_of(beside))
    try:
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = private_files.held(Path(f"{place}.lock"), Path(beside))
    except OSError as reason:
        raise InvalidInput(f"{place} cannot be written: {reason.strerror}") from None
    if lock is None:
        raise InvalidInput(f"{said} is served already, at the address in {place}. See it with: rem page")
    return lock


def _close_page(beside: str) -> None:
    """Take away the file that leads a browser to the page: it holds the token, and leads nowhere any more."""
    with suppress(OSError):
        Path(page_of(beside)).unlink(missing_ok=True)


def bound(settings: Settings) -> Address:
    """The address of the server, bound; InvalidInput where it is taken."""
    host, port = settings.serve__host, settings.serve__port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named TCP, or asyncio leaves Nagle's delay on, and the second part of each answer waits 40 ms for an ACK.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
    except OSError as reason:
        made.close()
        advice = "Is a server running there already? Take another port with --port, or 0 for any"
        if reason.errno == errno.EADDRNOTAVAIL:
            advice = "This machine has no such address: take another with --host"
        raise InvalidInput(f"{host}:{port} cannot be used: {reason.strerror}. {advice}") from None
    scheme = "https" if settings.serve__tls_cert else "http"
    named = "127.0.0.1" if host in _EVERYWHERE else host
    named = f"[{named}]" if ":" in named else named
    return Address(made, f"{scheme}://{named}:{made.getsockname()[1]}")


def serve(location: str, settings: Settings, say: Callable[[Address, Owner], None]) -> None:
    """Serve until a signal comes."""
    check(settings)
    beside = settings.beside(location)
    alone = _alone(beside, shown(location))
    _close_page(beside)  # of a server that was killed
    address = bound(settings)
    owner = first_token(beside, address.url)
    # These imports make thousands of classes and none is garbage: now and in every later collection they are left out.
    gc.disable()
    import uvicorn

    from remanence.interfaces.serve.app import create_app
    from remanence.interfaces.serve.connections import HEAD_BYTES, Http

    served = create_app(location, settings, () if settings.serve__host in _EVERYWHERE else (settings.serve__host,))
    gc.freeze()
    gc.enable()
    with served.minds.use(settings.namespace):
        pass  # what is wrong with the store or the settings is said now, not to every client
    log_to_stderr()
    if owner.note:
        _LOG.warning(owner.note)

    config = uvicorn.Config(
        served.app,
        http=Http,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=settings.serve__behind_proxy,
        forwarded_allow_ips="*" if settings.serve__behind_proxy else None,
        ssl_certfile=settings.serve__tls_cert and expanded(settings.serve__tls_cert),
        ssl_keyfile=settings.serve__tls_key and expanded(settings.serve__tls_key),
        timeout_keep_alive=30,
        timeout_graceful_shutdown=_STOP_SECONDS,
        h11_max_incomplete_event_size=HEAD_BYTES,
        backlog=512,
        ws="none",
    )
    try:
        config.load()
    except OSError as reason:  # what TLS complains of is one
        told = reason.strerror or str(reason)
        raise InvalidInput(f"serve.tls_cert and serve.tls_key are no certificate and its key: {told}") from None

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            say(address, owner)

        def handle_exit(self, sig: int, frame: Any) -> None:
            served.special.stopping.set()
            super().handle_exit(sig, frame)

    for number in (signal.SIGINT, signal.SIGTERM):
        # uvicorn stops at a signal, and then raises it again, which must not cut off what is to be closed.
        signal.signal(number, lambda *_: None)
    ended = threading.Event()
    timer = threading.Thread(target=_keep_up, args=(served, ended), name="remanence-timer", daemon=True)
    try:
        if settings.serve__upkeep:
            timer.start()
        Server(config).run(sockets=[address.socket])
    finally:
        ended.set()
        served.answering.close()
        if timer.is_alive():
            timer.join(_STOP_SECONDS)
        served.minds.close()
        _close_page(beside)
        os.close(alone)
        _LOG.info("stopped")


def _keep_up(served: Any, ended: threading.Event) -> None:
    """Look after the open namespaces, each minute, until it is over."""
    pause = _FIRST_SECONDS
    while not ended.wait(pause):
        pause = _TIMER_SECONDS
        for namespace in dict.fromkeys((served.settings.namespace, *served.minds.open())):
            if ended.is_set():
                return
            try:
                with served.minds.use(namespace) as mind:
                    outcome = _looked_after(mind)
            except RemanenceError as error:
                outcome = "failed"
                _LOG.warning("upkeep failed", extra={"namespace": namespace, "error": error.code})
            except Exception as error:  # the door: the timer must go on
                outcome = "failed"
                _LOG.error("upkeep failed", extra={"error": type(error).__name__}, exc_info=error)
            if outcome:
                served.metrics.upkeep(outcome)


def _looked_after(mind: Any) -> str:
    """Upkeep where it is due, else the sessions that are ready; how the upkeep went, "" where there was none."""
    if upkeep_is_due(mind):
        report = mind.upkeep()
        _LOG.info("upkeep", extra={"namespace": mind.namespace, "ran": report.ran, "archived": report.archived})
        return "done" if report.ran else "skipped"
    if mind.settings.memories__enabled:
        mind.sessions.run()
    return ""


def reload(arguments: Sequence[str]) -> int:
    """For development: serve in a process of its own, and start it anew when the package's files change."""
    command = [sys.executable, "-m", "remanence.interfaces.cli", *arguments]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # by itself it would leave the child behind
    while True:
        seen = dict(_files())
        child = subprocess.Popen(command)  # nosec B603 # this program again, with its own words
        try:
            while child.poll() is None and dict(_files()) == seen:
                time.sleep(_WATCH_SECONDS)
            if child.poll() == 0:
                return 0
            if child.poll() is not None:
                sys.stderr.write("It ended: it is started anew when the code changes. Ctrl-C ends this too.\n")
                while dict(_files()) == seen:
                    time.sleep(_WATCH_SECONDS)
            sys.stderr.write("The code has changed: starting anew.\n")
        except KeyboardInterrupt:
            return 0
        finally:
            child.terminate()
            with suppress(subprocess.TimeoutExpired):
                child.wait(_STOP_SECONDS + 5)
            child.kill()
            child.wait()


def _files() -> Iterator[tuple[str, int]]:
    for path in Path(__file__).parents[2].rglob("*.*"):
        if path.suffix in (".py", ".html", ".css", ".js", ".sql", ".yml", ".md"):
            with suppress(OSError):
                yield str(path), path.stat().st_mtime_ns
