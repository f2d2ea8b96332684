"""The real server, in a process of its own, on any free port, with nothing of the caller's environment but the path."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol

import httpx
import pytest

from remanence.interfaces.tokens import Tokens
from remanence.places import beside
from tests.interfaces.serve.forked import Forked

START_SECONDS = 60.0
STOP_SECONDS = 30.0
COMMAND = [sys.executable, "-m", "remanence.interfaces.cli"]


def environment(home: Path, **more: str) -> dict[str, str]:
    """Next to nothing, and a home of its own; by words alone, which is quick."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    return {**kept, "HOME": str(home), "REMANENCE_EMBEDDER": "none", **more}


class Process(Protocol):
    """What is used of one that runs, however it was begun."""

    pid: int
    stdout: IO[bytes] | None

    def poll(self) -> int | None: ...
    def send_signal(self, number: int, /) -> None: ...
    def kill(self) -> None: ...
    def wait(self, seconds: float | None = None, /) -> int: ...


def launched(arguments: list[str], log: Path, env: dict[str, str], folder: Path) -> Process:
    """The command line, in an interpreter of its own."""
    with log.open("ab") as errors:
        return subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=errors, env=env, cwd=folder)


@dataclass
class Server:
    """One that runs."""

    process: Process
    db: Path
    url: str
    token: str
    log: Path
    store: str

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def client(self, token: str | None = None, **headers: str) -> httpx.Client:
        """A client with the owner's token, or another; "" is none."""
        secret = self.token if token is None else token
        given = {"Authorization": f"Bearer {secret}"} if secret else {}
        # To read the certificates of the world takes longer than the answer, and nothing here asks for them.
        return httpx.Client(base_url=self.url, headers={**given, **headers}, timeout=60, trust_env=False, verify=False)

    def token_for(self, name: str = "test", **limits: Any) -> str:
        """A new token, made while the server runs."""
        return Tokens(self.db).create(name, **limits)[0]

    def logged(self) -> list[dict[str, Any]]:
        lines = self.log.read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines if line.startswith("{")]

    def stop(self) -> int:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(STOP_SECONDS)


def started(
    folder: Path,
    *arguments: str,
    db: Path | str | None = None,
    launch: Callable[[list[str], Path, dict[str, str], Path], Process] = launched,
    **env: str,
) -> Server:
    """A server that answers."""
    folder.mkdir(parents=True, exist_ok=True)
    db = db or folder / "memory.db"
    log = folder / "server.log"
    command = ["--db", str(db), "serve", "--port", "0", *arguments]
    around = environment(folder, **env)
    process = launch(command, log, around, folder)
    assert process.stdout is not None
    first = process.stdout.readline().decode()
    if "http" not in first:
        process.kill()
        process.wait()
        raise AssertionError(f"no server: {first} {log.read_text()[-2000:]}")
    url = first.split(" at ")[-1].strip() if " at http" in first else json.loads(first)["url"]
    place = Path(beside(str(db), around))
    held = json.loads(Path(f"{place}.serve.json").read_text())
    return Server(process, place, url, held["token"], log, str(db))


def ended(server: Server) -> None:
    """Stop a server, however it takes that."""
    try:
        server.stop()
    except subprocess.TimeoutExpired:
        server.process.kill()
        server.process.wait()
    assert server.process.stdout is not None
    server.process.stdout.close()


def certificate(cert: Path, key: Path) -> None:
    """A certificate for 127.0.0.1, and its key."""
    from datetime import UTC, datetime, timedelta
    from ipaddress import ip_address

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    made = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(made.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(made, hashes.SHA256())
    )
    cert.write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    form = serialization.PrivateFormat.PKCS8
    key.write_bytes(made.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()))


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts servers, and ends them when the test is over."""
    running: list[Server] = []

    def one(*arguments: str, folder: str = "home", **rest: Any) -> Server:
        running.append(started(tmp_path / folder, *arguments, **rest))
        return running[-1]

    yield one
    for server in running:
        ended(server)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for the tests of a module, which keep out of each other's way by scope or namespace."""
    found = started(tmp_path_factory.mktemp("served"), launch=Forked)
    yield found
    code = found.stop()
    assert found.process.stdout is not None
    found.process.stdout.close()
    assert code == 0
    crashed = [line for line in found.logged() if line["level"] in ("error", "critical")]
    assert crashed == []


@pytest.fixture(scope="module")
def api(server: Server) -> Iterator[httpx.Client]:
    """The owner's client of the module's server."""
    with server.client() as client:
        yield client
