"""A source tree inside a root: which files there are, and their texts. Nothing outside of the root is ever opened.

Git lists the files where it can, so that what it ignores is left out; else the folders are walked, without those that
hold no sources. Symbolic links are not followed when files are listed; a path through one counts only where it ends
inside of the root. Only regular files are opened, without waiting, and read to the end of 1 MiB.
"""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path

from remanence.codebase import git
from remanence.codebase.definition import Definition
from remanence.codebase.manifests import Manifests, is_manifest, manifests
from remanence.codebase.roots import Root
from remanence.codebase.signatures import definitions, is_source, names_of

MOST_FILES = 50_000
MOST_BYTES = 1 << 20
_MOST_LOOKED_AT = 500_000
_WORDS_KEPT = 500
_WORD = re.compile(r"[\w$]+")
_NEVER_WORDS = """
    .git .hg .svn node_modules __pycache__ .venv .tox .nox .mypy_cache .pytest_cache .ruff_cache .gradle .idea
    .cache .terraform .next .nuxt .eggs bower_components site-packages
"""
_NEVER = frozenset(_NEVER_WORDS.split())
_BUILT_WORDS = """
    venv env build dist target out bin obj coverage htmlcov vendor .coverage
"""
_BUILT = frozenset(_BUILT_WORDS.split())
"""Folders of build output, by their usual names: left out where git does not say what is ignored."""


class Tree:
    """The files of one root, as they are now; each is read at most once."""

    def __init__(self, root: Root, *, is_over: Callable[[], bool] = lambda: False) -> None:
        self.root = root
        self.skipped: Counter[str] = Counter()
        """Why files were left out, and how many: links, special files, names that are no text, too many, unreadable."""
        self._is_over = is_over
        self._definitions: dict[str, tuple[Definition, ...]] = {}
        self._names: dict[str, frozenset[str]] = {}
        self._places: dict[str, str | None] = {}
        self._words: dict[str, frozenset[str]] = {}

    @cached_property
    def files(self) -> dict[str, int]:
        """The regular files by their paths below the root, sorted, and their sizes in bytes."""
        found = dict(self._regular(iter(self._listed))) if self._listed else {}
        return dict(sorted((found or dict(self._regular(self._walked()))).items()))

    @property
    def is_tracked(self) -> bool:
        """Whether git knows the folder, so that what it does not remember never was."""
        return self._listed is not None or git.is_work_tree(self.root.folder)

    @cached_property
    def _listed(self) -> list[str] | None:
        return git.listed(self.root.folder)

    @cached_property
    def folders(self) -> frozenset[str]:
        """Every folder that holds a file, itself or below it; "" is the root."""
        found = {""}
        for path in self.files:
            while path := path.rpartition("/")[0]:
                if path in found:
                    break
                found.add(path)
        return frozenset(found)

    @cached_property
    def history(self) -> git.History:
        """Where files went that are gone."""
        return git.history(self.root.folder)

    @cached_property
    def manifests(self) -> Manifests:
        """The versions and commands that the manifests of the tree name."""
        texts = ((path, self.text(path)) for path in self.files if is_manifest(path))
        return manifests((path, text) for path, text in texts if text is not None)

    @cached_property
    def ends(self) -> dict[str, tuple[str, ...]]:
        """The files by their names alone."""
        found: dict[str, list[str]] = {}
        for path in self.files:
            found.setdefault(path.rpartition("/")[2], []).append(path)
        return {name: tuple(paths) for name, paths in found.items()}

    def place(self, path: str) -> str | None:
        """A path as it is written, made relative to the root; None where it leads out of it, be it by a link."""
        if path not in self._places:
            self._places[path] = self._placed(path)
        return self._places[path]

    def _placed(self, path: str) -> str | None:
        folder = self.root.folder
        try:
            plain = Path(os.path.normpath(folder / Path(path).expanduser()))
            real = plain.resolve()
        except (OSError, RuntimeError, ValueError):
            return None
        if not real.is_relative_to(folder):
            return None
        # An absolute path may come by a link that leads here from elsewhere.
        inside = plain if plain.is_relative_to(folder) else real
        if inside is real and not Path(path).expanduser().is_absolute():
            return None
        relative = inside.relative_to(folder).as_posix()
        return "" if relative == "." else relative

    def holds(self, path: str) -> bool:
        """Whether something is there at this place inside of the root, file or folder, listed or not."""
        try:
            return path in self.files or path in self.folders or (self.root.folder / path).exists()
        except (OSError, ValueError):
            return False

    def lacks(self, path: str, *, folder: bool = False) -> bool:
        """Whether there is surely no such file, listed or not, or no such folder with files.

        What cannot be seen may be there, and so may what is left out of the list.
        """
        above = path.rpartition("/")[0]
        if self._placed(above) != above:
            return True  # by way of a link it is another file
        try:
            mode = (self.root.folder / path).lstat().st_mode
        except (FileNotFoundError, NotADirectoryError, ValueError):
            return True
        except OSError:
            return False
        if folder:
            return not (stat.S_ISDIR(mode) and self._holds_files(path))
        return not stat.S_ISREG(mode)

    def _holds_files(self, folder: str) -> bool:
        """Whether there are files below a folder, or may be."""
        waiting = [self.root.folder / folder]
        while waiting:
            try:
                for entry in os.scandir(waiting.pop()):
                    if entry.is_file(follow_symlinks=False):
                        return True
                    if entry.is_dir(follow_symlinks=False) and entry.name not in _NEVER:
                        waiting.append(Path(entry.path))
            except OSError:
                return True
        return False

    def text(self, path: str) -> str | None:
        """The text of a file of the tree; None where it is too large, binary, or cannot be read."""
        data = self._bytes(path)
        if data is None or b"\0" in data[:8192]:
            return None
        return data.decode("utf-8", "replace").removeprefix("\ufeff")

    def uses(self, path: str, name: str) -> bool:
        """Whether a file holds this word, be it in a comment."""
        if path not in self._words:
            if len(self._words) >= _WORDS_KEPT:
                self._words.clear()
            self._words[path] = frozenset(_WORD.findall(self.text(path) or ""))
        return name in self._words[path]

    def definitions(self, path: str) -> tuple[Definition, ...] | None:
        """What a file defines; None where it is no source, or cannot be read."""
        if path not in self._definitions:
            text = self.text(path) if is_source(path) else None
            if text is None:
                return None
            self._definitions[path] = tuple(definitions(path, text))
        return self._definitions[path]

    def forget(self, path: str) -> None:
        """Let go of what a file defines: a large tree is not kept in memory as a whole."""
        self._definitions.pop(path, None)

    def names(self, path: str) -> frozenset[str] | None:
        """The names a file defines, qualified and plain; None where that cannot be known."""
        if path not in self._names:
            found = self.definitions(path)
            if found is None:
                return None
            self._names[path] = names_of(definition.name for definition in found)
        return self._names[path]

    def defining(self, name: str) -> tuple[str, ...] | None:
        """The files that define this name; None where there was no time to look at all of them."""
        index = self._index
        return None if index is None else tuple(index.get(name, ()))

    @cached_property
    def _index(self) -> dict[str, list[str]] | None:
        index: dict[str, list[str]] = {}
        for path in self.files:
            if self._is_over():
                return None
            for name in self.names(path) or ():
                index.setdefault(name, []).append(path)
        return index

    def _bytes(self, path: str) -> bytes | None:
        place = self._placed(path)  # asked anew: the tree may have changed since
        if place is None:
            return None
        try:
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
            descriptor = os.open((self.root.folder / place).resolve(), flags)
            with os.fdopen(descriptor, "rb", buffering=0) as file:
                about = os.fstat(descriptor)
                if not stat.S_ISREG(about.st_mode) or about.st_size > MOST_BYTES:
                    return None
                return file.read(MOST_BYTES)
        except OSError:
            return None

    def _regular(self, names: Iterator[str]) -> Iterator[tuple[str, int]]:
        """Those of the paths that are regular files, whose names can be kept, as many as are looked at."""
        number = 0
        inside: dict[str, bool] = {}
        for name in names:
            if number == MOST_FILES:
                self.skipped["more than 50,000 files"] += 1
                continue
            if not _NEVER.isdisjoint(name.split("/")):
                continue
            if not _is_text(name):
                self.skipped["name is no text"] += 1
                continue
            try:
                about = (self.root.folder / name).lstat()
            except (FileNotFoundError, NotADirectoryError):
                continue  # git lists what is deleted and not yet staged
            except (OSError, ValueError):
                self.skipped["cannot be read"] += 1
                continue
            if stat.S_ISLNK(about.st_mode):
                self.skipped["symbolic link"] += 1
            elif stat.S_ISREG(about.st_mode):
                below = name.rpartition("/")[0]
                if below not in inside:
                    inside[below] = self.place(below) == below
                if inside[below]:
                    number += 1
                    yield name, about.st_size
                else:
                    self.skipped["symbolic link"] += 1
            elif not stat.S_ISDIR(about.st_mode):
                self.skipped["special file"] += 1

    def _walked(self) -> Iterator[str]:
        waiting, looked_at = [""], 0
        while waiting:
            below = waiting.pop()
            try:
                entries = sorted(os.scandir(self.root.folder / below), key=lambda entry: entry.name)
            except OSError:
                self.skipped["folder cannot be read"] += 1
                continue
            folders = []
            for entry in entries:
                looked_at += 1
                path = f"{below}/{entry.name}" if below else entry.name
                if entry.is_dir(follow_symlinks=False):
                    if entry.name not in _NEVER and entry.name not in _BUILT:
                        folders.append(path)
                else:
                    yield path
            if looked_at > _MOST_LOOKED_AT:
                self.skipped["folders too many to look at"] += len(waiting) + len(folders)
                return
            waiting += reversed(folders)


def _is_text(name: str) -> bool:
    """Whether a name can be stored and shown: a file may be called anything."""
    return name.isprintable() and not any("\ud800" <= character <= "\udfff" for character in name)
