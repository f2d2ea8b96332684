"""The protocols on tiny data, with numbers worked by hand."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest

from remanence.errors import InvalidInput
from remanence.simulator.contenders import Item
from remanence.simulator.contenders.beliefs import in_order
from remanence.simulator.contenders.bm25 import Bm25
from remanence.simulator.contenders.ours import Ours
from remanence.simulator.datasets import coexist, files, longmemeval, precisionmembench
from remanence.simulator.datasets.coexist import Fact
from remanence.simulator.datasets.factconsolidation import Question, Task
from remanence.simulator.protocols import coexist as ask_coexist
from remanence.simulator.protocols import reciprocal_rank, share
from remanence.simulator.protocols.factconsolidation import current, forerunners, holds, versions
from remanence.simulator.protocols.longmemeval import pieces
from remanence.simulator.report import Result
from remanence.simulator.run import recall
from tests.simulator import folders


class Fixed:
    """Always answers with the same labels; keeps what it was filled with."""

    name = "fixed"

    def __init__(self, *labels: str) -> None:
        self.labels = labels
        self.filled_with: list[Sequence[Item]] = []
        self.asked_at: list[datetime] = []

    def filled(self, items: Sequence[Item]) -> Fixed:
        self.filled_with.append(items)
        return self

    def asked(self, query: str, at: datetime, limit: int) -> list[str]:
        self.asked_at.append(at)
        return list(self.labels)[:limit]

    def counts(self) -> dict[str, int]:
        return {}

    def close(self) -> None: ...


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return folders.everything(tmp_path / "data")


def run(folder: Path, *runners: object, only: str, **options: object) -> dict[str, Result]:
    report = recall(folder, runners, version="0", only=[only], **options)  # type: ignore[arg-type]
    return {f"{result.protocol} {result.contender}": result for result in report.results}


def test_share_and_rank() -> None:
    assert share(["a", "b"], {"b", "c"}) == 0.5
    assert reciprocal_rank(["a", "b"], {"b"}) == 0.5
    assert reciprocal_rank(["a"], {"b"}) == 0


def test_longmemeval_counts_any_all_and_rank(folder: Path) -> None:
    results = run(folder, Fixed("s_bike", "s_fern"), only="longmemeval")
    own = results["own haystack, session fixed"]
    # q1 wants s_fern: second place. q2 wants s_bike and s_cake: half of it, first place. q3 abstains.
    assert own.questions == 2
    assert own.metrics == {"any@5": 1, "all@5": 0.5, "any@10": 1, "all@10": 0.5, "mrr": 0.75}
    assert own.missed == ["q2"]
    assert results["pooled, session fixed"].metrics["any@10"] == 1


def test_evidence_that_is_nowhere_is_missed_by_all(tmp_path: Path) -> None:
    rows = folders.longmemeval()[:2]
    rows[0]["answer_session_ids"] = ["s_gone"]
    rows[1]["answer_session_ids"] = []
    folders.write(tmp_path, "longmemeval/a.json", rows)
    folders.write(tmp_path, "longmemeval/b.json", rows)
    report = recall(tmp_path, [Bm25()], version="0", only=["longmemeval"])
    assert [(result.questions, result.missed) for result in report.results] == [(1, ["q1"])] * 2
    assert "2 questions come again" in report.notes[1]


def test_longmemeval_is_asked_at_the_questions_date_of_dated_memories(folder: Path) -> None:
    contender = Fixed()
    run(folder, contender, only="longmemeval", limit=1)
    own, pooled = contender.filled_with
    assert [item.at.day for item in own] == [17, 19, 20]
    assert len(pooled) == 3
    assert contender.asked_at[0].month == 6


def test_rounds_and_turns_carry_their_session(folder: Path) -> None:
    (question, *_) = longmemeval.read(files.load(folder, "longmemeval"))
    bike = question.sessions[2]
    assert [len(list(pieces(bike, size))) for size in ("session", "round", "turn")] == [1, 2, 4]
    (first, second) = pieces(bike, "round")
    assert first.text == "user: I sold my bicycle to Omar\n\nassistant: A good price?"
    assert (first.label, second.label, (second.at - first.at).seconds) == ("s_bike", "s_bike", 1)


@pytest.mark.parametrize("granularity", ["session", "round", "turn"])
def test_longmemeval_is_found_by_words(folder: Path, granularity: str) -> None:
    results = run(folder, Bm25(), Ours(), only="longmemeval", granularity=granularity)
    assert {result.metrics["all@10"] for result in results.values()} == {1}
    assert len(results) == 4


def test_locomo_averages_the_share_of_evidence(folder: Path) -> None:
    results = run(folder, Fixed("D1:1", "D2:2"), only="locomo")
    turn = results["turn fixed"]
    assert turn.metrics["share@10"] == pytest.approx((1 + 0.5 + 1 + 1) / 4)
    assert turn.metrics["share@10 without adversarial"] == pytest.approx(2.5 / 3)
    assert turn.metrics["share@10 category 1"] == 0.5
    assert turn.missed == ["conv-x/1"]
    sessions = run(folder, Fixed("D2"), only="locomo")["session fixed"]
    assert sessions.metrics["share@10"] == pytest.approx((0 + 0.5 + 1 + 1) / 4)


def test_locomo_memories_are_turns_with_their_speaker_or_whole_sessions(folder: Path) -> None:
    contender = Fixed()
    run(folder, contender, only="locomo")
    turns, sessions = contender.filled_with
    assert turns[0].text == "Ada: I adopted a parrot named Kiwi"
    assert [item.label for item in sessions] == ["D1", "D2"]
    assert sessions[1].text == "Ada: Kiwi learned to whistle\nBen: Our choir sings in Lisbon in July"


def test_factconsolidation_wants_the_current_value_first(folder: Path) -> None:
    results = run(folder, Fixed("1", "3", "2"), Ours(), Bm25(), only="factconsolidation")
    assert list(results) == ["sh 6k fixed", "sh 6k ours", "sh 6k bm25"], "multi-hop is not asked"
    out_of_date = {"hidden": 0.5, "superseded hidden": 0.5}  # 1 is shown beside 3, and 0 is not beside 2
    assert results["sh 6k fixed"].metrics == {"first": 0, "any@10": 1, **out_of_date}
    assert results["sh 6k ours"].metrics == {"first": 1, "any@10": 1, "hidden": 1, "superseded hidden": 1}
    assert results["sh 6k bm25"].metrics["first"] < 1
    assert results["sh 6k bm25"].metrics["hidden"] == 0


def test_forerunners_say_the_same_up_to_the_value() -> None:
    facts = ("The capital of Fenland is Tarn.", "The capital of Fenmark is Tarn.", "The capital of Fenland is Dunmore.")
    question = Question("q", "What is the capital of Fenland?", ("Dunmore", "Great Dunmore"))
    task = Task("sh", True, facts, (question,))
    assert forerunners(task, question, current(task, question)) == {facts[0]}
    later = Task("sh", True, facts[::-1], (question,))
    assert forerunners(later, question, current(later, question)) == set(), "what came after is none"
    assert versions({facts[0]}, {facts[2]}) == {facts[0]}, "5 of 7 words"
    assert versions({"Past Masters is by The Beatles."}, {"Past Masters is by Madonna."}) == set(), "4 of 7"
    alone = Task("sh", True, facts[1:], (question,))
    assert forerunners(alone, question, current(alone, question)) == set()


def test_coexist_counts_what_is_not_found_or_not_live() -> None:
    facts = [Fact("Ada keeps bees.", "What does Ada keep?"), Fact("Ben keeps bees.", "What does Ben keep?")]
    (result,) = ask_coexist.run(facts, Fixed("Ada keeps bees."), lambda: None)
    assert result.metrics == {"found@5": 0.5, "live": 0.5, "lost": 1}
    assert result.failures == {"Ben keeps bees.": ["it is no longer live", "not found"]}


def test_coexist_is_large_and_varied_and_nothing_of_it_is_lost() -> None:
    groups = coexist.read(coexist.load())
    facts = coexist.facts_of(groups)
    assert len(groups) >= 40 and len({fact.text for fact in facts}) == len(facts) >= 120
    assert all(len(group.facts) > 1 for group in groups)
    report = recall(None, [Ours()], version="0", only=["coexist"])
    assert [(result.protocol, result.metrics["lost"]) for result in report.results] == [
        ("at once", 0),
        ("after every job", 0),
    ]


def test_coexist_alone_needs_no_folder(folder: Path) -> None:
    with pytest.raises(InvalidInput, match="only coexist comes with the package"):
        recall(None, [Bm25()], version="0")
    report = recall(folder, [Bm25()], version="0", only=["coexist", "locomo"], limit=1)
    assert [result.dataset for result in report.results] == ["locomo", "locomo", "coexist"]
    assert report.files[-1]["name"] == "coexist.json, in the package"


def test_the_current_fact_is_about_the_question() -> None:
    question = Question("q", "Who leads Twitter?", ("Ada Orr",))
    task = Task("sh", True, ("Ada Orr leads Fenland", "Bo Lind leads Twitter", "Ada Orr leads Twitter"), (question,))
    assert current(task, question) == {"Ada Orr leads Twitter"}
    assert current(task, Question("q", "Who leads Twitter?", ("nobody",))) == set()


def test_an_answer_is_held_as_words_not_as_letters() -> None:
    assert holds("She lives in São Paulo.", ["São Paulo"])
    assert not holds("Romania is large", ["Rome", "oman"])
    assert not holds("anything", ["…"])


def test_precisionmembench_of_a_mind(folder: Path) -> None:
    result = run(folder, Ours(), only="precisionmembench")["cases ours"]
    # By words alone half of a question is not enough of an answer.
    assert result.failures == {
        "impossible": ["relevant: lacks b-piano", "relevant: also b-compost"],
        "both scopes": ["relevant: lacks b-compost"],
    }
    assert result.metrics["passed"] == 7
    assert result.metrics["active"] == 2


def test_precisionmembench_of_a_plain_retriever(folder: Path) -> None:
    result = run(folder, Bm25(), only="precisionmembench")["cases bm25"]
    # It knows nothing of time: what was superseded or resolved comes back.
    assert set(result.failures) == {"superseded", "resolved", "impossible"}


def test_what_was_superseded_comes_first_even_on_the_same_day(folder: Path) -> None:
    beliefs, _ = precisionmembench.read(files.load(folder, "precisionmembench"))
    ordered = [belief.id for belief in in_order(beliefs)]
    assert ordered.index("b-old-can") < ordered.index("b-hose")


def test_the_report_names_files_and_what_was_left_out(folder: Path) -> None:
    steps: list[tuple[int, int]] = []
    report = recall(folder, [Bm25()], version="7", progress=lambda done, total: steps.append((done, total)))
    assert steps[0] == (0, steps[-1][0]), "the last step is the whole"
    assert steps[-1][0] == steps[-1][1] == 2 * 2 + 2 * 4 + 2 + 9 + 138
    told = report.to_dict()
    assert (told["version"], told["data"]) == ("7", "data")
    assert [file["name"] for file in told["files"]] == [
        "longmemeval/tiny.json.xz",
        "locomo/tiny.json.gz",
        "factconsolidation/tiny.json",
        "precisionmembench/beliefs.seed.json",
        "precisionmembench/retrieval.cases.json",
        "coexist.json, in the package",
    ]
    notes = " ".join(told["notes"])
    assert all(words in notes for words in ("1 abstention", "2 malformed", "2 questions have no evidence", "multi-hop"))


def test_a_limit_takes_the_first_questions(folder: Path) -> None:
    report = recall(folder, [Bm25()], version="0", limit=1)
    assert {result.questions for result in report.results} == {1}
