"""The settings of autonomous memory: the names and defaults users know, in either spelling, from each place."""

from pathlib import Path

import pytest

from remanence import settings
from remanence.errors import InvalidInput

DEFAULTS = {
    "memories.enabled": False,
    "memories.maxRolloutAgeDays": 30,
    "memories.minRolloutIdleHours": 12,
    "memories.maxRolloutsPerStartup": 64,
    "memories.summaryInjectionTokenLimit": 5000,
}


def loaded(tmp_path: Path, text: str = "", **environment: str) -> dict[str, object]:
    path = tmp_path / "config.yml"
    path.write_text(text)
    return settings.load(environment={"REMANENCE_CONFIG": str(path), **environment}).to_dict()


def test_names_and_defaults(tmp_path: Path) -> None:
    assert {name: loaded(tmp_path)[name] for name in DEFAULTS} == DEFAULTS


@pytest.mark.parametrize("name", ["maxRolloutAgeDays", "max_rollout_age_days"])
def test_either_spelling_in_the_file(tmp_path: Path, name: str) -> None:
    text = f"memories:\n  enabled: true\n  {name}: 7\n"
    found = loaded(tmp_path, text)
    assert (found["memories.enabled"], found["memories.maxRolloutAgeDays"]) == (True, 7)


@pytest.mark.parametrize("name", ["MIN_ROLLOUT_IDLE_HOURS", "MINROLLOUTIDLEHOURS"])
def test_either_spelling_in_the_environment(tmp_path: Path, name: str) -> None:
    found = loaded(tmp_path, **{f"REMANENCE_MEMORIES__{name}": "0.5", "REMANENCE_MEMORIES__ENABLED": "true"})
    assert (found["memories.enabled"], found["memories.minRolloutIdleHours"]) == (True, 0.5)


def test_arguments_in_either_spelling() -> None:
    given = {"memories": {"maxTries": 2, "stage_one_concurrency": 3}}
    found = settings.load(given, environment={"REMANENCE_CONFIG": "/nowhere"})
    assert (found.memories__max_tries, found.memories__stage_one_concurrency) == (2, 3)


def test_every_problem_is_named(tmp_path: Path) -> None:
    text = "memories: {enabled: maybe, maxRolloutAgeDays: -1, maxRolloutsPerStartup: 1.5, whatIsThis: 1}\n"
    with pytest.raises(InvalidInput) as wrong:
        loaded(tmp_path, text)
    said = str(wrong.value)
    for name in ("memories.enabled", "memories.maxRolloutAgeDays", "memories.maxRolloutsPerStartup", "whatIsThis"):
        assert name in said


def test_a_wrong_value_or_a_slip_of_the_pen_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as wrong:
        loaded(tmp_path, "serve:\n  port: 99999\n")
    assert [problem.partition(": ")[2] for problem in wrong.value.problems] == [
        "serve.port 99999 is outside 0 to 65535"
    ]
    with pytest.raises(InvalidInput) as slip:
        loaded(tmp_path, "memories:\n  minRolloutIdleHour: 3\n")
    assert str(slip.value).endswith(
        "unknown setting 'memories.minRolloutIdleHour'; did you mean memories.minRolloutIdleHours?"
    )
    with pytest.raises(InvalidInput, match="known settings are db, namespace"):
        loaded(tmp_path, "colour: red\n")


@pytest.mark.parametrize(("said", "meant"), [("on", True), (" Yes ", True), ("OFF", False), ("0", False)])
def test_flags_in_the_environment(tmp_path: Path, said: str, meant: bool) -> None:
    assert loaded(tmp_path, REMANENCE_MEMORIES__ENABLED=said)["memories.enabled"] is meant
