"""What only the command line has: exit codes, project scope, previews, safe output, start-up cost, real processes."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from remanence.interfaces.verbs import VERBS
from remanence.mind import Mind
from tests.interfaces.doors import said, typed

ROOT = Path(__file__).parents[2]
REM = [sys.executable, "-m", "remanence.interfaces.cli"]


@pytest.fixture(autouse=True)
def a_place_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REMANENCE_DB", str(tmp_path / "own.db"))
    monkeypatch.setenv("REMANENCE_CONFIG", str(tmp_path / "config.yml"))
    return tmp_path


def told(*words: str) -> object:
    code, out, err = typed(["--json", *words])
    assert code == 0, err
    return json.loads(out)


def test_the_table_of_verbs_names_what_mind_takes() -> None:
    import inspect

    for verb in VERBS:
        takes = inspect.signature(getattr(Mind, verb.method)).parameters
        free = any(p.kind is p.VAR_KEYWORD for p in takes.values())
        unknown = [p.name for p in verb.parameters if p.name not in takes and not free]
        assert not unknown, f"{verb.name}: {unknown}"


def test_help_costs_little() -> None:
    """Counted in modules rather than in time: nothing heavy is imported to say what there is."""
    code = "import sys; from remanence.interfaces.cli.app import run; run(['-h']); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"numpy", "apsw", "rich", "yaml", "remanence.mind", "asyncio"} & set(done.stderr.split())
    assert "Usage: rem" in done.stdout
    assert not heavy


def test_options_may_stand_before_or_after_the_command(tmp_path: Path) -> None:
    for words in (["--json", "--db", "a.db", "stats"], ["stats", "--json", "--db", "a.db"]):
        code, out, _ = typed(words)
        assert code == 0
        assert json.loads(out)["location"] == str(tmp_path / "a.db")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["nonsense"], 2),
        (["recall"], 2),
        (["recall", "x", "--limit", "many"], 2),
        (["remember", "x", "--created-at", "2026-01-01T00:00:00"], 2),
        (["remember", "x", "--metadata", "{"], 2),
        (["remember"], 2),
        (["show", "nothing"], 3),
        (["undo", "r1"], 3),
        (["import", "absent.jsonl"], 2),
        (["purge", "--scope", "/", "--reason", "no yes given"], 2),
        (["counts"], 2),
        (["counts", "colour"], 2),
    ],
)
def test_errors_are_one_json_document_on_standard_error(words: list[str], code: int) -> None:
    got, out, err = typed([*words, "--json"])
    assert (got, out) == (code, "")
    assert json.loads(err)["message"]
    plain_code, plain_out, plain_err = typed(words)
    assert (plain_code, plain_out) == (code, "")
    assert plain_err.startswith("Error: ")
    assert plain_err.count("\n") == 1


def test_all_problems_are_named_at_once() -> None:
    code, _, err = typed(["--json", "remember", " ", "--scope", "x", "--importance", "7", "--ttl", "soon"])
    assert code == 2
    assert len(json.loads(err)["problems"]) == 4


def test_a_git_folder_gives_a_new_memory_its_scope(tmp_path: Path) -> None:
    inside = tmp_path / "shop" / "src"
    inside.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(tmp_path / "shop")], check=True)
    os.chdir(inside)
    assert told("remember", "Inside the project")["memory"]["scope"] == "/project/shop"
    assert told("remember", "Said otherwise", "--scope", "/mine")["memory"]["scope"] == "/mine"
    assert len(told("recall", "inside otherwise")) == 2
    assert [hit["memory"]["scope"] for hit in told("recall", "inside otherwise", "--here")] == ["/project/shop"]
    assert told("count", "--here") == 1
    os.chdir(tmp_path)
    assert told("remember", "Outside of it")["memory"]["scope"] == "/"


def test_a_worktree_belongs_to_its_repository(tmp_path: Path) -> None:
    git = ["git", "-C", str(tmp_path / "shop"), "-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", "init", "-q", str(tmp_path / "shop")], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "first"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(tmp_path / "fix")], check=True)
    os.chdir(tmp_path / "fix")
    assert told("remember", "In a worktree")["memory"]["scope"] == "/project/shop"


def test_forgetting_by_words_shows_the_plan_first() -> None:
    told("remember", "The heron nests here")
    plan = told("forget", "--query", "heron")
    assert [change["action"] for change in plan["changes"]] == ["forget"]
    assert told("count") == 1
    told("forget", "--query", "heron", "--yes")
    assert told("count") == 0
    assert told("forget", "--scope", "/", "--preview")["changes"] == []


def test_many_at_once(tmp_path: Path) -> None:
    (tmp_path / "facts.txt").write_text(
        'One plain fact\n\n{"text": "A fact in JSON", "kind": "bug"}\n', encoding="utf-8"
    )
    made = told("remember", "--many", "facts.txt", "--category", "bulk")
    assert [one["memory"]["kind"] for one in made] == ["fact", "bug"]
    assert all(one["memory"]["categories"] == ["bulk"] for one in made)
    (tmp_path / "facts.txt").write_text('{"text": " "}\n{"txt": "x"}\n', encoding="utf-8")
    code, _, err = typed(["--json", "remember", "--many", "facts.txt"])
    assert code == 2
    assert [problem.split(":")[0] for problem in json.loads(err)["problems"]] == ["line 1", "line 2", "line 2"]


def test_what_steers_a_terminal_is_shown_not_sent() -> None:
    told("remember", "red \x1b[31malert\x07 and \u202egnihton")
    for words in (["list"], ["recall", "red"]):
        _, out, _ = typed(words)
        assert "\x1b" not in out
        assert "\u202e" not in out
        assert "\\u001b[31malert\\u0007" in out
    assert "\x1b" in told("list")[0]["text"]


def test_a_store_of_ones_own_by_file_and_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "config.yml").write_text("namespace: filed\npurge:\n  wait_seconds: 5\n")
    shown = told("config")
    assert (
        shown["settings"].items()
        >= {
            "db": str(tmp_path / "own.db"),
            "namespace": "filed",
            "policy": None,
            "upkeep.interval": "1d",
            "upkeep.on_open": True,
            "purge.wait_seconds": 5,
            "embedder.name": "none",
            "embedder.key": None,
        }.items()
    )
    monkeypatch.setenv("REMANENCE_EMBEDDER__KEY", "sk-own")
    assert told("config")["settings"]["embedder.key"] == "(set)"
    monkeypatch.setenv("REMANENCE_NAMESPACE", "environed")
    monkeypatch.setenv("REMANENCE_COLOUR", "blue")
    assert told("config")["settings"]["namespace"] == "environed"
    assert told("--namespace", "argued", "config")["settings"]["namespace"] == "argued"
    assert told("config")["ignored"] == ["REMANENCE_COLOUR"]
    (tmp_path / "config.yml").write_text("nmespace: x\npurge: {wait_seconds: soon}\n")
    code, _, err = typed(["--json", "stats"])
    assert code == 2
    slip, number = json.loads(err)["problems"]
    assert "did you mean namespace?" in slip and "wait_seconds must be a number" in number


def test_doctor_is_well_here_and_says_what_is_not(tmp_path: Path) -> None:
    told("remember", "Something")
    assert told("doctor")["ok"]
    (tmp_path / "own.db").chmod(0o644)
    code, out, _ = typed(["--json", "doctor"])
    assert code == 1
    assert [f["what"] for f in json.loads(out)["findings"] if not f["ok"]] == ["rights"]
    assert "chmod 600" in typed(["doctor"])[1]
    assert "1 memory," in typed(["doctor"])[1]


@pytest.mark.parametrize("by", ["--db", "REMANENCE_DB"])
def test_doctor_of_a_server_says_where_to_ask(by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REMANENCE_DB", "http://127.0.0.1:1")
    code, out, err = typed(["doctor", *(["--db", "http://127.0.0.1:1"] if by == "--db" else [])])
    assert (code, out) == (2, "") and "is a server" in err and "Run there: rem doctor" in err


def test_doctor_names_what_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told("remember", "Something")
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) not in (tmp_path, tmp_path / "own.db.lock"))
    (finding,) = [one for one in json.loads(typed(["--json", "doctor"])[1])["findings"] if not one["ok"]]
    assert finding["advice"] == f"run: chmod u+w {tmp_path} {tmp_path / 'own.db.lock'}"


def test_doctor_says_what_is_no_store_and_repeats_nothing(tmp_path: Path) -> None:
    (tmp_path / "own.db").write_text("nothing that SQLite wrote")
    code, out, _ = typed(["doctor"])
    assert code == 1 and "check --salvage" in out and "see the message" not in out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell: str) -> None:
    assert "_REM_COMPLETE" in told("completion", shell)["script"]


def test_completion_knows_the_commands() -> None:
    environment = {**os.environ, "_REM_COMPLETE": "bash_complete", "COMP_WORDS": "rem re", "COMP_CWORD": "1"}
    done = subprocess.run(REM, env=environment, capture_output=True, text=True, check=False)
    assert {"plain,remember", "plain,recall", "plain,restore"} <= set(done.stdout.split())


def test_export_import_backup_check_salvage(tmp_path: Path) -> None:
    told("remember", "Carried over", "--category", "x")
    assert told("export", "out.jsonl")["exported"] == 1
    assert told("--db", "new.db", "import", "out.jsonl")["added"] == 1
    assert told("--db", "new.db", "export", "again.jsonl")["exported"] == 1
    assert (tmp_path / "out.jsonl").read_bytes() == (tmp_path / "again.jsonl").read_bytes()
    assert told("export", "mirror.md")["exported"] == 1
    assert "- Carried over" in (tmp_path / "mirror.md").read_text()
    assert told("backup", "copy.db")["bytes"] > 0
    assert told("--db", "copy.db", "count") == 1
    assert told("check")["ok"]
    assert told("check", "--salvage", "saved.jsonl")["saved"] == 1
    assert typed(["check", "--salvage", "saved-again.jsonl"])[1].startswith("1 memory saved to ")
    assert typed(["export", "once-more.jsonl"])[1].startswith("1 memory exported to ")
    assert (tmp_path / "saved.jsonl").read_bytes() == (tmp_path / "out.jsonl").read_bytes()


def test_a_damaged_index_makes_check_fail_and_repair_mend_it(tmp_path: Path) -> None:
    import apsw

    told("remember", "Found by its words")
    connection = apsw.Connection(str(tmp_path / "own.db"))
    connection.execute("DELETE FROM kin_news; UPDATE counts SET memories = 7")
    connection.close()
    code, out, _ = typed(["--json", "check"])
    assert code == 1
    assert {problem["kind"] for problem in json.loads(out)["problems"]} == {"kin index", "counters"}
    assert told("check", "--repair")["ok"]
    assert told("check")["ok"]


def test_standard_input_and_a_real_process(tmp_path: Path) -> None:
    done = subprocess.run([*REM, "remember", "-", "--json"], input=b"Said by pipe\n", capture_output=True, check=True)
    assert json.loads(done.stdout)["memory"]["text"] == "Said by pipe"
    for bad in (b"\xff\xfe", b"a\0b", b"  "):
        refused = subprocess.run([*REM, "remember", "-"], input=bad, capture_output=True, check=False)
        assert refused.returncode == 2
        assert refused.stderr.count(b"\n") == 1
        assert b"Traceback" not in refused.stderr
    surrogate = subprocess.run([*REM, "remember", b"lone \xed\xa0\x80"], capture_output=True, check=False)
    assert surrogate.returncode == 2
    assert told("count") == 1


def test_a_closed_pipe_is_no_traceback() -> None:
    told("remember", "Something to list")
    done = subprocess.run(f"{' '.join(REM)} list | true", shell=True, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr


def on_a_terminal(words: list[str], answer: str = "") -> str:
    """What a person sees: the command on a terminal of its own, with what they type."""
    leader, follower = pty.openpty()
    with subprocess.Popen([*REM, *words], stdin=follower, stdout=follower, stderr=follower, close_fds=True) as process:
        os.close(follower)
        os.write(leader, answer.encode())
        seen = b""
        try:
            while chunk := os.read(leader, 4096):
                seen += chunk
        except OSError:  # the terminal ends with its process
            pass
        process.wait()
    os.close(leader)
    return seen.decode()


def test_a_person_is_asked_before_words_or_purge_do_anything() -> None:
    told("remember", "The heron nests here")
    refused = on_a_terminal(["forget", "--query", "heron"], "n\n")
    assert "Forget 1 memory?" in refused and "Error: Nothing was changed." in refused and "Stopped" not in refused
    assert told("count") == 1
    on_a_terminal(["forget", "--query", "heron"], "y\n")
    assert told("count") == 0
    assert "cannot be undone" in on_a_terminal(["purge", "--scope", "/", "--reason", "test"], "yes\n")
    assert told("count", "--state", "all") == 1
    assert "purged 1 memory, verified" in on_a_terminal(["purge", "--scope", "/", "--reason", "test"], "purge\n")
    assert told("count", "--state", "all") == 0


def test_a_narrow_terminal_shows_receipts_without_a_note_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    told("remember", "The heron nests here")
    monkeypatch.setenv("COLUMNS", "40")
    shown = re.sub(r"\x1b\[[0-9;]*m", "", on_a_terminal(["receipts"], "")).replace("\r", "")
    assert "· r1 · remember · 1 add · 1 memory\n" in shown and "\n\n" not in shown


def test_doctor_shows_no_colour_to_who_wants_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    assert "\x1b[3" in on_a_terminal(["doctor"], "")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[3" not in on_a_terminal(["doctor"], "")


def test_the_tour_runs(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "remanence.interfaces.cli.tour"], capture_output=True, text=True, check=True
    )
    assert "Dublin" in done.stdout
    assert "OK: " in done.stdout
    assert not (tmp_path / "own.db").exists()


def test_a_span_is_ago_only_where_it_looks_back() -> None:
    told("remember", "Said just now")
    assert len(told("recall", "said", "--since", "1h")) == 1
    assert told("recall", "said", "--until", "1h") == []
    assert typed(["remember", "x y", "--expires-at", "30d"])[0] == 2
    assert typed(["remember", "x y", "--created-at", "30d"])[0] == 2


@pytest.mark.parametrize("option", ["--namespace", "--db"])
def test_an_empty_option_is_no_default(option: str) -> None:
    assert typed([option, "", "remember", "Into nowhere"])[0] == 2
    assert told("count") == 0


def test_export_and_import_through_pipes(tmp_path: Path) -> None:
    told("remember", "Through a pipe")
    out = subprocess.run([*REM, "export", "-"], capture_output=True, check=True).stdout
    done = subprocess.run([*REM, "--db", "new.db", "--json", "import", "-"], input=out, capture_output=True, check=True)
    assert json.loads(done.stdout)["added"] == 1


def test_many_with_times(tmp_path: Path) -> None:
    (tmp_path / "facts.jsonl").write_text('{"text": "Dated", "created_at": "2020-01-02T03:04:05Z"}\n')
    assert told("remember", "--many", "facts.jsonl")[0]["memory"]["created_at"] == "2020-01-02T03:04:05+00:00"


def test_a_terminal_that_knows_only_ascii() -> None:
    told("remember", "Zürich 東京")
    done = subprocess.run(
        [*REM, "list"], env={**os.environ, "PYTHONIOENCODING": "ascii"}, capture_output=True, check=True
    )
    assert b"Z\\xfcrich" in done.stdout


def test_rem_alone_shows_what_there_is() -> None:
    code, out, _ = typed([])
    assert code == 0
    assert "Remember and recall:" in out and "rem COMMAND --help" in out


FAMILIES = ["action", "bench", "db", "lesson", "memory", "policy", "session", "token"]


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_of_commands_lists_them_and_never_answers_json_with_a_help_text(name: str) -> None:
    code, out, _ = typed([name])
    assert code == 0 and "Commands:" in out and "..." not in out.partition("Commands:")[2]
    code, out, err = typed([name, "--json"])
    assert (code, out) == (2, "") and "Missing command" in json.loads(err)["message"]


def test_help_says_which_options_may_be_given_several_times() -> None:
    from remanence.interfaces.cli.app import rem

    for name in ("remember", "recall", "absorb", "forget"):
        options = [one for one in rem.commands[name].params if isinstance(one, click.Option) and one.multiple]
        assert options and all((one.help or "").count("several times") == 1 for one in options)


def test_every_command_stands_in_one_section_of_the_help() -> None:
    from remanence.interfaces.cli.app import rem
    from remanence.interfaces.cli.listing import SECTIONS

    listed = [name for names in SECTIONS.values() for name in names]
    assert sorted(listed) == sorted(rem.commands)


def test_settings_are_told_with_what_each_is_for() -> None:
    code, out, _ = typed(["config", "--explain"])
    assert code == 0
    lines = out.splitlines()
    assert (
        lines[lines.index(next(line for line in lines if line.startswith("serve.port "))) + 1]
        .strip()
        .startswith("The port")
    )
    assert "None" not in out and "True" not in out


def test_forget_can_be_tried_like_purge() -> None:
    told("remember", "Deploys need a green build")
    code, out, _ = typed(["forget", "--scope", "/", "--dry-run"])
    assert code == 0 and "Deploys need a green build" in out
    assert len(told("list")) == 1


def test_settings_stand_below_each_other_as_a_config_file_writes_them() -> None:
    lines = said("config").splitlines()[2:]
    begins = {len(line) - len(line.split(maxsplit=1)[1]) for line in lines}
    assert len(begins) == 1, "values begin in one column"
    rows = dict(line.split(maxsplit=1) for line in lines)
    assert (rows["memories.enabled"], rows["memories.maxRolloutAgeDays"]) == ("false", "30")
    assert (rows["memories.artifacts"], rows["dream.roots"]) == ("-", "-")
