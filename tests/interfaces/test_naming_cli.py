"""entities and entity at the command line, with good and bad input."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.interfaces.doors import said, told, typed


@pytest.fixture(autouse=True)
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REMANENCE_DB", str(tmp_path / "own.db"))
    monkeypatch.setenv("REMANENCE_CONFIG", str(tmp_path / "config.yml"))
    return tmp_path / "own.db"


@pytest.fixture
def known() -> None:
    told("remember", "Anna Schmidt leads the Model Context Protocol (MCP) work at Nordwind.", "--scope", "/office")
    told("remember", "The MCP server calls get_user for Anna.", "--scope", "/office/api")


def test_an_empty_store_says_what_to_do() -> None:
    assert "rem remember" in said("entities")
    assert told("entities") == []
    assert "rem entities" in said("entities", "--least", "2")


@pytest.mark.usefixtures("known")
def test_entities_are_listed_the_most_named_first() -> None:
    found = told("entities")
    assert [(one["name"], one["memories"]) for one in found[:2]] == [("Anna Schmidt", 2), ("MCP", 2)]
    assert found[0]["aliases"] == ["Anna"] and found[0]["scopes"] == {"/office": 1, "/office/api": 1}
    head, first, second, *_ = said("entities").splitlines()
    assert head.split() == ["memories", "name", "kind", "scopes", "also"]
    assert first.split("  ")[0] == "2" and "Anna Schmidt" in first and "/office, /office/api" in first
    assert second.endswith("Model Context Protocol")
    assert [one["name"] for one in told("entities", "--scope", "/office/api", "--limit", "1")] == ["Anna Schmidt"]
    assert {one["name"] for one in told("entities", "--least", "2")} == {"Anna Schmidt", "MCP"}


@pytest.mark.usefixtures("known")
def test_an_entity_is_shown_by_any_name() -> None:
    shown = said("entity", "model context protocol")
    assert shown.startswith("MCP  acronym, in 2 memories of /office, /office/api\n  also Model Context Protocol\n")
    assert "named with  Anna Schmidt (2), get_user (1), Nordwind (1)" in shown
    assert shown.splitlines()[-1].endswith("work at Nordwind.")
    found = told("entity", "Nordwind", "--limit", "1")
    assert found["entity"]["name"] == "Nordwind" and found["card"] is None and len(found["memories"]) == 1
    told("remember", "Nordwind: trades in tea.", "--kind", "peer_card", "--metadata", '{"entity": "nordwind"}')
    assert told("entity", "Nordwind")["card"]["text"] == "Nordwind: trades in tea."
    assert "  Nordwind: trades in tea." in said("entity", "NORDWIND").splitlines()


@pytest.mark.usefixtures("known")
def test_bad_input_is_refused_in_words() -> None:
    for words, code, message in (
        (["entity", "Nobody"], 3, "rem entities"),
        (["entity", "nord"], 3, "Did you mean: Nordwind?"),
        (["entity", ""], 2, "name is blank"),
        (["entity", "x" * 2000], 2, "the limit is 1000"),
        (["entities", "--limit", "0", "--scope", "work", "--least", "0"], 2, "limit 0 is outside 1 to 1000; least 0"),
        (["entities", "--least", "many"], 2, "many"),
    ):
        found, out, err = typed(words)
        assert (found, out) == (code, "") and message in err and "Traceback" not in err


def test_a_name_that_steers_a_terminal_is_shown_and_never_sent() -> None:
    told("remember", "We use a tag here.", "--concepts", "red\x1b[31malert")
    shown = said("entities") + said("entity", "red\x1b[31malert")
    assert "\x1b" not in shown and "\\u001b" in shown
