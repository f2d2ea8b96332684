"""The process: it starts, says where it is, ends at a signal without losing an answer, and leaves nothing behind."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

import remanence
from remanence.interfaces.tokens import being_served
from tests.interfaces.serve.conftest import COMMAND, START_SECONDS, STOP_SECONDS, Server, certificate, environment

END_SECONDS = 20.0


def refused(folder: Path, *arguments: str) -> str:
    """What a server says that does not start; its exit code is that of bad input."""
    command = [*COMMAND, "--db", str(folder / "memory.db"), "serve", *arguments]
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, env=environment(folder), timeout=START_SECONDS
    )
    assert done.returncode == 2, done
    assert "Traceback" not in done.stderr
    return done.stderr


def waited(found: Callable[[], bool], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.02)


def test_what_it_says_to_try_next_is_about_this_store(start: Any) -> None:
    server: Server = start()
    assert server.process.stdout is not None
    said = []
    while not said or not said[-1].startswith("Stop it"):
        said.append(server.process.stdout.readline().decode())
    (connect,) = [line for line in said if "connect claude-code" in line]
    assert f"rem --db {server.db} connect claude-code" in connect


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_soon_while_somebody_listens_and_a_call_runs(start: Any, number: signal.Signals) -> None:
    """The call's answer still arrives, the listener is let go, and what was written is there at the next start."""
    server: Server = start()
    answers: list[httpx.Response] = []
    heard, ended = threading.Event(), threading.Event()

    def listen() -> None:
        with server.client() as client, client.stream("GET", "/v1/events") as stream:
            for _ in stream.iter_raw():
                heard.set()
        ended.set()

    def write() -> None:
        items = [f"a memory of a long call, number {n}, unlike {n * 7919}" for n in range(600)]
        with server.client() as client:
            answers.append(client.post("/v1/memories/batch", json={"items": items}))

    threads = [threading.Thread(target=listen, daemon=True), threading.Thread(target=write, daemon=True)]
    threads[0].start()
    assert heard.wait(30)
    threads[1].start()
    with server.client() as client:
        waited(lambda: "remanence_requests_running 3.0" in client.get("/metrics").text or bool(answers))
        was_running = not answers
    began = time.monotonic()
    server.process.send_signal(number)
    assert server.process.wait(60) == 0
    assert time.monotonic() - began < END_SECONDS
    threads[1].join(30)
    assert ended.wait(30)
    assert was_running, "the call was over before the signal: give it more to do"
    assert [answer.status_code for answer in answers] == [200]
    assert len(answers[0].json()["items"]) == 600
    again: Server = start(db=server.db)
    with again.client() as client:
        assert client.get("/v1/count").json()["count"] == 600
        assert client.post("/v1/check").json()["problems"] == []


def test_a_signal_ends_a_stream_of_memories_between_two_batches(start: Any) -> None:
    server: Server = start()
    answers: list[httpx.Response] = []
    go_on = threading.Event()

    def lines() -> Iterator[bytes]:
        for number in range(1_000):
            if number == 450:
                go_on.wait(30)
            yield json.dumps(f"a memory of a stream, number {number}, unlike {number * 7919}").encode() + b"\n"

    def write() -> None:
        with server.client() as client:
            answers.append(
                client.post("/v1/memories/bulk", content=lines(), headers={"content-type": "application/x-ndjson"})
            )

    writing = threading.Thread(target=write, daemon=True)
    writing.start()
    with server.client() as client:
        waited(lambda: client.get("/v1/count").json()["count"] == 400)
    server.process.send_signal(signal.SIGTERM)
    time.sleep(0.5)
    go_on.set()
    writing.join(30)
    assert server.process.wait(60) == 0
    assert [answer.status_code for answer in answers] == [503]
    told = answers[0].json()
    assert told["code"] == "stopping" and "of 600 lines it read, 600 are new memories" in told["detail"]


def test_it_says_where_it_is_as_json(start: Any, tmp_path: Path) -> None:
    command = [*COMMAND, "--db", str(tmp_path / "memory.db"), "--json", "serve", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment(tmp_path))
    try:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        assert told["db"] == str(tmp_path / "memory.db")
        held = json.loads(Path(told["token_file"]).read_text())
        assert held["url"] == told["url"]
        assert httpx.get(told["url"] + "/readyz", trust_env=False).json() == {"status": "ready"}
        assert Path(told["token_file"]).stat().st_mode & 0o077 == 0
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
        process.stdout.close()  # type: ignore[union-attr]


@pytest.mark.promise("S9")
@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1"])
def test_a_public_address_is_refused_without_tls_or_a_proxy(tmp_path: Path, host: str) -> None:
    said = refused(tmp_path, "--host", host, "--port", "0")
    assert "--tls-cert" in said
    assert "--behind-proxy" in said
    assert not (tmp_path / "memory.db.serve.json").exists()


def test_half_of_a_certificate_or_none_is_refused(tmp_path: Path) -> None:
    assert "belong together" in refused(tmp_path, "--tls-cert", "cert.pem", "--port", "0")
    said = refused(tmp_path, "--tls-cert", "nothing.pem", "--tls-key", "nothing.key", "--port", "0")
    assert "there is no file nothing.pem" in said
    assert "there is no file nothing.key" in said


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        said = refused(tmp_path, "--port", str(taken.getsockname()[1]))
    assert "cannot be used" in said
    assert "--port" in said


def test_a_store_that_is_no_file_is_refused(tmp_path: Path) -> None:
    for location in (":memory:", "mysql://localhost/x"):
        done = subprocess.run(
            [*COMMAND, "--db", location, "serve", "--port", "0"],
            check=False,
            capture_output=True,
            text=True,
            env=environment(tmp_path),
            timeout=START_SECONDS,
        )
        assert done.returncode == 2
        assert "a file" in done.stderr


def test_files_that_are_no_certificate_are_said(tmp_path: Path) -> None:
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    certificate(cert, key)
    given = ("--port", "0", "--tls-cert", str(cert), "--tls-key")
    assert "no certificate and its key" in refused(tmp_path, *given, str(cert))
    certificate(tmp_path / "other.pem", key)
    assert "KEY_VALUES_MISMATCH" in refused(tmp_path, *given, str(key))


def test_it_speaks_tls(start: Any, tmp_path: Path) -> None:
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    certificate(cert, key)
    server: Server = start("--tls-cert", str(cert), "--tls-key", str(key))
    assert server.url.startswith("https://127.0.0.1:")
    trusted = ssl.create_default_context(cafile=str(cert))
    with httpx.Client(base_url=server.url, verify=trusted, headers=server.headers, trust_env=False) as client:
        assert client.post("/v1/memories", json={"text": "over TLS"}).status_code == 201
        assert client.get("/healthz", headers={"Origin": server.url}).status_code == 200
        assert client.get("/healthz", headers={"Host": "evil.example"}).status_code == 421
    with pytest.raises(httpx.HTTPError):
        httpx.get(server.url.replace("https", "http") + "/healthz", trust_env=False)
    assert server.stop() == 0


def test_names_that_are_allowed_get_in_and_no_others(start: Any) -> None:
    server: Server = start("--allow-host", "memory.example.org", "--allow-origin", "https://app.example.org")
    with server.client() as client:
        assert client.get("/v1/count", headers={"Host": "memory.example.org"}).status_code == 200
        assert client.get("/v1/count", headers={"Host": "other.example.org"}).status_code == 421
        assert client.get("/v1/count", headers={"Origin": "https://app.example.org"}).status_code == 200
        for origin in ("http://app.example.org", "https://app.example.org.evil.example", "https://example.org"):
            assert client.get("/v1/count", headers={"Origin": origin}).status_code == 403


def test_the_owner_has_the_same_token_after_a_restart(start: Any) -> None:
    first: Server = start()
    assert first.stop() == 0
    second: Server = start(db=first.db)
    assert second.token == first.token
    with second.client() as client:
        assert client.get("/v1/count").status_code == 200


def test_an_address_of_another_machine_is_not_taken_for_a_port_in_use(tmp_path: Path) -> None:
    said = refused(tmp_path, "--host", "192.0.2.1", "--behind-proxy")
    assert "no such address" in said and "--host" in said and "--port" not in said


def test_a_second_server_of_one_store_is_refused_until_the_first_is_gone(start: Any) -> None:
    first: Server = start()
    told = Path(f"{first.db}.serve.json").read_text("utf-8")
    assert "is served already" in (said := refused(first.db.parent, "--port", "0")) and "rem page" in said
    assert Path(f"{first.db}.serve.json").read_text("utf-8") == told
    first.process.kill()
    first.process.wait(STOP_SECONDS)
    second: Server = start(db=first.db)
    with second.client() as client:
        assert client.get("/v1/count").status_code == 200


def test_what_is_wrong_with_the_settings_is_said_at_the_start(tmp_path: Path) -> None:
    command = [*COMMAND, "--db", str(tmp_path / "memory.db"), "serve", "--port", "0"]
    env = environment(tmp_path, REMANENCE_EMBEDDER__NAME="nosuch")
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=env, timeout=START_SECONDS)
    assert done.returncode == 2 and "nosuch" in done.stderr and done.stdout == ""


def test_reload_starts_anew_when_a_file_changes_and_leaves_no_process(tmp_path: Path) -> None:
    code = tmp_path / "code"
    shutil.copytree(Path(remanence.__file__).parent, code / "remanence", ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "remanence.interfaces.cli", "--db", str(tmp_path / "memory.db")]
    env = environment(tmp_path, PYTHONPATH=str(code), PYTHONDONTWRITEBYTECODE="1")
    process = subprocess.Popen(
        [*command, "serve", "--port", "0", "--reload"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env
    )
    assert process.stdout is not None and process.stderr is not None
    try:
        first = _address(process.stdout)
        children = psutil.Process(process.pid).children(recursive=True)
        assert len(children) == 1
        os.utime(code / "remanence" / "interfaces" / "web" / "page.css")
        second = _address(process.stdout)
        assert second != first
        assert not children[0].is_running()
        assert httpx.get(second + "/healthz", trust_env=False).status_code == 200
        with pytest.raises(httpx.HTTPError):
            httpx.get(first + "/healthz", trust_env=False)
        app = code / "remanence" / "interfaces" / "serve" / "app.py"
        text = app.read_text()
        app.write_text("broken code")
        assert b"when the code changes" in next(line for line in process.stderr if b"It ended" in line)
        app.write_text(text)
        assert httpx.get(_address(process.stdout) + "/healthz", trust_env=False).status_code == 200
        left = psutil.Process(process.pid).children(recursive=True)
    finally:
        process.send_signal(signal.SIGTERM)
        code_ = process.wait(60)
        process.stdout.close()
        process.stderr.close()
    assert code_ == 0
    gone, alive = psutil.wait_procs(left, 30)
    assert (len(gone), alive) == (1, [])


def _address(stdout: Any) -> str:
    for line in iter(stdout.readline, b""):
        if b" at http" in line:
            return str(line.decode().split(" at ")[-1].strip())
    raise AssertionError("it never said where it is")


def test_it_leaves_only_the_store_and_its_own_files(start: Any) -> None:
    server: Server = start()
    with server.client() as client:
        client.post("/v1/memories", json={"text": "kept"})
        client.get("/v1/export")
    assert server.stop() == 0
    names = {path.name for path in server.db.parent.iterdir()} - {"server.log"}
    assert {"memory.db", "memory.db.serve.json"} <= names
    assert all(name.startswith("memory.db") for name in names), names


def test_only_its_owner_can_seem_to_be_the_server(start: Any) -> None:
    """Whoever holds the lock is given the owner's token by rem page: so nobody else may open it."""
    server: Server = start()
    lock = Path(f"{server.db}.serve.json.lock")
    assert lock.stat().st_mode & 0o777 == 0o600
    assert being_served(server.db) == (server.url, server.token)
    assert server.stop() == 0
    lock.chmod(0o644)
    with lock.open("ab") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert being_served(server.db) is None
    again: Server = start(db=server.db)
    assert lock.stat().st_mode & 0o777 == 0o600
    assert being_served(server.db) == (again.url, again.token)


def test_the_way_to_the_page_goes_with_the_server(start: Any) -> None:
    """It holds the owner's token; one that a killed server left goes at the next start."""
    server: Server = start()
    page = Path(f"{server.db}.page.html")
    page.write_text(server.token, encoding="utf-8")
    assert server.stop() == 0
    assert not page.exists()
    page.write_text(server.token, encoding="utf-8")
    again: Server = start(db=server.db)
    assert not page.exists()
    assert again.token == server.token
