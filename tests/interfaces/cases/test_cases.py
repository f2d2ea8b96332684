"""One table of cases through every door: the same words, the same answers, the same errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.interfaces.cases.cases import CASES, FOR_ALL, ID, TIMES
from tests.interfaces.cases.doors import OverHttp, OverStdio, Rest, Served, Server, brief
from tests.interfaces.doors import CommandLine, Library

Ask = Callable[..., tuple[int, Any]]
LOCAL, SERVED, TOOLS = (Library, CommandLine), (Rest, Served), (OverStdio, OverHttp)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("server"))
    yield server
    server.close()


@pytest.fixture(autouse=True)
def outside_of_any_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def comparable(value: Any, known: dict[str, str]) -> Any:
    """An answer without what must differ between two runs: ids become the order they were met in, times go."""
    if isinstance(value, dict):
        return {comparable(k, known): comparable(v, known) for k, v in value.items() if not TIMES.search(k)}
    if isinstance(value, (list, tuple)):
        return [comparable(item, known) for item in value]
    if isinstance(value, str):
        return ID.sub(lambda match: known.setdefault(match[0], f"id{len(known)}"), value)
    return value


def like(value: Any, model: Any) -> Any:
    """What a server tells, without the fields that it tells besides; a field that is missing stays missing."""
    if isinstance(value, dict) and isinstance(model, dict):
        return {name: like(item, model[name]) for name, item in value.items() if name in model}
    if isinstance(value, list) and isinstance(model, list) and len(value) == len(model):
        return [like(one, other) for one, other in zip(value, model, strict=True)]
    return value


def opened(door: type, case: str, server: Server, folder: Path) -> Any:
    if door in LOCAL:
        return door(folder / f"{door.__name__}.db", case)
    return door(server, f"{case}" if door is OverStdio else f"{case}-{door.__name__}")


def renamed(value: Any, namespace: str) -> Any:
    """The namespace is a server's way to have a store for each case; it is no part of an answer."""
    if isinstance(value, dict):
        return {name: namespace if name == "namespace" else renamed(item, namespace) for name, item in value.items()}
    return [renamed(item, namespace) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_every_door_gives_the_same_answer(case: Callable[[Ask], Any], server: Server, tmp_path: Path) -> None:
    answers: list[Any] = []
    for door in (*LOCAL, *SERVED):
        ask = opened(door, case.__name__, server, tmp_path)
        answers.append(renamed(comparable(case(ask), {}), case.__name__))
        ask.close()
    library, *others = answers
    for door, answer in zip((*LOCAL, *SERVED)[1:], others, strict=True):
        assert like(answer, library) == library, door.__name__


@pytest.mark.parametrize("case", FOR_ALL, ids=lambda case: case.__name__)
def test_tools_too_give_the_same_outcome(case: Callable[..., Any], server: Server, tmp_path: Path) -> None:
    answers: dict[str, Any] = {}
    for door in (*LOCAL, *SERVED, *TOOLS):
        ask = opened(door, case.__name__, server, tmp_path)
        answers[door.__name__] = comparable(case(brief(ask)), {})
        ask.close()
    for name, answer in answers.items():
        assert answer == answers["Library"], name


@pytest.mark.parametrize("door", [*LOCAL, *SERVED])
def test_two_namespaces_never_meet(door: type, server: Server, tmp_path: Path) -> None:
    if door in LOCAL:
        ours, theirs = (door(tmp_path / "shared.db", namespace) for namespace in ("ours", "theirs"))
    else:
        ours, theirs = (door(server, f"{door.__name__}-{namespace}") for namespace in ("ours", "theirs"))
    mine = ours("remember", text="A fact of ours alone", key="k")[1]
    theirs("remember", text="A fact of theirs alone", key="k")
    assert [hit["memory"]["text"] for hit in theirs("recall", query="fact alone")[1]] == ["A fact of theirs alone"]
    for verb in ("show", "pin", "history"):
        assert theirs(verb, id=mine["memory"]["id"])[0] == 3
    assert theirs("forget", ids=[mine["memory"]["id"]])[0] == 3
    assert theirs("undo", receipt_id=mine["receipt_id"])[0] == 3
    assert theirs("purge", scope=["/"], reason="all of theirs")[0] == 0
    assert ours("count")[1] == 1
    assert theirs("count")[1] == 0
    for one in (ours, theirs):
        one.close()
