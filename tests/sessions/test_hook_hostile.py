"""`rem hook` and what can go wrong: it ends with 0, says nothing, and leaves nothing outside its folder."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.sessions import hooked
from tests.sessions.hooked import SESSION, hook, waiting

_LONE = '"\\ud800"'
_NAMES = (
    "..",
    "../../etc/passwd",
    "/../..",
    "a/../../b",
    ".",
    "/",
    "",
    " ",
    "\0",
    "\n",
    "a\0b",
    "～",
    "\u202ex",
    "x" * 5_000,
)
_WRONG = (None, True, 0, -1, 1.5, 10**30, [], {}, [[]], {"a": [1]}, "", "x", ["x"], {"session_id": 1})


def whole(**fields: Any) -> dict[str, Any]:
    base = {"session_id": SESSION, "cwd": "/tmp", "transcript_path": "/t.jsonl", "tool_use_id": "toolu_1"}
    return {**base, "prompt": "p", "tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_response": "x", **fields}


def hostile() -> dict[str, bytes]:
    """Inputs by name: no JSON, JSON of a wrong form, and events with wrong values and wrong names in every field."""
    made: dict[str, bytes] = {
        "empty": b"",
        "space": b" \n\t ",
        "cut off": json.dumps(whole()).encode()[:-9],
        "twice": json.dumps(whole()).encode() * 2,
        "trailing": json.dumps(whole()).encode() + b"}",
        "single quotes": b"{'session_id': 'x'}",
        "binary": bytes(range(256)) * 64,
        "nul": b"\0" * 1000,
        "nul inside": b'{"session_id": "a\0b"}',
        "latin-1": '{"session_id": "é"}'.encode("latin-1"),
        "utf-16": json.dumps(whole()).encode("utf-16"),
        "utf-32": json.dumps(whole()).encode("utf-32"),
        "mark": b"\xef\xbb\xbf" + json.dumps(whole()).encode(),
        "two marks": b"\xef\xbb\xbf\xef\xbb\xbf{}",
        "comment": b"// a\n{}",
        "not a number": b'{"session_id": NaN, "prompt": Infinity}',
        "large number": b'{"session_id": ' + b"9" * 5_000 + b"}",
        "small number": b'{"session_id": 1e-99999}',
        "deep list": b"[" * 100_000,
        "deep object": b'{"a":' * 100_000,
        "deep and closed": b"[" * 50_000 + b"]" * 50_000,
        "deep input": b'{"session_id":"s","tool_input":' + b"[" * 900 + b"]" * 900 + b"}",
        "wide": json.dumps(whole(tool_input={str(n): n for n in range(20_000)})).encode(),
        "many": json.dumps(whole(tool_response=["x"] * 100_000)).encode(),
        "same key": b"{" + b'"session_id":"s",' * 5_000 + b'"prompt":"p"}',
        "huge": b'{"session_id":"s","prompt":"' + b"a" * (17 << 20) + b'"}',
        "large": json.dumps(whole(prompt="ab " * 1_000_000, tool_response="ab " * 1_000_000)).encode(),
        "long line": b'"' + b"a" * 1_000_000,
        "lines": (json.dumps(whole()) + "\n").encode() * 100,
        "text": b"Use pnpm, never npm.\n" * 100,
        "lone high": f'{{"session_id":{_LONE},"prompt":{_LONE},"cwd":{_LONE}}}'.encode(),
        "lone key": f'{{{_LONE}:1,"session_id":"s","tool_input":{{{_LONE}:1}}}}'.encode(),
        "escape": json.dumps(whole(prompt="\x1b[31m\x1b]0;x\x07" * 50)).encode(),
    }
    made |= {f"document {number}": json.dumps(one).encode() for number, one in enumerate(_WRONG)}
    fields = (
        "session_id",
        "cwd",
        "prompt",
        "tool_name",
        "tool_input",
        "tool_response",
        "tool_use_id",
        "transcript_path",
    )
    for field in fields:
        for number, value in enumerate(_WRONG):
            made[f"{field} wrong {number}"] = json.dumps(whole(**{field: value})).encode()
    for field in ("session_id", "cwd", "transcript_path"):
        for number, name in enumerate(_NAMES):
            made[f"{field} name {number}"] = json.dumps(whole(**{field: name})).encode()
    return made


_HOSTILE = hostile()
_EVENTS = ("PostToolUse", "UserPromptSubmit", "Stop", "SessionStart")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    place = tmp_path / "home"
    place.mkdir()
    return place


@pytest.mark.promise("S18")
def test_two_hundred_hostile_inputs(home: Path) -> None:
    assert len(_HOSTILE) >= 200

    def call(number: int, data: bytes) -> tuple[int, bytes, bytes]:
        done = hook(home, _EVENTS[number % 4], data)
        return done.returncode, done.stdout, done.stderr

    with ThreadPoolExecutor(2) as pool:
        answers = dict(zip(_HOSTILE, pool.map(call, *zip(*enumerate(_HOSTILE.values()), strict=True)), strict=True))
    assert {name for name, answer in answers.items() if answer != (0, b"", b"")} == set()
    spool = hooked.spool_of(home)
    assert {path.name for path in home.rglob("*")} >= {spool.name, "hook.log"}
    assert {path.parent for path in home.rglob("*") if path.is_file()} == {spool}
    assert not [path.name for path in spool.iterdir() if path.name.startswith(".new-")]
    events = waiting(home)
    assert 50 < len(events) < len(_HOSTILE)
    assert all(len(json.dumps(event)) < 320_000 for event in events)
    assert all(event["project"].startswith("/project/") for event in events)
    log = (spool / "hook.log").read_text()
    assert {line.partition(" ")[2] for line in log.splitlines()} == {"ignored, no JSON object in time"}


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--host", "claude-code"],
        ["PreToolUse", "--host", "claude-code"],
        ["Stop"],
        ["Stop", "--host"],
        ["Stop", "--host", "vim"],
        ["stop", "--host", "claude-code"],
        ["Stop", "--host", "claude-code", "--nonsense", "x"],
        ["Stop", "--host=claude-code", "--db="],
        ["Stop", "--host", "claude-code", "--db", "\udcff\udcfe"],
        ["Stop", "--host", "claude-code", "--db", ":memory:"],
        ["Stop", "--host", "claude-code", "--db", "postgres://x/y"],
        ["Stop", "--host", "claude-code", "--db", "/dev/null/x.db"],
        ["Stop", "--host", "claude-code", "--db", "/proc/x.db"],
        ["Stop", "--host", "claude-code", "--namespace", "x" * 300],
        ["../../x", "--host", "../../y"],
    ],
    ids=" ".join,
)
def test_wrong_words(home: Path, words: list[str]) -> None:
    done = subprocess.run(
        [*hooked.program(), "hook", *words],
        input=json.dumps(whole()).encode(),
        capture_output=True,
        env=hooked.environment(home),
        cwd=home,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    expected = 1 if "--nonsense" in words else 0
    assert len(waiting(home)) == expected


def _at_once(home: Path, **options: Any) -> tuple[int, float]:
    begun = time.monotonic()
    process = subprocess.Popen(
        [*hooked.program(), "hook", "Stop", "--host", "claude-code"], env=hooked.environment(home), cwd=home, **options
    )
    return process.wait(20), time.monotonic() - begun


def test_input_that_does_not_end_is_given_up_after_two_seconds(home: Path) -> None:
    reading, writing = os.pipe()
    os.write(writing, b'{"session_id": "s"')
    code, seconds = _at_once(home, stdin=reading, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert code == 0
    assert 1.2 < seconds < 5
    os.close(reading)
    os.close(writing)
    assert waiting(home) == []
    assert (hooked.spool_of(home) / "hook.log").read_text().endswith("no JSON object in time\n")


def test_closed_and_broken_streams(home: Path) -> None:
    def close(*files: int) -> Any:
        return lambda: [os.close(file) for file in files]

    for files in ((0,), (1,), (2,), (0, 1, 2), (1, 2)):
        code, _ = _at_once(home, stdin=subprocess.DEVNULL, preexec_fn=close(*files))
        assert code == 0
    folder = home / ".local/share/remanence/memory.db.artifacts/default/project~home"
    folder.mkdir(parents=True)
    (folder / "guidance.md").write_text("x" * 200_000)
    reading, writing = os.pipe()
    os.close(reading)
    words = [*hooked.program(), "hook", "SessionStart", "--host", "codex"]
    given = json.dumps(whole(cwd=str(home))).encode()
    done = subprocess.run(
        words, input=given, stdout=writing, stderr=subprocess.PIPE, env=hooked.environment(home), check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(waiting(home)) == 1  # the event comes in although nobody listens


def test_a_host_that_reads_slowly_or_not_at_all_is_not_waited_for_forever(home: Path) -> None:
    folder = home / ".local/share/remanence/memory.db.artifacts/default/project~home"
    folder.mkdir(parents=True)
    (folder / "guidance.md").write_text("x" * 200_000)
    words = [*hooked.program(), "hook", "SessionStart", "--host", "codex"]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=hooked.environment(home))
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(json.dumps(whole(cwd=str(home))).encode())
    process.stdin.close()
    assert process.wait(10) == 0
    process.stdout.close()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written(home: Path) -> None:
    home.chmod(0o500)
    done = hook(home, "Stop", whole())
    home.chmod(0o700)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("kind", ["file", "link", "dangling", "fifo"])
def test_a_spool_that_is_no_folder_of_ours(home: Path, kind: str) -> None:
    spool = hooked.spool_of(home)
    spool.parent.mkdir(parents=True)
    elsewhere = home / "elsewhere"
    elsewhere.mkdir()
    if kind == "file":
        spool.write_text("mine")
    elif kind == "fifo":
        os.mkfifo(spool)
    else:
        spool.symlink_to(elsewhere if kind == "link" else home / "nowhere")
    done = hook(home, "Stop", whole(), REMANENCE_MEMORIES__BACKGROUND="true")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert list(elsewhere.iterdir()) == []


def test_a_full_disk_leaves_nothing_half_written(home: Path) -> None:
    """A limit on the size of files is as near to a full disk as a test comes: the write fails half way."""
    words = [*hooked.program(), "hook", "UserPromptSubmit", "--host", "claude-code"]
    done = subprocess.run(
        words,
        input=json.dumps(whole(prompt="ab " * 20_000)).encode(),
        capture_output=True,
        env={**hooked.environment(home), "PYTHONDONTWRITEBYTECODE": "1"},
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, 4_096)),
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert list(hooked.spool_of(home).iterdir()) == []


def test_a_full_spool_takes_no_more(home: Path) -> None:
    """With room for three; twenty thousand files would take this test longer than all others."""
    code = (
        "import sys\nfrom remanence.sessions import spool\nspool.MOST_EVENTS = 3\n"
        "sys.argv = ['rem', 'hook', 'Stop', '--host', 'claude-code']\nfrom remanence.interfaces.cli import main\nmain()"
    )
    given, own = json.dumps(whole()).encode(), hooked.environment(home)
    for _ in range(5):
        done = subprocess.run([sys.executable, "-c", code], input=given, capture_output=True, env=own, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert len(waiting(home)) == 3
    assert (hooked.spool_of(home) / "hook.log").read_text().count(" dropped, the spool is full\n") == 2


def test_a_config_file_that_cannot_be_read_says_no(home: Path) -> None:
    given, config = whole(), home / "config.yml"
    for text in (
        b"\xff\xfe",
        b"memories: [",
        b"a: &a [*b]\n",
        b"- x",
        b"db: 7\n" * (1 << 18),
    ):
        config.write_bytes(text)
        done = hook(home, "Stop", given, REMANENCE_CONFIG=str(config))
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    config.unlink()
    os.mkfifo(config)
    assert hook(home, "Stop", given, REMANENCE_CONFIG=str(config)).returncode == 0
    assert list(home.rglob("*.json")) == []


def test_a_project_cannot_slip_code_in(home: Path) -> None:
    """Hooks run in the project's folder; what lies there is not imported."""
    (home / "json.py").write_text("raise SystemExit('taken over')")
    (home / "remanence").mkdir()
    (home / "remanence" / "__init__.py").write_text("raise SystemExit('taken over')")
    words = [sys.executable, "-P", "-m", "remanence.interfaces.cli"]
    for program in (hooked.program(), words):
        done = subprocess.run(
            [*program, "hook", "Stop", "--host", "claude-code"],
            input=json.dumps(whole()).encode(),
            capture_output=True,
            env=hooked.environment(home),
            cwd=home,
            check=False,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert len(waiting(home)) == 2
