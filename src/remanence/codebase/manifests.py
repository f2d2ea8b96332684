"""What the manifests of a tree say: the versions of what it depends on, and the commands it offers.

Read are pyproject.toml, requirements files, package.json, go.mod, Cargo.toml, Gemfile.lock and makefiles. A version is
kept as it is written, a range as a range. `allows` says whether a claimed version is still the one: yes, no, or None
where a range leaves it open.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from remanence.codebase import lines

_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]{0,200}\])?\s*([^;#]*)")
_GO_REQUIREMENT = re.compile(r"\s*(?:require\s+)?([\w.-]+(?:/[\w.~-]+)+) (v[\w.+-]+)")
_LOCKED_GEM = re.compile(r"    ([A-Za-z0-9][\w.-]*) \(([\w.-]+)\)")
_NUMBERS = re.compile(r"\d+")
_SEPARATORS = re.compile(r"[-_.]+")
_OPEN_MAKEFILE = re.compile(r"^(?:[-s]?include\b|[^\t#=:\n]{0,200}[%$][^=:\n]{0,200}:)", re.MULTILINE)
_EXACT = re.compile(r"(?:===?|=)?\s*v?(\d+(?:\.\d+){0,4}[\w.+-]*)")
_BOUND = re.compile(r"(>=|>|<=|<|~=|\^|~|!=)\s*v?(\d+(?:\.\d+){0,4})")


@dataclass(slots=True)
class Manifests:
    """Versions by the folded name of a package; commands by their tool: "make", "npm", "python"."""

    versions: dict[str, list[str]] = field(default_factory=dict)
    commands: dict[str, set[str]] = field(default_factory=dict)
    open_tools: set[str] = field(default_factory=set)
    """Tools whose commands cannot all be seen: makefiles that include others, or name targets by a pattern."""


def is_manifest(path: str) -> bool:
    """Whether a file of this name is read for versions or commands."""
    name = path.rpartition("/")[2].lower()
    return name in _READERS or name.endswith(".mk") or _is_requirements(name)


def manifests(texts: Iterable[tuple[str, str]]) -> Manifests:
    """What these manifests say, by their paths and texts; one that cannot be read says nothing."""
    said = Manifests()
    for path, text in texts:
        name = path.rpartition("/")[2].lower()
        reader = _requirements if _is_requirements(name) else _READERS.get(name, _makefile)
        try:
            reader(text, said)
        except (ValueError, RecursionError, TypeError, AttributeError):
            continue  # not as its name promises
    return said


def folded_name(name: str) -> str:
    """A package's name, however it is written."""
    return _SEPARATORS.sub("-", name).lower()


def allows(spec: str, version: str) -> bool | None:
    """Whether a manifest's version is the claimed one: "2.1" is "==2.1.4"; ">=2" leaves "2.1" open, and not "1.9"."""
    claimed = _numbers(version)
    if not claimed:
        return None
    if exact := _EXACT.fullmatch(spec.strip()):
        pinned = _numbers(exact[1])
        length = min(len(pinned), len(claimed))
        return pinned[:length] == claimed[:length]
    bounds = [(sign, _numbers(number)) for sign, number in _BOUND.findall(spec)]
    return False if any(_excludes(sign, bound, claimed) for sign, bound in bounds) else None


def _excludes(sign: str, bound: tuple[int, ...], claimed: tuple[int, ...]) -> bool:
    length = min(len(bound), len(claimed))
    if sign in (">=", ">", "~=", "^", "~") and claimed[:length] < bound[:length]:
        return True
    if sign == "^":
        return claimed[0] > bound[0]
    if sign == "~=":
        kept = min(max(1, len(bound) - 1), length)
        return claimed[:kept] > bound[:kept]
    if sign in ("<", "<="):
        at_least = sign == "<" and len(claimed) >= len(bound) and claimed[:length] == bound[:length]
        return at_least or claimed[:length] > bound[:length]
    return False


def _numbers(version: str) -> tuple[int, ...]:
    leading = re.split(r"[-+A-Za-z]", version.strip().lstrip("v"), maxsplit=1)[0]
    return tuple(int(number[:9]) for number in _NUMBERS.findall(leading)[:4])


def _is_requirements(name: str) -> bool:
    return (name.endswith((".txt", ".in")) and "requirements" in name) or name == "constraints.txt"


def _name(said: Manifests, name: object, spec: object) -> None:
    if isinstance(name, str) and isinstance(spec, str) and spec.strip() and len(spec) <= 200:
        said.versions.setdefault(folded_name(name), []).append(spec.strip())


def _offer(said: Manifests, tool: str, names: Iterable[object]) -> None:
    said.commands.setdefault(tool, set()).update(name for name in names if isinstance(name, str))


def _requirement(said: Manifests, text: object) -> None:
    if isinstance(text, str) and (match := _REQUIREMENT.match(text[:500])):
        _name(said, match[1], match[2].strip().strip("()"))


def _requirements(text: str, said: Manifests) -> None:
    for line in text.splitlines():
        if not line.lstrip().startswith(("#", "-")):
            _requirement(said, line)


def _pyproject(text: str, said: Manifests) -> None:
    whole = tomllib.loads(text)
    project = _table(whole, "project")
    poetry = _table(whole, "tool", "poetry")
    groups = [project.get("dependencies"), *_table(project, "optional-dependencies").values()]
    groups += _table(whole, "dependency-groups").values()
    for group in groups:
        for requirement in group if isinstance(group, list) else ():
            _requirement(said, requirement)
    named = [_table(poetry, "dependencies"), _table(poetry, "dev-dependencies")]
    named += [_table(poetry, "group", name, "dependencies") for name in _table(poetry, "group")]
    for table in named:
        for name, spec in table.items():
            _name(said, name, spec.get("version") if isinstance(spec, dict) else spec)
    _name(said, "python", project.get("requires-python"))
    _offer(said, "python", [*_table(project, "scripts"), *_table(poetry, "scripts")])


def _cargo(text: str, said: Manifests) -> None:
    whole = tomllib.loads(text)
    tables = [_table(whole, name) for name in ("dependencies", "dev-dependencies", "build-dependencies")]
    for table in [*tables, _table(whole, "workspace", "dependencies")]:
        for name, spec in table.items():
            version = spec.get("version") if isinstance(spec, dict) else spec
            # A bare version means "this, or a later one that is compatible".
            caret = "^" if isinstance(version, str) and version[:1].isdigit() else ""
            _name(said, name, f"{caret}{version}" if isinstance(version, str) else None)
    _name(said, "rust", f">={_table(whole, 'package').get('rust-version', '')}".removesuffix(">="))


def _package(text: str, said: Manifests) -> None:
    whole = json.loads(text)
    for group in ("dependencies", "devDependencies", "peerDependencies", "engines"):
        for name, spec in _table(whole, group).items():
            _name(said, name, spec)
    _offer(said, "npm", _table(whole, "scripts"))


def _go(text: str, said: Manifests) -> None:
    for line in text.splitlines():
        if match := _GO_REQUIREMENT.match(line[:300]):
            _name(said, match[1], match[2])
            _name(said, match[1].rpartition("/")[2], match[2])
        elif line.startswith("go "):
            _name(said, "go", ">=" + line[3:].strip()[:20])


def _gems(text: str, said: Manifests) -> None:
    for line in text.splitlines():
        if match := _LOCKED_GEM.fullmatch(line[:300]):
            _name(said, match[1], match[2])


def _makefile(text: str, said: Manifests) -> None:
    _offer(said, "make", (definition.name for definition in lines.definitions("Makefile", text)))
    _offer(said, "make", _several_targets(text))
    if _OPEN_MAKEFILE.search(text):
        said.open_tools.add("make")


def _several_targets(text: str) -> Iterator[str]:
    """Targets that share a rule: "lint format: deps"."""
    for line in text.splitlines():
        head, sign, _ = line[:400].partition(":")
        if sign and not head.startswith(("\t", "#", " ")) and "=" not in head:
            yield from head.split()


def _table(whole: Any, *names: str) -> Mapping[str, Any]:
    for name in names:
        whole = whole.get(name) if isinstance(whole, dict) else None
    return whole if isinstance(whole, dict) else {}


_READERS = {
    "pyproject.toml": _pyproject,
    "package.json": _package,
    "go.mod": _go,
    "cargo.toml": _cargo,
    "gemfile.lock": _gems,
    "makefile": _makefile,
    "gnumakefile": _makefile,
}
