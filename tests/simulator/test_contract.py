"""The forgetting contract: the product keeps all of it, and who breaks a promise is caught on just that one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from remanence import settings
from remanence.errors import InvalidInput
from remanence.opening import encoder_of
from remanence.simulator.contract import Outcome, Promise, Report, looks, run
from remanence.simulator.contract.world import Fact, world
from tests.interfaces.doors import typed
from tests.simulator.toy import FindsForgotten, KeepsALog, Relearns, TakesTooMuch, Toy, ToyHeld

SIZE = sum(scene.size for scene in run.SCENES)


def held(*kinds: type[ToyHeld]) -> Report:
    return run.contract([Toy(kind) for kind in kinds], version="0")


@pytest.fixture(scope="module")
def toys() -> Report:
    return held(ToyHeld, KeepsALog, Relearns, FindsForgotten, TakesTooMuch)


def broken(report: Report, name: str) -> dict[Promise, int]:
    counts = {promise: report.counts(name, promise)[Outcome.BROKEN] for promise in Promise}
    return {promise: number for promise, number in counts.items() if number}


def test_the_product_keeps_every_promise() -> None:
    embedder = encoder_of(None, settings.load({"embedder__name": "bundled"}))
    report = run.contract(run.contenders(["ours"], "0", embedder), version="0")
    assert [probe for probe in report.probes if probe.outcome is not Outcome.KEPT] == []
    assert len(report.probes) == SIZE > 150
    assert {probe.promise for probe in report.probes} == set(Promise)


def test_who_keeps_what_it_can_is_not_blamed_for_the_rest(toys: Report) -> None:
    counts = toys.counts("ToyHeld")
    assert broken(toys, "ToyHeld") == {}
    assert counts[Outcome.KEPT] > 90
    assert sum(counts.values()) == SIZE
    reasons = {probe.why for probe in toys.probes if probe.contender == "ToyHeld" and probe.outcome is Outcome.CANNOT}
    assert reasons == {
        "it notices no newer values",
        "it captures no sessions",
        "it made nothing of these memories",
    }


def test_bytes_that_are_kept_are_seen(toys: Report) -> None:
    probes = [probe for probe in toys.probes if probe.contender == "KeepsALog" and probe.outcome is Outcome.BROKEN]
    assert {probe.promise for probe in probes} == {Promise.BYTES}
    assert len(probes) == toys.counts("ToyHeld", Promise.BYTES)[Outcome.KEPT], "wherever something is purged"
    assert "1 copy of Grunivask in store/deleted.log" in probes[0].why


def test_what_is_learned_again_is_seen(toys: Report) -> None:
    kept = toys.counts("ToyHeld", Promise.BLOCKED)[Outcome.KEPT]
    found = broken(toys, "Relearns")
    assert found[Promise.BLOCKED] == kept > 5
    later = {Promise.GONE, Promise.BYTES}  # what a scene looks at after it was told again
    assert set(found) <= {Promise.BLOCKED, *later}
    again = [p for p in toys.probes if p.contender == "Relearns" and p.outcome is Outcome.BROKEN and p.promise in later]
    assert {(p.scene, p.moment) for p in again} == {
        ("all about a person is purged", "after every job"),
        ("a fact of a talk is purged", "after every job"),
        ("a fact of a talk is purged", "after reopening"),
    }


def test_what_is_found_though_forgotten_is_seen(toys: Report) -> None:
    assert broken(toys, "FindsForgotten") == {Promise.HIDDEN: toys.counts("ToyHeld", Promise.HIDDEN)[Outcome.KEPT]}


def test_what_is_lost_beside_it_is_seen(toys: Report) -> None:
    probes = [probe for probe in toys.probes if probe.contender == "TakesTooMuch" and probe.outcome is Outcome.BROKEN]
    assert {probe.promise for probe in probes} == {Promise.FOUND}
    assert {probe.scene for probe in probes} == {"a scope is forgotten", "a scope is purged"}
    assert "does not find" in probes[0].why


def test_files_that_never_showed_a_text_prove_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    class Sealed(ToyHeld):
        def files(self) -> list[Path]:
            return []

    scenes = [scene for scene in run.SCENES if scene.name == "memories are purged"]
    monkeypatch.setattr(run, "SCENES", scenes)
    report = held(Sealed)
    assert report.counts("Sealed", Promise.BYTES)[Outcome.KEPT] == 0
    assert {p.why for p in report.probes if p.promise is Promise.BYTES} >= {"its files do not show what they hold"}


def test_the_markers_are_rare_and_survive_stemming() -> None:
    told = json.dumps([fact.text for fact in (*world().kept, *world().others_summed)]).lower()
    doomed = [*world().purged.values(), *world().person, *world().summed, *world().corrected, *world().replaced]
    assert all(len(fact.marker) >= 8 and fact.marker.lower() not in told for fact in doomed)
    assert Fact("", "/", marker="Brindolkar").needle == b"indolkar"


def test_a_text_gives_a_fact_away_in_any_case() -> None:
    fact = Fact("Orla sings.", "/", marker="Brindolkar")
    assert fact.told_by("… BRINDOLKAR …") and not fact.told_by("Orla sings.")
    assert Fact("Orla sings.", "/").told_by("she said: orla sings.")
    assert looks.FIRST == 5


def test_an_unknown_contender_names_the_known_ones() -> None:
    with pytest.raises(InvalidInput, match=r"'magic'.*known are ours"):
        run.contenders(["ours", "magic"], "0")


# --- as typed


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """One quick scene, and a store of the user's that nobody may touch."""
    monkeypatch.setattr(run, "SCENES", run.SCENES[1:2])


@pytest.mark.usefixtures("short")
def test_the_table_and_the_last_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REMANENCE_DB", str(tmp_path / "own.db"))
    code, out, err = typed(["bench", "contract", "--json", str(tmp_path / "out.json")])
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].split() == ["promise", "ours"]
    assert lines[-1] == "10 of 10 promises kept"
    report = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert (len(report["probes"]), report["probes"][0]["outcome"]) == (10, "kept")
    assert not (tmp_path / "own.db").exists()


@pytest.mark.usefixtures("short")
def test_a_broken_promise_is_told_and_exits_with_1(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "contenders", lambda *_: [Toy(FindsForgotten)])
    code, out, _ = typed(["bench", "contract"])
    assert code == 1
    assert "FindsForgotten broken: a scope is forgotten, at once: what was forgotten is in no answer: search" in out
    assert out.splitlines()[-1] == "7 of 10 promises kept"
    code, out, _ = typed(["bench", "contract", "--json"])
    assert (code, len(json.loads(out)["probes"])) == (1, 10)


@pytest.mark.usefixtures("short")
def test_verbose_tells_every_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "contenders", lambda *_: [Toy()])
    code, out, _ = typed(["bench", "contract", "--verbose"])
    assert (code, out.count("ToyHeld kept: a scope is forgotten")) == (0, 10)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--contender", "magic"], "no contender is called 'magic'; known are ours"),
        (["--contender", "magic,ours,other"], "'other'"),
        (["--data", "x"], "--data"),
    ],
)
def test_bad_input_is_named(words: list[str], problem: str) -> None:
    code, _, err = typed(["bench", "contract", *words])
    assert code == 2
    assert problem in err


@pytest.mark.usefixtures("short")
def test_a_report_that_cannot_be_written_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "contenders", lambda *_: [Toy()])
    code, _, err = typed(["bench", "contract", "--json", "no/such/folder.json"])
    assert code == 2
    assert "cannot be written" in err
