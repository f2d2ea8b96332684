"""rem bench, as typed: the table, the JSON document in its two places, the plot, and what bad input says."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from tests.interfaces.doors import typed
from tests.simulator import folders


@pytest.fixture(autouse=True)
def a_place_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REMANENCE_DB", str(tmp_path / "own.db"))
    monkeypatch.setenv("REMANENCE_CONFIG", str(tmp_path / "config.yml"))
    monkeypatch.setenv("REMANENCE_EMBEDDER__NAME", "none")
    folders.everything(tmp_path / "data")


RECALL = ["bench", "recall", "--data", "data"]


def test_the_table_has_every_protocol_and_contender() -> None:
    code, out, err = typed(RECALL)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].split() == ["data", "set", "protocol", "contender", "metric", "value", "of", "cpu", "s"]
    for words in ("own haystack, session", "pooled, session", "turn", "sh 6k", "passed*", "ours", "bm25"):
        assert words in out
    assert "1 abstention" in out
    assert not Path("own.db").exists(), "the user's store is not touched"


def test_verbose_says_why_a_case_failed() -> None:
    _, out, _ = typed([*RECALL, "--only", "precisionmembench,locomo", "--verbose"])
    assert "ours failed impossible: relevant: lacks b-piano; relevant: also b-compost" in out
    assert "share@10 category 1" in out
    assert "longmemeval" not in out


def test_json_to_a_file_leaves_the_table() -> None:
    code, out, _ = typed([*RECALL, "--only", "locomo", "--contender", "bm25", "--json", "out.json"])
    report = json.loads(Path("out.json").read_text("utf-8"))
    assert code == 0
    assert "share@10*" in out
    assert [result["contender"] for result in report["results"]] == ["bm25", "bm25"]
    assert report["files"][0]["name"] == "locomo/tiny.json.gz"
    assert report["version"]


@pytest.mark.parametrize(
    "words",
    [
        [*RECALL, "--only", "locomo", "--json"],
        [*RECALL, "--json", "--only", "locomo"],
        [*RECALL, "--only", "locomo", "--json", "-"],
        ["--json", *RECALL, "--only", "locomo"],
        ["bench", "--json", *RECALL[1:], "--only", "locomo"],
    ],
)
def test_json_alone_is_the_one_document(words: list[str]) -> None:
    code, out, err = typed(words)
    assert (code, err) == (0, "")
    assert {result["dataset"] for result in json.loads(out)["results"]} == {"locomo"}


def test_the_plot_is_whole_xml_with_a_bar_for_each() -> None:
    code, _, _ = typed([*RECALL, "--plot", "bars.svg"])
    assert code == 0
    drawn = ElementTree.parse("bars.svg").getroot()
    bars = [one for one in drawn.iter() if one.tag.endswith("rect") and one.get("class") != "page"]
    assert len(bars) == 2 * 7 + 1, "and one after the jobs of ours"
    texts = [one.text or "" for one in drawn.iter() if one.tag.endswith("text")]
    assert "7 of 9" in texts
    assert "longmemeval, own haystack, session: all@5" in texts


def test_without_data_it_says_where_to_get_some() -> None:
    code, _, err = typed(["bench", "recall"])
    assert code == 2
    assert "--data DIR" in err
    assert "LongMemEval" in err


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["bench", "recall", "--data", "nowhere"], "no data folder at nowhere"),
        ([*RECALL, "--only", "trivia"], "'trivia'"),
        ([*RECALL, "--contender", "magic"], "'magic'"),
        ([*RECALL, "--limit", "0"], "--limit"),
        ([*RECALL, "--only", "locomo", "--plot", "no/such/folder.svg"], "cannot be written"),
        ([*RECALL, "--only", "locomo", "--json", "no/such/folder.json"], "cannot be written"),
    ],
)
def test_bad_input_is_named(words: list[str], problem: str) -> None:
    code, _, err = typed(words)
    assert code == 2
    assert problem in err


def test_errors_are_json_with_json() -> None:
    code, _, err = typed(["bench", "recall", "--data", "nowhere", "--json"])
    assert (code, json.loads(err)["error"]) == (2, "invalid_input")


def test_bench_alone_shows_what_there_is() -> None:
    code, out, _ = typed(["bench"])
    assert code == 0
    assert "recall" in out
