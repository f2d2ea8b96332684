"""A wheel tried as a stranger would: installed in an empty environment away from the repository, and used.

`python -m release.smoke WHEEL CONSTRAINTS`. The package alone first: the three commands of the README, `rem doctor`,
the library, a type checker that sees the types, and what `rem serve` says without its extra. Then with `[serve]`: a
server that answers, seen through the client. Each step's time is told, and the first that fails ends it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.request import urlopen

USER_FILE = """\
from remanence import Mind
with Mind(":memory:") as mind:
    reveal_type(mind.recall("what")[0].memory.text); mind.remember(text=3)
"""
"""A user's three lines: the first of the two errors proves that a type is known, the second that it is checked."""
_LIBRARY = (
    'from remanence import Mind; mind = Mind(":memory:"); mind.remember("Deploys need a green build"); '
    'print(mind.recall("deploy")[0].memory.text)'
)
_CLIENT = "import sys; from remanence import Mind; print(Mind(sys.argv[1]).count())"


class Trial:
    """An environment and a home of its own, in a folder that is gone afterwards."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / "env" / "bin"
        # Nothing of the machine's own settings but the ways to the network.
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith(("REMANENCE_", "XDG_", "PYTHON"))
        } | {"HOME": str(folder / "home"), "VIRTUAL_ENV": "", "NO_COLOR": "1"}
        (folder / "home").mkdir()

    def run(self, *words: str, expected: int = 0) -> str:
        """What a command says; anything but the expected end fails the trial."""
        began = time.monotonic()
        done = subprocess.run(
            [str(self.bin / words[0]), *words[1:]],
            cwd=self.folder / "home",
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        told = done.stdout + done.stderr
        shown = " ".join(word if len(word) < 60 else "…" for word in words)
        print(f"  {time.monotonic() - began:5.1f} s  {shown.replace(str(self.folder), '…')}")
        if done.returncode != expected:
            raise SystemExit(f"{shown} ended with {done.returncode}, not {expected}:\n{told}")
        return told

    def has(self, told: str, *wanted: str) -> None:
        for text in wanted:
            if text not in told:
                raise SystemExit(f"{text!r} is not in what was said:\n{told}")

    def install(self, what: str, constraints: Path) -> None:
        self.run("python", "-m", "pip", "install", "-qq", "--disable-pip-version-check", "-c", str(constraints), what)
        size = sum(path.stat().st_size for path in (self.folder / "env").rglob("*") if path.is_file())
        print(f"  {size / 1e6:5.0f} MB installed, with the environment itself")


def alone(trial: Trial, checker: str) -> None:
    """What holds without extras."""
    trial.has(trial.run("rem", "--version"), "rem, version")
    remembered = trial.run("rem", "remember", "Deploys need a green build", "--kind", "decision", "--json")
    trial.has(trial.run("rem", "recall", "what must pass before we ship"), "Deploys need a green build")
    trial.has(trial.run("rem", "explain", json.loads(remembered)["memory"]["id"]), "retention")
    trial.run("rem", "doctor")
    trial.has(trial.run("python", "-c", _LIBRARY), "Deploys need a green build")
    trial.has(trial.run("rem", "serve", "--port", "0", expected=1), 'pip install "remanence[serve]"')
    user_file = trial.folder / "home" / "used.py"
    user_file.write_text(USER_FILE)
    command = [checker, "-m", "mypy", "--python-executable", str(trial.bin / "python"), "--cache-dir", os.devnull]
    done = subprocess.run(
        [*command, user_file.name],
        cwd=user_file.parent,
        env=trial.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    trial.has(done.stdout, 'Revealed type is "str"', "incompatible type", "Found 1 error")
    print("           mypy sees the types")


def served(trial: Trial) -> None:
    """What the extra `serve` adds."""
    server = subprocess.Popen(
        [str(trial.bin / "rem"), "serve", "--port", "0", "--json"],
        cwd=trial.folder / "home",
        env=trial.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert server.stdout is not None
        told = server.stdout.readline()
        if not told:
            raise SystemExit("rem serve ended without a word")
        url = json.loads(told)["url"]
        if not re.fullmatch(r"http://127\.0\.0\.1:\d+", url):
            raise SystemExit(f"rem serve listens at {url}")
        trial.has(urlopen(url + "/").read().decode(), "<!doctype html>")
        trial.has(urlopen(url + "/healthz").read().decode(), "ok")
        trial.has(trial.run("python", "-c", _CLIENT, url), "1")
        trial.has(trial.run("rem", "page"), url)
    finally:
        server.terminate()
        server.wait(30)
    trial.run("rem", "doctor")


def main(wheel: Path, constraints: Path) -> None:
    checker = sys.executable
    with tempfile.TemporaryDirectory(prefix="remanence-smoke-") as place:
        trial = Trial(Path(place))
        subprocess.run([checker, "-m", "venv", str(trial.folder / "env")], check=True, env=trial.environment)
        print(f"{wheel.name}, alone, Python {sys.version.split()[0]}")
        trial.install(str(wheel), constraints)
        alone(trial, checker)
        print(f"{wheel.name}[serve]")
        trial.install(f"{wheel}[serve]", constraints)
        served(trial)
    print("The wheel does what it should.")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
