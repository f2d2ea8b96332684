"""What a memory asserts of a source tree: what can be checked, and nothing of what only looks like it."""

from __future__ import annotations

import time

import pytest

from remanence.codebase.assertions import MOST_ASSERTIONS, About, assertions


def said(text: str, *files: str) -> list[str]:
    """Assertions in short: "path src/a.py", "name parse src/a.py!", "command make test", "version flask 3.0"."""
    return [
        " ".join(filter(None, (one.about, one.tool, one.name, one.version, one.path))) + ("!" if one.tied else "")
        for one in assertions(text, files)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "`parse_args()` in src/cli/args.py reads flags.",
            ["path src/cli/args.py", "name parse_args src/cli/args.py!"],
        ),
        (
            "src/db.py defines `connect()` and `Pool.acquire`.",
            ["path src/db.py", "name connect src/db.py!", "name Pool.acquire src/db.py!"],
        ),
        ("frobnicate() retries thrice, see src/net.py:42.", ["path src/net.py", "name frobnicate src/net.py"]),
        ("The class Server in ./src/x.py listens.", ["path src/x.py", "name Server src/x.py!"]),
        ("The Mailer class in src/x.py retries.", ["path src/x.py", "name Mailer src/x.py"]),
        ("This class in src/x.py retries.", ["path src/x.py"]),
        ("`retry()` (src/net.py) backs off.", ["path src/net.py", "name retry src/net.py!"]),
        ("See tests/test_a.py::TestX::test_b.", ["path tests/test_a.py", "name TestX.test_b tests/test_a.py!"]),
        ("`handle_request` must stay idempotent.", ["name handle_request"]),
        ("Deploy by `make deploy ENV=prod`, build by `npm run build`.", ["command make deploy", "command npm build"]),
        ("Run make test before a commit, and make sure it passes.", ["command make test"]),
        ("We use pydantic==2.1 and React v18.2.0.", ["version pydantic 2.1", "version React 18.2.0"]),
        ("Templates are in `web/templates/`.", ["path web/templates/"]),
        ("Die Funktion `lade_daten()` in src/daten.py liest.", ["path src/daten.py", "name lade_daten src/daten.py!"]),
        ("load_config in src/app.py returns a dict.", ["path src/app.py", "name load_config src/app.py!"]),
        ("src/app.py defines load_config.", ["path src/app.py", "name load_config src/app.py!"]),
        ("Server.start in src/app.py blocks.", ["path src/app.py", "name Server.start src/app.py!"]),
        ("load_config (src/app.py) is slow.", ["path src/app.py", "name load_config src/app.py!"]),
        ("MAX_RETRIES in src/app.py is 3.", ["path src/app.py", "name MAX_RETRIES src/app.py!"]),
        ("loadConfig is defined in src/app.ts.", ["path src/app.ts", "name loadConfig src/app.ts!"]),
        (
            "src/app.py defines LoginForm and save_it.",
            ["path src/app.py", "name LoginForm src/app.py!", "name save_it src/app.py!"],
        ),
        ("The compute_hash function is slow.", ["name compute_hash"]),
        ("See src/app.py:load_config.", ["path src/app.py", "name load_config src/app.py!"]),
        ("See `src/app.py:load_config()`.", ["path src/app.py", "name load_config src/app.py!"]),
        ("See src/app.py:main.", ["path src/app.py"]),
        ("react is pinned at 18.2.0.", ["version react 18.2.0"]),
        ("We pin react to 18.2.0.", ["version react 18.2.0"]),
        ("Before a commit, npm run lint.", ["command npm lint"]),
        ("npm run lint must pass.", ["command npm lint"]),
        ("src/app.py has no tests.", ["path src/app.py"]),
        ("The cache in src/app.py is Redis, and everyone likes it.", ["path src/app.py"]),
        ("We use snake_case in src/app.py.", ["path src/app.py"]),
        ("The GitHub token in src/app.py expires.", ["path src/app.py"]),
        ("PostgreSQL in src/db.py is slow.", ["path src/db.py", "name PostgreSQL src/db.py"]),
        ("Copy load_config into src/app.py.", ["path src/app.py"]),
        ("設定は `load_config()` in src/設定.py にある。", ["path src/設定.py", "name load_config src/設定.py!"]),
    ],
)
def test_what_is_asserted(text: str, expected: list[str]) -> None:
    assert said(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "I like `coffee` and and/or client/server.",
        "See https://example.org/src/a.py and www.example.org/a.py.",
        "Node.js and Vue.js are fine.",
        "We removed src/old.py.",
        "`parse_args()` used to be in src/cli.py.",
        "We will create src/new.py with `build_it()`.",
        "Upgraded from pydantic 1.10 to 2.1.",
        "It needs at least flask 2.0.",
        "Make sure to make coffee; make the build green.",
        "`make -C sub all`",
        "There is no file src/parser.py any more.",
        "There is no file src/parser.py.",
        "src/old.py was removed.",
        "src/old.py was deleted last week.",
        "src/old.py does not exist.",
        "src/old.py isn't there.",
        "We have no load_config in src/app.py.",
        "load_config is not in src/app.py.",
        "src/app.py does not define load_config.",
        "The first_class lounge and my TypeScript skills are fine, says JavaScript.",
        "Don't npm run eject; use the other, not npm run eject.",
        "npm run is handy, and npm run scripts are many.",
        "The price is 3.50 and the meeting at 10.30.",
        "",
    ],
)
def test_what_asserts_nothing(text: str) -> None:
    assert said(text) == []


def test_files_are_paths_unless_the_text_takes_them_back() -> None:
    assert said("It is slow.", "src/a.py", "./src/b.py") == ["path src/a.py", "path src/b.py"]
    assert said("We deleted src/a.py.", "src/a.py", "src/b.py") == ["path src/b.py"]
    assert said("`do_it()` is slow.", "src/a.py") == ["path src/a.py", "name do_it src/a.py"]
    assert said("`do_it()` is slow.", "src/a.py", "src/b.py") == ["path src/a.py", "path src/b.py", "name do_it"]


@pytest.mark.parametrize(
    "hostile",
    [
        "a",
        "`",
        "a/",
        "(",
        "a.",
        "a ",
        "`a` ",
        "x==1 ",
        "a() ",
        "a::",
        "src/a.py ",
        "_",
        "é",
        "a_b in ",
        "npm run ",
        "no ",
        "aB",
        "aB.",
        "not ",
    ],
)
def test_any_text_is_read_in_bounds(hostile: str) -> None:
    began = time.process_time()
    found = assertions(hostile * (1_000_000 // len(hostile)), ["x" * 200] * 256)
    assert time.process_time() - began < 3
    assert len(found) <= MOST_ASSERTIONS


def test_a_denial_takes_listed_files_back() -> None:
    assert said("There is no file src/parser.py any more", "src/parser.py") == []


def test_at_most_so_many() -> None:
    found = assertions("\n".join(f"see src/f{n}.py" for n in range(500)))
    assert len(found) == MOST_ASSERTIONS
    assert {one.about for one in found} == {About.PATH}
