"""Doors are tried by words alone, which is quick and leaves importances as given, unless a test asks for more."""

import pytest


@pytest.fixture(autouse=True)
def by_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REMANENCE_EMBEDDER", "none")
