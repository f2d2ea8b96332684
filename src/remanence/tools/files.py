"""FileMemory: the six commands of Anthropic's file-based memory tool, on top of memories.

A file is one live memory of kind "file" whose scope is its path. An edit is its next version, so history, undo,
redaction and screening hold; a delete is a soft forget; a directory is there as long as files are below it. Files do
not decay: whoever writes them by name looks after them by name. What a person wrote or pinned is read only, and what
waits for review is not touched. A command never raises for what a model may do wrong: the answer is a text that begins
with "Error: " and says what to do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from remanence.errors import InvalidInput, RemanenceError
from remanence.model import checks
from remanence.model.hit import Outcome, Remembered
from remanence.model.memory import ACCEPTED, SCREENED, TRUST, Memory, Source, State
from remanence.model.scope import LONGEST, MOST_BYTES, ROOT, scope_problems
from remanence.tools import lines
from remanence.tools.memory import waits
from remanence.tools.paths import clean_path, parents, path_problem
from remanence.tools.protocol import Keeper

KIND = "file"
LONGEST_BYTES = checks.TEXT_BYTES
BLANK_TEXT = "(blank file)"
"""The text of a memory whose file holds nothing one can see; what it holds is in its metadata."""
BLANK = "blank_file"
_LONGEST_BLANK = 10_000
_OF_THE_TEXT = frozenset((BLANK, SCREENED, ACCEPTED))
"""What metadata says of one text, and not of the next version's."""
_PAGE = 50
_FEW = 8
_MOST_NAMED = 20
_ARGUMENTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "view": (("path",), ("view_range",)),
    "create": (("path", "file_text"), ()),
    "str_replace": (("path", "old_str"), ("new_str",)),
    "insert": (("path", "insert_line", "insert_text"), ()),
    "delete": (("path",), ()),
    "rename": (("old_path", "new_path"), ()),
}


class _Refused(Exception):
    """What a model is told instead of an answer."""


class FileMemory:
    """Files that a model keeps in a mind."""

    tool: ClassVar[dict[str, str]] = {"type": "memory_20250818", "name": "memory"}

    def __init__(self, mind: Keeper, root: str = "/memories") -> None:
        problems = scope_problems(root, "root") or (["root must be a scope below /"] if root == ROOT else [])
        if not problems and (problem := path_problem(root, root, "root")):
            problems = [problem]
        if problems:
            raise InvalidInput(problems)
        self.mind = mind
        self.root = root

    def run(self, command: str | Mapping[str, Any], **arguments: Any) -> str:
        """Do one command, given by name or as the whole input of a tool call."""
        if isinstance(command, Mapping):
            arguments = {**{str(name): value for name, value in command.items()}, **arguments}
            command = arguments.pop("command", "")
        try:
            given = self._checked(command, {name: value for name, value in arguments.items() if value is not None})
            answer: str = getattr(self, f"_{command}")(**given)
        except (_Refused, RemanenceError) as refused:
            return f"Error: {refused}"
        return answer

    def _checked(self, command: object, given: dict[str, Any]) -> dict[str, Any]:
        """The arguments with paths as scopes; refused with every problem."""
        if not isinstance(command, str) or command not in _ARGUMENTS:
            said = repr(command[:40]) if isinstance(command, str) else f"of type {type(command).__name__}"
            raise _Refused(f"command {said} is not one of {', '.join(_ARGUMENTS)}.")
        required, optional = _ARGUMENTS[command]
        problems = [f"{command} needs {name}" for name in required if name not in given]
        takes = ", ".join((*required, *optional))
        problems += [
            f"{command} knows no {checks.shown(n)!r}; it takes {takes}" for n in given if n not in takes.split(", ")
        ]
        for name, value in given.items():
            if name.endswith("path") and (problem := path_problem(value, self.root, name)):
                problems.append(problem)
            elif name in ("file_text", "old_str", "new_str", "insert_text") and not isinstance(value, str):
                problems.append(f"{name} must be text, not {type(value).__name__}")
        if problems:
            raise _Refused("; ".join(problems))
        return {name: clean_path(value) if name.endswith("path") else value for name, value in given.items()}

    # -- commands

    def _view(self, path: str, view_range: Any = None) -> str:
        files, is_directory = self._place(path)
        if files:
            content = _content(files[0])
            if not content:
                return f"{path} is an empty file."
            return f"{path}, {lines.counted(content)}:\n{_ranged(path, content, view_range)}"
        if not is_directory:
            raise self._missing(path)
        if view_range is not None:
            raise _Refused(f"{path} is a directory: view_range is for files.")
        return lines.listing(path, ((memory.scope, _size(memory)) for memory in self._below(path)))

    def _create(self, path: str, file_text: str) -> str:
        files, is_directory = self._place(path)
        if not files:
            self._refuse(path, is_directory)
        elif _content(files[0]) == file_text:
            return f"{path} holds this text already."
        made, told = self._written(path, file_text, files)
        return f"{path} was {'written over' if files else 'created'}, {lines.counted(_content(made))}.{told}"

    def _str_replace(self, path: str, old_str: str, new_str: str = "") -> str:
        files = self._opened(path)
        content = _content(files[0])
        if not old_str:
            raise _Refused("old_str is empty: give the text to replace, or use insert.")
        places = lines.places(content, old_str)
        if not places:
            raise _Refused(
                f"old_str does not occur in {path}, character for character. View the file and copy it from there."
            )
        if len(places) > 1:
            times = f"{len(places)} times" + (" or more" if len(places) == lines.MOST_PLACES else "")
            numbers = lines.numbers(content, places)
            raise _Refused(f"old_str occurs {times} in {path}, on lines {numbers}. Take more of the text around it.")
        text = content[: places[0]] + new_str + content[places[0] + len(old_str) :]
        return self._edited(path, text, files, content.count("\n", 0, places[0]), new_str)

    def _insert(self, path: str, insert_line: Any, insert_text: str) -> str:
        files = self._opened(path)
        content = _content(files[0])
        number = lines.number(content)
        if problems := checks.integer_problems(insert_line, "insert_line", 0, number):
            raise _Refused(f"{problems[0]}: 0 is the beginning of {path}, {number} its end.")
        return self._edited(path, lines.inserted(content, insert_line, insert_text), files, insert_line, insert_text)

    def _delete(self, path: str) -> str:
        if path == self.root:
            raise _Refused(f"{path} is the root and stays. Delete the files below it one by one.")
        if self._place(path) == ([], False):
            raise self._missing(path)
        _refuse_a_persons(path, self._all(path))
        kept = {memory.id for memory in self._all(path, "archived") if _is_a_persons(memory)}
        plan = self.mind.plan_forget(scope=path, kinds=[KIND])
        changes = (change for change in plan if not waits(change) and change.memory_id not in kept)
        receipt = self.mind.apply(replace(plan, changes=tuple(changes)))
        return f"{path} was deleted. Receipt {receipt.id} can bring it back."

    def _rename(self, old_path: str, new_path: str) -> str:
        if self.root in (old_path, new_path):
            raise _Refused(f"{self.root} is the root: it keeps its name, and nothing takes it.")
        files, is_directory = self._place(old_path)
        if not files and not is_directory:
            raise self._missing(old_path)
        if old_path == new_path:
            return f"{old_path} has this name already."
        if self._place(new_path) != ([], False):
            raise _Refused(f"{new_path} exists already. Choose another name, or delete it first.")
        if new_path.startswith(old_path + "/"):
            raise _Refused(f"{new_path} lies inside {old_path}: nothing can be moved into itself.")
        self._refuse(new_path, is_directory=False)
        moving = {memory.id: memory.scope for memory in files[:1] or self._below(old_path)}
        if too_long := sum(bool(scope_problems(new_path + scope[len(old_path) :])) for scope in moving.values()):
            most = f"{LONGEST} characters or {MOST_BYTES} bytes"
            raise _Refused(f"{too_long} paths would be longer than {most}. Choose a shorter name.")
        _refuse_a_persons(old_path, self._all(old_path))
        moved: list[str] = []
        try:
            for id, scope in moving.items():
                made = self.mind.revise(id, scope=new_path + scope[len(old_path) :])
                moved.append(_stored(scope, made).scope)
        except (_Refused, RemanenceError) as reason:
            if not moved:
                raise
            left = list(moving.values())[len(moved) :]
            raise _Refused(
                f"only {len(moved)} of {len(moving)} files were moved, and are now {_named(moved)}. "
                f"Not moved: {_named(left)}. Rename these one by one. It stopped here: {reason}"
            ) from None
        self._drop(files[1:])
        return f"{old_path} is {new_path} now{'' if files else f', with {len(moving)} files'}."

    # -- files

    def _place(self, path: str) -> tuple[list[Memory], bool]:
        """The live memories that are this very file, newest first, and whether the path is a directory.

        More than one only where a person accepted a version that had waited for review: the newest is the file.
        """
        found = self.mind.list(scope=path, kind=KIND, limit=_FEW)
        below = [memory for memory in found if memory.scope != path]
        return [m for m in found if m.scope == path != self.root], bool(below) or path == self.root

    def _opened(self, path: str) -> list[Memory]:
        files, is_directory = self._place(path)
        if files:
            return files
        if is_directory:
            raise _Refused(f"{path} is a directory. Give the path of a file; view shows those below it.")
        raise self._missing(path)

    def _below(self, path: str) -> Iterator[Memory]:
        """The files below a directory, newest first."""
        seen = set[str]()
        for memory in self._all(path):
            if memory.scope != self.root and memory.scope not in seen:
                seen.add(memory.scope)
                yield memory

    def _all(self, path: str, state: str = "live") -> Iterator[Memory]:
        """Every memory of a file at or below a path, a page of texts at a time."""
        offset = 0
        while page := self.mind.list(scope=path, kind=KIND, state=state, limit=_PAGE, offset=offset):
            offset += len(page)
            yield from page

    def _refuse(self, path: str, is_directory: bool) -> None:
        """Refused where no file can be: at a directory, or below a file."""
        if is_directory:
            raise _Refused(f"{path} is a directory. Give the path of a file in it, such as {path}/notes.md.")
        for parent in parents(path, self.root):
            if self._place(parent)[0]:
                raise _Refused(f"{parent} is a file, so nothing can be below it. Choose another directory.")

    def _missing(self, path: str) -> _Refused:
        return _Refused(f"{path} does not exist. View {self.root} to see what does.")

    def _drop(self, files: list[Memory]) -> None:
        if files:
            self.mind.forget(ids=[memory.id for memory in files])

    # -- writing

    def _edited(self, path: str, text: str, files: list[Memory], line: int, new: str) -> str:
        made, told = self._written(path, text, files)
        return f"{path} was edited.{told}\n{lines.around(_content(made), line, lines.number(new))}"

    def _written(self, path: str, text: str, files: list[Memory]) -> tuple[Memory, str]:
        """The memory that holds the text from now on, and what is to be said of it; refused where it is not written."""
        size = len(text) if text.isascii() else len(text.encode(errors="replace"))
        if size > LONGEST_BYTES:
            raise _Refused(
                f"{path} would have {size:,} bytes; the limit is {LONGEST_BYTES:,}. Split it into several files."
            )
        blank = not text or checks.text_problems(text) == ["text is blank"]
        if blank and len(text) > _LONGEST_BLANK:
            raise _Refused(f"{path} would hold nothing but {len(text):,} blanks; the limit is {_LONGEST_BLANK:,}.")
        metadata = {k: v for k, v in files[0].metadata.items() if k not in _OF_THE_TEXT} if files else {}
        metadata |= {BLANK: text} if blank else {}
        written = BLANK_TEXT if blank else text
        _refuse_a_persons(path, files)
        if files:
            made = self.mind.revise(files[0].id, text=written, metadata=metadata, source="ai")
        else:
            made = self.mind.remember(written, scope=path, kind=KIND, source="ai", exempt=True, metadata=metadata)
        memory = _stored(path, made)
        self._drop(files[1:])
        return memory, _redacted(made)


def _is_a_persons(memory: Memory) -> bool:
    """Whether it is pinned, or trusted more than what a model writes."""
    return memory.pinned or memory.trust > TRUST[Source.AI]


def _refuse_a_persons(path: str, files: Iterable[Memory]) -> None:
    if theirs := list(dict.fromkeys(memory.scope for memory in files if _is_a_persons(memory))):
        raise _Refused(f"{path} is as it was: a person wrote or pinned {_named(theirs)}. Choose another path.")


def _named(paths: list[str]) -> str:
    more = len(paths) - _MOST_NAMED
    return ", ".join(paths[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _stored(path: str, made: Remembered) -> Memory:
    """The memory, where it is the file now."""
    if made.outcome is Outcome.QUARANTINED:
        why = ", ".join(made.screened)
        raise _Refused(
            f"{path} is as it was. The new text {why}, so it waits for review by a person: say it as a fact."
        )
    if made.memory is None:
        raise _Refused(f"{path} is as it was: this text was purged, so it is not stored again.")
    if made.memory.state is not State.LIVE:
        raise _Refused(
            f"{path} is as it was: the text is kept as memory {made.memory.id}, which is {made.memory.state}."
        )
    return made.memory


def _redacted(made: Remembered) -> str:
    if not made.redacted:
        return ""
    secrets = ", ".join(f"{many} {kind}" for kind, many in made.redacted.items())
    return f" Secrets were taken out of it and are not stored: {secrets}."


def _content(memory: Memory) -> str:
    """The text of the file that a memory is."""
    blank = memory.metadata.get(BLANK)
    return blank if isinstance(blank, str) and memory.text == BLANK_TEXT else memory.text


def _size(memory: Memory) -> int:
    return len(_content(memory).encode())


def _ranged(path: str, content: str, view_range: Any) -> str:
    """The numbered lines of a range; all of them without one."""
    if view_range is None:
        return lines.numbered(content)
    number = lines.number(content)
    whole = isinstance(view_range, (list, tuple)) and len(view_range) == 2
    if not whole or any(isinstance(n, bool) or not isinstance(n, int) for n in view_range):
        raise _Refused(
            f"view_range must be two line numbers such as [1, 20], or [5, -1] to the end; {path} has {number} lines."
        )
    first, last = view_range
    if not 1 <= first <= max(number, 1) or (last != -1 and last < first):
        shown = f"[{checks.shown(first)}, {checks.shown(last)}]"
        raise _Refused(f"view_range {shown} is outside {path}, which has lines 1 to {number}. Use -1 for its end.")
    return lines.numbered(content, first, None if last == -1 else last)
