"""The policy in force: which one it is, where it is kept, what changing it does, and how dating goes on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from remanence import Mind
from remanence.errors import InvalidInput, PlanRefused
from remanence.flows.dating import date_all, is_dated
from remanence.model.policy import Policy
from remanence.policies.reading import PRESETS, preset, read
from remanence.settings import Settings, load
from tests.conftest import Clock, dump, new_mind, only_files

Open = Callable[..., Mind]
SEED_000 = """
memory:
  decay:
    enabled: true
    half_life_days: 30
    prune_threshold: 0.05
    prune_after_days: 30
    exempt_scopes: ["/user"] # Never decay user profile memories
"""
BAD = "extends: halflif\nhalf_life_days: -3\nprune_threshold: 30d\nfoo: 1\n"


def remember(mind: Mind, number: int, start: int = 0, **fields: Any) -> list[str]:
    """Ids of so many memories that share no word with each other."""
    texts = ({"text": f"w{n} x{n} y{n}"} | fields for n in range(start, start + number))
    return [made.memory.id for made in mind.remember_many(texts)]


def leaving(mind: Mind) -> list[str]:
    return [change.memory_id for change in mind.sweep() if "state" in change.after]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a config.yml of its own, and no policy in the environment."""
    monkeypatch.setenv("REMANENCE_CONFIG", str(tmp_path / "config.yml"))
    monkeypatch.delenv("REMANENCE_POLICY", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def current(path: Path | str = ":memory:", **options: Any) -> Policy:
    with Mind(path, **options) as mind:
        return mind.policies.current


def in_force(path: Path) -> str:
    return current(path).name


# --- which one it is


def test_argument_then_environment_then_file_then_chosen_then_balanced(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = home / "m.db"
    assert in_force(store) == "balanced"
    with Mind(store) as mind:
        mind.policies.use("relevance")
    assert in_force(store) == "relevance"
    (home / "config.yml").write_text("policy: layered\n")
    assert in_force(store) == "layered"
    monkeypatch.setenv("REMANENCE_POLICY", "halflife")
    assert in_force(store) == "halflife"
    assert current(store, settings={"policy": "balanced"}).name == "balanced"
    assert current(store, policy="tiered").name == "tiered"
    monkeypatch.delenv("REMANENCE_POLICY")
    (home / "config.yml").unlink()
    assert in_force(store) == "relevance"


def test_an_argument_is_a_name_a_path_or_a_policy(home: Path) -> None:
    (home / "mine.yml").write_text("extends: tiered\nlambda: 0.02\n")
    for given in ("mine.yml", home / "mine.yml", read("extends: tiered\nlambda: 0.02", "mine.yml")):
        with Mind(":memory:", policy=given) as mind:
            assert (mind.policies.current.name, mind.policies.current.numbers["lambda"]) == ("mine", 0.02)


@pytest.mark.parametrize("wrong", ["nope", "", 5, [], b"tiered", "none.yml", "/", True])
def test_a_policy_that_is_none_opens_nothing(home: Path, wrong: Any) -> None:
    with pytest.raises(InvalidInput):
        Mind(":memory:", policy=wrong)


def test_an_empty_argument_is_no_setting(home: Path) -> None:

    with pytest.raises(InvalidInput):
        Mind(":memory:", policy="", settings={"policy": "tiered"})


def test_the_default_is_balanced_and_presets_can_be_listed(mind: Mind) -> None:
    listed = mind.policies.list()
    assert [entry["name"] for entry in listed] == list(PRESETS)
    assert [entry["name"] for entry in listed if entry["current"]] == ["balanced"]
    assert all(entry["about"] for entry in listed)


# --- config.yml


def test_the_block_of_seed_000_stands_in_config_yml_as_it_is(home: Path) -> None:
    (home / "config.yml").write_text(SEED_000)
    clock = Clock()
    with Mind(":memory:", clock=clock, embedder=False) as mind:
        assert mind.policies.current.fingerprint == preset("halflife").fingerprint
        gone, kept = (mind.remember("lonely heron", scope=scope).memory.id for scope in ("/", "/user"))
        clock.advance(days=99)
        assert leaving(mind) == []
        clock.advance(days=1)
        assert leaving(mind) == [gone]
        assert mind.explain(kept).value == 0.5, "user profile memories never decay"


def test_changed_numbers_of_that_block_are_followed(home: Path) -> None:
    (home / "config.yml").write_text(SEED_000.replace("half_life_days: 30", "half_life_days: 10") + "namespace: zoo\n")
    clock = Clock()
    with Mind(":memory:", clock=clock, embedder=False) as mind:
        assert mind.namespace == "zoo"
        id = mind.remember("lonely heron").memory.id
        clock.advance(days=34)
        assert leaving(mind) == [id]


def test_that_block_can_switch_sweeps_off(home: Path) -> None:
    (home / "config.yml").write_text(SEED_000.replace("enabled: true", "enabled: false"))
    clock = Clock()
    with Mind(":memory:", clock=clock, embedder=False) as mind:
        mind.remember("lonely heron", importance=0.01)
        clock.advance(days=500)
        assert leaving(mind) == []
        assert mind.stats().sweeping is False


def test_every_problem_of_that_block_is_named_with_its_line(home: Path) -> None:
    block = SEED_000.replace("half_life_days: 30", "half_life_days: -30").replace("enabled: true", "enabled: maybe")
    (home / "config.yml").write_text(block + "    colour: blue\n")
    with pytest.raises(InvalidInput) as caught:
        Mind(":memory:")
    text = "\n".join(caught.value.problems)
    assert len(caught.value.problems) == 3
    assert "config.yml: line 4: enabled is 'maybe'" in text
    assert "line 5: half_life_days is -30; allowed is more than 0 up to 36,500 days" in text
    assert "line 9: unknown key 'colour'" in text


def test_a_policy_written_out_or_in_a_file_beside_it(home: Path) -> None:
    (home / "config.yml").write_text("policy:\n  extends: tiered\n  max_evict: 7\n")
    assert current().numbers["max_evict"] == 7
    (home / "config.yml").write_text("policy: rules/mine.yml\n")
    (home / "rules").mkdir()
    (home / "rules" / "mine.yml").write_text("extends: tiered\nmax_evict: 8\n")
    assert current().numbers["max_evict"] == 8


@pytest.mark.parametrize("policy", ["policy: tiered", "policy: {extends: tiered}"])
def test_a_policy_that_is_named_goes_before_the_seeds_block(home: Path, policy: str) -> None:
    """Whichever goes first: it must not depend on whether the policy is named or written out."""
    (home / "config.yml").write_text(SEED_000 + policy + "\n")

    assert current().curve == "exponential"


@pytest.mark.parametrize("text", ["policy: 5", "policy: nope", "policy: [tiered]", "memory: {decay: 5}", "policy: {}"])
def test_a_policy_in_config_yml_that_is_none(home: Path, text: str) -> None:
    (home / "config.yml").write_text(text + "\n")
    with pytest.raises(InvalidInput):
        Mind(":memory:")


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("REMANENCE_UPKEEP__INTERVAL", "soon", "upkeep.interval"),
        ("REMANENCE_UPKEEP__INTERVAL", "0d", "upkeep.interval"),
        ("REMANENCE_UPKEEP__ON_OPEN", "perhaps", "upkeep.on_open"),
        ("REMANENCE_POLICY", "nope", "there is no policy 'nope'"),
    ],
)
def test_settings_that_are_none(
    home: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str, problem: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(InvalidInput, match=problem):
        Mind(":memory:")


def test_settings_of_upkeep_by_file_and_environment(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "config.yml").write_text("upkeep:\n  interval: 2w\n  on_open: false\n")
    assert (load().upkeep__interval, load().upkeep__on_open) == ("2w", False)
    monkeypatch.setenv("REMANENCE_UPKEEP__ON_OPEN", "true")
    monkeypatch.setenv("REMANENCE_UPKEEP__INTERVAL", "6h")
    assert (load().upkeep__interval, load().upkeep__on_open) == ("6h", True)


# --- choosing another


@only_files
def test_what_was_chosen_goes_where_the_file_goes(open_mind: Open, tmp_path: Path) -> None:
    (tmp_path / "mine.yml").write_text("extends: halflife\nhalf_life_days: 7\nname: weekly\n")
    mind = open_mind()
    used = mind.policies.use(tmp_path / "mine.yml")
    assert (used.policy, used.leaves) == ("weekly", 0)
    (tmp_path / "mine.yml").unlink()
    mind.backup(tmp_path / "copy.db")
    for other in (open_mind(), new_mind(tmp_path / "copy.db")):
        assert other.policies.current.name == "weekly"
        assert other.policies.current.numbers["half_life_days"] == 7
        assert other.stats().policy == "weekly"
    assert open_mind("elsewhere").policies.current.name == "balanced", "a namespace chooses for itself"


@pytest.mark.parametrize(
    "text",
    [
        *(f"extends: {name}" for name in PRESETS),
        "extends: halflife\nenabled: false",
        "extends: tiered\nmaxEvict: 5\ntierThresholds: {hot: 0.9}\nlowImportanceThreshold: 2",
        "extends: relevance\nttl: {finding: 9d, decision: never}\nwithout: [stale]\nproject_tokens: never",
        "extends: layered\nretention_mode: l2\noverrides: {/a: {half_life_days: 3}, bug: {ttl: 2d, exempt: true}}",
        "rules:\n  - {name: all, action: forget, when: {age_days: '> 3d', kind: {not: [fact, bug]}}}",
        "extends: balanced\ntargets:\n  - {name: few, each: scope, memories: 4, action: archive, lowest: importance}",
    ],
)
def test_a_chosen_policy_is_the_same_when_opened_again(open_mind: Open, text: str) -> None:
    policy = read(text, "mine.yml")
    open_mind().policies.use(policy)
    found = open_mind().policies.current
    assert (found.fingerprint, found.name, found.enabled) == (policy.fingerprint, policy.name, policy.enabled)
    assert read(open_mind().policies.yaml(), "again.yml").fingerprint == policy.fingerprint


def test_switched_off_stays_switched_off_whatever_the_file_is_called(open_mind: Open, tmp_path: Path) -> None:
    """halflife.yml that extends halflife: only `enabled` differs, and that is the whole point of the file."""
    (tmp_path / "halflife.yml").write_text("extends: halflife\nenabled: false\n")
    mind = open_mind()
    mind.policies.use(tmp_path / "halflife.yml")
    assert mind.policies.current.enabled is False

    assert open_mind().policies.current.enabled is False
    assert read(open_mind().policies.yaml(), "again.yml").enabled is False


def test_a_policy_made_from_another_in_python_is_kept_as_it_is(open_mind: Open) -> None:
    changed = replace(preset("tiered"), numbers={**preset("tiered").numbers, "max_evict": 5.0})
    mind = open_mind()
    try:
        mind.policies.use(changed)
    except InvalidInput:
        return  # refusing it in words would do as well

    assert open_mind().policies.current.numbers["max_evict"] == 5


def test_use_dates_everything_anew_and_tells_what_leaves(mind: Mind, clock: Clock) -> None:
    ids = remember(mind, 10, importance=0.1)
    clock.advance(days=40)
    assert leaving(mind) == []
    used = mind.policies.use("halflife")
    assert (used.policy, used.leaves, used.dated) == ("halflife", 10, 10)
    assert "10 memories leave at the next sweep" in str(used)
    assert set(leaving(mind)) == set(ids)
    assert mind.stats().due == 10
    assert mind.policies.use("layered").dated == 10
    assert leaving(mind) == []


def test_choosing_the_same_again_dates_nothing(mind: Mind) -> None:
    remember(mind, 5)
    mind.policies.use("tiered")
    assert mind.policies.use("tiered").dated == 0


def test_choosing_a_policy_changes_no_memory(mind: Mind, clock: Clock) -> None:
    remember(mind, 5)
    clock.advance(days=400)
    before, memories = dump(mind), mind.list(state="all")
    mind.policies.use("halflife")
    assert mind.list(state="all") == memories
    changed = {name for name, rows in dump(mind).items() if rows != before[name]}
    assert changed <= {"lives", "policies", "receipts"}


# --- a change of policy, and the way back


def test_a_change_of_policy_is_in_the_journal(mind: Mind) -> None:
    id = mind.remember("The heron nests by the lake").memory.id
    used = mind.policies.use(read("extends: balanced\nstability_days: 7\nname: mine", "mine.yml"))
    assert used.receipt_id is not None
    assert f"Take it back with: rem undo {used.receipt_id}" in str(used)
    later = mind.remember("The stork sleeps on a roof").memory.id
    lines = mind.journal()
    assert [entry.memory_id for entry in lines] == [later, "", id]
    line = lines[1]
    assert (line.receipt_id, line.verb, line.action) == (used.receipt_id, "policy", "adjust")
    assert line.note == "balanced → mine: stability_days 30 → 7"
    assert [brief.id for brief in mind.receipts(verb="policy")] == [used.receipt_id]
    # Page by page, in both directions, every line comes once.
    newest_first, place = [], None
    while page := mind.journal(1, before=place):
        newest_first += page
        place = page[0].place
    assert newest_first == list(lines)
    oldest_first, place = [], "r0.0"
    while page := mind.journal(1, after=place):
        oldest_first += page
        place = page[0].place
    assert oldest_first == list(reversed(lines))


def test_a_change_of_policy_can_be_undone_and_done_again(open_mind: Open, tmp_path: Path) -> None:
    (tmp_path / "mine.yml").write_text("extends: halflife\nhalf_life_days: 7\nname: weekly\n")
    mind = open_mind()
    first = mind.policies.use(tmp_path / "mine.yml")
    (tmp_path / "mine.yml").unlink()
    second = mind.policies.use("tiered")
    with pytest.raises(InvalidInput, match=f"changed again after it .{second.receipt_id}: undo that first"):
        mind.undo(str(first.receipt_id))
    undone = mind.undo(str(second.receipt_id))
    assert (undone.verb, undone.undoes) == ("policy", second.receipt_id)
    for one in (mind, open_mind()):
        assert one.policies.current.name == "weekly"
        assert one.policies.current.numbers["half_life_days"] == 7
    again = mind.undo(undone.id)
    assert open_mind().policies.current.name == "tiered"
    mind.undo(again.id)
    with pytest.raises(InvalidInput, match="changed again after it"):
        mind.undo(str(first.receipt_id))
    assert mind.check().problems == ()


def test_undoing_the_first_choice_brings_the_default_back(mind: Mind, clock: Clock) -> None:
    remember(mind, 10, importance=0.1)
    clock.advance(days=40)
    receipt = mind.policies.use("halflife").receipt_id
    assert len(leaving(mind)) == 10
    mind.undo(str(receipt))
    assert mind.policies.current == preset("balanced")
    assert leaving(mind) == []


def test_a_setting_stays_in_force_when_a_choice_is_undone(open_mind: Open) -> None:
    receipt = open_mind().policies.use("tiered").receipt_id
    mind = open_mind(policy="halflife")
    mind.undo(str(receipt))
    assert mind.policies.current.name == "halflife"
    assert open_mind().policies.current.name == "balanced"


def test_a_policy_kept_by_an_earlier_version_is_kept_on(open_mind: Open, clock: Clock) -> None:
    mind = open_mind()
    mind._store.choose_policy('{"name": "mine", "values": {"extends": "halflife", "half_life_days": 9}}', clock.now)
    receipt = mind.policies.use("tiered").receipt_id
    mind.undo(str(receipt))
    assert open_mind().policies.current.numbers["half_life_days"] == 9


def test_overrides_are_told_in_words(mind: Mind) -> None:
    text = "extends: balanced\noverrides: {/a: {archive_below: 0.1, ttl: 2d}, bug: {exempt: true, stability_days: 9}}"
    found = {entry["name"]: entry["one"] for entry in mind.policies.diff(read(text, "mine.yml"), "balanced")}
    assert found == {
        "override of scope /a": "archive_below 0.1, ttl 2 days",
        "override of kind bug": "stability_days 9, exempt",
    }


@pytest.mark.parametrize("tokens", ["0", "-5", "0.5"])
def test_a_budget_of_nothing_is_refused(tokens: str) -> None:
    for text in (f"scope_tokens: {tokens}", f"overrides: {{/a: {{scope_tokens: {tokens}}}}}"):
        with pytest.raises(InvalidInput, match=r'allowed is 1 or more tokens \("never" switches it off\)'):
            read(f"extends: balanced\n{text}", "mine.yml")
    assert read("extends: balanced\nscope_tokens: never", "mine.yml").number("scope_tokens") == float("inf")


def test_a_file_that_is_not_there_is_named_once(mind: Mind) -> None:
    with pytest.raises(InvalidInput) as refused:
        mind.policies.check("nosuch.yml")
    assert str(refused.value).count("nosuch.yml") == 1
    assert "Errno" not in str(refused.value)


def test_a_first_sweep_that_would_take_too_much_needs_force(mind: Mind, clock: Clock) -> None:
    ids = remember(mind, 40, importance=0.1)
    clock.advance(days=60)
    before = dump(mind)
    with pytest.raises(PlanRefused, match=r"40 of 40 live memories of /.*stays.*--force"):
        mind.policies.use("halflife")
    assert dump(mind) == before
    assert (mind.policies.current.name, leaving(mind)) == ("balanced", [])
    used = mind.policies.use("halflife", force=True)
    assert used.leaves == 40
    assert any("40 of 40" in warning for warning in used.warnings)
    assert mind.count() == 40
    with pytest.raises(PlanRefused):
        mind.apply(mind.sweep())
    assert {mind.get(id).state for id in ids} == {"live"}


def test_the_refusal_names_a_command_that_works(mind: Mind, clock: Clock, tmp_path: Path) -> None:
    """A person copies the command: for a policy from a file it must name the file."""
    (tmp_path / "mine.yml").write_text("extends: halflife\nhalf_life_days: 1\n")
    remember(mind, 40)
    clock.advance(days=60)
    with pytest.raises(PlanRefused) as caught:
        mind.policies.use(tmp_path / "mine.yml")
    named = str(caught.value).split("rem forecast --policy ")[1].split(";")[0]

    assert mind.forecast(named, days=1).leaves == 40


@pytest.mark.parametrize("wrong", ["nope", "", None, 5, "none.yml"])
def test_what_is_no_policy_leaves_the_one_in_force(mind: Mind, wrong: Any) -> None:
    mind.policies.use("tiered")
    before = dump(mind)
    with pytest.raises(InvalidInput):
        mind.policies.use(wrong)
    assert mind.policies.current.name == "tiered"
    assert dump(mind) == before


def test_a_bad_file_is_refused_with_every_problem(mind: Mind, tmp_path: Path) -> None:
    (tmp_path / "bad.yml").write_text(BAD)
    for ask in (mind.policies.use, mind.policies.check, mind.policies.show, mind.forecast, mind.policies.diff):
        with pytest.raises(InvalidInput) as caught:
            ask(tmp_path / "bad.yml")
        assert len(caught.value.problems) == 4
        assert all("bad.yml: line " in problem for problem in caught.value.problems)
    assert mind.policies.current.name == "balanced"


@pytest.mark.parametrize("number", ["max_evict", "half_life_days", "historical_tokens"])
def test_an_override_that_nothing_reads_is_a_problem(number: str) -> None:
    """As at top level: a number nobody reads is most likely a mistake."""

    with pytest.raises(InvalidInput, match=number):
        read(f"extends: tiered\noverrides: {{/x: {{{number}: 5}}}}", "mine.yml")


def test_the_argument_goes_before_what_is_chosen(open_mind: Open) -> None:
    mind = open_mind(policy="halflife")
    used = mind.policies.use("tiered")
    assert any("argument" in warning for warning in used.warnings)
    assert open_mind().policies.current.name == "tiered"
    assert open_mind(policy="halflife").policies.current.name == "halflife"
    assert mind.policies.current.name == "tiered", "what is asked of a mind by name holds in that mind"


def test_a_policy_chosen_elsewhere_is_in_force_at_the_next_sweep(open_mind: Open, clock: Clock, tmp_path: Path) -> None:
    """An agent that runs for weeks must not go on archiving after `rem policy use off.yml`."""
    (tmp_path / "off.yml").write_text("extends: halflife\nenabled: false\n")
    agent, person = open_mind(), open_mind()
    agent.policies.use("halflife")
    remember(agent, 3, importance=0.1)
    person.policies.use(tmp_path / "off.yml")
    clock.advance(days=100)

    assert agent.upkeep().forgotten == 0
    assert agent.count() == 3


def test_a_chosen_policy_that_cannot_be_read_forgets_nothing(open_mind: Open, clock: Clock) -> None:
    mind = open_mind()
    remember(mind, 3, importance=0.0, ttl="1d")
    mind._store.choose_policy('{"name": "mine", "values": {"extends": "gone"}}', clock.now)
    clock.advance(days=400)
    mind = open_mind()
    assert mind.policies.current.enabled is False
    assert "cannot be read" in mind.policies.current.name
    assert leaving(mind) == []
    mind.policies.use("balanced")
    assert open_mind().policies.current.name == "balanced"


# --- looking at them


def test_diff_names_what_differs(mind: Mind) -> None:
    mine = read("extends: halflife\nprune_threshold: 0.2\nexempt_scopes: []", "mine.yml")
    found = {entry["name"]: (entry["one"], entry["other"]) for entry in mind.policies.diff(mine, "halflife")}
    assert found["numbers.prune_threshold"] == (0.2, 0.05)
    assert found["exempt_scopes"] == ([], ["/user"])
    assert set(found) == {"numbers.prune_threshold", "exempt_scopes", "rule faded"}
    assert mind.policies.diff("balanced") == []
    assert mind.policies.diff("tiered", "tiered") == []
    assert mind.policies.diff("tiered")


def test_a_policy_shown_as_a_file_is_that_policy(mind: Mind) -> None:
    for name in PRESETS:
        assert read(mind.policies.yaml(name), "copy.yml").fingerprint == preset(name).fingerprint
    assert mind.policies.show().name == "balanced"
    assert mind.policies.show("tiered") == preset("tiered")


def test_the_policy_in_force_is_listed_when_it_is_no_preset(mind: Mind) -> None:
    mind.policies.use(read("extends: tiered\nmax_evict: 3\nabout: Mine", "mine.yml"))
    assert [entry["name"] for entry in mind.policies.list() if entry["current"]] == ["mine"]
    assert len(mind.policies.list()) == len(PRESETS) + 1


def test_a_policy_that_is_switched_off_is_not_listed_as_the_preset_it_extends(mind: Mind) -> None:
    mind.policies.use(read("extends: halflife\nenabled: false", "mine.yml"))

    assert [entry["name"] for entry in mind.policies.list() if entry["current"]] == ["mine"]


# --- dating


def test_dating_goes_on_where_it_was_cut_off(open_mind: Open, clock: Clock) -> None:
    ids = remember(open_mind(), 50, importance=0.1)
    clock.advance(days=40)
    halflife = preset("halflife")
    first = open_mind(policy="halflife", settings=Settings(upkeep__on_open=False))
    assert date_all(first._store, halflife, most=20) == 20
    assert not is_dated(first._store, halflife)
    first.close()
    progress: list[tuple[int, int]] = []
    second = open_mind(policy="halflife", settings=Settings(upkeep__on_open=False))
    assert date_all(second._store, halflife, lambda *step: progress.append(step)) == 30
    assert progress == [(30, 30)]
    assert is_dated(second._store, halflife)
    assert set(leaving(second)) == set(ids)
    assert second.sweep() == second.sweep(full=True)


def test_what_is_written_while_dating_is_cut_off_is_not_missed(open_mind: Open, clock: Clock) -> None:
    remember(open_mind(), 30, importance=0.1)
    mind = open_mind(policy="halflife", settings=Settings(upkeep__on_open=False))
    date_all(mind._store, preset("halflife"), most=10)
    remember(mind, 10, 100, importance=0.1)
    with open_mind(settings=Settings(upkeep__on_open=False)) as other:
        remember(other, 10, 200, importance=0.1)
    mind.recall("w3"), mind.recall("w25")
    clock.advance(days=40)
    assert len(leaving(mind)) == 50
    assert mind.sweep() == mind.sweep(full=True)


def test_use_goes_on_after_an_interrupt(open_mind: Open, clock: Clock) -> None:
    """Chosen, but cut off while dating: the next sweep of any mind dates the rest."""
    mind = open_mind()
    remember(mind, 5, importance=0.1)
    clock.advance(days=40)

    def interrupt(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mind.policies.use("halflife", progress=interrupt)
    with open_mind(settings=Settings(upkeep__on_open=False)) as other:
        assert other.policies.current.name == "halflife"
        assert len(leaving(other)) == 5


def test_two_minds_under_two_policies_each_see_what_is_due(open_mind: Open, clock: Clock) -> None:
    """Neither misses anything for the dates of the other."""
    one, other = open_mind(policy="halflife"), open_mind(policy="tiered")
    remember(one, 3, importance=0.1)
    remember(other, 3, 10, importance=0.1)
    for days, expected in ((10, (0, 0)), (30, (6, 0)), (90, (6, 6))):
        clock.advance(days=days)
        assert (len(leaving(one)), len(leaving(other))) == expected
        assert one.sweep() == one.sweep(full=True)
        assert other.sweep() == other.sweep(full=True)


def test_dates_are_kept_on_write(mind: Mind, clock: Clock) -> None:
    """What is written is dated at once: a sweep has nothing to look at before the time comes."""
    remember(mind, 20)
    remember(mind, 5, 100, ttl="2d")
    assert mind.stats().due == 0
    clock.advance(days=2)
    clock.now += timedelta(seconds=1)
    assert mind.stats().due == 5
    mind.apply(mind.sweep())
    assert mind.stats().due == 0
