"""Settings: argument > environment > config.yml > default. The only reader of the environment.

Names are nested by dots in config.yml and by `__` in the environment: `purge.wait_seconds` is
`REMANENCE_PURGE__WAIT_SECONDS`. Those of `memories` are written as in `maxRolloutAgeDays`; `max_rollout_age_days` says
the same. The file stands in the user's configuration folder, or where `REMANENCE_CONFIG` says.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from remanence.errors import InvalidInput
from remanence.places import beside, config_folder, data_folder, shown
from remanence.settings.rules import CHECKS, READ

PREFIX = "REMANENCE_"
_CONFIG = "CONFIG"
_HOST_FOLDERS = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME")
"""Variables of agents, by which a user moves the folder of their configuration."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What can be set, with its default."""

    db: str | None = field(default=None, repr=False)
    namespace: str = "default"
    policy: str | None = None
    upkeep__interval: str = "1d"
    upkeep__on_open: bool = True
    purge__wait_seconds: float = 2.0
    embedder__name: str = "bundled"
    embedder__url: str | None = None
    embedder__model: str | None = None
    embedder__key: str | None = field(default=None, repr=False)
    embedder__dimensions: int | None = None
    embedder__timeout_seconds: float = 10.0
    embedder__query_prefix: str = ""
    embedder__document_prefix: str = ""
    llm__name: str = "none"
    llm__url: str | None = None
    llm__model: str | None = None
    llm__key: str | None = field(default=None, repr=False)
    llm__timeout_seconds: float = 60.0
    llm__smol__name: str | None = None
    llm__smol__url: str | None = None
    llm__smol__model: str | None = None
    llm__smol__key: str | None = field(default=None, repr=False)
    llm__tokens_per_run: int | None = 200_000
    llm__tokens_per_day: int | None = 1_000_000
    llm__prompts: str | None = None
    guard__personal: tuple[str, ...] = ()
    dream__interval: str = "none"
    dream__roots: tuple[str, ...] = ()
    dream__seconds_per_run: float | None = 600.0
    dream__tokens_per_run: int | None = 100_000
    consolidation__enabled: bool = False
    memories__enabled: bool = False
    memories__max_rollout_age_days: float = 30.0
    memories__min_rollout_idle_hours: float = 12.0
    memories__max_rollouts_per_startup: int = 64
    memories__summary_injection_token_limit: int = 5_000
    memories__stage_one_concurrency: int = 2
    memories__stage_one_token_limit: int = 100_000
    memories__stage_one_lease_seconds: float = 300.0
    memories__stage_two_token_limit: int = 30_000
    memories__stage_two_lease_seconds: float = 300.0
    memories__max_tries: int = 5
    memories__retry_minutes: float = 10.0
    memories__artifacts: str | None = None
    memories__background: bool = True
    recall__log: bool = True
    recall__per_session: int = 0
    serve__host: str = "127.0.0.1"
    serve__port: int = 7411
    serve__hosts: tuple[str, ...] = ()
    serve__origins: tuple[str, ...] = ()
    serve__behind_proxy: bool = False
    serve__tls_cert: str | None = None
    serve__tls_key: str | None = None
    serve__requests_per_second: float = 1_000.0
    serve__body_bytes: int = 2_000_000
    serve__bulk_bytes: int = 64_000_000
    serve__seconds_per_call: float = 60.0
    serve__workers: int = 8
    serve__upkeep: bool = True
    serve__tracing: bool = False
    mcp__scope: str | None = None
    mcp__read_only: bool = False
    postgres__connections: int = 10
    postgres__statement_timeout_seconds: float = 300.0
    postgres__replica: str | None = field(default=None, repr=False)
    client__token: str | None = field(default=None, repr=False)
    client__timeout_seconds: float = 60.0
    bench__data: str | None = None

    def location(self) -> str:
        """Where the store is: as set, or the user's data folder."""
        if self.db is not None:
            return self.db
        return str(Path(data_folder(os.environ)) / "memory.db")

    def beside(self, location: str | Path | None = None) -> str:
        """The path on this machine that what belongs to a store is named by: its own, where it is a file."""
        return beside(str(self.location() if location is None else location), os.environ)

    def to_dict(self) -> dict[str, Any]:
        """Every setting by its dotted name; a key is not shown."""
        values = {name: getattr(self, name) for name in NAMES}
        values |= {name: shown(values[name]) for name in ("db", "postgres__replica") if values[name] is not None}
        return {dotted(name): "(set)" if name.endswith(_HIDDEN) and value else value for name, value in values.items()}


NAMES: tuple[str, ...] = tuple(one.name for one in fields(Settings))
_OF_MEMORIES = "memories__"
_HIDDEN = ("__key", "__token")


def dotted(name: str) -> str:
    """A setting as it is written in config.yml: memories__max_tries → memories.maxTries."""
    stem, rest = (_OF_MEMORIES, name.removeprefix(_OF_MEMORIES)) if name.startswith(_OF_MEMORIES) else ("", name)
    if stem:
        rest = re.sub(r"_([a-z])", lambda sign: sign[1].upper(), rest)
    return (stem + rest).replace("__", ".")


_SHORT = {
    "embedder": "embedder__name",
    "llm": "llm__name",
    "llm__smol": "llm__smol__name",
    "token": "client__token",  # nosec B105
}
"""`embedder: none` says the same as `embedder: {name: none}`, REMANENCE_TOKEN as REMANENCE_CLIENT__TOKEN."""
_MODELS = {stem + name for stem in ("llm__", "llm__smol__") for name in ("name", "url", "model", "key")}
_NO_LIMIT = ("llm__tokens_per_run", "llm__tokens_per_day", "dream__tokens_per_run", "dream__seconds_per_run")
"""Where "none" takes the limit away."""
_LISTS = frozenset(("guard__personal", "dream__roots", "serve__hosts", "serve__origins"))
_USUAL_KEYS = (
    ("llm__", "anthropic", "api.anthropic.com", "ANTHROPIC_API_KEY"),
    ("llm__", "openai", "api.openai.com", "OPENAI_API_KEY"),
    ("llm__smol__", "anthropic", "api.anthropic.com", "ANTHROPIC_API_KEY"),
    ("llm__smol__", "openai", "api.openai.com", "OPENAI_API_KEY"),
)
"""A provider that is named takes its key from where everybody puts it, for its own address alone."""


def load(given: Mapping[str, Any] | None = None, environment: Mapping[str, str] | None = None) -> Settings:
    """The settings in force; InvalidInput naming every problem and where it stands."""
    environment = os.environ if environment is None else environment
    values = _checked(_layers(given, environment))
    return Settings(**values | _keys(values, environment))


def with_llm(settings: Settings, given: Mapping[str, Any], environment: Mapping[str, str] | None = None) -> Settings:
    """The settings with another block `llm`: its models in the place of all that were set, its limits where given."""
    values = _checked((("the arguments", _flat({"llm": given})),))
    models: dict[str, Any] = {one.name: one.default for one in fields(Settings) if one.name in _MODELS}
    environment = os.environ if environment is None else environment
    return replace(settings, **models | values | _keys(values, environment))


def _checked(layers: tuple[tuple[str, dict[str, Any]], ...]) -> dict[str, Any]:
    """The values of layers by their settings' own names; InvalidInput naming every problem and where it stands."""
    values: dict[str, Any] = {}
    problems: list[str] = []
    strange = False
    for where, layer in layers:
        for written, value in layer.items():
            name = _known(written)
            if value is None and any(one.startswith(name + "__") for one in NAMES):
                continue  # a block with nothing in it
            if name not in NAMES:
                near = get_close_matches(name, NAMES, 1, 0.75)
                strange = strange or not near
                meant = f"; did you mean {dotted(near[0])}?" if near else ""
                problems.append(f"{where}: unknown setting {written.replace('__', '.')!r}{meant}")
            elif value is not None:
                problems += (f"{where}: {problem}" for problem in CHECKS[name](value))
                values[name] = value
    if problems:
        known = [f"known settings are {', '.join(map(dotted, NAMES))}"] if strange else []
        raise InvalidInput([*problems, *known])
    for name in _LISTS & values.keys():
        chosen = values[name]
        values[name] = (chosen,) if isinstance(chosen, str) else tuple(chosen)
    return values | {name: None for name in _NO_LIMIT if values.get(name) == "none"}


def origins(given: Mapping[str, Any] | None = None, environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """Where each setting that is not a default comes from, by its dotted name."""
    environment = os.environ if environment is None else environment
    layers = _layers(given, environment)
    found = {
        dotted(_known(name)): where for where, layer in layers for name, value in layer.items() if value is not None
    }
    return {name: where for name, where in found.items() if name in map(dotted, NAMES)}


def _layers(given: Mapping[str, Any] | None, environment: Mapping[str, str]) -> tuple[tuple[str, dict[str, Any]], ...]:
    """What is set, and where; each layer wins over those before it."""
    return (
        (str(config_path(environment)), _from_file(config_path(environment))),
        ("the environment", _from_environment(environment)),
        ("the arguments", _flat(given or {})),
    )


def store_of(given: object) -> str | None:
    """The store that the settings name, where they do."""
    if isinstance(given, Settings):
        return given.db
    return load(given).db if given is None or isinstance(given, Mapping) else None


def _known(name: str) -> str:
    """A setting's own name, of a short or otherwise written one."""
    if name.startswith(_OF_MEMORIES):
        name = re.sub(r"(?<=[a-z])([A-Z])", lambda sign: "_" + sign[1].lower(), name)
    return _SHORT.get(name, name)


def _keys(values: Mapping[str, Any], environment: Mapping[str, str]) -> dict[str, str]:
    """Keys that stand where a provider's own programs look for them, where none was set."""
    found: dict[str, str] = {}
    for stem, provider, host, variable in _USUAL_KEYS:
        url = values.get(stem + "url")
        own = _host(url) == host if url else provider == "anthropic"
        if values.get(stem + "name") == provider and own and stem + "key" not in values and variable in environment:
            found[stem + "key"] = environment[variable]
    return found


def _host(url: str) -> str | None:
    """The host of an address; None for what is none, which its provider says."""
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def config_path(environment: Mapping[str, str] | None = None) -> Path:
    environment = os.environ if environment is None else environment
    if chosen := environment.get(PREFIX + _CONFIG):
        return Path(chosen)
    return Path(config_folder(environment)) / "config.yml"


def host_folders(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """Those variables of agents that are set."""
    environment = os.environ if environment is None else environment
    return {name: environment[name] for name in _HOST_FOLDERS if environment.get(name, "").strip()}


def ignored(environment: Mapping[str, str] | None = None) -> list[str]:
    """Variables with our prefix that name no setting of this version."""
    environment = os.environ if environment is None else environment
    known = {variable for name in (*NAMES, *_SHORT) for variable in _variables(name)} | {PREFIX + _CONFIG}
    return sorted(name for name in environment if name.startswith(PREFIX) and name not in known)


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in (*_SHORT, *NAMES):
        for variable in _variables(name):
            if (text := environment.get(variable)) is not None:
                found[name] = READ.get(name, str)(text)
    return found


def _variables(name: str) -> tuple[str, ...]:
    """How a setting may be called in the environment."""
    usual = PREFIX + name.upper()
    if not name.startswith(_OF_MEMORIES):
        return (usual,)
    return PREFIX + _OF_MEMORIES.upper() + name.removeprefix(_OF_MEMORIES).replace("_", "").upper(), usual


def _from_file(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    import yaml

    try:
        read = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as reason:
        raise InvalidInput(f"{path} cannot be read: {' '.join(str(reason).split())}") from None
    if read is None:
        return {}
    if not isinstance(read, dict):
        raise InvalidInput(f"{path} must hold settings by name, not a {type(read).__name__}")
    return _flat(_policy_by_path(read, path))


def _policy_by_path(read: dict[str, Any], path: Path) -> dict[str, Any]:
    """A policy written out in the file (`policy: {…}`, or `memory.decay`) is named by the file's own path."""
    rest = dict(read)
    memory, policy = rest.get("memory"), rest.get("policy")
    if isinstance(memory, dict) and isinstance(memory.get("decay"), dict):
        rest["memory"] = {name: value for name, value in memory.items() if name != "decay"}
        rest.setdefault("policy", str(path))
    if isinstance(policy, dict):
        rest["policy"] = str(path)
    elif isinstance(policy, str) and policy.endswith((".yml", ".yaml")):
        rest["policy"] = str(path.parent / Path(policy).expanduser())
    return rest


def _flat(values: Mapping[str, Any], stem: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in values.items():
        full = stem + str(name).replace(".", "__")
        if isinstance(value, Mapping):
            flat |= _flat(value, full + "__")
        else:
            flat[full] = value
    return flat
