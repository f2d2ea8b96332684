"""Notices of change: who wants to hear of which resource, and one look a second at what changed, by whomever.

A look reads the newest line of the journal, and the dates of the project's files; only where one of them moved is more
read. Nobody looks while nobody listens. Each grant has a watch of its own, so that no notice tells of another's ids.
Both ways of the protocol are served: resources/subscribe for a session, subscriptions/listen for a stream.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourcesListChanged, ResourceUpdated

from remanence.errors import NotFound, RemanenceError
from remanence.interfaces.mcp import resources
from remanence.interfaces.mcp.place import Place

if TYPE_CHECKING:
    from anyio.abc import TaskGroup
    from mcp.server.session import ServerSession

    from remanence.interfaces.grants import Grant

LOOK_SECONDS = 1.0
MOST_ADDRESSES = 1000
_NEWEST = 1000
_LOG = logging.getLogger("remanence.mcp")


@dataclass(slots=True)
class Seen:
    """What the last look saw."""

    head: str | None = None
    dates: object = None
    listed: tuple[str, ...] = ()
    contents: dict[str, bytes] = field(default_factory=dict)


@dataclass(slots=True)
class Listener:
    """A session, and the addresses it subscribed to."""

    session: ServerSession
    addresses: set[str] = field(default_factory=set)


class Watch:
    """What one grant's clients listen to."""

    def __init__(self, place: Place, grant: Grant) -> None:
        self._place, self.grant = place, grant
        self.listeners: dict[object, Listener] = {}
        self.streams: Counter[str] = Counter()
        self.open_streams = 0
        self.bus = InMemorySubscriptionBus()
        self.listen = ListenHandler(self.bus, max_subscriptions=256)
        self.is_running = False
        self._seen: Seen | None = None
        self._looking = anyio.Lock()

    @property
    def is_wanted(self) -> bool:
        return bool(self.listeners or self.open_streams)

    @property
    def addresses(self) -> set[str]:
        return set(self.streams).union(*(listener.addresses for listener in self.listeners.values()))

    async def run(self) -> None:
        """Look once a second for as long as somebody listens."""
        self.is_running = True
        try:
            while self.is_wanted:
                await anyio.sleep(LOOK_SECONDS)
                if self.addresses or self.open_streams or self._place.polls_unasked or self._place.is_open:
                    await self.look()
        finally:
            self.is_running = False
            self._seen = None

    async def look(self) -> None:
        """See what changed since the last look, and tell those who listen; the first look only sees."""
        async with self._looking:
            addresses = self.addresses
            try:
                changed, is_relisted = await self._place.run(lambda _: self._compared(addresses))
            except RemanenceError as error:
                _LOG.debug("a look for changes failed: %s", error)
                return
            except Exception:  # the door: whoever listens must not lose the server by it
                _LOG.exception("a look for changes failed")
                return
        await self._tell(changed, is_relisted=is_relisted)

    def _compared(self, addresses: Iterable[str]) -> tuple[set[str], bool]:
        """The addresses whose content changed, and whether the list did. On a worker thread."""
        project, before = self._place.project(self.grant), self._seen
        with self._place.both(self.grant) as (whole, mind):
            head = next((entry.place for entry in whole.journal(1)), None)
            folder = whole.artifacts.folder(project)
            artifacts = [address for address in addresses if resources.is_artifact(address)]
            if before is not None and (head, _dates(folder)) == (before.head, before.dates):
                new = [address for address in artifacts if address not in before.contents]
                before.contents |= {address: resources.fingerprint(mind, project, address) for address in new}
                return set(), False
            contents = {address: resources.fingerprint(mind, project, address) for address in artifacts}
            listed = tuple(one.address for one in resources.listed(mind, project))
            # Reading may have written the files anew.
            self._seen = Seen(head, _dates(folder), listed, contents)
            if before is None:
                return set(), False
            changed = {one for one, content in contents.items() if before.contents.get(one, content) != content}
            happened = whole.journal(_NEWEST, after=before.head) if before.head else whole.journal(_NEWEST)
            ids = {entry.memory_id for entry in happened}
            for address in addresses:
                if any(_is_inside(whole, mind, id) for id in resources.named(address, ids)):
                    changed.add(address)
        return changed, listed != before.listed

    async def _tell(self, changed: set[str], *, is_relisted: bool) -> None:
        for listener in list(self.listeners.values()):
            for address in changed & listener.addresses:
                await listener.session.send_resource_updated(address)
            if is_relisted:
                await listener.session.send_resource_list_changed()
        for address in changed & set(self.streams):
            await self.bus.publish(ResourceUpdated(address))
        if is_relisted:
            await self.bus.publish(ResourcesListChanged())


class Watches:
    """The watches of a server, one a grant; `group` runs them."""

    def __init__(self, place: Place, group: TaskGroup) -> None:
        self._place, self._group = place, group
        self._watches: dict[Grant, Watch] = {}

    def of(self, grant: Grant) -> Watch:
        return self._watches.setdefault(grant, Watch(self._place, grant))

    def opened(self, grant: Grant, connection: Any, session: ServerSession) -> Listener:
        """The listener of a connection; it is dropped when the connection closes."""
        watch = self.of(grant)
        key = id(connection)
        if key not in watch.listeners:
            watch.listeners[key] = Listener(session)
            connection.exit_stack.callback(self._closed, grant, key)
            self._begin(watch)
        return watch.listeners[key]

    async def streaming(self, grant: Grant, addresses: Iterable[str], serve: Callable[[Watch], Any]) -> Any:
        """Serve a stream of notices for as long as it lasts."""
        watch = self.of(grant)
        wanted = set(addresses)
        watch.open_streams += 1
        watch.streams.update(wanted)
        try:
            await watch.look()
            self._begin(watch)
            return await serve(watch)
        finally:
            watch.open_streams -= 1
            watch.streams.subtract(wanted)
            watch.streams = +watch.streams
            self._drop_unwanted(grant)

    def _begin(self, watch: Watch) -> None:
        if not watch.is_running:
            watch.is_running = True
            self._group.start_soon(self._run, watch)

    async def _run(self, watch: Watch) -> None:
        await watch.run()
        self._drop_unwanted(watch.grant)

    def _closed(self, grant: Grant, key: object) -> None:
        self.of(grant).listeners.pop(key, None)
        self._drop_unwanted(grant)

    def _drop_unwanted(self, grant: Grant) -> None:
        watch = self._watches.get(grant)
        if watch is not None and not watch.is_wanted and not watch.is_running:
            del self._watches[grant]


def _is_inside(whole: Any, mind: Any, id: str) -> bool:
    """Whether a client may hear of a memory: it finds it, or nobody does any more."""
    for one in (mind, whole):
        try:
            one.get(id)
        except NotFound:
            continue
        return one is mind
    return True


def _dates(folder: str) -> tuple[tuple[str, int, int], ...]:
    """Names, dates and sizes of a folder's files, two levels of skills among them."""
    found = []
    for path in (Path(folder), *sorted(Path(folder).glob("*")), *sorted(Path(folder).glob("skills/*"))):
        try:
            at = path.stat()
        except OSError:
            continue
        found.append((path.name, at.st_mtime_ns, at.st_size))
    return tuple(found)
