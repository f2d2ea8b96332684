"""rem bench forgetting as typed: the table, the plot, several processes, and what bad input says."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from remanence.errors import InvalidInput
from remanence.policies import reading
from remanence.simulator.contenders.ours import make_mind
from remanence.simulator.forgetting import contenders, fitting, run
from remanence.simulator.forgetting.product import Product
from tests.interfaces.doors import typed
from tests.simulator.test_forgetting import CHATTER, FACTS

COMMAND = ["bench", "forgetting"]
ONE = [*COMMAND, "--only", "locomo", "--contender", "balanced,fifo", "--access", "none"]


def conversation(name: str = "made-up", questions: bool = True) -> dict[str, Any]:
    said: dict[str, object] = {}
    asked = []
    for number in range(1, 5):
        said[f"session_{number}_date_time"] = f"1:56 pm on {number} May, 2023"
        fact = FACTS[number % 3].replace("480", str(400 + number))
        texts = (CHATTER[number % 3], fact, CHATTER[(number + 1) % 3])
        said[f"session_{number}"] = [
            {"speaker": "Ann", "dia_id": f"D{number}:{turn}", "text": text} for turn, text in enumerate(texts, 1)
        ]
        asked.append({"question": fact, "evidence": [f"D{number}:2"], "category": 4})
    return {"sample_id": name, "conversation": said, "qa": asked if questions else []}


def locomo(folder: Path, content: list[dict[str, Any]]) -> Path:
    (folder / "locomo").mkdir()
    (folder / "locomo" / "made.json").write_text(json.dumps(content), "utf-8")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small LoCoMo of one made-up conversation."""
    return locomo(tmp_path, [conversation()])


def told(*words: str) -> dict[str, Any]:
    code, out, err = typed([*words, "--json"])
    assert code == 0, err
    found: dict[str, Any] = json.loads(out)
    return found


def refused(*words: str) -> list[str]:
    code, out, err = typed([*words, "--json"])
    assert (code, out) == (2, ""), err
    return list(json.loads(err)["problems"])


def test_the_command_writes_a_table_a_plot_and_the_same_twice(folder: Path, tmp_path: Path) -> None:
    asked = [
        *COMMAND,
        "--data",
        str(folder),
        "--only",
        "locomo",
        "--budget",
        "40,20%",
        "--contender",
        "balanced,newest",
    ]
    plot = tmp_path / "plot.svg"
    code, out, err = typed([*asked, "--plot", str(plot)])
    assert code == 0, err
    assert "balanced" in out and "oracle" in out and "mean" in out
    one, two = (told(*asked) for _ in range(2))
    assert one["scores"] == two["scores"]
    assert {score["contender"] for score in one["scores"]} >= {"balanced", "fifo", "random", "oracle"}
    assert one["weights"]["locomo"].keys() == fitting.PRIOR.keys()


@pytest.mark.parametrize(
    ("given", "problems"),
    [
        (["--budget", "0,150"], ["a budget of 0 %", "a budget of 150 %"]),
        (["--budget", "much"], ["'much' is no budget"]),
        (["--contender", "clairvoyant"], ["no contender is called 'clairvoyant'; known are oracle"]),
        (["--access", "dreams"], ["no access model is called 'dreams'"]),
        (
            ["--only", "stories"],
            ["no data set is called 'stories'; known are locomo, longmemeval, talks, unseen-talks, worlds"],
        ),
        (["--only", "factconsolidation"], ["no data set is called 'factconsolidation'; known are locomo"]),
        (["--budget", ","], ["--budget names nothing"]),
        (["--contender", "", "--access", " ,", "--only", ""], ["--contender names", "--access names", "--only names"]),
    ],
)
def test_bad_input_says_what_to_do(folder: Path, given: list[str], problems: list[str]) -> None:
    code, _, err = typed([*COMMAND, "--data", str(folder), *given])
    assert code == 2
    assert all(problem in err for problem in problems), err


def test_without_data_everything_that_is_wrong_is_said_at_once() -> None:
    found = refused(*COMMAND, "--contender", "seer", "--budget", "30,x,0", "--access", "naps", "--plot", "/no/p.svg")
    for problem in ("'seer'", "'x' is no budget", "of 0 %", "'naps'", "say where the data is", "/no/p.svg cannot be"):
        assert any(problem in one for one in found), problem
    assert sum("json.gz" in one for one in found) == 2, "only the sets that this command reads"
    assert not any("data is" in one for one in refused(*COMMAND, "--only", "synthetic"))


def test_a_folder_that_is_not_there_names_the_two_sets() -> None:
    there, *sources = refused(*COMMAND, "--data", "/nonexist")
    assert there == "there is no data folder at /nonexist"
    assert [source.split("/")[0] for source in sources] == ["locomo", "longmemeval"]


@pytest.mark.parametrize("content", [[], [conversation(questions=False)]])
def test_a_set_without_questions_is_named(tmp_path: Path, content: list[dict[str, Any]]) -> None:
    (problem,) = refused(*COMMAND, "--data", str(locomo(tmp_path, content)))
    assert problem.startswith("locomo: no question with evidence in locomo/made.json")


@pytest.mark.parametrize("command", [COMMAND, ["bench", "recall"]])
def test_what_cannot_be_written_is_said_before_the_run(command: list[str], folder: Path) -> None:
    taken = folder / "locomo"
    code, _, err = typed([*command, "--data", "/nonexist", "--plot", "/nonexist/p.svg", "--json", str(taken)])
    assert code == 2
    assert "there is no folder /nonexist" in err
    assert f"{taken} cannot be written: it is a folder" in err


def test_the_contract_too_says_it_before(monkeypatch: pytest.MonkeyPatch) -> None:
    from remanence.simulator.contract import run as contract

    monkeypatch.setattr(contract, "contract", lambda *_, **__: pytest.fail("it ran"))
    code, _, err = typed(["bench", "contract", "--json", "/nonexist/o.json"])
    assert code == 2
    assert "there is no folder /nonexist" in err


def test_what_is_named_twice_runs_once(folder: Path) -> None:
    twice = told(
        *COMMAND,
        "--data",
        str(folder),
        "--only",
        "locomo,locomo",
        "--access",
        "none,none",
        "--budget",
        "30,30%",
        "--contender",
        "balanced,balanced,fifo,newest",
    )
    names = [score["contender"] for score in twice["scores"]]
    assert sorted(names) == ["balanced", "fifo", "oracle", "random", "refitted on locomo"]


def test_one_conversation_has_no_interval_and_the_note_says_why(folder: Path) -> None:
    asked = [*ONE, "--data", str(folder), "--budget", "30"]
    report = told(*asked)
    assert {(score["low"], score["high"]) for score in report["scores"]} == {(None, None)}
    assert any("no interval" in note for note in report["notes"])
    assert "[" not in typed(asked)[1]


def test_what_keeps_all_is_shown_as_all(folder: Path) -> None:
    out = typed([*COMMAND, "--data", str(folder), "--only", "locomo", "--contender", "all", "--budget", "40,20"])[1]
    rows = [line.split() for line in out.splitlines()]
    assert {tuple(row[2:4]) for row in rows if row[4:5] == ["all"]} == {("100", "%")}


def test_a_plot_has_two_panels_a_set_and_bars_of_one_budget(folder: Path) -> None:
    asked = [*COMMAND, "--data", str(folder), "--only", "locomo,worlds", "--contender", "balanced,lru", "--jobs", "1"]
    panels, bars = (
        _texts(folder / name, asked, budget) for name, budget in (("panels.svg", "40,20"), ("bars.svg", "40"))
    )
    assert panels.count("↑ found") == panels.count("↑ evidence kept") == 2
    assert {"locomo, access: none", "worlds, access: uses"} <= set(panels)
    assert {f"{name}, budget 40 %: found" for name in ("locomo, access: none", "worlds, access: uses")} <= set(bars)
    assert bars.count("balanced") == bars.count("lru") == bars.count("oracle") == 4


def _texts(plot: Path, asked: list[str], budget: str) -> list[str | None]:
    code, _, err = typed([*asked, "--budget", budget, "--plot", str(plot)])
    assert code == 0, err
    return [text.text for text in ElementTree.parse(plot).iter("{http://www.w3.org/2000/svg}text")]


def policies() -> dict[str, Any]:
    return {name: reading.preset(name) for name in reading.PRESETS}


def ran(folder: Path, **more: Any) -> run.Report:
    given = {"names": ["balanced", "lru", "product"], "access": ("none", "dialogue"), "budgets": (0.3,), **more}
    names = given.pop("names")
    return run.forgetting(folder, names, policies(), version="0", only=["locomo"], **given)


def test_several_processes_find_what_one_does(tmp_path: Path) -> None:
    locomo(tmp_path, [conversation(f"talk {number}") for number in range(3)])
    assert ran(tmp_path, jobs=2).scores == ran(tmp_path).scores


def test_the_product_may_take_part_in_some_talks_beside_their_own_bounds(tmp_path: Path) -> None:
    locomo(tmp_path, [conversation(f"talk {number}") for number in range(5)])
    product = Product(partial(make_mind, settings={"embedder__name": "none"}), reading.preset("balanced"))
    steps: list[tuple[int, int]] = []
    some = ran(tmp_path, product=product, product_talks=2, progress=lambda *step: steps.append(step))
    assert steps[0] == (0, 12), "five talks under two access models, and two talks of the product"
    assert steps[-1] == (12, 12)
    assert any("product took part in 2 of 5 conversations, evenly spaced" in note for note in some.notes)
    every = ran(tmp_path, product=product)
    assert not any("evenly" in note for note in every.notes)
    assert [[s.contender for s in one.scores].count("product") for one in (some, every)] == [1, 1]
    (note,) = (note for note in ran(tmp_path, product=product, budgets=(0.5,)).notes if "product" in note)
    assert "30% kept alone" in note


def test_questions_alone_need_two_of_them(tmp_path: Path) -> None:
    alone = conversation()
    locomo(tmp_path, [{**alone, "qa": alone["qa"][:1]}])
    with pytest.raises(InvalidInput, match="no other half to ask; ask with --access none"):
        ran(tmp_path, access=("questions",))


def test_other_names_are_known() -> None:
    assert contenders.called(["newest", "fifo", "newest first"]) == ["fifo"]
