"""Opening a store by its location, and looking at one without opening it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, cast

from remanence import settings as settings_
from remanence.errors import EmbedderFailed, InvalidInput, NotFound, RemanenceError
from remanence.model import checks
from remanence.model.report import Finding, Salvaged
from remanence.places import expanded, is_database, is_keywords, shown
from remanence.providers.protocol import Encoder
from remanence.store.agenda import Agenda, Turn
from remanence.store.holder import this_process
from remanence.store.protocol import Store

if TYPE_CHECKING:
    from remanence.providers.choose_llm import Writers
    from remanence.providers.prompts import Prompts
    from remanence.store.postgres.admin import Administration
    from remanence.store.postgres.pool import Limits
    from remanence.store.sql.moving.move import Moved
    from remanence.store.sql.moving.sources import Found
    from remanence.store.sql.store import SqlStore


__all__ = ["Agenda", "Turn", "this_process"]
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")
_MOST_NAMED = 20


def opened(location: str | Path, namespace: str, settings: settings_.Settings) -> Store:
    problems = checks.string_problems(namespace, "namespace")
    text = str(location)
    if not isinstance(location, (str, Path)) or checks.string_problems(text, "location", 4096):
        problems.append(f"location {text[:80]!r} is not a path")
    else:
        problems += _address_problems(text)
    if problems:
        raise InvalidInput(problems)
    if is_database(text):
        return _database(text, namespace, settings)
    from remanence.store.sqlite.store import SqliteStore

    return SqliteStore.open(None if text == ":memory:" else Path(expanded(text)).absolute(), namespace)


def _address_problems(location: str) -> list[str]:
    """What is no path, and no address that is known; what may hold a password is not repeated."""
    if is_database(location):
        return []
    if is_keywords(location):
        return ["location reads like keywords of libpq: give postgresql://USER:PASSWORD@HOST:PORT/DATABASE"]
    address = _ADDRESS.match(location)
    known = "give a path, postgresql://HOST/DATABASE, or http://HOST:PORT of a server"
    return [] if address is None else [f"location {address[0]}/… is not known: {known}"]


def _database(url: str, namespace: str, settings: settings_.Settings) -> Store:
    with extra():
        from remanence.store.postgres.store import PostgresStore
    return PostgresStore.open(url, namespace, _limits(settings), replica=settings.postgres__replica)


def agenda(location: str | Path | None, settings: settings_.Settings, clock: Callable[[], datetime]) -> Agenda:
    """Which namespaces of a store have something to be done."""
    where = settings.location() if location is None else str(location)
    if is_database(where):
        with extra():
            from remanence.store.postgres.agenda import PgAgenda
        return PgAgenda(where, _limits(settings))
    if problems := _address_problems(where):
        raise InvalidInput(problems)
    if where == ":memory:":
        raise InvalidInput("workers need a store that is a file or a database, not ':memory:'")
    from remanence.store.sqlite.agenda import FileAgenda

    return FileAgenda(Path(expanded(where)).absolute(), settings.namespace, clock)


def move(
    source: str,
    target: str,
    namespaces: Sequence[str] | None,
    settings: settings_.Settings,
    progress: Callable[[str, int, int], None] | None = None,
) -> list[Moved]:
    """Copy namespaces, all that may be used where none is named, from one store into another; again, it goes on."""
    from remanence.store.sql.moving.move import Move, take_secret

    names = _to_be_moved(source, target, namespaces, settings)
    moved = []
    for name in names:
        with closing(_sql_store(source, name, settings)) as one:
            with closing(_sql_store(target, name, settings)) as empty:
                take_secret(one, empty)
            with closing(_sql_store(target, name, settings)) as other:
                tell = None if progress is None else partial(progress, name)
                moved.append(Move(one, other, tell).run())
    return moved


def _to_be_moved(
    source: str, target: str, namespaces: Sequence[str] | None, settings: settings_.Settings
) -> Sequence[str]:
    """The namespaces that are there; nothing is made where there are none, nor where both are one store."""
    if target == ":memory:":
        raise InvalidInput("--to :memory: would keep nothing: give a file, or postgresql://HOST/DATABASE")
    found = _look_at(source, settings)
    if found.namespaces is None:
        raise InvalidInput(f"--from {shown(source)} holds no store, and none was made there")
    if problems := [problem for name in namespaces or () for problem in checks.string_problems(name, "namespace")]:
        raise InvalidInput(problems)
    if missing := [name for name in namespaces or () if name not in found.namespaces]:
        there = ", ".join(found.namespaces[:_MOST_NAMED]) or "none"
        raise NotFound(f"--from {shown(source)} holds no namespace {missing[0]!r} that may be used. There are: {there}")
    if _look_at(target, settings).identity == found.identity:
        raise InvalidInput(f"--from and --to are the same store: {shown(source)} and {shown(target)}")
    return found.namespaces if namespaces is None else namespaces


def _look_at(location: str, settings: settings_.Settings) -> Found:
    from remanence.store.sql.moving.sources import look_at_database, look_at_file

    if problems := _address_problems(location):
        raise InvalidInput(problems)
    if not is_database(location):
        return look_at_file(Path(expanded(location)).absolute())
    return look_at_database(location, _limits(settings))


def _sql_store(location: str, namespace: str, settings: settings_.Settings) -> SqlStore:
    return cast("SqlStore", opened(location, namespace, settings))


def administration(location: str | Path | None, settings: settings_.Settings) -> Administration:
    """What whoever keeps a database does with the store in it."""
    where = settings.location() if location is None else str(location)
    if problems := _address_problems(where):
        raise InvalidInput(problems)
    if not is_database(where):
        raise InvalidInput(
            f"this is about a store in a database, and {where[:80]!r} is a file: give --db postgresql://HOST/DATABASE"
        )
    with extra():
        from remanence.store.postgres.admin import Administration
    return Administration(where, _limits(settings), settings.postgres__replica)


def _limits(settings: settings_.Settings) -> Limits:
    with extra():
        from remanence.store.postgres.pool import Limits
    return Limits(settings.postgres__connections, settings.postgres__statement_timeout_seconds)


@contextmanager
def extra() -> Iterator[None]:
    """What is missing is said with the command that installs it."""
    try:
        yield
    except ModuleNotFoundError as missing:
        raise RemanenceError(f'{missing.name} is not installed. Run: pip install "remanence[postgres]"') from None


def encoder_of(embedder: object, settings: settings_.Settings) -> Encoder | None:
    """The embedder given, or else the one the settings name, behind its checks; None where there is to be none."""
    from remanence.providers.choose import encoder_for

    return encoder_for(
        settings.embedder__name if embedder is None else embedder,
        url=settings.embedder__url,
        model=settings.embedder__model,
        key=settings.embedder__key,
        dimensions=settings.embedder__dimensions,
        timeout_seconds=settings.embedder__timeout_seconds,
        query_prefix=settings.embedder__query_prefix,
        document_prefix=settings.embedder__document_prefix,
    )


def writers_of(llm: object, settings: settings_.Settings, store: Store, now: Callable[[], datetime]) -> Writers | None:
    """The language models given, or else those the settings name, behind their checks; None where there are none."""
    from remanence.guard.secrets import redact
    from remanence.providers.choose_llm import writers_for

    return writers_for(
        _llm_of(settings, "llm__") if llm is None else llm,
        _llm_of(settings, "llm__smol__"),
        purse=store.purse,
        clean=lambda text: redact(text, personal=settings.guard__personal).text,
        today=lambda: now().date().isoformat(),
        tokens_per_run=settings.llm__tokens_per_run,
        tokens_per_day=settings.llm__tokens_per_day,
    )


def _llm_of(settings: settings_.Settings, stem: str) -> dict[str, object]:
    """What the settings say of one role: a provider with its options, nothing where none is named."""
    values = {name: getattr(settings, stem + name) for name in ("name", "url", "model", "key")}
    given = {name: value for name, value in values.items() if value is not None}
    name = given.pop("name", None)
    if name == "none" or not (name or given):
        return {}
    if name == "local" and "model" in given:
        given["path"] = given.pop("model")
    if name is not None:
        given |= {"provider": name, "timeout_seconds": settings.llm__timeout_seconds}
    return given


def prompts_of(settings: settings_.Settings) -> Prompts:
    from remanence.providers.prompts import Prompts

    return Prompts(settings.llm__prompts)


def salvage(location: str | Path | None, out: Path, namespace: str | None = None) -> Salvaged:
    """Save every memory of a namespace that can still be read of a damaged store, as an export."""
    from remanence.guard.secrets import redact_value
    from remanence.store.sqlite.salvage import salvage as salvaged

    settings = settings_.load()
    if is_database(where := settings.location() if location is None else str(location)):
        raise InvalidInput(f"{shown(where)} is no file: what a server can still read, rem export and pg_dump save")
    personal = settings.guard__personal
    return salvaged(
        _path(location),
        out,
        namespace or settings.namespace,
        clean=lambda values: redact_value(values, personal=personal)[0],
    )


def diagnose(location: str | Path | None = None) -> Sequence[Finding]:
    """What this machine gives a store, and what is missing."""
    settings = settings_.load()
    where = settings.location() if location is None else str(location)
    if where.lower().startswith(("http://", "https://")):
        raise InvalidInput(
            f"{shown(where)} is a server, and doctor looks at the machine that the store is on. Run there: rem doctor; "
            "whether it answers tells: rem count"
        )
    if is_database(where):
        with closing(administration(where, settings)) as keeper:
            return [*keeper.findings(), _embedding(), _writing()]
    from remanence.store.sqlite.diagnosis import diagnose as diagnosed

    return [*diagnosed(_path(location)), _embedding(), _writing()]


def _embedding() -> Finding:
    """Whether the embedder in use answers."""
    settings = settings_.load()
    encoder = encoder_of(None, settings)
    if encoder is None:
        return Finding("embedder", True, "none, by a setting: recall goes by words alone", "")
    try:
        size = len(encoder.query("Is anybody there?"))
    except EmbedderFailed as failed:
        return Finding("embedder", False, str(failed), "Recall goes by words until it answers; see: rem config")
    return Finding("embedder", True, f"{encoder.model}, {size} dimensions", "")


def _writing() -> Finding:
    """Which language model is set up. It is not asked, since that may cost."""
    settings = settings_.load()
    chosen = _llm_of(settings, "llm__")
    if not chosen:
        return Finding("language model", True, "none, which is fine: texts are taken apart by rules", "")
    if chosen["provider"] == "local" and find_spec("xllamacpp") is None:
        return Finding(
            "language model", False, "local, and xllamacpp is not installed", 'pip install "remanence[local-llm]"'
        )
    named = ", ".join(str(chosen[name]) for name in ("provider", "model", "url") if name in chosen)
    return Finding("language model", True, named, "")


def _path(location: str | Path | None) -> Path:
    where = str(settings_.load().location() if location is None else location)
    if problems := _address_problems(where):
        raise InvalidInput(problems)
    return Path(expanded(where)).absolute()
