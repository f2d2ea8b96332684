"""Stage 2: what is remembered of a project becomes its files, under the lease of its job.

With a language model it is consolidated first, into memories; the files are then made of the memories alone, and are
the same without one. They are put in place inside a transaction of the store, which tells whether the lease is still
held and whether all that they tell of is still live: where not, nothing was written, or they are made anew. `refresh`
does the same without a model and without a lease, for files that tell of memories which have left recall.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remanence.errors import LeaseLost, RemanenceError, StoreError
from remanence.model.lease import Lease
from remanence.model.policy import Policy
from remanence.model.scope import holds
from remanence.model.selection import Selection
from remanence.model.session import Written
from remanence.places import folder_of
from remanence.providers.prompts import Prompts
from remanence.providers.protocol import Encoder
from remanence.sessions import artifacts
from remanence.sessions.artifacts import Changed, Moved
from remanence.sessions.choosing import is_told_of
from remanence.sessions.documents import Cited, cited_in, files_of, viewed
from remanence.store.protocol import Store

if TYPE_CHECKING:
    from remanence.flows.extract import Model

_LOG = logging.getLogger(__name__)
_TRIES = 5
_FORCED_FROM = 2
"""How many tries must have failed until what others prepare makes way: one of them may never go on."""


def stage_two(
    store: Store,
    encoder: Encoder | None,
    policy: Policy,
    project: str,
    folder: str,
    now: datetime,
    new_id: Callable[[datetime], str],
    *,
    model: Model | None,
    personal: Collection[str] = (),
    token_limit: int,
    injection_tokens: int,
    prompts: Prompts,
    lease: Lease,
    beat: Callable[[], None],
) -> Written:
    """Consolidate where there is a model, then write the files of a project; LeaseLost where another took over."""
    from remanence.sessions.consolidating import Consolidated, consolidated

    done = Consolidated()
    if model is not None:
        done = consolidated(
            store,
            encoder,
            policy,
            project,
            now,
            new_id,
            model=model,
            personal=personal,
            token_limit=token_limit,
            lease=lease,
            beat=beat,
        )
    beat()
    changed = _written(store, policy, project, folder, now, injection_tokens, prompts, personal, lease=lease, beat=beat)
    notes = list(done.notes)
    if changed.redacted:
        notes.append(f"{changed.redacted} secrets were redacted from the artifacts; look for more with: rem scan")
    notes += (f"{name} is somebody else's and was left as it is; rename it to get ours" for name in changed.foreign)
    return Written(
        project,
        folder,
        written=changed.written,
        kept=changed.kept,
        removed=changed.removed,
        llm=done.llm,
        receipt_id=done.receipt_id,
        notes=tuple(notes),
    )


def refresh(
    store: Store,
    policy: Policy,
    root: str,
    now: datetime,
    *,
    injection_tokens: int,
    prompts: Prompts,
    personal: Collection[str] = (),
    back: Collection[str] = (),
    forced: bool = True,
) -> None:
    """Write the files below the root anew that tell of memories which have left recall, or of which some are back.

    No model is asked. What cannot be written is taken away; a warning says so, since what led here is done already.
    Forced, what others are preparing makes way at once; else they find out by themselves.
    """
    scopes = _scopes(store, back)
    for folder in _folders(root):
        outdated = partial(_outdated, store, folder, root, now, scopes)
        try:
            if forced and artifacts.is_prepared(folder):  # perhaps of memories that have left recall
                with store.transaction():
                    artifacts.recovered(folder, forced=True)
            if outdated() is None:
                continue
            with store.transaction():  # in which nobody else puts files in place: before, it may have been half of them
                project = outdated()
            if project is not None:
                _rewritten(outdated, store, policy, project, folder, now, injection_tokens, prompts, personal)
        except StoreError:
            raise
        except RemanenceError as failed:
            _LOG.warning("The artifacts in %s may tell of memories that have left recall: %s", folder, failed)


def _rewritten(
    outdated: Callable[[], str | None], store: Store, policy: Policy, project: str, folder: str, *given: Any
) -> None:
    try:
        _written(store, policy, project, folder, *given)
    except StoreError:
        raise
    except RemanenceError:
        with store.transaction():
            if outdated() is not None:  # not where somebody else did it meanwhile
                artifacts.removed(folder)
        raise


def _written(
    store: Store,
    policy: Policy,
    project: str,
    folder: str,
    now: datetime,
    injection_tokens: int,
    prompts: Prompts,
    personal: Collection[str],
    *,
    lease: Lease | None = None,
    beat: Callable[[], None] = lambda: None,
) -> Changed:
    """The files as the memories are now; made anew where these changed before they were in place."""
    tries = 0
    while True:
        seen = artifacts.seen(folder)  # before the memories: whoever writes files after that knows of newer ones
        view = viewed(store, policy, project, now)
        if view.is_empty and _is_gone(store, project, folder):
            with _committing(store, lease, Cited(project), now):
                return Changed(removed=artifacts.removed(folder))
        files, cited = files_of(view, folder, injection_tokens, prompts, personal)
        beat()
        try:
            commit = partial(_committing, store, lease, cited, now)
            return artifacts.write(folder, files, commit=commit, personal=personal, seen=seen)
        except Moved:
            tries += 1
            if tries == _TRIES:
                raise
        if tries >= _FORCED_FROM:
            with store.transaction():
                artifacts.recovered(folder, forced=True)


@contextmanager
def _committing(store: Store, lease: Lease | None, cited: Cited, now: datetime) -> Iterator[None]:
    """A transaction in which the lease is held and all that is cited is live; LeaseLost or Moved where not."""
    with store.transaction():
        if lease is not None:
            job = store.job(lease.name)
            if (job.token, job.holder) != (lease.token, lease.holder):
                since = f"{job.holder} took over since" if job.holder else "it was done or taken back since"
                raise LeaseLost(
                    f"The job {lease.name!r} is no longer held by {lease.holder}: {since}. No artifact was written; "
                    "what is left to do is done by the next run"
                )
        if _is_outdated(store, cited, now):
            raise Moved("Memories that the artifacts tell of have left recall meanwhile.")
        yield


def _is_outdated(store: Store, cited: Cited, now: datetime) -> bool:
    """Whether something that is cited is no longer live, or has expired."""
    return bool(cited.told) and store.count(Selection(ids=tuple(cited.told), unexpired_at=now)) < len(cited.told)


def _is_gone(store: Store, project: str, folder: str) -> bool:
    """Whether nothing of a project is left that could come back, or there are no files of it that would have to."""
    if not Path(folder).is_dir():
        return True
    return not any(holds(project, scope) and held.memories for (scope, _, _), held in store.totals().items())


def _folders(root: str) -> list[str]:
    try:
        return sorted(str(one) for one in Path(root).iterdir() if one.is_dir() and not one.is_symlink())
    except OSError as failed:
        _LOG.warning("The artifacts in %s may tell of memories that have left recall: %s", root, failed.strerror)
        return []


def _scopes(store: Store, ids: Collection[str]) -> frozenset[str]:
    """The scopes of those of these memories that are live."""
    return frozenset(store.columns(Selection(ids=tuple(ids))).scopes) if ids else frozenset()


def _outdated(store: Store, folder: str, root: str, now: datetime, back: Collection[str]) -> str | None:
    """The project whose files in this folder are to be written anew; None where they are not, or it is no project's.

    `back` are scopes to which memories came back.
    """
    text = artifacts.artifact(folder, artifacts.CITED)
    cited = None if text is None else cited_in(text)
    if cited is not None and folder_of(root, cited.project) == folder:
        is_met = any(is_told_of(cited.project, scope) for scope in back)
        return cited.project if is_met or _is_outdated(store, cited, now) else None
    if text is None and artifacts.artifact(folder, artifacts.MEMORY) is None:
        return None
    # What they cite was lost or spoilt: they are ours where the folder is one that we would write to.
    scopes = {scope for scope, _, _ in store.totals()} | set(store.sessions.projects())
    return next((scope for scope in sorted(scopes) if folder_of(root, scope) == folder), None)
