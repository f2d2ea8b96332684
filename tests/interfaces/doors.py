"""Two doors to one kind of store, the library and the command line, asked in the same words, answering in JSON."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any

from remanence import Mind
from remanence.errors import RemanenceError
from remanence.interfaces.cli.app import run
from remanence.interfaces.verbs import VERBS, Verb
from remanence.interfaces.wire import exit_code
from remanence.model.memory import plain

TABLE: dict[str, Verb] = {verb.name: verb for verb in VERBS}


class Library:
    """Mind, called through the table of verbs."""

    def __init__(self, path: Path, namespace: str = "default") -> None:
        self.mind = Mind(path, namespace=namespace)

    def __call__(self, name: str, **arguments: Any) -> tuple[int, Any]:
        try:
            return 0, plain(TABLE[name].call(self.mind, arguments))
        except RemanenceError as error:
            return exit_code(error), error.code

    def close(self) -> None:
        self.mind.close()


class CommandLine:
    """rem --json, each call opening and closing the store."""

    def __init__(self, path: Path, namespace: str = "default") -> None:
        self.common = ["--json", "--db", str(path), "--namespace", namespace]

    def __call__(self, name: str, **arguments: Any) -> tuple[int, Any]:
        verb = TABLE[name]
        extra = ["--yes"] if name == "purge" or ("query" in arguments and name == "forget") else []
        code, out, err = typed([*self.common, name, *extra, *words_of(verb, arguments)])
        return code, json.loads(out) if code == 0 else json.loads(err)["error"]

    def close(self) -> None:
        pass


def words_of(verb: Verb, arguments: dict[str, Any]) -> list[str]:
    """Arguments as a person types them."""
    typed_: list[str] = []
    positional: list[str] = []
    for parameter in verb.parameters:
        if parameter.name not in arguments:
            continue
        value = arguments[parameter.name]
        values = value if isinstance(value, list) else [value]
        if parameter.positional:
            positional += map(str, values)
        elif parameter.form == "flag":
            typed_.append(("--" if value else "--no-") + parameter.name.replace("_", "-"))
        else:
            for item in values:
                text = json.dumps(item) if parameter.form == "json" else plain(item)
                typed_ += [f"--{parameter.name.replace('_', '-')}", str(text)]
    return [*typed_, "--", *positional]


def typed(words: list[str]) -> tuple[int, str, str]:
    """What rem says to these words: exit code, standard output, standard error."""
    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(words)
    out.flush()
    return code, out.buffer.getvalue().decode(), err.getvalue()


def told(*words: str) -> Any:
    """What rem answers in JSON, in a test that sets the store by the environment."""
    code, out, err = typed(["--json", *words])
    assert code == 0, err
    return json.loads(out)


def said(*words: str) -> str:
    """What rem tells a person."""
    code, out, err = typed(list(words))
    assert code == 0, err
    return out
