"""Which encoder a setting means. What is chosen is loaded at first use; here nothing heavy is imported.

None, "bundled"         the bundled embedder
False, "none"           none: recall goes by words alone
"endpoint", "openai"    an OpenAI-compatible endpoint at `url`
another name            an entry point of the group `remanence.embedders`
an object with embed    as it is; also a plain function from texts to vectors
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from remanence.errors import EmbedderFailed, InvalidInput
from remanence.providers.bundled.embedder import Bundled
from remanence.providers.checked import MOST_DIMENSIONS, TIMEOUT_SECONDS, Checked
from remanence.providers.naming import entry_point, loaded, name_of, option_problems, shown

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from remanence.providers.protocol import Encoder

GROUP = "remanence.embedders"
_ALLOWED = (
    'embedder must be "bundled", "none", "endpoint" (with url and model), the name of an installed embedder, '
    "an object with a method embed(texts), or a function from texts to vectors"
)


def encoder_for(
    embedder: object = None,
    *,
    url: str | None = None,
    model: str | None = None,
    key: str | None = None,
    dimensions: int | None = None,
    timeout_seconds: float = TIMEOUT_SECONDS,
    query_prefix: str = "",
    document_prefix: str = "",
) -> Encoder | None:
    """The encoder that `embedder` means, or None for none. `url` and `key` are for endpoints alone."""
    _check_options(model, dimensions, timeout_seconds, query_prefix, document_prefix)
    checked = partial(
        Checked, timeout_seconds=timeout_seconds, query_prefix=query_prefix, document_prefix=document_prefix
    )
    if embedder is False or embedder == "none":
        return None
    if embedder is None or embedder == "bundled":
        if url:
            raise InvalidInput(
                'a url is given, and the embedder is "bundled": say embedder "endpoint", or leave url out'
            )
        if dimensions not in (None, Bundled.dimension):
            raise InvalidInput(f"the bundled embedder gives {Bundled.dimension} dimensions, not {dimensions}")
        return checked(Bundled(), dimension=Bundled.dimension)
    if embedder in ("endpoint", "openai"):
        missing = [name for name, value in (("url", url), ("model", model)) if not value]
        if not url or not model:
            raise InvalidInput([f'embedder "{embedder}" needs {name}' for name in missing])
        from remanence.providers.endpoint import Endpoint

        # A little less than the deadline around it, so that what is said is what went wrong, not that it took long.
        limit = timeout_seconds * 0.9
        endpoint = Endpoint(url, model, key=key, dimensions=dimensions, timeout_seconds=limit)
        return checked(endpoint, dimension=dimensions)
    if isinstance(embedder, str):
        return checked(
            Named(entry_point(GROUP, embedder, what="embedder", allowed=_ALLOWED), model), dimension=dimensions
        )
    if isinstance(embedder, type) or not _embeds(embedder):
        raise InvalidInput(f"{_ALLOWED}; not {shown(embedder)}")
    brought = Brought(embedder, model)
    return checked(brought, dimension=dimensions or brought.dimension)


class Brought:
    """An Embedder over what the user brought: an object with `embed`, or a function."""

    def __init__(self, embedder: Any, model: str | None = None) -> None:
        self._embed: Callable[[Sequence[str]], Any] = getattr(embedder, "embed", embedder)
        self.model = model or name_of(embedder)
        self.local = getattr(embedder, "local", False) is True
        self.concurrent = getattr(embedder, "concurrent", False) is True
        dimension = getattr(embedder, "dimension", None)
        self.dimension = dimension if isinstance(dimension, int) and 1 <= dimension <= MOST_DIMENSIONS else None

    def embed(self, texts: Sequence[str]) -> Any:
        return self._embed(texts)

    def __repr__(self) -> str:
        return f"Brought({self.model!r})"


class Named:
    """An Embedder that an installed package offers; its code is imported at first use."""

    def __init__(self, entry: EntryPoint, model: str | None = None) -> None:
        self._entry = entry
        self._model = model
        self._lock = threading.Lock()
        self._loaded: Brought | None = None

    @property
    def model(self) -> str:
        return self._model or self._load().model

    @property
    def local(self) -> bool:
        return self._of("local")

    @property
    def concurrent(self) -> bool:
        return self._of("concurrent")

    def embed(self, texts: Sequence[str]) -> Any:
        return self._load().embed(texts)

    def __repr__(self) -> str:
        return f"Named({self._entry.name!r})"

    def _of(self, name: str) -> bool:
        try:
            return bool(getattr(self._load(), name))
        except EmbedderFailed:
            return False

    def _load(self) -> Brought:
        with self._lock:
            if self._loaded is None:
                found = loaded(self._entry, "embed", "texts", what="embedder", failure=EmbedderFailed)
                self._loaded = Brought(found, self._model)
            return self._loaded


def _embeds(embedder: object) -> bool:
    return callable(getattr(embedder, "embed", None)) or callable(embedder)


def _check_options(
    model: object, dimensions: object, timeout_seconds: object, query_prefix: object, document_prefix: object
) -> None:
    problems = option_problems(model, timeout_seconds)
    if dimensions is not None and not (type(dimensions) is int and 1 <= dimensions <= MOST_DIMENSIONS):
        problems.append(f"dimensions must be a whole number from 1 to {MOST_DIMENSIONS}, not {shown(dimensions)}")
    for name, prefix in (("query_prefix", query_prefix), ("document_prefix", document_prefix)):
        if not isinstance(prefix, str) or len(prefix) > 1_000:
            problems.append(f"{name} must be text of at most 1,000 characters")
    if problems:
        raise InvalidInput(problems)
