"""Routines: commands that recur, what they are for, and the steps before a commit; and what counts as a command."""

import pytest

from remanence.lifecycle.commands import changes_nothing, command_of, edited, key_of
from remanence.lifecycle.procedures import procedure_of
from remanence.lifecycle.routines import routines
from tests.lifecycle.observed import edit, ran, session


def told(*steps: object) -> list[str]:
    return [one.text for one in routines(session(*steps))]  # type: ignore[arg-type]


def test_three_times_make_a_routine_and_two_do_not() -> None:
    assert told(*[ran("pnpm lint --fix")] * 2) == []
    assert told(*[ran("pnpm lint --fix")] * 3) == ["Code is checked with `pnpm lint --fix`."]


def test_what_failed_or_only_looks_is_no_routine() -> None:
    assert told(*[ran("pytest", "E", failed=True)] * 5, *[ran("git status")] * 9, *[ran("rg TODO")] * 9) == []


def test_calls_with_ever_other_words_count_for_their_program() -> None:
    calls = [ran(f"pnpm test {area}") for area in ("cart", "login", "stock", "search")]
    assert told(*calls) == ["Tests are run with `pnpm test`."]


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("uv run pytest -q", "Tests are run with `uv run pytest -q`."),
        ("npm run build", "It is built with `npm run build`."),
        ("fly deploy", "It is released with `fly deploy`."),
        ("alembic upgrade head", "The database is migrated with `alembic upgrade head`."),
        ("kubectl rollout restart x", "It is released with `kubectl rollout restart x`."),
        ("foo --bar", "The command `foo --bar` is used again and again."),
    ],
)
def test_what_a_command_is_for(command: str, text: str) -> None:
    assert told(*[ran(command)] * 3) == [text]


def test_what_goes_before_every_commit_is_a_procedure() -> None:
    one_round = (edit("a.py"), ran("pytest"), ran("ruff check ."), ran("git add -A"), ran("git commit -m x"))
    first = told(*one_round, *one_round)[0]
    assert first == "Before a commit: 1. Run `pytest`. 2. Run `ruff check .`."
    found = procedure_of(first)
    assert found is not None
    assert found.steps == ("Run `pytest`", "Run `ruff check .`")
    assert not any("Before" in text for text in told(*one_round))


@pytest.mark.parametrize(
    ("call", "command"),
    [
        ("cd api && CI=1 pnpm test", "pnpm test"),
        ("  sudo -E make\tinstall ", "make install"),
        ("env | grep X", "env | grep X"),
        ("python - <<'EOF'\nprint(1)\nEOF", None),
        ("a\nb", None),
        ("| grep x", None),
        ("x" * 200, None),
        ("", None),
    ],
)
def test_what_is_a_command(call: str, command: str | None) -> None:
    assert command_of(ran(call)) == command


def test_commands_and_edits_are_told_apart_by_their_tool() -> None:
    assert command_of(ran("src/x.py", tool="Read")) is None
    assert command_of(ran("make", tool="run_shell_command")) == "make"
    assert edited(edit("src/x.py")) == ("src/x.py",)
    assert edited(ran("make")) == ()
    assert key_of("pnpm test | tee log") == "pnpm test"
    assert changes_nothing("git diff --stat")
    assert not changes_nothing("git commit -m x")


@pytest.mark.parametrize(
    ("command", "key"),
    [
        ("uv run pytest -q", "uv run pytest"),
        ("uv run -q pytest", "uv run pytest"),
        ("npm run build -- --watch", "npm run build"),
        ("python manage.py migrate shop", "python manage.py migrate"),
        ("docker compose up -d db", "docker compose up"),
        ("pytest tests/test_a.py", "pytest"),
        ("pytest -q", "pytest"),
        ("cargo test --release", "cargo test"),
        ("make", "make"),
    ],
)
def test_what_a_command_goes_by(command: str, key: str) -> None:
    assert key_of(command) == key


def test_of_a_runner_what_it_runs() -> None:
    calls = [ran(f"uv run pytest {name}") for name in ("a", "b", "c")]
    assert told(*calls) == ["Tests are run with `uv run pytest`."]


def test_a_routine_may_span_sessions() -> None:
    once = session(ran("pnpm lint --fix"), ran("pnpm test"), ran("git commit -m x"))
    assert routines(once) == []
    second = routines(once, [once])
    assert [(one.text, one.sessions) for one in second] == [
        ("Before a commit: 1. Run `pnpm lint --fix`. 2. Run `pnpm test`.", 2)
    ]
    third = [one.text for one in routines(once, [once, once])]
    assert "Tests are run with `pnpm test`." in third and "Code is checked with `pnpm lint --fix`." in third


def test_a_session_tells_only_what_it_had_a_part_in() -> None:
    before = session(*[ran("pnpm test")] * 5, ran("pnpm lint"), ran("git commit"), ran("pnpm test"), ran("pnpm lint"))
    before += session(ran("git commit"))
    assert routines(session(ran("fly deploy")), [before]) == []


def test_what_was_left_of_one_session_is_no_step_of_the_next() -> None:
    open_ended = session(ran("make docs"), ran("make site"))
    commits = session(ran("git commit"))
    assert routines(commits, [open_ended, commits, open_ended]) == []
