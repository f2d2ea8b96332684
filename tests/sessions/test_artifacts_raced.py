"""Two processes at one project's files: what one of them makes from older memories never stands over newer files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from remanence import Mind
from remanence.sessions import artifacts, folders, stage_two
from remanence.sessions.artifacts import Moved, write
from tests.sessions.projects import API, files, folder_of, marks
from tests.sessions.projects import put as stored
from tests.sessions.test_artifacts import NEW, OLD, put, texts


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "artifacts" / "test" / "project~api"


def test_who_is_filling_a_folder_that_makes_way_commits_no_half_of_a_set(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file is put while the others are taken away: with what is left the set would seem whole."""
    put(folder, OLD)
    names, filled = folders.names, []

    def filling(above: int) -> list[str]:
        found = names(above)
        if "commit.new" in found and not filled:
            filled.append(True)
            folders.put(above, "late", b"one more")
        return found

    @contextmanager
    def cleared() -> Iterator[None]:
        monkeypatch.setattr(folders, "names", filling)
        artifacts.recovered(str(folder), forced=True)
        assert filled
        yield

    with pytest.raises(Moved):
        write(str(folder), NEW, commit=cleared)
    assert texts(folder) == OLD
    assert not artifacts.is_prepared(str(folder))


def test_a_folder_that_is_taken_away_is_made_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make = folders.make

    def lost(path: str) -> None:
        make(path)
        monkeypatch.setattr(os, "mkdir", gone)

    def gone(*_: object, **__: object) -> None:
        monkeypatch.undo()
        raise FileNotFoundError

    monkeypatch.setattr(folders, "make", lost)
    with pytest.raises(Moved):
        put(folder, NEW)
    put(folder, NEW)
    assert texts(folder) == NEW


def test_a_set_that_is_just_put_in_place_is_not_taken_for_spoilt(
    mind_file: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever looks at half of it looks again when nobody can be putting files in place."""
    stored(mind_file, "The cache lives for ten minutes.")
    mind_file.sessions.rebuild(API)
    stored(mind_file, "The gateway listens on port 8443.")  # written anew, the files would tell of it
    before, looked, whole = marks(folder_of(mind_file)), [], artifacts.artifact

    def half(folder: str, name: str) -> str | None:
        looked.append(name)
        return None if looked.count(artifacts.CITED) == 1 and name == artifacts.CITED else whole(folder, name)

    monkeypatch.setattr(artifacts, "artifact", half)
    mind_file.artifacts.refresh()
    assert looked.count(artifacts.CITED) == 2
    assert marks(folder_of(mind_file)) == before


def test_a_view_that_is_older_than_the_files_is_made_anew(mind_file: Mind, monkeypatch: pytest.MonkeyPatch) -> None:
    leaving = stored(mind_file, "The cache lives for ten minutes.")
    stored(mind_file, "Deploys run on Thursday.")
    mind_file.sessions.rebuild(API)
    viewed, views = stage_two.viewed, []

    def slow(*given: Any) -> Any:
        found = viewed(*given)
        views.append(found)
        if len(views) == 1:  # a worker with a lease is quicker, and knows more
            stored(mind_file, "The gateway listens on port 8443.")
            mind_file.sessions.rebuild(API)
        return found

    monkeypatch.setattr(stage_two, "viewed", slow)
    mind_file.forget(ids=[leaving.id])
    told = files(folder_of(mind_file))["MEMORY.md"].decode()
    assert "port 8443" in told and "Thursday" in told and "ten minutes" not in told
    assert len(views) == 3


def test_who_is_late_takes_no_files_away(mind_file: Mind, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that could not be written by one process, and were by another meanwhile, stay."""
    leaving = stored(mind_file, "The cache lives for ten minutes.")
    stored(mind_file, "Deploys run on Thursday.")
    mind_file.sessions.rebuild(API)
    written, tried = stage_two._written, []

    def late(*given: Any, **more: Any) -> Any:
        done = written(*given, **more)
        if not tried:
            tried.append(done)
            raise Moved("somebody else was quicker")
        return done

    monkeypatch.setattr(stage_two, "_written", late)
    mind_file.forget(ids=[leaving.id])
    assert tried
    assert "Thursday" in files(folder_of(mind_file))["MEMORY.md"].decode()
