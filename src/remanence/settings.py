"""Settings: argument > environment > config.yml > default. The only reader of the environment.

Names are nested by dots in config.yml and by `__` in the environment: `purge.wait_seconds` is
`REMANENCE_PURGE__WAIT_SECONDS`. Those of `memories` are written as in `maxRolloutAgeDays`; `max_rollout_age_days` says
the same. The file stands in the user's configuration folder, or where `REMANENCE_CONFIG` says.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from remanence.errors import InvalidInput
from remanence.model import checks
from remanence.model.duration import duration_problems
from remanence.places import config_folder, data_folder

PREFIX = "REMANENCE_"
_CONFIG = "CONFIG"
_HOST_FOLDERS = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME")
"""Variables of agents, by which a user moves the folder of their configuration."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What can be set, with its default."""

    db: str | None = None
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
    bench__data: str | None = None

    def location(self) -> str:
        """Where the store is: as set, or the user's data folder."""
        if self.db is not None:
            return self.db
        return str(Path(data_folder(os.environ)) / "memory.db")

    def to_dict(self) -> dict[str, Any]:
        """Every setting by its dotted name; a key is not shown."""
        values = {name: getattr(self, name) for name in NAMES}
        return {dotted(name): "(set)" if name.endswith("__key") and value else value for name, value in values.items()}


NAMES: tuple[str, ...] = tuple(one.name for one in fields(Settings))
_OF_MEMORIES = "memories__"


def dotted(name: str) -> str:
    """A setting as it is written in config.yml: memories__max_tries → memories.maxTries."""
    stem, rest = (_OF_MEMORIES, name.removeprefix(_OF_MEMORIES)) if name.startswith(_OF_MEMORIES) else ("", name)
    if stem:
        rest = re.sub(r"_([a-z])", lambda sign: sign[1].upper(), rest)
    return (stem + rest).replace("__", ".")


_SHORT = {"embedder": "embedder__name", "llm": "llm__name", "llm__smol": "llm__smol__name"}
"""`embedder: none` says the same as `embedder: {name: none}`."""
_NO_LIMIT = ("llm__tokens_per_run", "llm__tokens_per_day", "dream__tokens_per_run", "dream__seconds_per_run")
"""Where "none" takes the limit away."""
_LISTS = frozenset(("guard__personal", "dream__roots"))
_PERSONAL = ("email", "phone", "card")
_USUAL_KEYS = (
    ("llm__", "anthropic", "api.anthropic.com", "ANTHROPIC_API_KEY"),
    ("llm__", "openai", "api.openai.com", "OPENAI_API_KEY"),
    ("llm__smol__", "anthropic", "api.anthropic.com", "ANTHROPIC_API_KEY"),
    ("llm__smol__", "openai", "api.openai.com", "OPENAI_API_KEY"),
)
"""A provider that is named takes its key from where everybody puts it, for its own address alone."""


def _limit_problems(value: object, name: str) -> list[str]:
    return [] if value == "none" else checks.integer_problems(value, name, 0)


def _personal_problems(value: object) -> list[str]:
    chosen = [value] if isinstance(value, str) else value
    if not isinstance(chosen, (list, tuple)) or any(one not in _PERSONAL for one in chosen):
        return [f"guard.personal must be a list of {', '.join(_PERSONAL)}"]
    return []


def _seconds_problems(value: object, name: str) -> list[str]:
    return [] if value == "none" else checks.number_problems(value, name, 0.01, 1e9)


def _interval_problems(value: object, name: str) -> list[str]:
    return [] if value == "none" else duration_problems(value, name)


def _roots_problems(value: object) -> list[str]:
    chosen = [value] if isinstance(value, str) else value
    if not isinstance(chosen, (list, tuple)):
        return ["dream.roots must be a list of folders, such as ~/code/api or /project/api=~/code/api"]
    return [problem for one in chosen for problem in checks.string_problems(one, "dream.roots", 4096)]


def _prefix_problems(value: object, name: str) -> list[str]:
    return [] if value == "" else checks.string_problems(value, name)


_CHECKS = {
    "db": lambda v: checks.string_problems(v, "db", 4096),
    "namespace": lambda v: checks.string_problems(v, "namespace"),
    "policy": lambda v: checks.string_problems(v, "policy", 4096),
    "upkeep__interval": lambda v: duration_problems(v, "upkeep.interval"),
    "upkeep__on_open": lambda v: checks.flag_problems(v, "upkeep.on_open"),
    "purge__wait_seconds": lambda v: checks.number_problems(v, "purge.wait_seconds", 0, 3600),
    "embedder__name": lambda v: checks.string_problems(v, "embedder.name"),
    "embedder__url": lambda v: checks.string_problems(v, "embedder.url", 4096),
    "embedder__model": lambda v: checks.string_problems(v, "embedder.model"),
    "embedder__key": lambda v: checks.string_problems(v, "embedder.key", 4096),
    "embedder__dimensions": lambda v: checks.integer_problems(v, "embedder.dimensions", 1, 8192),
    "embedder__timeout_seconds": lambda v: checks.number_problems(v, "embedder.timeout_seconds", 0.01, 3600),
    "embedder__query_prefix": lambda v: _prefix_problems(v, "embedder.query_prefix"),
    "embedder__document_prefix": lambda v: _prefix_problems(v, "embedder.document_prefix"),
    "llm__name": lambda v: checks.string_problems(v, "llm.name"),
    "llm__url": lambda v: checks.string_problems(v, "llm.url", 4096),
    "llm__model": lambda v: checks.string_problems(v, "llm.model", 4096),
    "llm__key": lambda v: checks.string_problems(v, "llm.key", 4096),
    "llm__timeout_seconds": lambda v: checks.number_problems(v, "llm.timeout_seconds", 0.01, 3600),
    "llm__smol__name": lambda v: checks.string_problems(v, "llm.smol.name"),
    "llm__smol__url": lambda v: checks.string_problems(v, "llm.smol.url", 4096),
    "llm__smol__model": lambda v: checks.string_problems(v, "llm.smol.model", 4096),
    "llm__smol__key": lambda v: checks.string_problems(v, "llm.smol.key", 4096),
    "llm__tokens_per_run": lambda v: _limit_problems(v, "llm.tokens_per_run"),
    "llm__tokens_per_day": lambda v: _limit_problems(v, "llm.tokens_per_day"),
    "llm__prompts": lambda v: checks.string_problems(v, "llm.prompts", 4096),
    "guard__personal": _personal_problems,
    "dream__interval": lambda v: _interval_problems(v, "dream.interval"),
    "dream__roots": _roots_problems,
    "dream__seconds_per_run": lambda v: _seconds_problems(v, "dream.seconds_per_run"),
    "dream__tokens_per_run": lambda v: _limit_problems(v, "dream.tokens_per_run"),
    "consolidation__enabled": lambda v: checks.flag_problems(v, "consolidation.enabled"),
    "memories__enabled": lambda v: checks.flag_problems(v, "memories.enabled"),
    "memories__max_rollout_age_days": lambda v: checks.number_problems(v, "memories.maxRolloutAgeDays", 0, 36_500),
    "memories__min_rollout_idle_hours": lambda v: checks.number_problems(v, "memories.minRolloutIdleHours", 0, 87_600),
    "memories__max_rollouts_per_startup": lambda v: checks.integer_problems(v, "memories.maxRolloutsPerStartup", 0),
    "memories__summary_injection_token_limit": lambda v: checks.integer_problems(
        v, "memories.summaryInjectionTokenLimit", 0
    ),
    "memories__stage_one_concurrency": lambda v: checks.integer_problems(v, "memories.stageOneConcurrency", 1, 64),
    "memories__stage_one_token_limit": lambda v: checks.integer_problems(v, "memories.stageOneTokenLimit", 100),
    "memories__stage_one_lease_seconds": lambda v: checks.number_problems(
        v, "memories.stageOneLeaseSeconds", 1, 86_400
    ),
    "memories__stage_two_token_limit": lambda v: checks.integer_problems(v, "memories.stageTwoTokenLimit", 100),
    "memories__stage_two_lease_seconds": lambda v: checks.number_problems(
        v, "memories.stageTwoLeaseSeconds", 1, 86_400
    ),
    "memories__max_tries": lambda v: checks.integer_problems(v, "memories.maxTries", 1, 1000),
    "memories__retry_minutes": lambda v: checks.number_problems(v, "memories.retryMinutes", 0, 10_080),
    "memories__artifacts": lambda v: checks.string_problems(v, "memories.artifacts", 4096),
    "memories__background": lambda v: checks.flag_problems(v, "memories.background"),
    "recall__log": lambda v: checks.flag_problems(v, "recall.log"),
    "recall__per_session": lambda v: checks.integer_problems(v, "recall.per_session", 0, 1000),
    "bench__data": lambda v: checks.string_problems(v, "bench.data", 4096),
}


def load(given: Mapping[str, Any] | None = None, environment: Mapping[str, str] | None = None) -> Settings:
    """The settings in force; InvalidInput naming every problem and where it stands."""
    environment = os.environ if environment is None else environment
    layers = (
        (str(config_path(environment)), _from_file(config_path(environment))),
        ("the environment", _from_environment(environment)),
        ("the arguments", _flat(given or {})),
    )
    values: dict[str, Any] = {}
    problems: list[str] = []
    for where, layer in layers:
        for name, value in layer.items():
            name = _known(name)
            if value is None and any(one.startswith(name + "__") for one in NAMES):
                continue  # a block with nothing in it
            if name not in NAMES:
                problems.append(f"{where}: unknown setting {name.replace('__', '.')!r}")
            elif value is not None:
                problems += (f"{where}: {problem}" for problem in _CHECKS[name](value))
                values[name] = value
    if problems:
        raise InvalidInput([*problems, f"known settings are {', '.join(map(dotted, NAMES))}"])
    for name in _LISTS & values.keys():
        chosen = values[name]
        values[name] = (chosen,) if isinstance(chosen, str) else tuple(chosen)
    values |= {name: None for name in _NO_LIMIT if values.get(name) == "none"}
    return Settings(**values | _keys(values, environment))


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
                found[name] = _READ.get(name, str)(text)
    return found


def _variables(name: str) -> tuple[str, ...]:
    """How a setting may be called in the environment."""
    usual = PREFIX + name.upper()
    if not name.startswith(_OF_MEMORIES):
        return (usual,)
    return PREFIX + _OF_MEMORIES.upper() + name.removeprefix(_OF_MEMORIES).replace("_", "").upper(), usual


def _flag(text: str) -> bool | str:
    return {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}.get(text.lower(), text)


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _integer(text: str) -> int | str:
    try:
        return int(text)
    except ValueError:
        return text


def _listed(text: str) -> list[str]:
    return [one.strip() for one in text.split(",") if one.strip()]


_READ: dict[str, Callable[[str], Any]] = {
    "purge__wait_seconds": _number,
    "upkeep__on_open": _flag,
    "embedder__dimensions": _integer,
    "embedder__timeout_seconds": _number,
    "llm__timeout_seconds": _number,
    "llm__tokens_per_run": _integer,
    "llm__tokens_per_day": _integer,
    "guard__personal": _listed,
    "dream__roots": _listed,
    "dream__seconds_per_run": _number,
    "dream__tokens_per_run": _integer,
    "consolidation__enabled": _flag,
    "memories__enabled": _flag,
    "memories__max_rollout_age_days": _number,
    "memories__min_rollout_idle_hours": _number,
    "memories__max_rollouts_per_startup": _integer,
    "memories__summary_injection_token_limit": _integer,
    "memories__stage_one_concurrency": _integer,
    "memories__stage_one_token_limit": _integer,
    "memories__stage_one_lease_seconds": _number,
    "memories__stage_two_token_limit": _integer,
    "memories__stage_two_lease_seconds": _number,
    "memories__max_tries": _integer,
    "memories__retry_minutes": _number,
    "memories__background": _flag,
    "recall__log": _flag,
    "recall__per_session": _integer,
}


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
