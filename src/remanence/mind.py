"""Mind: the one facade. It opens the store, holds the clock, and hands each verb to its flow."""

from __future__ import annotations

import secrets
import threading
import weakref
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from remanence import settings as settings_
from remanence.errors import InvalidInput, StoreError
from remanence.facets.absorbing import Absorbing
from remanence.facets.actions import Actions, Working
from remanence.facets.ageing import Ageing
from remanence.facets.artifacts import Artifacts, Guiding
from remanence.facets.by_hand import ByHand
from remanence.facets.care import Care
from remanence.facets.chronicle import Chronicle
from remanence.facets.dreaming import Dreaming, Dreams
from remanence.facets.entities import Entities
from remanence.facets.lessons import Lessons
from remanence.facets.meaning import Meaning
from remanence.facets.on_request import OnRequest
from remanence.facets.policies import Policies
from remanence.facets.review import Review
from remanence.facets.sessions import Sessions
from remanence.flows.apply import apply as apply_plan
from remanence.flows.find import found
from remanence.flows.listing import counts, listed
from remanence.flows.remember import drafts_from
from remanence.model.draft import DEFAULTS, draft_from
from remanence.model.extraction import Extraction
from remanence.model.hit import Absorbed, Hits, Remembered, WhyNot
from remanence.model.ids import Ids
from remanence.model.memory import Memory
from remanence.model.moment import moment_problems
from remanence.model.plan import Plan, Receipt
from remanence.model.selection import listing
from remanence.opening import encoder_of, opened, prompts_of, writers_of
from remanence.settings import Settings
from remanence.store.holder import this_process

now_utc = partial(datetime.now, UTC)
"""The clock, where none is given."""


def is_address(location: object) -> bool:
    """Whether a location is the address of a server."""
    return isinstance(location, str) and location.lower().startswith(("http://", "https://"))


class Mind(ByHand, Ageing, Dreaming, Working, Guiding, OnRequest, Chronicle, Care):
    """A memory that knows how to forget.

    - location: None for the user's data folder, ":memory:", a path, "postgresql://…", or a server's "http://…".
    - namespace: the wall between tenants; policy: a preset's name, a path to a policy or a config.yml, or a Policy.
    - clock: () -> aware datetime. entropy: (n) -> n random bytes; with both of your own a run can be replayed.
    - embedder, llm: an object, a function, or what `settings` may name; without a model, texts are read by rules.
      For llm also the whole block of the settings, as a mapping.
    - settings: Settings, or a mapping of them by name; else those of the environment and config.yml.
    """

    def __new__(cls, location: str | Path | None = None, **options: Any) -> Mind:
        """A server's address gives a client: the same mind, kept there."""
        if cls is Mind and is_address(settings_.store_of(options.get("settings")) if location is None else location):
            from remanence.client import Client

            return object.__new__(Client)
        return object.__new__(cls)

    def __init__(
        self,
        location: str | Path | None = None,
        *,
        namespace: str | None = None,
        policy: object = None,
        clock: Callable[[], datetime] | None = None,
        embedder: object = None,
        llm: object = None,
        settings: Settings | Mapping[str, Any] | None = None,
        entropy: Callable[[int], bytes] | None = None,
    ) -> None:
        if settings is not None and not isinstance(settings, (Settings, Mapping)):
            raise InvalidInput(f"settings must be Settings or a mapping, not {type(settings).__name__}")
        if clock is not None and not callable(clock):
            raise InvalidInput(f"clock must be a function that returns a datetime, not {type(clock).__name__}")
        if entropy is not None and not callable(entropy):
            raise InvalidInput(f"entropy must be a function that returns bytes, not {type(entropy).__name__}")
        self.settings = settings if isinstance(settings, Settings) else settings_.load(settings)
        if isinstance(llm, Mapping) and "name" in llm:
            self.settings, llm = settings_.with_llm(self.settings, llm), None
        self.clock = clock or now_utc
        entropy = entropy or secrets.token_bytes
        self._new_id = Ids(entropy, threading.Lock())
        self._holder = this_process()
        self._personal = self.settings.guard__personal
        self._wait_seconds = self.settings.purge__wait_seconds
        where = self.settings.location() if location is None else location
        self._store = opened(where, self.settings.namespace if namespace is None else namespace, self.settings)
        self._finalizer = weakref.finalize(self, self._store.close)
        try:
            self.policies = Policies(self._store, self._now, policy, self.settings.policy)
            encoder = encoder_of(embedder, self.settings)
            writers = writers_of(llm, self.settings, self._store, self._now)
            prompts = prompts_of(self.settings)
            self.absorbing = Absorbing(self._store, encoder, writers, prompts, entropy, self._personal)
            self.review = Review(self._store, self._now)
            self.meaning = Meaning(
                self._store,
                encoder,
                self.policies,
                self._now,
                self._holder,
                background=clock is None,
                log=self.settings.recall__log,
                per_session=self.settings.recall__per_session,
                personal=self._personal,
            )
            personal, asking = self._personal, self.absorbing.asking
            self.actions = Actions(self._store, encoder, asking, self._now, self._new_id, personal)
            self.lessons = Lessons(
                self._store, encoder, lambda: self.policies.current, self._now, self._new_id, personal
            )
            self.entities = Entities(self._store)
            path = None if str(where) == ":memory:" else self.settings.beside(where)
            self.artifacts = Artifacts(self._store, self.policies, self.absorbing, self._now, self.settings, path)
            self.dreams = Dreams(
                self._store,
                self.policies,
                self.meaning,
                self.absorbing,
                self._now,
                self._new_id,
                self._holder,
                self.settings,
                self.artifacts,
            )
            self.sessions = Sessions(
                self._store,
                encoder,
                self.policies,
                self.absorbing,
                self._now,
                self._new_id,
                self._holder,
                self.settings,
                path,
                self.artifacts,
            )
            if self.settings.upkeep__on_open:
                with suppress(StoreError):  # a store that is busy, full or read-only still opens
                    self.sessions.drain()
                    self.upkeep(if_overdue=True)
        except BaseException:
            self._finalizer()
            raise

    def __enter__(self) -> Mind:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Write what is pending and close; calling it again does nothing."""
        if self._finalizer.detach() is not None:
            self.meaning.close()
            self.artifacts.close()
            self._store.close()

    @property
    def namespace(self) -> str:
        return self._store.namespace

    # -- writing

    def remember(
        self,
        text: str,
        *,
        scope: str = "/",
        kind: str = "fact",
        layer: str | None = None,
        categories: Iterable[str] = (),
        concepts: Iterable[str] = (),
        files: Iterable[str] = (),
        importance: float | None = None,
        source: str = "human",
        valence: float = 0.0,
        confidence: float = 1.0,
        ttl: str | timedelta | None = None,
        expires_at: datetime | None = None,
        pinned: bool = False,
        exempt: bool = False,
        metadata: dict[str, Any] | None = None,
        created_at: datetime | None = None,
        origin: str | None = None,
        lineage: Iterable[str] = (),
        key: str | None = None,
        relearn: bool = False,
    ) -> Remembered:
        """Store a statement: added, or the next version of an older one, or known already."""
        values = {name: value for name, value in locals().items() if name != "self" and value is not DEFAULTS.get(name)}
        return self.meaning.remember([draft_from(values)], self._now(), self._new_id)[0]

    def remember_many(self, items: Iterable[str | dict[str, Any]]) -> list[Remembered]:
        """Store many: texts, or dicts of remember's arguments; a transaction and a receipt a batch."""
        if isinstance(items, (str, bytes, Mapping)) or not isinstance(items, Iterable):
            raise InvalidInput(f"items must be a list of texts or dicts, not {type(items).__name__}")
        return self.meaning.remember(drafts_from(items), self._now(), self._new_id)

    def revise(
        self,
        id: str,
        *,
        text: str | None = None,
        importance: float | None = None,
        scope: str | None = None,
        categories: Iterable[str] | None = None,
        **others: Any,
    ) -> Remembered:
        """A new version of a memory with some fields changed."""
        changes = {"text": text, "importance": importance, "scope": scope, "categories": categories, **others}
        revised = self.meaning.revise(id, changes, self._now(), self._new_id)
        self.artifacts.refresh()
        return revised

    def extract(self, text: str) -> Extraction:
        """The atomic statements of a text, each standing alone; nothing is stored."""
        return self.absorbing.extract(text)

    def absorb(self, text: str, **like_remember: Any) -> Absorbed:
        """Take a text apart and remember each fact, with lineage to one archived memory that holds the text."""
        return self.absorbing.absorb(text, like_remember, self._now(), self._new_id)

    def memory_tool(self, action: str, **arguments: Any) -> dict[str, Any]:
        """One tool for an agent: add, extract, forget, restore, recall, list, explain; see remanence.tools."""
        from remanence.tools.memory import memory_tool

        return memory_tool(self, action, **arguments)

    # -- reading

    def recall(
        self,
        query: str | None = None,
        *,
        scope: str | Iterable[str] | None = None,
        limit: int = 10,
        layers: str | Iterable[str] | None = None,
        kinds: str | Iterable[str] | None = None,
        categories: str | Iterable[str] | None = None,
        sources: str | Iterable[str] | None = None,
        include: str = "live",
        as_of: datetime | str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        budget_tokens: int | None = None,
        reinforce: bool = True,
        like: str | None = None,
        files: str | Iterable[str] | None = None,
        least: float = 0.0,
    ) -> Hits:
        """The memories that answer a query, an example (the id of a memory like them) or files they name, best first.

        `least` is how well they must answer, from 0 to 1. What is returned counts as accessed.
        """
        return self.meaning.recall(self._now(), {name: value for name, value in locals().items() if name != "self"})

    def context(self, query: str | None = None, *, budget_tokens: int = 2000, **like_recall: Any) -> str:
        """Recalled memories in a frame that marks them as data, not instructions, ready for a prompt."""
        asked = {"query": query, **like_recall}
        return self.meaning.context(self._now(), asked, budget_tokens, self.absorbing.boundary())

    def why_not(self, query: str | None, id: str, **like_recall: Any) -> WhyNot:
        """Why a memory does not come when this is asked, or at which place it does; recall's arguments are known."""
        return self.meaning.why_not(id, self._now(), like_recall | {"query": query})

    def get(self, id: str) -> Memory:
        """The memory with this id, in whatever state."""
        return found(self._store, id)

    def list(
        self,
        scope: str | Iterable[str] | None = None,
        state: str = "live",
        kind: str | None = None,
        layer: str | None = None,
        limit: int = 100,
        offset: int = 0,
        *,
        after: str | None = None,
        source: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        ids: Iterable[str] | None = None,
        order: str = "newest",
        words: str | None = None,
    ) -> list[Memory]:
        """Memories, newest first; those after a place (`str(Place.of(memory))`), whatever was written meanwhile.

        `since` and `until` are about when they were born, in words as recall takes them; `ids` are at most 1000.
        `order`: newest, oldest, importance, recalled (the last first), recalls (the most first). With `words`, those
        that hold them, best first whatever the order, in the state asked for; nothing is reinforced by looking.
        """
        return listed(self._store, self._now(), **{name: value for name, value in locals().items() if name != "self"})

    def count(
        self,
        scope: str | Iterable[str] | None = None,
        state: str = "live",
        kind: str | None = None,
        layer: str | None = None,
        *,
        source: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
    ) -> int:
        """How many memories there are."""
        filters = {name: value for name, value in locals().items() if name != "self"}
        return self._store.count(listing(self._now(), [], **filters))

    def counts(
        self,
        of: str,
        scope: str | Iterable[str] | None = None,
        state: str = "live",
        kind: str | None = None,
        layer: str | None = None,
        *,
        source: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
    ) -> Mapping[str, int]:
        """How many memories there are of each scope, kind, layer, source or state, the most first."""
        return counts(self._store, self._now(), **{name: value for name, value in locals().items() if name != "self"})

    # -- plans

    def apply(self, plan: Plan, strict: bool = False, force: bool = False) -> Receipt:
        """Apply a plan in one transaction."""
        if not isinstance(plan, Plan):
            raise InvalidInput(f"apply takes a Plan, not {type(plan).__name__}")
        receipt = apply_plan(
            self._store,
            plan,
            self._now(),
            strict=strict,
            force=force,
            personal=self._personal,
            encoder=self.meaning.encoder,
        )
        self.artifacts.refresh()
        return receipt

    def _now(self) -> datetime:
        now = self.clock()
        if problems := moment_problems(now, "the clock's time"):
            raise InvalidInput(problems)
        return now.astimezone(UTC)


Mind.__new__.__wrapped__ = Mind.__init__  # type: ignore[attr-defined]  # the signature that inspect shows
