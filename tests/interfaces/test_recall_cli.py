"""recall, reembed, used and feedback at the command line: options, notes, exit codes, and what a person is told."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from remanence import Mind
from remanence.model.memory import State
from remanence.model.plan import Change, Plan
from remanence.settings import Settings
from tests.embedders import Toy
from tests.interfaces.doors import told, typed


@pytest.fixture(autouse=True)
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REMANENCE_DB", str(tmp_path / "own.db"))
    monkeypatch.setenv("REMANENCE_CONFIG", str(tmp_path / "config.yml"))
    return tmp_path / "own.db"


@pytest.fixture
def bundled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REMANENCE_EMBEDDER", "bundled")


def remembered(text: str, *options: str) -> str:
    return str(told("remember", text, "--scope", "/", *options)["memory"]["id"])


def found(*words: str) -> list[str]:
    return [hit["memory"]["text"] for hit in told("recall", *words)]


def archive(db: Path, id: str) -> None:
    with Mind(db, embedder=False, settings=Settings(upkeep__on_open=False)) as mind:
        mind.apply(Plan((Change.of(mind.get(id), "put away", state=State.ARCHIVED),), verb="archive"))


def test_a_query_an_example_or_a_file_is_needed() -> None:
    for words in (["recall"], ["recall", " "], ["recall", "--limit", "3"]):
        code, out, err = typed([*words, "--json"])
        assert (code, out) == (2, "")
        assert json.loads(err)["message"]


def test_by_example_and_by_file() -> None:
    one = remembered("The heron nests by the lake", "--file", "src/app.py")
    remembered("A heron sleeps by the lake")
    assert found("--like", one) == ["A heron sleeps by the lake"]
    assert found("--file", "app.py") == ["The heron nests by the lake"]
    assert found("--files", "app.py", "--file", "README.md") == ["The heron nests by the lake"]
    assert "The heron nests by the lake" in found("what is in src/app.py")
    code, _, err = typed(["--json", "recall", "--like", "01890000-0000-7000-8000-000000000000"])
    assert (code, json.loads(err)["error"]) == (3, "not_found")


def test_when_in_words() -> None:
    remembered("The heron nests by the lake", "--created-at", "2020-02-03T10:00Z")
    remembered("A heron sleeps by the pond")
    assert found("heron", "--since", "last week") == ["A heron sleeps by the pond"]
    assert found("heron", "--until", "2020-02-03") == ["The heron nests by the lake"]
    assert found("heron", "--since", "2020-02-03", "--until", "2020-02-03") == ["The heron nests by the lake"]
    assert found("heron", "--since", "3 days ago") == ["A heron sleeps by the pond"]
    code, _, err = typed(["--json", "recall", "heron", "--since", "some day", "--until", "never"])
    assert code == 2
    assert len(json.loads(err)["problems"]) == 2
    code, out, err = typed(["recall", "heron", "--since", "some day"])
    assert (code, out) == (2, "") and "last week" in err


@pytest.mark.parametrize("words", [["recall", "heron"], ["list"], ["journal"], ["receipts"]])
def test_an_empty_store_is_named_with_how_to_begin(db: Path, tmp_path: Path, words: list[str]) -> None:
    remembered("The heron nests by the lake")
    mistyped = ["--db", str(tmp_path / "onw.db"), *words]
    code, out, err = typed(mistyped)
    assert (code, err) == (0, "")
    assert out == f"Nothing is remembered in {tmp_path / 'onw.db'}, namespace default. Begin with: rem remember TEXT\n"
    assert typed([*mistyped, "--json"]) == (0, "[]\n", "")
    assert str(db) in typed(["--namespace", "other", *words])[1]
    assert typed(["list", "--kind", "decision"])[1] == "Nothing found.\n"


def test_what_was_missed_is_told_with_how_to_bring_it_back(db: Path) -> None:
    id = remembered("The heron nests by the lake")
    archive(db, id)
    code, out, err = typed(["recall", "heron"])
    assert code == 0
    assert "Nothing found." in out
    assert "In the archive" in err and f"rem restore {id}" in err
    code, out, err = typed(["--json", "recall", "heron"])
    assert (json.loads(out), err) == ([], "")
    assert [hit["archived"] for hit in told("recall", "heron", "--include", "archived")] == [True]
    typed(["restore", id])
    assert found("heron") == ["The heron nests by the lake"]


def test_what_a_terminal_shows_steers_no_terminal(db: Path) -> None:
    id = remembered("The heron \x1b[31mnests\u202e by the lake")
    archive(db, id)
    _, out, err = typed(["recall", "heron"])
    assert "\x1b" not in out + err and "\u202e" not in out + err


def test_why_not(db: Path) -> None:
    id = remembered("The heron nests by the lake")
    told_ = told("recall", "heron", "--why-not", id)
    assert (told_["found"], told_["place"]) == (True, 1)
    archive(db, id)
    code, out, _ = typed(["recall", "heron", "--why-not", id])
    assert code == 0 and f"rem restore {id}" in out
    assert not told("recall", "heron", "--why-not", id, "--scope", "/elsewhere")["found"]
    assert typed(["recall", "heron", "--why-not", "nothing"])[0] == 3
    assert typed(["recall", "--why-not", id])[0] == 2
    assert told("stats")["recalls"] == 0, "asking why is no recall"


def test_used_and_feedback() -> None:
    id = remembered("The heron nests by the lake")
    assert told("used", id)["uses"] == 1
    assert told("feedback", id, "--no-useful")["rejections"] == 1
    assert told("show", id)["uses"] == 1
    assert typed(["used", "nothing"])[0] == 3
    receipt = told("journal")[0]["receipt_id"]
    told("undo", receipt)
    assert told("show", id)["rejections"] == 0


def test_a_use_is_told_in_one_line(db: Path) -> None:
    id = remembered("The heron nests by the lake")
    line = "Counted: 1 use so far, 1 access. It ranks higher and fades more slowly.\n"
    assert typed(["used", id]) == (0, line, "")
    assert typed(["feedback", id])[1].startswith("Counted: 2 uses so far, 1 access.")
    rejected = "Counted: 1 rejection so far. It ranks lower and fades sooner.\n"
    assert typed(["feedback", id, "--no-useful"]) == (0, rejected, "")
    archive(db, id)
    missed = f"Counted: 3 uses so far. It is archived, so it was missed. Bring it back with: rem restore {id}\n"
    assert typed(["used", id]) == (0, missed, "")


@pytest.mark.parametrize("said", [[], ["--useful"]])
def test_feedback_is_good_unless_said_otherwise(said: list[str]) -> None:
    assert told("feedback", remembered("The heron nests by the lake"), *said)["uses"] == 1


@pytest.mark.parametrize("limit", ["0", "1001", "-1", "x", "1.5"])
def test_limits(limit: str) -> None:
    assert typed(["--json", "recall", "heron", "--limit", limit])[0] == 2


def test_stats_tell_of_meanings() -> None:
    remembered("The heron nests by the lake")
    told("recall", "heron")
    stats = told("stats")
    assert (stats["embedder"], stats["vectors"], stats["waiting"], stats["recalls"]) == (None, {}, 1, 1)
    code, out, _ = typed(["stats"])
    assert code == 0 and out


def test_reembed_without_an_embedder_is_refused() -> None:
    remembered("The heron nests by the lake")
    code, out, err = typed(["--json", "reembed"])
    assert (code, out) == (2, "")
    assert "no embedder" in json.loads(err)["message"]


def test_reembed(bundled: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REMANENCE_EMBEDDER", "none")
    for text in ("My cat sleeps on the sofa", "The invoice is due in March"):
        remembered(text)
    monkeypatch.setenv("REMANENCE_EMBEDDER", "bundled")
    done = told("reembed")
    assert (done["embedded"], done["left"], done["why"]) == (2, 0, "")
    assert found("feline pets at home")[0] == "My cat sleeps on the sofa"
    code, out, _ = typed(["reembed"])
    assert code == 0 and re.search(r"0 memories embedded by .+; 0 left", out)


def test_an_embedder_that_is_gone_is_said_beside_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REMANENCE_EMBEDDER", "endpoint")
    monkeypatch.setenv("REMANENCE_EMBEDDER__URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("REMANENCE_EMBEDDER__MODEL", "nobody")
    monkeypatch.setenv("REMANENCE_EMBEDDER__TIMEOUT_SECONDS", "0.5")
    id = remembered("The heron nests by the lake")
    code, out, err = typed(["--json", "recall", "heron"])
    assert code == 0
    assert [hit["memory"]["id"] for hit in json.loads(out)] == [id]
    assert "words alone" in err and "heron" not in err
    code, out, err = typed(["reembed"])
    assert code == 1
    assert "Run it again to go on" in err


def test_many_at_once_say_who_waits(tmp_path: Path) -> None:
    (tmp_path / "facts.txt").write_text("".join(f"Fact {n} about {n * 7919}\n" for n in range(40)))
    code, out, _ = typed(["remember", "--many", "facts.txt", "--scope", "/"])
    assert code == 0
    assert "40 memories wait to be embedded" in out


def test_a_changed_model_is_told(db: Path, bundled: None) -> None:
    with Mind(db, embedder=Toy(), settings=Settings(upkeep__on_open=False)) as mind:
        mind.remember("The heron nests by the lake")
    code, out, err = typed(["--json", "recall", "heron"])
    assert code == 0 and len(json.loads(out)) == 1
    assert "rem reembed" in err
    assert told("stats")["vectors"] == {"toy": 1}
    assert told("reembed")["embedded"] == 1
    assert typed(["--json", "recall", "heron"])[2] == ""


def test_in_a_process_of_its_own(db: Path, tmp_path: Path) -> None:
    """One JSON document on standard output, nothing else anywhere, and the access is counted."""
    id = remembered("The heron nests by the lake")
    environment = {**os.environ, "REMANENCE_EMBEDDER": "none", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-m", "remanence.interfaces.cli", "--json", "recall", "heron"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=environment,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert [hit["memory"]["id"] for hit in json.loads(done.stdout)] == [id]
    assert told("show", id)["access_count"] == 1
    assert told("stats")["recalls"] == 1
