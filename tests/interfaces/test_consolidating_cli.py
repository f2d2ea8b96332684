"""rem consolidate and rem compact, as typed: what they show, apply and refuse."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from remanence import Mind
from remanence.settings import Settings
from tests.interfaces.doors import typed


@pytest.fixture(autouse=True)
def a_place_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REMANENCE_DB", str(tmp_path / "own.db"))
    monkeypatch.setenv("REMANENCE_CONFIG", str(tmp_path / "config.yml"))
    monkeypatch.setenv("REMANENCE_EMBEDDER", "none")
    monkeypatch.setenv("REMANENCE_CONSOLIDATION__ENABLED", "true")


def said(*words: str) -> str:
    code, out, err = typed(list(words))
    assert (code, err) == (0, "")
    return out


def told(*words: str) -> Any:
    return json.loads(said("--json", *words))


def remember(*texts: str, **fields: Any) -> None:
    with Mind(settings=Settings(db=os.environ["REMANENCE_DB"], upkeep__on_open=False, embedder__name="none")) as mind:
        mind.remember_many({"text": text, **fields} for text in texts)


def test_consolidate_shows_claims_then_applies() -> None:
    patterns = ("When releasing, run the tests, then tag it.", "Always run the linter before merging.")
    remember(*patterns, kind="pattern", metadata={"sessions": ["a", "b"]})
    out = said("consolidate")
    assert "2 claims, 2 changes, nothing done yet" in out
    assert "When releasing: 1. Run the tests. 2. Tag it." in out
    assert "semantic skipped: 0 session summaries, 5 are needed" in out
    assert "Apply it with: rem consolidate --apply" in out
    assert told("count") == 2
    assert "semantic" not in said("consolidate", "--tier", "procedural", "--tier", "decay")
    assert told("consolidate", "--tier", "procedural", "--apply")["verb"] == "consolidate"
    assert told("count") == 4
    assert "nothing to change" in said("consolidate", "--apply")
    assert told("consolidate")["changes"] == []


def test_consolidate_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REMANENCE_CONSOLIDATION__ENABLED", "false")
    assert said("consolidate").count("set consolidation.enabled") == 4


def test_compact_shows_the_claim_then_applies() -> None:
    remember("Deploys run on Friday at 18:00.", "Anna prefers deploys by tag.", scope="/shop")
    out = said("compact", "deploys")
    assert "2 memories of /shop about deploys become one summary" in out
    assert "Apply it with: rem compact deploys --apply" in out
    assert "nothing to compact" in said("compact", "deploys", "--scope", "/other")
    receipt = told("compact", "deploys", "--apply")
    assert len(receipt["applied"]) == 3
    assert told("count") == 1
    assert "nothing to compact: 1 live memory is about deploys" in said("compact", "deploys", "--apply")
    said("undo", receipt["id"])
    assert told("count") == 2


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["consolidate", "--tier", "dreamy"], "the tiers are semantic, reflect, procedural, decay, all"),
        (["consolidate", "--scope", "shop"], "must begin with '/'"),
        (["compact", ""], "topic is blank"),
        (["compact", "x" * 500], "the limit is 200"),
        (["compact", "deploys", "--scope", "/a//b"], "empty segment"),
    ],
)
def test_bad_input_is_told_in_words(words: list[str], why: str) -> None:
    code, out, err = typed(words)
    assert (code, out) == (2, "")
    assert why in err
    assert "Traceback" not in err
