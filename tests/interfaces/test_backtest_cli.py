"""rem policy backtest as typed: the table, the plot, the worst losses in words, and what it refuses."""

from __future__ import annotations

import json
import os
import xml.etree.ElementTree as ElementTree
from datetime import UTC, datetime
from pathlib import Path

import pytest

from remanence import Mind
from remanence.interfaces.plots import lines_svg
from remanence.settings import Settings
from tests.histories import write_history
from tests.interfaces.doors import told, typed

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def a_place_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REMANENCE_DB", str(tmp_path / "own.db"))
    monkeypatch.setenv("REMANENCE_CONFIG", str(tmp_path / "config.yml"))
    monkeypatch.delenv("REMANENCE_POLICY", raising=False)


@pytest.fixture
def past(tmp_path: Path) -> list[str]:
    ids = write_history(tmp_path / "past.jsonl", datetime.now(UTC))
    with Mind(settings=Settings(db=os.environ["REMANENCE_DB"], upkeep__on_open=False), embedder=False) as mind:
        mind.import_(tmp_path / "past.jsonl")
    return ids


def said(*words: str) -> str:
    code, out, err = typed(["policy", "backtest", *words])
    assert (code, err) == (0, "")
    return out


def refused(*words: str) -> list[str]:
    code, out, err = typed(["--json", "policy", "backtest", *words])
    assert (code, out) == (2, "")
    return list(json.loads(err)["problems"])


def test_the_table_the_curve_and_the_losses(past: list[str]) -> None:
    out = said("halflife")
    assert "30 memories and 112 later uses" in out, "ten more, the very first ones, cannot have been lost"
    lines = [line.split() for line in out.splitlines()]
    assert ["halflife", "20"] in [line[:2] for line in lines]
    assert any(line[:3] == ["balanced", "(in", "force)"] for line in lines)
    assert "2 (1.8%)" in out
    assert any(line[:2] == ["30%", "kept"] for line in lines)
    assert "oracle" in out
    assert "random" in out
    assert "recalled" in out
    assert "Heirloom 10 of the attic" in out
    assert "known only as regrets" in out


def test_json_is_one_document(past: list[str]) -> None:
    found = told("policy", "backtest", "halflife", "--budgets", "50,30%")
    assert found["policy"]["lost_uses"] == 2
    assert {loss["memory_id"] for loss in found["policy"]["losses"]} == {past[10], past[11]}
    assert [point["budget"] for point in found["curves"][0]["points"]] == [0.5, 0.3]
    assert found["current"]["policy"] == "balanced"


def test_without_a_name_it_is_the_policy_in_force(past: list[str]) -> None:
    assert told("policy", "backtest")["current"] is None
    assert "balanced (in force)" not in said()


def test_plot_and_page_stand_alone(past: list[str]) -> None:
    Path("mine.yml").write_text("extends: halflife\nname: '<b>&mine'\n")
    said("mine.yml", "--svg", "plot.svg", "--html", "page.html")
    drawn = ElementTree.parse("plot.svg").getroot()
    words = [text.text for text in drawn.iter(f"{SVG}text")]
    assert "<b>&mine" in words
    assert "balanced (in force)" in words
    assert "squares: what the rules do as they are" in words
    assert len(list(drawn.iter(f"{SVG}path"))) == 4
    assert len([one for one in drawn.iter(f"{SVG}rect") if "dot" in one.get("class", "")]) == 2
    page = Path("page.html").read_text("utf-8")
    assert "<b>&mine" not in page
    assert "Heirloom 11 of the attic" in page
    assert "<script" not in page
    code, _, err = typed(["policy", "backtest", "tiered", "--svg", "no/such/folder.svg"])
    assert code == 2
    assert "cannot be written" in err


def test_bad_budgets_are_all_named(past: list[str]) -> None:
    assert refused("tiered", "--budgets", "0,50,150,-5") == [
        f"--budgets has {wrong}, which is outside 0.1 to 100 per cent: --budgets 30 keeps 30 % of the tokens"
        for wrong in ("0", "150", "-5")
    ]
    assert "0.3% kept" in said("tiered", "--budgets", "0.3,30")
    assert refused("tiered", "--budgets", "ten,many") == [
        "budget 'ten' is no number of per cent: write for example --budgets 50,30,10",
        "budget 'many' is no number of per cent: write for example --budgets 50,30,10",
    ]


def test_unknown_policies_and_short_pasts(past: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert "nonesuch" in refused("nonesuch")[0]
    monkeypatch.setenv("REMANENCE_DB", "empty.db")
    assert "namespace 'default' holds no memories" in refused("tiered")[0]
    typed(["remember", "The heron nests by the lake"])
    assert "nothing was ever recalled" in refused("tiered")[0]
    typed(["recall", "heron"])
    assert "too little history" in refused("tiered")[0]
    assert told("policy", "show")["name"] == "balanced"


def test_a_plot_of_nothing_is_a_plot() -> None:
    drawn = ElementTree.fromstring(lines_svg("nothing", ("across", "up"), [("one", "value", [])]))
    assert drawn.tag == f"{SVG}svg"
