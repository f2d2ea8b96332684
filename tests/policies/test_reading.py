"""Policies as YAML: presets, seeds' blocks one to one, and every problem at once with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from remanence.errors import InvalidInput
from remanence.model.policy import Policy
from remanence.policies.reading import PRESETS, from_values, named, preset, read

SEED_000 = """
memory:
  decay:
    enabled: true
    half_life_days: 30
    prune_threshold: 0.05
    prune_after_days: 30
    exempt_scopes: ["/user"] # Never decay user profile memories
"""
SEED_001 = """
extends: relevance
ttl:
  session_state: 24h
  project_status: 30d
  tool_output: 7d
  decision: 365d
  preference: 730d
  identity: null
"""
SEED_004 = """
extends: tiered
lambda: 0.01
sigma: 0.3
tierThresholds: {hot: 0.7, warm: 0.4, cold: 0.15}
staleSessionDays: 30
lowImportanceMaxDays: 90
lowImportanceThreshold: 3
maxObservationsPerProject: 10000
"""


def problems(text: str) -> list[str]:
    with pytest.raises(InvalidInput) as caught:
        read(text, "mine.yml")
    return [problem.removeprefix("mine.yml: ") for problem in caught.value.problems]


@pytest.mark.parametrize(("block", "name"), [(SEED_000, "halflife"), (SEED_001, "relevance"), (SEED_004, "tiered")])
def test_the_seeds_own_blocks_are_the_presets_to_the_letter(block: str, name: str) -> None:
    assert read(block, "config.yml").fingerprint == preset(name).fingerprint


def test_a_changed_seed_block_is_another_policy() -> None:
    policy = read(SEED_000.replace("0.05", "0.2").replace('"/user"', '"/user", "/team"'), "config.yml")
    assert policy.numbers["prune_threshold"] == 0.2
    assert policy.exempt_scopes == ("/user", "/team")
    assert policy.fingerprint != preset("halflife").fingerprint
    assert read(SEED_000.replace("true", "false"), "config.yml").enabled is False
    assert read(SEED_004.replace("Threshold: 3", "Threshold: 4"), "t.yml").numbers["low_importance_threshold"] == 0.4


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_whole(name: str) -> None:
    policy = preset(name)
    assert policy.about
    assert abs(sum(policy.weights.values()) - 1) < 1e-9
    assert {rule.action for rule in policy.rules} >= {"promote"}
    assert from_values({"extends": name}, "x", name).fingerprint == policy.fingerprint


def test_extending_merges_tables_and_puts_own_rules_first() -> None:
    policy = read(
        """
extends: layered
retention_mode: l2
half_life_days: 2w
tiers: {cold: 0.1}
rules:
  - {name: tiny, action: forget, when: {tokens: "< 3", idle_days: "> 1d"}}
  - {name: faded, action: forget, when: {retention: "< archive_below"}}
""",
        "mine.yml",
    )
    assert (policy.curve, policy.numbers["half_life_days"]) == ("l2", 14)
    assert policy.tiers == {"hot": 0.7, "warm": 0.4, "cold": 0.1}
    assert [rule.name for rule in policy.rules][:2] == ["tiny", "faded"]
    assert policy.rules[1].action == "forget"
    assert policy.name == "mine"


def test_rules_can_be_taken_away() -> None:
    policy = read("extends: relevance\nwithout: [stale, project size]", "mine.yml")
    assert "stale" not in [rule.name for rule in policy.rules]
    assert "project size" not in [target.name for target in policy.targets]
    assert any("without names 'nope'" in p for p in problems("extends: relevance\nwithout: [nope]"))


@pytest.mark.parametrize(
    "overrides",
    [
        "{/project/api: {half_life_days: 60}, decision: {exempt: true}}",
        "{scopes: {/project/api: {half_life_days: 60}}, kinds: {decision: {exempt: true}}}",
        "[{scope: /project/api, half_life_days: 60}, {kind: decision, exempt: true}]",
    ],
)
def test_overrides_by_scope_and_kind(overrides: str) -> None:
    policy = read(f"extends: halflife\noverrides: {overrides}", "mine.yml")
    scope, kind = policy.overrides
    assert (scope.scope, scope.numbers) == ("/project/api", {"half_life_days": 60})
    assert (kind.kind, kind.exempt) == ("decision", True)


def test_every_problem_at_once_with_its_line_and_range() -> None:
    found = problems(
        """
extends: tierd
half_lif_days: 3
half_life_days: -3
prune_threshold: 30d
archive_below: .nan
tiers: {hot: 0.2, warm: 0.4, hut: 3}
clock: yesterday
exempt_scopes: [user]
ttl: {decision: 3 fortnights}
overrides:
  /x: {half_life_days: -1, curve: l2}
rules:
  - name: a
    action: destroy
    when: {age_days: "> 30x", retention: "> 0.5", foo: 1, layer: attic}
  - name: a
    action: archive
    when: {age_days: "> 30d", importance: about half}
  - action: promote
    when: {access_count: ">= 3"}
targets:
  - {name: t, action: archive}
"""
    )
    expected = {
        "line 2: extends names 'tierd'",
        "line 3: unknown key 'half_lif_days' (did you mean 'half_life_days'?)",
        "line 4: half_life_days is -3; allowed is more than 0 up to 36,500 days",
        "line 5: prune_threshold is '30d'; it must be a number, 0 to 1",
        "line 6: archive_below is nan; allowed is 0 to 1",
        "line 7: tiers has no 'hut'",
        "line 8: clock is 'yesterday'",
        "line 9: exempt_scopes: scope 'user' must begin with '/'",
        "line 10: ttl.decision '3 fortnights' is not a duration",
        "line 12: half_life_days is -1",
        "line 12: an override cannot set 'curve'",
        "line 15: rule 'a': action is 'destroy'",
        "line 16: rule 'a': age_days '30x' is not a duration: write a whole number and one of h, d, w, m",
        "line 16: rule 'a': retention only falls with time",
        "line 16: rule 'a': unknown measure 'foo'",
        "line 16: rule 'a': layer is 'attic'",
        "line 19: rule 'a': importance is 'about half'",
        "line 20: a rule needs a name",
        "line 20: rule '?': promote needs the layer it starts from",
        "line 23: target 't' needs tokens or memories",
    }
    missing = {start for start in expected if not any(problem.startswith(start) for problem in found)}
    assert not missing, found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "extends: layered\nrules:\n"
            "  - {name: x, action: forget, when: {age_days: '> 100', retention: '< 0.1'}}\n"
            "  - {name: y, action: archive, when: {age_days: '> 200', retention: '< 0.05'}}",
            "line 4: rules 'x' and 'y' overlap",
        ),
        (
            "extends: layered\nrules:\n  - {name: d, action: demote, when: {layer: semantic, idle_days: '> 365'}}",
            "line 3: rules 'proven' and 'd' overlap",
        ),
        (
            "extends: layered\nrules:\n"
            "  - {name: x, action: archive, when: {importance: ['>= 0.2', '< 0.1'], age_days: '> 9'}}",
            "line 3: rule 'x' never holds",
        ),
        (
            "extends: layered\nrules:\n"
            "  - {name: x, action: archive, when: {age_days: ['> archive_after_days', '< 90']}}",
            "line 3: rule 'x' never holds",
        ),
        ("half_life_days: 10\nprune_threshold: 0.1", "line 2: prune_threshold is set but nothing reads it"),
        ("extends: tiered\nhalf_life_days: 10", "line 2: half_life_days is set but nothing reads it"),
        (
            "extends: balanced\nhalf_life_days: 10",
            "line 2: half_life_days is set but nothing reads it: it belongs to the curve "
            "halflife or l2 or huber or elastic, and this one's is power",
        ),
        ("extends: tiered\ntiers: {hot: 0.1}", "line 2: tiers must fall"),
        ("extends: balanced\nweights: {importance: 2}", "line 2: weights.importance is 2; allowed is 0 to 1"),
        ("extends: halflife\nhalf_life_days: 3\nhalf_life_days: 4", "line 3: 'half_life_days' is given twice"),
        ("extends: layered\ncurve: l2\nretention_mode: l2", "line 3: 'retention_mode' and 'curve' are the same"),
        ("extends: halflife\nenabled: perhaps", "line 2: enabled is 'perhaps'; it must be true or false"),
        ("extends: halflife\nhalf_life_days: true", "line 2: half_life_days is True; it must be a number"),
        ("extends: halflife\nhalf_life_days: '30'", "line 2: half_life_days is '30'; it must be a number"),
        ("extends: tiered\nmax_evict: 5000", "line 2: max_evict is 5000; allowed is 1 to 1,000 memories"),
    ],
)
def test_policies_that_make_no_sense(text: str, expected: str) -> None:
    assert any(problem.startswith(expected) for problem in problems(text)), problems(text)


@pytest.mark.parametrize(
    "text", ["", "42", "[1, 2]", "a: b: c", "\t", "!!python/object:os.system {a: 1}", "x: *y", "{" * 200, "a: [" * 50]
)
def test_what_is_no_policy_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(InvalidInput):
        read(text, "mine.yml")


def test_named_takes_presets_paths_and_policies(tmp_path: Path) -> None:
    path = tmp_path / "mine.yml"
    path.write_text("extends: tiered\nlambda: 0.02\n")
    assert named("tiered") is preset("tiered")
    assert named(path).numbers["lambda"] == named(str(path)).numbers["lambda"] == 0.02
    assert named(preset("layered")) is preset("layered")
    for wrong in ("teired", 3, tmp_path / "none.yml", str(tmp_path), "", "~nobody-here/mine.yml"):
        with pytest.raises(InvalidInput):
            named(wrong)


@pytest.mark.parametrize("name", ["x" * 10_000_000, "/" + "x" * 1_000_000, "\ud800.yml", "x" * 300 + "/\ud800"])
def test_whatever_a_policy_is_called_the_refusal_is_short_and_can_be_printed(name: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        named(name)
    assert len(str(refused.value).encode()) < 500


def test_a_fingerprint_tells_what_is_decided_not_what_it_is_called() -> None:
    one = read("extends: halflife\nname: one\nabout: Mine", "a.yml")
    assert one.name == "one"
    assert one.fingerprint == preset("halflife").fingerprint
    assert isinstance(one, Policy)
    assert hash(one) == hash(preset("halflife"))
