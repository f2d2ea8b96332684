"""What a mind is made with: its place, and where its randomness comes from."""

from __future__ import annotations

from pathlib import Path

import pytest

from remanence import Mind
from remanence.errors import InvalidInput


def test_a_tilde_that_is_nobody_s_home_is_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Mind("~nobody-here.db", embedder="none") as mind:
        mind.remember("Alders stand in water")
    assert (tmp_path / "~nobody-here.db").is_file()


def test_entropy_is_a_function() -> None:
    with pytest.raises(InvalidInput, match="entropy must be a function"):
        Mind(":memory:", entropy=5)  # type: ignore[arg-type]
