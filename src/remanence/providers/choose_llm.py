"""Which language models a setting means. None is the normal case, and then there are no writers.

None, False, "none"      none
"openai", "endpoint"     an OpenAI-compatible endpoint at `url`, with `model` and perhaps a `key`
"anthropic"              Anthropic's messages API, with `model` and `key`
"local"                  a small model in this process; `path` is that of another GGUF file
another name             an entry point of the group `remanence.llms`
a mapping                one of these as `provider`, with its options
an object with complete  as it is; also a plain function from text to text, which finds the schema in its prompt

There are two roles: `default`, and `smol` for short and frequent work, which is nothing without a `default`. A mapping
for `smol` that names no provider has the options of `default`, changed by its own; but a key goes to the address it was
given for and to no other. Nothing heavy is imported here, and nothing is asked.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remanence.errors import InvalidInput
from remanence.providers.answers import Unfinished, with_schema
from remanence.providers.metered import TIMEOUT_SECONDS, Metered
from remanence.providers.naming import entry_point, loaded, name_of, option_problems, shown
from remanence.providers.protocol import Llm, Purse, Writer
from remanence.providers.spending import Account

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "remanence.llms"
_OPTIONS = {
    "openai": ("url", "model", "key"),
    "endpoint": ("url", "model", "key"),
    "anthropic": ("url", "model", "key"),
    "local": ("path", "context_tokens", "threads"),
}
_NEEDED = {"openai": ("url", "model"), "endpoint": ("url", "model"), "anthropic": ("model",), "local": ()}
_ALLOWED = (
    'llm must be "none", "openai" (with url and model), "anthropic" (with model and key), "local", the name of an '
    "installed language model, a mapping with name and its options, an object with a method "
    "complete(prompt, system, schema, most_tokens), or a function from text to text"
)


class Writers:
    """The writers of one run, by role."""

    def __init__(self, default: Writer, smol: Writer, account: Account) -> None:
        self.default = default
        self.smol = smol
        self._account = account

    @property
    def spent(self) -> int:
        """Tokens of this run, in and out, of both roles."""
        return self._account.spent

    def __repr__(self) -> str:
        return f"Writers(default={self.default!r}, smol={self.smol!r})"


def writers_for(
    llm: object = None,
    smol: object = None,
    *,
    purse: Purse | None,
    clean: Callable[[str], str],
    today: Callable[[], str],
    tokens_per_run: int | None,
    tokens_per_day: int | None,
    **options: Any,
) -> Writers | None:
    """The writers that `llm` and `smol` mean, or None for none. `options` are those of `llm`.

    `clean` takes secrets out of all that leaves; `today` names the UTC day that tokens are counted for. A ceiling of
    None is none, one of 0 lets nothing through.
    """
    problems = [
        f"{name} must be a whole number of at least 0, or None for no limit; not {shown(most)}"
        for name, most in (("tokens_per_run", tokens_per_run), ("tokens_per_day", tokens_per_day))
        if most is not None and not (type(most) is int and most >= 0)
    ]
    if problems:
        raise InvalidInput(problems)
    if _is_none(llm):
        if llm is None and options.get("url"):
            raise InvalidInput('a url is given and llm is not: say llm "openai" or "anthropic", or leave url out')
        return None
    account = Account(purse, today, tokens_per_run=tokens_per_run, tokens_per_day=tokens_per_day)

    def writer(given: object) -> Writer:
        made, timeout_seconds = _llm(given)
        return Metered(made, account=account, clean=clean, timeout_seconds=timeout_seconds)

    given = _with_options(llm, options)
    default = writer(given)
    if _is_none(smol):
        return Writers(default, default, account)
    if isinstance(smol, Mapping) and "provider" not in smol and isinstance(given, Mapping):
        elsewhere = smol.get("url") not in (None, given.get("url"))
        smol = {**given, **({"key": None} if elsewhere else {}), **smol}
    return Writers(default, writer(smol), account)


def _is_none(llm: object) -> bool:
    return llm is None or llm is False or llm == "none" or (isinstance(llm, Mapping) and not llm)


def _with_options(llm: object, options: Mapping[str, Any]) -> object:
    given = {name: value for name, value in options.items() if value is not None}
    if isinstance(llm, Mapping):
        return {**given, **llm}
    return {"provider": llm, **given} if given or isinstance(llm, str) else llm


def _llm(given: object) -> tuple[Llm, float]:
    """(the language model, its timeout)"""
    settings: Mapping[str, Any] = given if isinstance(given, Mapping) else {"provider": given}
    options = {name: value for name, value in settings.items() if value is not None}
    provider: Any = options.pop("provider", None)
    model = options.get("model")
    timeout_seconds = options.pop("timeout_seconds", TIMEOUT_SECONDS)
    known = isinstance(provider, str) and provider in _OPTIONS
    taken = _OPTIONS[provider] if known else ("model",)
    name = f"llm {shown(provider)}"
    problems = option_problems(model, timeout_seconds)
    if provider is None:
        raise InvalidInput('the mapping for llm has no name; for example "openai", with url and model')
    problems += [f"{name} has no option {shown(one)}" for one in options if one not in taken]
    for one in _NEEDED[provider] if known else ():
        if not options.get(one):
            problems.append(f"{name} needs {one}")
    if provider == "anthropic" and not options.get("key") and not options.get("url"):
        problems.append(f"{name} needs key")
    problems += _number_problems(options) if provider == "local" else []
    for one in ("url", "key"):
        if not isinstance(options.get(one, ""), str):
            problems.append(f"{one} must be text")
    if problems:
        raise InvalidInput(problems)
    # A little less than the deadline around it, so that what is said is what went wrong, not that it took long.
    limit = timeout_seconds * 0.9
    if provider in ("openai", "endpoint"):
        from remanence.providers.chat import chat

        return chat(**options, timeout_seconds=limit), timeout_seconds
    if provider == "anthropic":
        from remanence.providers.anthropic import anthropic

        return anthropic(**options, timeout_seconds=limit), timeout_seconds
    if provider == "local":
        from remanence.providers.local import Local

        return Local(**options, timeout_seconds=limit), timeout_seconds
    if isinstance(provider, str):
        entry = entry_point(GROUP, provider, what="language model", allowed=_ALLOWED)
        return NamedLlm(entry, model), timeout_seconds
    if isinstance(provider, type) or not _completes(provider):
        raise InvalidInput(f"{_ALLOWED}; not {shown(provider)}")
    return BroughtLlm(provider, model), timeout_seconds


def _number_problems(options: Mapping[str, Any]) -> list[str]:
    problems = []
    for name, most in (("context_tokens", 1_048_576), ("threads", 256)):
        given = options.get(name, 1)
        if type(given) is not int or not 1 <= given <= most:
            problems.append(f"{name} must be a whole number from 1 to {most:,}, not {shown(given)}")
    if not isinstance(options.get("path", ""), str | Path):
        problems.append("path must be that of a file")
    return problems


def _completes(llm: object) -> bool:
    return callable(getattr(llm, "complete", None)) or callable(llm)


class BroughtLlm:
    """An Llm over what the user brought: an object with `complete`, or a function from text to text."""

    def __init__(self, llm: Any, model: str | None = None) -> None:
        self._complete = getattr(llm, "complete", None)
        self._function = llm
        self.model = model or name_of(llm)
        self.concurrent = getattr(llm, "concurrent", False) is True

    def complete(
        self, prompt: str, *, system: str = "", schema: Mapping[str, Any] | None = None, most_tokens: int = 1024
    ) -> Any:
        if self._complete is not None:
            return self._complete(prompt, system=system, schema=schema, most_tokens=most_tokens)
        if schema is not None:
            prompt = with_schema(prompt, schema)
        return self._function(f"{system}\n\n{prompt}" if system else prompt)

    def __repr__(self) -> str:
        return f"BroughtLlm({self.model!r})"


class _NotLoaded(Unfinished):
    def __init__(self, message: str) -> None:
        super().__init__(message, sent=0)


class NamedLlm:
    """An Llm that an installed package offers; its code is imported at first use."""

    concurrent = False

    def __init__(self, entry: EntryPoint, model: str | None = None) -> None:
        self._entry = entry
        self._model = model
        self._lock = threading.Lock()
        self._loaded: BroughtLlm | None = None

    @property
    def model(self) -> str:
        """Its own name once it is loaded, before that the entry point's."""
        return self._model or (self._loaded.model if self._loaded else self._entry.name)

    def complete(
        self, prompt: str, *, system: str = "", schema: Mapping[str, Any] | None = None, most_tokens: int = 1024
    ) -> Any:
        with self._lock:
            if self._loaded is None:
                found = loaded(self._entry, "complete", "prompt", what="language model", failure=_NotLoaded)
                self._loaded = BroughtLlm(found, self._model)
                self.concurrent = self._loaded.concurrent
        return self._loaded.complete(prompt, system=system, schema=schema, most_tokens=most_tokens)

    def __repr__(self) -> str:
        return f"NamedLlm({self._entry.name!r})"
