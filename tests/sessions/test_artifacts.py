"""Artifacts on disk: all together or not at all, whoever dies in between; nothing that is not ours is touched."""

from __future__ import annotations

import os
import random
import signal
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest

from remanence.errors import InvalidInput, RemanenceError
from remanence.sessions import artifacts
from remanence.sessions.artifacts import CITED, MADE_BY, MEMORY, SUMMARY, Moved, write
from tests.sessions.projects import files, marks

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
OPERATIONS = ("mkdir", "replace", "unlink", "rmdir", "fsync", "open")


def skill(name: str, body: str = "1. Do it.") -> tuple[str, str]:
    return f"skills/{name}/SKILL.md", f"---\nname: {name}\nmetadata:\n  {MADE_BY}\n---\n{body}\n"


OLD = dict([(MEMORY, "old memory\n"), (SUMMARY, "old summary\n"), (CITED, "{}"), skill("kept"), skill("stale")])
NEW = dict([(MEMORY, "new memory\n"), (SUMMARY, "old summary\n"), (CITED, "[]"), skill("kept"), skill("fresh")])


def put(folder: Path, made: dict[str, str]) -> artifacts.Changed:
    return write(str(folder), made, commit=nullcontext)


def texts(folder: Path) -> dict[str, str]:
    return {name: content.decode() for name, content in files(folder).items()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "artifacts" / "test" / "project~api"


def test_written_kept_removed(folder: Path) -> None:
    assert put(folder, OLD).written == (MEMORY, SUMMARY, "skills/kept/SKILL.md", "skills/stale/SKILL.md")
    before = marks(folder)
    changed = put(folder, NEW)
    assert changed.written == (MEMORY, "skills/fresh/SKILL.md")
    assert changed.kept == (SUMMARY, "skills/kept/SKILL.md")
    assert changed.removed == ("skills/stale/SKILL.md",)
    assert texts(folder) == NEW and not (folder / "skills" / "stale").exists()
    after = marks(folder)
    assert all(before[name] == after[name] for name in (SUMMARY, "skills/kept/SKILL.md"))
    assert before[MEMORY] != after[MEMORY]
    again = put(folder, NEW)
    assert again.written == again.removed == () and marks(folder) == after


def test_for_their_owner_alone(folder: Path) -> None:
    put(folder, OLD)
    assert stat.S_IMODE((folder / MEMORY).stat().st_mode) == 0o600
    assert stat.S_IMODE((folder / "skills" / "kept").stat().st_mode) == 0o700


def test_unchanged_files_ask_for_no_commit(folder: Path) -> None:
    put(folder, OLD)

    def refuse() -> nullcontext[None]:
        raise AssertionError("nothing is to be committed")

    write(str(folder), OLD, commit=refuse)


def test_secrets_do_not_reach_the_disk(folder: Path) -> None:
    changed = put(folder, {MEMORY: f"the token is {TOKEN}\n", **dict([skill("leaky", f"1. export KEY={TOKEN}")])})
    assert changed.redacted == 2
    assert not any(TOKEN.encode() in content for content in files(folder).values())
    mail = write(str(folder), {MEMORY: "mail ann@example.org\n"}, commit=nullcontext, personal=("email",))
    assert mail.redacted == 1 and b"ann@example.org" not in (folder / MEMORY).read_bytes()


@pytest.mark.parametrize(
    "name",
    [
        *("../x", "/etc/passwd", "skills/../../x/SKILL.md", "skills/a/b/SKILL.md", "skills//SKILL.md"),
        *("skills/A/SKILL.md", "skills/a/skill.md", "MEMORY.md/", "", ".", "memory.md", "skills/a\0/SKILL.md"),
        f"skills/{'a' * 65}/SKILL.md",
    ],
)
def test_other_names_are_refused(folder: Path, name: str) -> None:
    for call in (lambda: put(folder, {name: "x"}), lambda: artifacts.artifact(str(folder), name)):
        with pytest.raises(InvalidInput, match="no artifact"):
            call()
    assert not folder.exists()


def test_what_somebody_else_put_there_is_left_alone(folder: Path) -> None:
    put(folder, OLD)
    theirs = {
        "notes.txt": b"mine",
        "skills/own/SKILL.md": b"---\nname: own\n---\nmine\n",
        "skills/kept/extra.md": b"beside ours",
        "skills/stale/extra.md": b"beside ours",
        "skills/README.md": b"mine",
        "skills/Not A Skill/SKILL.md": b"mine",
    }
    for name, content in theirs.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    changed = put(folder, NEW | dict([skill("own")]))
    assert changed.foreign == ("skills/own/SKILL.md",)
    found = files(folder)
    assert all(found[name] == content for name, content in theirs.items())
    assert "skills/stale/SKILL.md" not in found
    assert artifacts.removed(str(folder)) == (MEMORY, SUMMARY, "skills/fresh/SKILL.md", "skills/kept/SKILL.md")
    assert files(folder) == theirs


def test_links_are_neither_followed_nor_written_through(folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "target").write_text("precious")
    put(folder, OLD)
    (folder / MEMORY).unlink()
    (folder / MEMORY).symlink_to(elsewhere / "target")
    assert artifacts.artifact(str(folder), MEMORY) is None
    put(folder, NEW)
    assert (folder / MEMORY).read_text() == NEW[MEMORY] and not (folder / MEMORY).is_symlink()
    assert (elsewhere / "target").read_text() == "precious"


@pytest.mark.parametrize("place", ["skills", "skills/fresh", "skills/fresh/SKILL.md", "MEMORY.md", ".", ".."])
def test_links_and_folders_in_the_wrong_place_are_refused(folder: Path, tmp_path: Path, place: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    where = {".": folder, "..": folder.parent}.get(place, folder / place)
    where.parent.mkdir(parents=True)
    if where.name.endswith(".md"):
        where.mkdir()
    else:
        where.symlink_to(elsewhere)
    if place == "..":
        (elsewhere / folder.name).mkdir()
    with pytest.raises(InvalidInput, match=r"rem memory rebuild|memories\.artifacts"):
        put(folder, NEW)
    assert [one for one in elsewhere.rglob("*") if one.is_file()] == []


def test_a_file_where_the_folder_should_be(folder: Path) -> None:
    folder.parent.mkdir(parents=True)
    folder.write_text("in the way")
    with pytest.raises(RemanenceError, match="cannot be read or written"):
        put(folder, NEW)
    assert folder.read_text() == "in the way"


# --- crashes


def forked(work: Callable[[], object]) -> int:
    """The exit code of a process that did this; 9 where it died on the way."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.fixture
def unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    """A killed process needs no sync; that it is asked for is still an operation at which one can die."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


@contextmanager
def dying_at(number: int) -> Iterator[None]:
    """This process ends, as if killed, right before its n-th operation on files."""
    left = number
    real = {name: getattr(os, name) for name in OPERATIONS}

    def counted(name: str) -> Callable[..., object]:
        def operation(*args: object, **kwargs: object) -> object:
            nonlocal left
            if left == 0:
                os._exit(9)
            left -= 1
            return real[name](*args, **kwargs)

        return operation

    for name in OPERATIONS:
        setattr(os, name, counted(name))
    try:
        yield
    finally:
        for name, function in real.items():
            setattr(os, name, function)


@pytest.mark.usefixtures("unsynced")
@pytest.mark.parametrize("before", [OLD, {}], ids=["replacing", "first time"])
def test_dying_at_any_operation_leaves_the_old_set_or_the_new(tmp_path: Path, before: dict[str, str]) -> None:
    seen = set()
    for number in range(1_000):
        folder = tmp_path / str(number)
        if before:
            put(folder, before)

        def work(folder: Path = folder, number: int = number) -> None:
            with dying_at(number):
                put(folder, NEW)

        code = forked(work)
        assert code in (0, 9)
        artifacts.artifact(str(folder), MEMORY)  # whoever looks next completes it
        left = texts(folder)
        assert left in (before, NEW), f"mixed after operation {number}"
        seen.add("new" if left == NEW else "old")
        put(folder, NEW)
        assert texts(folder) == NEW, "a second try completes it"
        if code == 0:
            break
    else:
        pytest.fail("it never ended")
    assert number > 20 and seen == {"old", "new"}


@pytest.mark.usefixtures("unsynced")
def test_dying_while_somebody_elses_crash_is_completed(tmp_path: Path) -> None:
    def crash(folder: Path, at: int, work: Callable[[], object]) -> int:
        def dying() -> None:
            with dying_at(at):
                work()

        return forked(dying)

    # The first operation after the mark is where most is left to do.
    probe, marked = tmp_path / "probe", None
    for number in range(1_000):
        put(probe, OLD)
        crash(probe, number, lambda: put(probe, NEW))
        if list(probe.glob(".staging-*/commit")):
            marked = number
            break
    assert marked is not None
    for number in range(1_000):
        folder = tmp_path / str(number)
        put(folder, OLD)
        assert crash(folder, marked, lambda folder=folder: put(folder, NEW)) == 9  # type: ignore[misc]
        code = crash(folder, number, lambda folder=folder: artifacts.artifact(str(folder), MEMORY))  # type: ignore[misc]
        assert artifacts.artifact(str(folder), MEMORY) == NEW[MEMORY]
        assert texts(folder) == NEW
        if code == 0:
            break
    assert number > 10


def test_kill_in_the_middle(folder: Path) -> None:
    seed = random.randrange(1 << 30)
    chance = random.Random(seed)
    put(folder, OLD)
    for _ in range(40):
        child = os.fork()
        if child == 0:
            while True:
                put(folder, NEW)
                put(folder, OLD)
        time.sleep(chance.uniform(0.0005, 0.02))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        artifacts.skills(str(folder))
        assert texts(folder) in (OLD, NEW), f"seed {seed}"
        assert [one.name for one in folder.iterdir() if one.name.startswith(".staging")] == []


def test_no_room_on_the_disk_leaves_the_old_set(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(folder, OLD)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(artifacts.folders, "put", full)
    with pytest.raises(RemanenceError, match="No space left on device"):
        put(folder, NEW)
    assert texts(folder) == OLD


# --- several at once


def test_a_commit_that_refuses_writes_nothing(folder: Path) -> None:
    put(folder, OLD)

    @contextmanager
    def refusing() -> Iterator[None]:
        raise RuntimeError("no longer yours")
        yield

    with pytest.raises(RuntimeError):
        write(str(folder), NEW, commit=refusing)
    assert texts(folder) == OLD


def test_files_that_were_replaced_meanwhile_are_seen(folder: Path) -> None:
    put(folder, OLD)

    @contextmanager
    def late() -> Iterator[None]:
        put(folder, {MEMORY: "somebody else's\n"})
        yield

    with pytest.raises(Moved):
        write(str(folder), NEW, commit=late)
    assert texts(folder) == {MEMORY: "somebody else's\n"}


def test_who_makes_way_begins_anew(folder: Path) -> None:
    put(folder, OLD)
    assert not artifacts.is_prepared(str(folder))

    @contextmanager
    def cleared() -> Iterator[None]:
        assert artifacts.is_prepared(str(folder))
        artifacts.recovered(str(folder))
        assert artifacts.is_prepared(str(folder)), "what a living process prepares is left to it"
        artifacts.recovered(str(folder), forced=True)
        assert not artifacts.is_prepared(str(folder))
        yield

    with pytest.raises(Moved):
        write(str(folder), NEW, commit=cleared)
    assert texts(folder) == OLD


def test_nothing_is_committed_while_another_set_is_still_put_in_place(folder: Path) -> None:
    """A reader that was frozen while it completed a crashed set would go on and put older files over newer ones."""
    put(folder, OLD)

    @contextmanager
    def frozen() -> Iterator[None]:
        staging = folder / ".staging-0123456789ab"
        staging.mkdir()
        (staging / "0").write_text("from before")
        (staging / "commit").write_text('{"put": {"MEMORY.md": "0"}, "drop": []}')
        yield

    with pytest.raises(Moved):
        write(str(folder), NEW, commit=frozen)
    assert artifacts.artifact(str(folder), MEMORY) == "from before"


def test_a_mark_that_is_none_of_ours_does_nothing(folder: Path, tmp_path: Path) -> None:
    put(folder, OLD)
    for number, told in enumerate(
        ('{"put": {"../../evil": "0"}, "drop": ["../../../x", "notes.txt"]}', "not JSON", "[]", '{"put": 5}', "")
    ):
        staging = folder / f".staging-00000000000{number}"
        staging.mkdir()
        (staging / "0").write_text("evil")
        (staging / "commit").write_text(told)
    (folder / "notes.txt").write_text("mine")
    assert artifacts.artifact(str(folder), MEMORY) == OLD[MEMORY]
    assert texts(folder) == OLD | {"notes.txt": "mine"}
    assert "evil" not in "".join(one.name for one in tmp_path.rglob("*"))
