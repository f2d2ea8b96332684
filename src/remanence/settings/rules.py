"""What each setting may hold, and how its text in the environment is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from remanence.model import checks
from remanence.model.duration import duration_problems
from remanence.model.scope import scope_problems

_PERSONAL = ("email", "phone", "card")


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


def _list_problems(value: object, name: str, what: str) -> list[str]:
    chosen = [value] if isinstance(value, str) else value
    if not isinstance(chosen, (list, tuple)):
        return [f"{name} must be a list of {what}"]
    return [problem for one in chosen for problem in checks.string_problems(one, name, 4096)]


def _prefix_problems(value: object, name: str) -> list[str]:
    return [] if value == "" else checks.string_problems(value, name)


CHECKS: dict[str, Callable[[Any], list[str]]] = {
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
    "dream__roots": lambda v: _list_problems(
        v, "dream.roots", "folders, such as ~/code/api or /project/api=~/code/api"
    ),
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
    "serve__host": lambda v: checks.string_problems(v, "serve.host"),
    "serve__port": lambda v: checks.integer_problems(v, "serve.port", 0, 65_535),
    "serve__hosts": lambda v: _list_problems(v, "serve.hosts", "names, such as memory.example.org"),
    "serve__origins": lambda v: _list_problems(v, "serve.origins", "origins, such as https://memory.example.org"),
    "serve__behind_proxy": lambda v: checks.flag_problems(v, "serve.behind_proxy"),
    "serve__tls_cert": lambda v: checks.string_problems(v, "serve.tls_cert", 4096),
    "serve__tls_key": lambda v: checks.string_problems(v, "serve.tls_key", 4096),
    "serve__requests_per_second": lambda v: checks.number_problems(v, "serve.requests_per_second", 0.1, 1e6),
    "serve__body_bytes": lambda v: checks.integer_problems(v, "serve.body_bytes", 1_000, 1_000_000_000),
    "serve__bulk_bytes": lambda v: checks.integer_problems(v, "serve.bulk_bytes", 1_000),
    "serve__seconds_per_call": lambda v: checks.number_problems(v, "serve.seconds_per_call", 0.1, 86_400),
    "serve__workers": lambda v: checks.integer_problems(v, "serve.workers", 1, 256),
    "serve__upkeep": lambda v: checks.flag_problems(v, "serve.upkeep"),
    "serve__tracing": lambda v: checks.flag_problems(v, "serve.tracing"),
    "mcp__scope": lambda v: scope_problems(v, "mcp.scope"),
    "mcp__read_only": lambda v: checks.flag_problems(v, "mcp.read_only"),
    "postgres__connections": lambda v: checks.integer_problems(v, "postgres.connections", 1, 1000),
    "postgres__statement_timeout_seconds": lambda v: checks.number_problems(
        v, "postgres.statement_timeout_seconds", 0.1, 86_400
    ),
    "postgres__replica": lambda v: checks.string_problems(v, "postgres.replica", 4096),
    "client__token": lambda v: checks.string_problems(v, "client.token", 4096),
    "client__timeout_seconds": lambda v: checks.number_problems(v, "client.timeout_seconds", 0.01, 86_400),
    "bench__data": lambda v: checks.string_problems(v, "bench.data", 4096),
}


def _flag(text: str) -> bool | str:
    said = text.strip().lower()
    return True if said in ("true", "1", "yes", "on") else False if said in ("false", "0", "no", "off") else text


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


READ: dict[str, Callable[[str], Any]] = {
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
    "serve__port": _integer,
    "serve__hosts": _listed,
    "serve__origins": _listed,
    "serve__behind_proxy": _flag,
    "serve__requests_per_second": _number,
    "serve__body_bytes": _integer,
    "serve__bulk_bytes": _integer,
    "serve__seconds_per_call": _number,
    "serve__workers": _integer,
    "serve__upkeep": _flag,
    "serve__tracing": _flag,
    "mcp__read_only": _flag,
    "postgres__connections": _integer,
    "postgres__statement_timeout_seconds": _number,
    "client__timeout_seconds": _number,
}
