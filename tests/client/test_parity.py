"""A served mind answers as an embedded one does, blocking or awaited, for everything in the table of calls."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from remanence import AsyncMind, Mind
from remanence.aio import FACETS
from remanence.client import AsyncClient, Client
from remanence.client.answers import Reply, value_of
from remanence.client.surface import operation_of, public_functions
from remanence.errors import InvalidInput
from remanence.interfaces.calls import CALLS, LOCAL
from remanence.interfaces.calls.call import answer_type
from remanence.interfaces.wire import encoded
from remanence.model.policy import Policy
from tests.client.conftest import Driven, Served, started, stopped
from tests.client.story import Masked, story

BY_HAND = {"close", "export", "import_", "artifacts.guidance", "artifacts.scope", "meaning.settle"}
NOT_SERVED = {
    "holding": "a change of one memory that depends on its revision is If-Match over HTTP",
    **{f"absorbing.{name}": "a part of absorb" for name in ("absorb", "asking", "boundary", "extract")},
    **{f"meaning.{name}": "a part of another verb" for name in ("recall", "remember", "revise", "context", "why_not")},
    **{f"meaning.{name}": "a part of the process that has the store" for name in ("close", "complete", "work_off")},
    "meaning.want_reembedded": "left to workers by whoever keeps the store",
    "actions.crystallize": "Mind.crystallize",
    "actions.auto_crystallize": "Mind.auto_crystallize",
    **{f"artifacts.{name}": "files where the store is" for name in ("close", "enqueue", "folder", "refresh", "remove")},
    "artifacts.named": "a part of read",
    "dreams.is_overdue": "a part of upkeep",
    "dreams.night": "a part of a dream",
    "policies.check": "policies.show reads a file just as well",
    "policies.past": "a benchmark of the store replays it where the store is",
    "policies.stats": "a part of stats",
    "policies.take_back": "a part of undo",
    **{f"sessions.{name}": "a part of a run" for name in ("drain", "drain_all", "pipeline")},
}


Told = list[tuple[str, Any]]


def told_by(mind: Any, folder: Path) -> Told:
    answers: Told = []
    story(mind, lambda name, answer: answers.append((name, answer)), folder)
    return answers


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("embedded")


@pytest.fixture(scope="module")
def embedded(folder: Path) -> Told:
    """What an embedded mind tells."""
    options = {"upkeep.on_open": False, "consolidation.enabled": True}
    with Mind(folder / "memory.db", namespace="story", settings=options) as mind:
        return told_by(mind, folder)


def test_the_story_asks_for_every_call(embedded: Told) -> None:
    assert CALLS.keys() - {name for name, _ in embedded} == set()


def test_what_an_embedded_mind_answers_survives_the_wire(embedded: Told) -> None:
    for name, answer in embedded:
        if name not in CALLS:
            continue
        facet, _, verb = name.rpartition(".")
        owner = FACETS[facet] if facet else Mind
        told = encoded(answer)
        if isinstance(answer, Policy):
            from remanence.policies.reading import preset_text

            told = answer.to_dict() | {"yaml": preset_text(answer.name) if answer.name != "mine" else MINE}
        reply = Reply(204 if told is None else 200, {}, json.dumps(told).encode())
        again = value_of(answer_type(public_functions(owner)[verb]), reply, "here")
        assert again == answer, name
        assert type(again) in (type(answer), list), name
        assert getattr(again, "missed", None) == getattr(answer, "missed", None), name


MINE = "extends: halflife\nname: mine\nhalf_life_days: 40\n"


@pytest.mark.parametrize("kind", ["client", "async client", "async mind"])
def test_every_mind_tells_the_same_story(embedded: Told, folder: Path, tmp_path: Path, kind: str) -> None:
    server = None if kind == "async mind" else started(tmp_path / "memory.db", tmp_path)
    try:
        with asyncio.Runner() as runner:
            mind: Any
            if server is None:
                mind = Driven(AsyncMind(tmp_path / "memory.db", namespace="story"), runner)
            elif kind == "client":
                mind = server.client(namespace="story")
            else:
                mind = Driven(server.async_client(namespace="story"), runner)
            answers = told_by(mind, tmp_path)
            mind.close()
    finally:
        if server is not None:
            stopped(server)
    one, other = Masked(folder), Masked(tmp_path)
    for number, ((name, first), (same, second)) in enumerate(zip(embedded, answers, strict=True)):
        assert (name, one(first)) == (same, other(second)), f"{number}: {name}"


def test_mind_has_no_method_that_nobody_thought_of() -> None:
    for full, function in all_methods().items():
        known = full in CALLS or full in LOCAL or full in BY_HAND or full in NOT_SERVED
        assert known, f"{full} is new: put it into the table of calls, LOCAL, or NOT_SERVED with the reason"
        assert callable(operation_of(full, function))
    assert NOT_SERVED.keys() <= all_methods().keys(), "a name that is no longer there"


def all_methods() -> dict[str, Any]:
    found = dict(public_functions(Mind))
    for facet, kind in FACETS.items():
        found |= {f"{facet}.{name}": one for name, one in public_functions(kind).items()}
    return found


def test_facets_are_those_of_a_mind() -> None:
    with Mind(":memory:", settings={"upkeep.on_open": False}) as mind:
        found = {name: type(value) for name, value in vars(mind).items() if not name.startswith("_")}
    assert {name: kind for name, kind in found.items() if kind.__module__.startswith("remanence.facets")} == FACETS


def test_what_is_not_served_is_refused_by_name(served: Served) -> None:
    import inspect

    with served.client(namespace="refused") as client:
        for full, function in all_methods().items():
            if full not in LOCAL and full not in NOT_SERVED:
                continue
            facet, _, verb = full.rpartition(".")
            owner = getattr(client, facet) if facet else client
            count = sum(
                one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD
                for one in list(inspect.signature(function).parameters.values())[1:]
            )
            only = {
                one.name: 1
                for one in inspect.signature(function).parameters.values()
                if one.kind is one.KEYWORD_ONLY and one.default is one.empty
            }
            with pytest.raises(InvalidInput, match=LOCAL.get(full, "store of its own process")):
                getattr(owner, verb)(*["x"] * count, **only)


def test_signatures_and_docstrings_are_minds() -> None:
    import inspect

    for name, function in public_functions(Mind).items():
        for client in (Client, AsyncClient):
            assert inspect.signature(getattr(client, name)) == inspect.signature(function) or name == "close", name
            assert getattr(client, name).__doc__ == function.__doc__ or name == "close", name
