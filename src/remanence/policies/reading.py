"""From YAML to a policy: text → values with their lines → grammar. Presets come with the package."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import yaml

from remanence.errors import InvalidInput
from remanence.model.policy import Policy
from remanence.policies.grammar import policy_from

PRESETS = ("balanced", "halflife", "relevance", "layered", "tiered")
DEFAULT = "balanced"
_COMMON = "_common"
_LARGEST_BYTES = 1_000_000
_DECAY = ("memory", "decay")
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the same, ten times as fast, where PyYAML has it

Path_ = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """The values of a YAML text and the line each stands on."""

    values: Any
    lines: Mapping[Path_, int] = field(default_factory=dict)
    problems: tuple[str, ...] = ()


def parse(text: str, where: str) -> Document:
    """Read a YAML text; keys given twice are a problem, since one of them would be lost in silence."""
    lines: dict[Path_, int] = {}
    problems: list[str] = []
    loader = _LOADER(text)
    try:
        node = loader.get_single_node()
        values = None if node is None else _value(loader, node, (), lines, problems, 0)
    except (yaml.YAMLError, ValueError, RecursionError) as reason:
        raise InvalidInput(f"{where} is not YAML: {' '.join(str(reason).split())[:300]}") from None
    finally:
        loader.dispose()
    return Document(values, lines, tuple(problems))


_DEEPEST = 20
_TAGS = ("tag:yaml.org,2002:map", "tag:yaml.org,2002:seq")


def _value(loader: Any, node: yaml.Node, path: Path_, lines: dict[Path_, int], problems: list[str], depth: int) -> Any:
    lines[path] = node.start_mark.line + 1
    if not isinstance(node, yaml.ScalarNode) and node.tag not in _TAGS:
        raise ValueError(f"{node.tag} is not known")
    if depth > _DEEPEST:
        raise ValueError(f"more than {_DEEPEST} levels deep")
    if isinstance(node, yaml.MappingNode):
        found: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = str(loader.construct_object(key_node, deep=True))
            line = key_node.start_mark.line + 1
            if key in found:
                problems.append(f"line {line}: {key!r} is given twice")
            found[key] = _value(loader, value_node, (*path, key), lines, problems, depth + 1)
            lines[(*path, key)] = line
        return found
    if isinstance(node, yaml.SequenceNode):
        return [
            _value(loader, item, (*path, number), lines, problems, depth + 1) for number, item in enumerate(node.value)
        ]
    return loader.construct_object(node, deep=True)


@cache
def _preset_text(name: str) -> str:
    return (resources.files(__package__) / f"{name}.yml").read_text(encoding="utf-8")


@cache
def preset(name: str) -> Policy:
    """A policy that comes with the package."""
    return read(_preset_text(name), name, name=name)


def preset_text(name: str) -> str:
    """The YAML of a preset, as it ships."""
    return _preset_text(name)


def dumped(values: Mapping[str, Any]) -> str:
    """Plain values as YAML."""
    text: str = yaml.safe_dump(dict(values), sort_keys=False, allow_unicode=True)
    return text


def read(text: str, where: str, *, name: str | None = None) -> Policy:
    """The policy of a YAML text: a policy, or a config.yml that holds one; InvalidInput with every problem."""
    document = parse(text, where)
    values, at = _policy_part(document.values)
    if isinstance(values, str):
        return named(values)
    if not isinstance(values, Mapping) or not values:
        raise InvalidInput(f"{where} holds no policy: write for example 'extends: balanced'")
    return _policy(values, document, at, where, name or str(values.get("name") or Path(where).stem))


def from_values(values: Mapping[str, Any], where: str, name: str) -> Policy:
    """The policy of plain values, as a setting or a store holds them."""
    return _policy(values, Document(values), (), where, name)


def _policy_part(values: Any) -> tuple[Any, Path_]:
    """The policy in a document: what `policy` names or holds, the block `memory.decay`, or the document itself."""
    if isinstance(values, Mapping):
        memory = values.get("memory")
        if isinstance(values.get("policy"), (str, Mapping)):
            return values["policy"], ("policy",)
        if isinstance(memory, Mapping) and isinstance(memory.get("decay"), Mapping):
            return {"extends": "halflife", **memory["decay"]}, _DECAY
    return values, ()


def _policy(values: Mapping[str, Any], document: Document, at: Path_, where: str, name: str) -> Policy:
    problems = list(document.problems)
    base_name = values.get("extends")
    base: Policy | None = None
    if base_name is None:
        base = preset(_COMMON) if name != _COMMON else None
    elif base_name in (*PRESETS, _COMMON):
        base = preset(base_name)
    else:
        line = document.lines.get((*at, "extends"))
        problems.append(_at(line) + f"extends names {base_name!r}; the presets are {', '.join(PRESETS)}")
        base = preset(_COMMON)
    lines = {path[len(at) :]: line for path, line in document.lines.items() if path[: len(at)] == at}
    policy, found = policy_from({k: v for k, v in values.items() if k != "extends"}, base, lines, name)
    problems += found
    if problems or policy is None:
        raise InvalidInput([f"{where}: {problem}" for problem in problems])
    return policy


def _at(line: int | None) -> str:
    return f"line {line}: " if line else ""


def named(name: object) -> Policy:
    """The policy a setting or argument names: a preset, or a path to a YAML file."""
    if isinstance(name, Policy):
        return name
    if isinstance(name, Path) or (isinstance(name, str) and _looks_like_a_path(name)):
        return read(_text(Path(name)), str(name))
    if isinstance(name, str) and name in PRESETS:
        return preset(name)
    if not isinstance(name, str):
        raise InvalidInput(f"policy must be a name, a path or a Policy, not {type(name).__name__}")
    near = _nearest(name[:60], PRESETS)
    raise InvalidInput(f"there is no policy {name[:60]!r}; the presets are {', '.join(PRESETS)}{near}")


def _looks_like_a_path(name: str) -> bool:
    if name.endswith((".yml", ".yaml")) or "/" in name:
        return True
    return name not in PRESETS and "\0" not in name and len(name) < 256 and Path(name).is_file()


def _text(path: Path) -> str:
    shown = str(path)[:200].encode(errors="backslashreplace").decode()
    try:
        path = path.expanduser()
        if path.stat().st_size > _LARGEST_BYTES:
            raise InvalidInput(f"{shown} is larger than {_LARGEST_BYTES:,} bytes: that is no policy")
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InvalidInput(f"there is no file {shown}; the presets are {', '.join(PRESETS)}") from None
    except (OSError, RuntimeError, ValueError) as reason:
        why = (reason.strerror if isinstance(reason, OSError) else None) or " ".join(str(reason).split())
        raise InvalidInput(f"{shown} cannot be read: {why}") from None


def _nearest(name: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    found = get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f" (did you mean {found[0]!r}?)" if found else ""
