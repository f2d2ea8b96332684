"""The public names are a promise: public_names.txt holds them, and a change of them is a change of that file.

To change them on purpose: run this file with --write, read the difference, and say in the changelog what users must do.
Parameters belong to the promise (`=` marks one with a default, `*` starts those given by name); types do not.
"""

from __future__ import annotations

import difflib
import inspect
import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from unittest import mock

FROZEN = Path(__file__).with_name("public_names.txt")
HEADER = "# Public names. Written by: python tests/architecture/test_public_names.py --write\n"


def signature(function: object) -> str:
    shown: list[str] = []
    for parameter in inspect.signature(function).parameters.values():  # type: ignore[arg-type]
        if parameter.name == "self":
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not any(name.startswith("*") for name in shown):
            shown.append("*")
        star = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        shown.append(star + parameter.name + ("=" if parameter.default is not parameter.empty else ""))
    return f"({', '.join(shown)})"


def names_of(owner: str, cls: type, instance: object) -> list[str]:
    """The constructor, methods and attributes of a class; an instance shows those set when it is made."""
    found = [owner + signature(cls.__init__)]  # type: ignore[misc]
    for name in sorted(set(dir(cls)) | set(getattr(instance, "__dict__", ()))):
        if not name.startswith("_"):
            # From the class, so that no property runs.
            member = inspect.getattr_static(cls, name, None)
            member = getattr(member, "__func__", member)
            found.append(f"{owner}.{name}" + (signature(member) if inspect.isfunction(member) else ""))
    return found


def public_names() -> list[str]:
    import remanence

    # Nothing of the person who runs this: neither their settings nor their memories.
    with tempfile.TemporaryDirectory() as folder:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("REMANENCE_")}
        homes = {"HOME": folder, "XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder}
        with mock.patch.dict(os.environ, {**kept, **homes}, clear=True), remanence.Mind(":memory:") as mind:
            methods = names_of("Mind", remanence.Mind, mind)
    return [f"remanence.{name}" for name in sorted(remanence.__all__)] + methods


def difference(frozen: str, names: Iterable[str]) -> list[str]:
    before = [line for line in frozen.splitlines() if line and not line.startswith("#")]
    lines = difflib.unified_diff(before, list(names), "frozen", "found", lineterm="", n=0)
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]


def test_public_names_are_as_frozen() -> None:
    changed = difference(FROZEN.read_text("utf-8"), public_names())
    assert not changed, (
        "public names changed (- promised and gone, + new):\n"
        + "\n".join(changed)
        + "\nIf on purpose: python tests/architecture/test_public_names.py --write, and a line in the changelog."
    )


def test_all_names_exist() -> None:
    import remanence

    missing = [name for name in remanence.__all__ if not hasattr(remanence, name)]
    assert not missing, f"in __all__ but not there: {missing}"


def test_a_changed_name_is_seen() -> None:
    class Toy:
        def __init__(self, location=None, *, policy=None) -> None:
            self.shelf = []

        def recall(self, query, *, limit=10, **more) -> None: ...

        @property
        def size(self) -> int:
            raise AssertionError("a property ran")

        def _hidden(self) -> None: ...

    names = names_of("Toy", Toy, Toy())
    assert names == ["Toy(location=, *, policy=)", "Toy.recall(query, *, limit=, **more)", "Toy.shelf", "Toy.size"]
    assert difference(HEADER + "\n".join(names), names) == []
    assert difference("\n".join([*names, "Toy.gone()"]), names) == ["-Toy.gone()"]
    assert difference("\n".join(names[1:]), names) == ["+Toy(location=, *, policy=)"]


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        FROZEN.write_text(HEADER + "\n".join(public_names()) + "\n", "utf-8")
        print(f"wrote {FROZEN}")
    else:
        print("\n".join(public_names()))
