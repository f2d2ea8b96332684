"""The product goes by words alone here and reads no configuration, so that what is found can be worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def words_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REMANENCE_CONFIG", str(tmp_path / "config.yml"))
    monkeypatch.setenv("REMANENCE_EMBEDDER__NAME", "none")
    monkeypatch.delenv("REMANENCE_POLICY", raising=False)
