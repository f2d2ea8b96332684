"""mind.artifacts: what a project's next session is given, and the files that hold it.

The files are a view of the project's live memories: MEMORY.md, memory_summary.md and skills, beside the store or
where a setting says. Of a store in memory they are in a temporary folder, which goes with it. A project is given as a
scope (/project/api), as its bare name (api), or as a folder.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path

from remanence.errors import InvalidInput
from remanence.facets.absorbing import Absorbing
from remanence.facets.policies import Policies
from remanence.model import checks
from remanence.model.memory import Memory
from remanence.model.scope import Project, scope_problems
from remanence.model.session import STAGE_TWO
from remanence.places import artifacts_of, expanded, folder_of, project_of
from remanence.settings import Settings
from remanence.store.protocol import Store


def project_scope(project: str | Path) -> str:
    """The scope a project goes by: a scope as it is, /project/NAME for a name, that of the project in a folder."""
    if isinstance(project, Project):
        if problems := scope_problems(str(project), "project"):
            raise InvalidInput(problems)
        return str(project)
    if isinstance(project, Path):
        return project_of(expanded(str(project)))
    if not isinstance(project, str) or not project.strip():
        raise InvalidInput(f"project must be a scope, a name or a folder, not {project!r}")
    if project in (".", "..") or project.startswith(("./", "../", "~")):
        return project_of(expanded(str(Path(project))))
    if project.startswith("/"):
        is_folder = project != "/" and not scope_problems(project) and _is_folder(project)
        scope = project_of(project) if is_folder else project
    else:
        scope = f"/project/{project}"
    if problems := scope_problems(scope, "project"):
        raise InvalidInput(problems)
    return scope


def _is_folder(path: str) -> bool:
    try:
        return Path(path).is_dir()
    except OSError:  # longer than a path may be
        return False


class Artifacts:
    """The artifacts of one mind's projects."""

    def __init__(
        self,
        store: Store,
        policies: Policies,
        absorbing: Absorbing,
        now: Callable[[], datetime],
        settings: Settings,
        path: str | None,
    ) -> None:
        self._store = store
        self._policies = policies
        self._absorbing = absorbing
        self._now = now
        self._settings = settings
        self._path = path
        self._own_folder: tempfile.TemporaryDirectory[str] | None = None

    def guidance(self, project: str | Path, budget_tokens: int | None = None) -> str:
        """The block for the next session's prompt, of what is remembered now; "" where that is nothing."""
        from remanence.sessions.guidance import guidance

        limit = self._settings.memories__summary_injection_token_limit
        if budget_tokens is not None and (problems := checks.integer_problems(budget_tokens, "budget_tokens", 0)):
            raise InvalidInput(problems)
        scope = project_scope(project)
        return guidance(
            self._store,
            self._policies.current,
            scope,
            self._now(),
            limit if budget_tokens is None else budget_tokens,
            self._absorbing.boundary(),
            self.folder(scope),
            self._absorbing.prompts,
        )

    def scope(self, project: str | Path) -> str:
        """The scope of a project."""
        return project_scope(project)

    def folder(self, project: str | Path) -> str:
        """Where the artifacts of a project are, or will be."""
        return folder_of(str(self._root()), project_scope(project))

    def enqueue(self, project: str | Path) -> None:
        """Want a project's artifacts written anew by the next run, however often that failed."""
        name = STAGE_TWO + project_scope(project)
        with self._store.transaction():
            self._store.queue.drop([name])
            self._store.queue.want(name, self._now())

    def read(self, url: str, project: str | Path) -> str:
        """What a memory:// address names: an artifact of the project, or a memory."""
        from remanence.sessions.urls import read

        self.refresh(forced=False)
        return read(url, self.folder(project), self._store, project_scope(project))

    def named(self, url: str) -> Memory | None:
        """The memory that an address names, in whatever state; None where it names an artifact, or is none."""
        from remanence.sessions.urls import memory_of

        return memory_of(url, self._store)

    def refresh(self, *, back: Iterable[str] = (), forced: bool = True) -> None:
        """Write anew, without a model, artifacts of memories that are no longer live, or are `back` in recall."""
        is_empty = self._path is None and self._settings.memories__artifacts is None and self._own_folder is None
        if is_empty or not (root := self._root()).is_dir():
            return
        from remanence.sessions.stage_two import refresh

        refresh(
            self._store,
            self._policies.current,
            str(root),
            self._now(),
            injection_tokens=self._settings.memories__summary_injection_token_limit,
            prompts=self._absorbing.prompts,
            personal=self._settings.guard__personal,
            back=tuple(back),
            forced=forced,
        )

    def remove(self, project: str | Path) -> None:
        """Take a project's files away."""
        from remanence.sessions.artifacts import removed

        with self._store.transaction():  # whoever puts files in place does so in one
            removed(self.folder(project))

    def close(self) -> None:
        if self._own_folder is not None:
            self._own_folder.cleanup()
            self._own_folder = None

    def _root(self) -> Path:
        root = self._settings.memories__artifacts
        if self._path is None and root is None:
            if self._own_folder is None:
                self._own_folder = tempfile.TemporaryDirectory(prefix="remanence-artifacts-")
            return Path(self._own_folder.name)
        return Path(artifacts_of(self._path or "memory", self._store.namespace, root))


class Guiding:
    """The verb of Mind that gives back what was learned."""

    artifacts: Artifacts

    def guidance(self, project: str | Path, budget_tokens: int = 5000) -> str:
        """What a project's next session should know, in a frame that marks it as data; "" where that is nothing."""
        return self.artifacts.guidance(project, budget_tokens)
