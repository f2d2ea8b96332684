"""aio.pyi gives AsyncMind its types: Mind's own, awaited. It is made of Mind's signatures, and must be up to date.

AsyncMind's methods are made when the module is loaded, where no type checker sees them. After a change of Mind's
methods: python tests/architecture/test_async_stub.py --write
"""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import remanence.aio as aio
from remanence.mind import Mind

STUB = Path(aio.__file__).with_suffix(".pyi")
HEADER = '''\
"""Types of AsyncMind. Written by: python tests/architecture/test_async_stub.py --write"""
# fmt: off
# ruff: noqa

'''
FIXED = ("FACETS: dict[str, type]", "NOT_AWAITED: tuple[str, ...]", "THREADS: int")


class Sources:
    """Where the names in annotations come from, as the modules that use them import them."""

    def __init__(self) -> None:
        self.used: dict[str, str] = {
            "Any": "from typing import Any",
            "Coroutine": "from collections.abc import Coroutine",
            "Self": "from typing import Self",
        }
        self._modules: dict[str, dict[str, str]] = {}

    def annotation(self, text: str, module: str) -> str:
        """An annotation as it stands in the stub; what it names is imported there."""
        tree = ast.parse(text, mode="eval")
        for node in ast.walk(tree):
            if not isinstance(node, ast.Name):
                continue
            if node.id == "list":  # within a class that has a method of this name
                node.id = "builtins.list"
            elif (found := self._names(module).get(node.id)) is not None:
                assert self.used.setdefault(node.id, found) == found, f"two things are called {node.id}"
        return ast.unparse(tree)

    def _names(self, module: str) -> dict[str, str]:
        if module not in self._modules:
            found: dict[str, str] = {}
            tree = ast.parse(Path(str(sys.modules[module].__file__)).read_text("utf-8"))
            for node in ast.walk(tree):
                if isinstance(node, ast.ImportFrom):
                    found |= {alias.name: f"from {node.module} import {alias.name}" for alias in node.names}
            for node in tree.body:
                if isinstance(node, ast.ClassDef):
                    found[node.name] = f"from {module} import {node.name}"
            self._modules[module] = found
        return self._modules[module]

    def lines(self) -> list[str]:
        return ["import builtins", *sorted(set(self.used.values()))]


def parameters(function: Any, sources: Sources) -> str:
    shown: list[str] = []
    for parameter in inspect.signature(function).parameters.values():
        star = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        if parameter.kind is parameter.KEYWORD_ONLY and not any(one.startswith("*") for one in shown):
            shown.append("*")
        text = star + parameter.name
        if parameter.annotation is not parameter.empty:
            text += f": {sources.annotation(parameter.annotation, function.__module__)}"
        if parameter.default is not parameter.empty:
            simple = parameter.default is None or isinstance(parameter.default, (str, bool, int, float))
            text += f" = {parameter.default!r}" if simple else " = ..."
        shown.append(text)
    return ", ".join(shown)


def verb(name: str, function: Any, sources: Sources) -> str:
    answer = sources.annotation(function.__annotations__["return"], function.__module__)
    return f"    async def {name}({parameters(function, sources)}) -> {answer}: ..."


def members(owner: type, kind: Any) -> Iterator[tuple[str, Any]]:
    found = inspect.getmembers(owner, kind)
    return ((name, one) for name, one in found if not name.startswith("_"))


def facet(kind: type, sources: Sources) -> list[str]:
    lines = [f"class Async{kind.__name__}:"]
    for name, found in members(kind, lambda one: isinstance(one, property)):
        answer = sources.annotation(found.fget.__annotations__["return"], found.fget.__module__)
        lines += ["    @property", f"    def {name}(self) -> Coroutine[Any, Any, {answer}]: ..."]
    return [*lines, *(verb(name, one, sources) for name, one in members(kind, inspect.isfunction)), ""]


def stub() -> str:
    sources = Sources()
    facets = [line for kind in aio.FACETS.values() for line in facet(kind, sources)]
    mind = [
        "class AsyncMind:",
        *(f"    {name}: Async{kind.__name__}" for name, kind in aio.FACETS.items()),
        f"    def __init__({parameters(Mind.__init__, sources)}) -> None: ...",
        "    async def __aenter__(self) -> Self: ...",
        "    async def __aexit__(self, *_: object) -> None: ...",
        "    @property",
        "    def namespace(self) -> str: ...",
        "    @property",
        "    def settings(self) -> Settings: ...",
        "    @property",
        "    def clock(self) -> Callable[[], datetime]: ...",
    ]
    skipped = aio.NOT_AWAITED
    mind += [verb(name, one, sources) for name, one in members(Mind, inspect.isfunction) if name not in skipped]
    text = "\n".join([*sources.lines(), "", *FIXED, "", *facets, *mind])
    return HEADER + text + "\n"


def test_the_stub_is_up_to_date() -> None:
    assert STUB.read_text("utf-8") == stub(), "run: python tests/architecture/test_async_stub.py --write"


def test_the_stub_has_every_public_name_and_no_other() -> None:
    told: dict[str, set[str]] = {}
    for node in ast.parse(STUB.read_text("utf-8")).body:
        if isinstance(node, ast.ClassDef):
            names = {one.name for one in node.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))}
            told[node.name] = {name for name in names if not name.startswith("_")}
    there = {name: one for name, one in vars(aio).items() if isinstance(one, type) and name.startswith("Async")}
    assert told == {name: {n for n in dir(one) if not n.startswith("_")} for name, one in there.items()}


USE = """
from remanence import AsyncMind, Mind
from remanence.client import AsyncClient, Client


async def use(amind: AsyncMind) -> None:
    reveal_type(await amind.recall("x"))
    reveal_type(await amind.review.list())
    reveal_type(await amind.policies.current)
    async with AsyncClient("http://127.0.0.1:7411") as served:
        reveal_type(await served.recall("x"))
        async for entry in served.events():
            reveal_type(entry)


mind: Mind = Client("http://127.0.0.1:7411", token="t")
reveal_type(Client("http://127.0.0.1:7411").recall("x"))
reveal_type(Client("http://127.0.0.1:7411").policies.current)
other: AsyncMind = AsyncClient("http://127.0.0.1:7411")
"""


def test_types_are_minds_own(tmp_path: Path) -> None:
    (tmp_path / "use.py").write_text(USE)
    command = [sys.executable, "-m", "mypy", "--config-file=", "--cache-dir", str(tmp_path), str(tmp_path / "use.py")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=110, check=False)
    revealed = [line.partition("Revealed type is ")[2] for line in done.stdout.splitlines() if "Revealed" in line]
    assert [one.strip('"').rpartition(".")[2].rstrip("]") for one in revealed] == [
        *("Hits", "Memory", "Policy", "Hits", "Entry", "Hits", "Policy"),
    ], done.stdout
    assert "error" not in done.stdout, done.stdout


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        STUB.write_text(stub(), "utf-8")
        print(f"wrote {STUB}")
    else:
        print(stub())
