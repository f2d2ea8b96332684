"""Failures and their fixes: what counts as one, what as the same command, what as the deed that mended it."""

import pytest

from remanence.lifecycle.failures import error_of, fixes, has_failed
from tests.lifecycle.observed import agent, edit, ran, session

REFUSED = "> shop@1.0.0 test\nError: connect ECONNREFUSED 127.0.0.1:5433\n    at TCPConnectWrap.afterConnect"


def told(*steps: object) -> list[str]:
    return [one.text for one in fixes(session(*steps))]  # type: ignore[arg-type]


def test_a_command_between_failure_and_success_is_the_fix() -> None:
    assert told(
        ran("pnpm test", REFUSED, failed=True), ran("docker compose up -d db"), ran("pnpm test", "148 passed")
    ) == ["`pnpm test` failed with `Error: connect ECONNREFUSED 127.0.0.1:5433`; fixed by `docker compose up -d db`."]


def test_looking_around_fixes_nothing() -> None:
    assert (
        told(
            ran("make build", "error: missing header", failed=True),
            ran("ls src"),
            ran("git status"),
            ran("cat Makefile"),
            ran("make build"),
        )
        == []
    )


def test_an_edit_is_the_fix_where_no_command_was() -> None:
    assert told(
        ran("cargo test", "error[E0308]: mismatched types", failed=True),
        agent("I see."),
        edit("/home/ana/code/shop/src/total.rs"),
        ran("cargo test"),
    ) == ["The error `error[E0308]: mismatched types` of `cargo test` was fixed in `/home/ana/code/shop/src/total.rs`."]


def test_a_failed_edit_changes_nothing() -> None:
    assert told(ran("go test ./...", "FAIL", failed=True), edit("a.go", failed=True), ran("go test ./...")) == []


def test_the_same_command_in_other_clothes() -> None:
    steps = (
        ran("cd api && CI=1 pnpm test checkout", REFUSED, failed=True),
        ran("docker compose up -d db"),
        ran("sudo pnpm test --run", "ok"),
    )
    assert len(told(*steps)) == 1


def test_another_command_does_not_end_a_failure() -> None:
    assert told(ran("pnpm test", REFUSED, failed=True), ran("docker compose up -d db"), ran("pnpm build")) == []


def test_one_failure_that_comes_again_in_other_numbers_is_told_once() -> None:
    again = [
        step
        for number in range(5)
        for step in (
            ran("pytest", f"E   AssertionError: expected {number}", failed=True),
            ran(f"pip install x=={number}"),
            ran("pytest"),
        )
    ]
    assert len(told(*again)) == 1


def test_how_often_it_failed_is_counted() -> None:
    failing = ran("pytest", "E   AssertionError: no", failed=True)
    (fix,) = fixes(session(failing, edit("a.py"), failing, edit("b.py"), ran("pytest")))
    assert (fix.tries, fix.deeds, fix.by_command) == (2, ("a.py", "b.py"), False)


@pytest.mark.parametrize(
    "output",
    [
        "Traceback (most recent call last)\n  File x",
        "fatal: not a git repository",
        "bash: rg: command not found",
        "Error: no such table users\n    at Database.prepare",
        "collecting\nModuleNotFoundError: No module named 'yaml'\n",
        "ERROR: could not connect",
    ],
)
def test_an_output_may_say_that_it_failed(output: str) -> None:
    assert has_failed(ran("x y", output))
    assert not has_failed(ran("x y", "all 12 tests passed, no error was found"))
    assert not has_failed(ran("x y", "starting\nError: cache is cold, going on\n12 passed"))


@pytest.mark.parametrize(
    ("output", "line"),
    [
        (REFUSED, "Error: connect ECONNREFUSED 127.0.0.1:5433"),
        (
            "src/cart/handler.ts:73:5 - error TS2345: Argument of type 'string'",
            "src/cart/handler.ts - error TS2345: Argument of type 'string'",
        ),
        ("something went\nquite wrong", "something went"),
        ("", ""),
        ("x" * 500, "x" * 159 + "…"),
    ],
)
def test_the_telling_line_without_line_numbers(output: str, line: str) -> None:
    assert error_of(output) == line


def test_a_text_with_back_quotes_stays_one_quotation() -> None:
    (text,) = told(ran("make x", "error: `foo` is undefined", failed=True), ran("npm run `codegen`"), ran("make x"))
    assert text.count("`") == 6


def test_another_error_of_the_same_command_ends_the_first() -> None:
    assert told(
        ran("cargo build", "error[E0433]: failed to resolve: use of undeclared x", failed=True),
        edit("src/io.rs"),
        ran("cargo build", "error[E0463]: can't find crate for `core`", failed=True),
        ran("rustup target add thumb"),
        ran("cargo build"),
    ) == [
        "The error `error[E0433]: failed to resolve: use of undeclared x` of `cargo build` was fixed in `src/io.rs`.",
        "`cargo build` failed with `error[E0463]: can't find crate for 'core'`; fixed by `rustup target add thumb`.",
    ]


def test_what_keeps_looks_or_prettifies_mends_nothing() -> None:
    steps = [ran(one) for one in ("git commit -am x", "npx prettier -w .", "docker compose ps", "curl -s http://a/b")]
    assert told(ran("pytest", "E   AssertionError: no", failed=True), edit("a.py"), *steps, ran("pytest")) == [
        "The error `E AssertionError: no` of `pytest` was fixed in `a.py`."
    ]


def test_another_program_of_the_same_runner_ends_nothing() -> None:
    assert told(ran("uv run pytest", "E   no", failed=True), edit("a.py"), ran("uv run ruff check")) == []
    assert told(ran("npm run test", "Error: no", failed=True), edit("a.ts"), ran("npm run build")) == []


def test_why_it_failed_is_told_rather_than_that_it_did() -> None:
    output = "FAIL src/components/Toggle.test.tsx\n  ReferenceError: window is not defined\n"
    assert error_of(output) == "ReferenceError: window is not defined"


@pytest.mark.parametrize(
    "output",
    [
        "--- FAIL: TestTotal (0.00s)\n    total_test.go:12: got 3, want 4\nFAIL\nexit status 1\n",
        "FAIL\texample.com/shop [setup failed]\n",
        "FAIL: test_total (tests.TotalTest.test_total)\nAssertionError: 3 != 4\n",
    ],
)
def test_what_go_and_unittest_print_of_a_failure(output: str) -> None:
    """Cursor tells no exit code: its commands fail by what they print."""
    assert has_failed(ran("make test", output))
