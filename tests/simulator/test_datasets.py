"""The readers: what the files say as values, and every way a file can be wrong."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from remanence.errors import InvalidInput
from remanence.simulator.datasets import factconsolidation, files, locomo, longmemeval, precisionmembench
from tests.simulator import folders


def loaded(folder: Path, name: str, content: Any, pack: str = "") -> list[files.File]:
    folders.write(folder, f"{name}/one.json", content, pack)
    return files.load(folder, name)


# --- files


@pytest.mark.parametrize("pack", folders.PACK)
def test_plain_and_packed_files_hold_the_same(tmp_path: Path, pack: str) -> None:
    (file,) = loaded(tmp_path, "locomo", [{"a": 1}], pack)
    assert (file.name, file.content) == (f"locomo/one.json{pack}", [{"a": 1}])
    assert len(file.sha256) == 64


def test_all_files_of_a_set_are_read_and_others_are_not(tmp_path: Path) -> None:
    for name in ("b.json", "a.json"):
        folders.write(tmp_path, f"locomo/{name}", [])
    (tmp_path / "locomo" / "readme.txt").write_text("no data")
    assert [path.name for path in files.paths(tmp_path, "locomo")] == ["a.json", "b.json"]


def test_a_missing_folder_says_where_the_sets_come_from(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as error:
        files.present(tmp_path / "nowhere")
    assert all(word in str(error.value) for word in ("nowhere", "LongMemEval", "LoCoMo", "MemoryAgentBench", "Tenure"))


def test_an_empty_folder_says_what_it_lacks(tmp_path: Path) -> None:
    (tmp_path / "locomo").mkdir()
    with pytest.raises(InvalidInput, match="holds none of the data sets"):
        files.present(tmp_path)


def test_a_missing_set_is_an_error_only_when_it_was_asked_for(tmp_path: Path) -> None:
    folders.write(tmp_path, "locomo/a.json", [])
    assert files.present(tmp_path) == ("locomo",)
    with pytest.raises(InvalidInput, match="no file for longmemeval"):
        files.present(tmp_path, ("locomo", "longmemeval"))
    with pytest.raises(InvalidInput, match="'locomoo'"):
        files.present(tmp_path, ("locomoo",))


@pytest.mark.parametrize(
    ("name", "raw"),
    [("a.json", b"{not json"), ("a.json.gz", b"no gzip"), ("a.json.xz", b"no xz"), ("a.json", b"\xff\xfe\x00")],
)
def test_a_broken_file_is_named(tmp_path: Path, name: str, raw: bytes) -> None:
    (tmp_path / "locomo").mkdir()
    (tmp_path / "locomo" / name).write_bytes(raw)
    with pytest.raises(InvalidInput, match=f"locomo/{name} cannot be read"):
        files.load(tmp_path, "locomo")


def test_a_cut_off_file_is_named(tmp_path: Path) -> None:
    path = folders.write(tmp_path, "locomo/a.json", folders.locomo(), ".gz")
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InvalidInput, match="cannot be read"):
        files.load(tmp_path, "locomo")


@pytest.mark.parametrize("content", [{}, [1], "text", None])
def test_a_file_must_hold_a_list_of_objects(tmp_path: Path, content: object) -> None:
    with pytest.raises(InvalidInput, match="list of objects"):
        locomo.read(loaded(tmp_path, "locomo", content))


# --- longmemeval


def test_longmemeval_as_values(tmp_path: Path) -> None:
    first, second, third = longmemeval.read(loaded(tmp_path, "longmemeval", folders.longmemeval()))
    assert [question.abstains for question in (first, second, third)] == [False, False, True]
    assert second.evidence == {"s_bike", "s_cake"}
    assert [session.id for session in first.sessions] == ["s_fern", "s_cake", "s_bike"], "oldest first"
    assert first.at == datetime(2023, 6, 1, 9, tzinfo=UTC)
    assert second.at == datetime(2023, 5, 20, 2, 11, tzinfo=UTC), "not before its last session"
    assert first.sessions[0] is second.sessions[0], "shared sessions are kept once"


def test_a_question_that_comes_again_counts_once(tmp_path: Path) -> None:
    folders.write(tmp_path, "longmemeval/a.json", folders.longmemeval())
    folders.write(tmp_path, "longmemeval/b.json", folders.longmemeval())
    assert len(longmemeval.read(files.load(tmp_path, "longmemeval"))) == 3


def test_longmemeval_names_every_problem_at_once(tmp_path: Path) -> None:
    rows = folders.longmemeval()
    rows[0]["question_date"] = "yesterday"
    rows[1]["haystack_dates"] = []
    rows[2]["haystack_sessions"][0] = "hello"
    with pytest.raises(InvalidInput) as error:
        longmemeval.read(loaded(tmp_path, "longmemeval", rows))
    assert all(word in str(error.value) for word in ("'yesterday'", "0 dates", "must be a list of turns"))


# --- locomo


def test_locomo_as_values(tmp_path: Path) -> None:
    (talk,) = locomo.read(loaded(tmp_path, "locomo", folders.locomo()))
    assert [turn.id for turn in talk.turns] == ["D1:1", "D1:2", "D2:1", "D2:2"]
    assert talk.turns[1].text == "Lovely! I joined a choir [shares a photo of a church]"
    assert talk.turns[1].at == datetime(2023, 5, 8, 13, 56, 1, tzinfo=UTC)
    assert talk.ends == talk.turns[-1].at


def test_malformed_evidence_is_read_where_it_can_be_and_counted(tmp_path: Path) -> None:
    (talk,) = locomo.read(loaded(tmp_path, "locomo", folders.locomo()))
    assert [sorted(question.evidence) for question in talk.questions] == [
        ["D1:1"],
        ["D1:1", "D2:1"],
        ["D2:2"],
        ["D2:2"],
    ]
    assert (talk.repaired, talk.unreadable, talk.without_evidence) == (2, 2, 2)


@pytest.mark.parametrize(
    ("entry", "ids"),
    [
        ("D8:6; D9:17", ["D8:6", "D9:17"]),
        ("D:11:26", ["D11:26"]),
        ("D30:05", ["D30:5"]),
        ("D9:1 D4:4", ["D9:1", "D4:4"]),
        ("D", []),
        ("", []),
    ],
)
def test_evidence_ids(entry: str, ids: list[str]) -> None:
    assert locomo.evidence_ids(entry) == ids


def test_locomo_names_its_problems(tmp_path: Path) -> None:
    rows = folders.locomo()
    rows[0]["conversation"]["session_1_date_time"] = "noon"
    rows[0]["conversation"]["session_2"] = [{"dia_id": "D2:1"}]
    with pytest.raises(InvalidInput) as error:
        locomo.read(loaded(tmp_path, "locomo", rows))
    assert all(word in str(error.value) for word in ("'noon'", "'text' must be str"))


# --- factconsolidation


def test_factconsolidation_as_values(tmp_path: Path) -> None:
    single, double = factconsolidation.read(loaded(tmp_path, "factconsolidation", folders.factconsolidation()))
    assert (single.name, single.single_hop, double.name, double.single_hop) == ("sh 6k", True, "mh 6k", False)
    assert single.facts[3] == "The capital of Fenland is Dunmore."
    assert single.questions[1].answers == ("geology", "Geology")


def test_facts_are_ordered_by_their_numbers(tmp_path: Path) -> None:
    rows = [{"context": "10. Ten.\n2. Two.\n", "questions": [], "answers": []}]
    (task,) = factconsolidation.read(loaded(tmp_path, "factconsolidation", rows))
    assert task.facts == ("Two.", "Ten.")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"context": "no facts"}, "no numbered fact"),
        ({"answers": []}, "2 questions and 0 answers"),
        ({"context": 1}, "str"),
    ],
)
def test_factconsolidation_names_its_problems(tmp_path: Path, change: dict[str, Any], problem: str) -> None:
    rows = [folders.factconsolidation()[0] | change]
    with pytest.raises(InvalidInput, match=problem):
        factconsolidation.read(loaded(tmp_path, "factconsolidation", rows))


# --- precisionmembench


def test_precisionmembench_as_values(tmp_path: Path) -> None:
    folder = folders.everything(tmp_path)
    beliefs, cases = precisionmembench.read(files.load(folder, "precisionmembench"))
    assert (len(beliefs), len(cases)) == (9, 9)
    assert beliefs[3].superseded_by == "b-hose"
    by_id = {case.id: case for case in cases}
    assert (by_id["alias"].user, by_id["alias"].most, by_id["alias"].wanted) == ("test-user", 20, ("b-compost",))
    assert (by_id["stranger"].user, by_id["no room"].most) == ("nobody", 1)


def test_precisionmembench_needs_beliefs_and_cases(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no cases"):
        precisionmembench.read(loaded(tmp_path, "precisionmembench", folders.beliefs()))


def test_precisionmembench_names_its_problems(tmp_path: Path) -> None:
    rows = [folders.belief("b-x", created_at="soon"), folders.case("c", "q", expect={"mood": {}, "pinnedFacts": 1})]
    rows += [folders.belief("b-y", confidence="high"), folders.case("d", "q", budget={"maxBeliefs": "all"})]
    with pytest.raises(InvalidInput) as error:
        precisionmembench.read(loaded(tmp_path, "precisionmembench", rows))
    assert all(word in str(error.value) for word in ("belief b-x", "'mood'", "'pinnedFacts'", "belief b-y", "case d"))
