"""Roots and trees: which folders may be looked into, and that nothing outside of them is ever opened."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from remanence.codebase import git as git_
from remanence.codebase.roots import Root, root_from, root_of, roots_from
from remanence.codebase.tree import MOST_BYTES, Tree
from remanence.errors import InvalidInput
from tests.codebase.trees import commit, git, needs_git, put, write


def test_a_root_is_a_path_or_a_scope_and_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "api"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    assert root_from(str(folder)) == Root(folder.resolve())
    assert root_from("~/api") == Root(folder.resolve())
    assert root_from("/project/api=~/api") == Root(folder.resolve(), "/project/api")
    odd = tmp_path / "a=b"
    odd.mkdir()
    assert root_from(str(odd)) == Root(odd.resolve())
    assert root_from("/project/api=~/api").speaks_of("/project/api/x")
    assert not root_from("/project/api=~/api").speaks_of("/project/apish")


def test_what_is_no_root_is_named(tmp_path: Path) -> None:
    file = put(tmp_path, "f.txt", "x")
    for bad in (str(tmp_path / "nowhere"), str(file), "", " ", "a\0b", "/p=", "/p/=~", "~nobody-here/x", "x" * 5000):
        with pytest.raises(InvalidInput):
            root_from(bad)
    with pytest.raises(InvalidInput, match="nowhere"):
        root_from(str(tmp_path / "nowhere"))
    with pytest.raises(InvalidInput, match="not int"):
        root_from(7)
    roots, problems = roots_from([str(tmp_path), str(tmp_path / "nowhere"), str(tmp_path)])
    assert roots == (Root(tmp_path.resolve()),)
    assert len(problems) == 1


@pytest.fixture
def guarded(tmp_path: Path) -> Tree:
    """A root beside a secret, with every way out of it that a file system offers."""
    put(tmp_path, "secret.py", "def stolen(): ...")
    (tmp_path / "elsewhere").mkdir()
    put(tmp_path, "elsewhere/more.py", "def stolen_too(): ...")
    root = tmp_path / "root"
    put(root, "src/a.py", "def a(): ...")
    (root / "src/out.py").symlink_to(tmp_path / "secret.py")
    (root / "away").symlink_to(tmp_path / "elsewhere")
    (root / "loop").symlink_to(root)
    (root / "src/same.py").symlink_to(root / "src/a.py")
    os.mkfifo(root / "src/pipe.py")
    with socket.socket(socket.AF_UNIX) as one:
        here = Path.cwd()
        os.chdir(root)  # the path of a socket is short
        try:
            one.bind("s.py")
        finally:
            os.chdir(here)
    return Tree(root_of(root))


def test_nothing_outside_is_listed_or_read(guarded: Tree) -> None:
    assert list(guarded.files) == ["src/a.py"]
    assert guarded.skipped["symbolic link"] >= 3
    assert guarded.skipped["special file"] == 2
    for out in ("src/out.py", "away/more.py", "../secret.py", "src/../../secret.py", "/etc/passwd", "a\0b"):
        assert guarded.place(out) is None, out
        assert guarded.text(out) is None, out
    assert guarded.place("src/same.py") == "src/same.py"
    assert guarded.place("src/../src/a.py") == "src/a.py"
    assert guarded.place(str(guarded.root.folder / "src/a.py")) == "src/a.py"
    assert guarded.text("src/pipe.py") is None
    assert guarded.text("s.py") is None


@needs_git
def test_git_listing_keeps_inside_too(guarded: Tree) -> None:
    git(guarded.root.folder, "init", "-q")
    git(guarded.root.folder, "add", "src/a.py", "src/out.py", "away")
    tree = Tree(guarded.root)
    assert tree.is_tracked
    assert list(tree.files) == ["src/a.py"]


@needs_git
def test_what_git_ignores_is_left_out(tmp_path: Path) -> None:
    write(tmp_path, src__a_py="A = 1", build__b_py="B = 1", made__c_py="C = 1", node_modules__d_js="", __gitignore="")
    put(tmp_path, ".gitignore", "made/\n")
    commit(tmp_path)
    put(tmp_path, "new.py", "")
    (tmp_path / "src/a.py").unlink()
    assert [path for path in Tree(root_of(tmp_path)).files if path.endswith((".py", ".js"))] == ["build/b.py", "new.py"]


def test_without_git_usual_output_is_left_out(tmp_path: Path) -> None:
    write(tmp_path, src__a_py="", build__b_py="", node_modules__d_js="", target__e_rs="")
    tree = Tree(root_of(tmp_path))
    assert not tree.is_tracked
    assert list(tree.files) == ["src/a.py"]
    assert tree.folders == {"", "src"}


def test_large_binary_and_oddly_named_files(tmp_path: Path) -> None:
    put(tmp_path, "large.py", "x = 1\n" * MOST_BYTES)
    (tmp_path / "binary.py").write_bytes(b"\0\1\2")
    (tmp_path / "latin.py").write_bytes(b"def caf\xe9(): ...\ndef plain(): ...\n")
    (tmp_path / "marked.py").write_bytes(b"\xef\xbb\xbfdef first(): ...\n")
    (tmp_path / os.fsdecode(b"bad\xff.py")).write_text("")
    (tmp_path / "line\nbreak.py").write_text("")
    tree = Tree(root_of(tmp_path))
    assert tree.skipped["name is no text"] == 0  # nobody looked yet
    assert sorted(tree.files) == ["binary.py", "large.py", "latin.py", "marked.py"]
    assert tree.skipped["name is no text"] == 2
    assert tree.definitions("large.py") is None
    assert tree.definitions("binary.py") is None
    assert "plain" in (tree.names("latin.py") or ())
    assert tree.names("marked.py") == {"first"}


@needs_git
def test_renames_are_followed_to_where_the_file_is_now(tmp_path: Path) -> None:
    body = "".join(f"def f{n}(): return {n}\n" for n in range(20))
    write(tmp_path, src__one_py=body, src__gone_py="GONE = 1\n" * 9, lib__x_py=body + "X = 1", lib__y_py=body + "Y = 2")
    commit(tmp_path)
    git(tmp_path, "mv", "src/one.py", "src/two.py")
    commit(tmp_path)
    (tmp_path / "app").mkdir()
    git(tmp_path, "mv", "src/two.py", "app/three.py")
    git(tmp_path, "rm", "-q", "src/gone.py")
    commit(tmp_path)
    git(tmp_path, "mv", "lib", "pkg")  # staged only
    history = git_.history(tmp_path)
    assert history.moved_to("src/one.py") == "app/three.py"
    assert history.moved_to("src/two.py") == "app/three.py"
    assert history.moved_to("lib") == "pkg"
    assert history.moved_to("lib/x.py") == "pkg/x.py"
    assert history.knows("src/gone.py")
    assert history.moved_to("src/gone.py") is None
    assert history.knows("src")
    assert not history.knows("never.py")
    below = git_.history(tmp_path / "app")
    assert not below.knows("src/one.py")


@needs_git
def test_a_tree_may_be_a_folder_of_a_repository_or_one_that_it_ignores(tmp_path: Path) -> None:
    write(tmp_path, api__src__a_py="", web__b_py="", cache__c_py="")
    put(tmp_path, ".gitignore", "cache/\n")
    commit(tmp_path)
    assert list(Tree(root_of(tmp_path / "api")).files) == ["src/a.py"]
    assert list(Tree(root_of(tmp_path / "cache")).files) == ["c.py"]


def test_no_git_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert git_.listed(tmp_path) is None
    assert git_.history(tmp_path).moves == {}


@needs_git
def test_a_list_that_was_cut_is_no_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, src__a_py="A = 1\n", src__b_py="B = 1\n")
    commit(tmp_path)
    git(tmp_path, "rm", "-q", "src/b.py")
    monkeypatch.setattr(git_, "_MOST_BYTES", 8)
    assert git_.listed(tmp_path) is None
    tree = Tree(root_of(tmp_path))
    assert list(tree.files) == ["src/a.py"]
    assert tree.is_tracked, "what git does not remember still never was"
    assert tree.history.knows("src/b.py"), "what was said of the past counts"


@needs_git
def test_a_repository_cannot_make_git_run_its_programs(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    write(tree, a_py="A = 1\n")
    commit(tree)
    trap = put(tmp_path, "trap.sh", f"#!/bin/sh\ntouch {tmp_path / 'sprung'}\n")
    trap.chmod(0o755)
    for name in ("core.fsmonitor", "diff.external", "core.pager", "gpg.program", "core.sshCommand"):
        git(tree, "config", name, str(trap))
    git(tree, "config", "log.showSignature", "true")
    git_.listed(tree)
    git_.history(tree)
    assert not (tmp_path / "sprung").exists()
