"""extract and absorb: a text as an argument or from standard input, or a file of any size, read in parts.

Nothing of a file is held but a part of it and, for --json, the answers. Where a part fails, what was done before it is
told all the same.
"""

from __future__ import annotations

import io
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Self

import click

from remanence.errors import InvalidInput
from remanence.interfaces.cli.words import many, one_line, safe
from remanence.interfaces.verbs import Verb
from remanence.interfaces.wire import to_json
from remanence.model.extraction import Extraction
from remanence.model.hit import Absorbed, Remembered

if TYPE_CHECKING:
    from rich.console import Console

    from remanence.interfaces.cli.app import Door

PART_BYTES = 1 << 18


def extracted(door: Door, verb: Verb, given: dict[str, Any]) -> None:
    """A text at once; a file part by part, so that its size does not matter."""
    path, arguments = _asked(verb, given)
    with door.mind() as mind:
        if path is None:
            door.say(mind.extract(arguments["text"]))
            return
        with _Facts(door) as told:
            for part in _parts(path, quiet=door.as_json):
                told.add(mind.extract(part))


def absorbed(door: Door, verb: Verb, given: dict[str, Any]) -> None:
    """Inside a git folder what is absorbed belongs to that project, unless --scope says otherwise."""
    from remanence.interfaces.cli.project import inferred_scope

    path, arguments = _asked(verb, given)
    arguments.setdefault("scope", inferred_scope(Path.cwd()))
    with door.mind() as mind:
        if path is not None:
            arguments.setdefault("origin", f"file:{Path(path).name[:200]}")
        texts = [arguments.pop("text")] if path is None else _parts(path, quiet=door.as_json)
        with _Results(door) as told:
            for number, text in enumerate(texts):
                told.add(mind.absorb(text, **arguments | _own_key(arguments, number)))
        door.look_after(mind)


def _own_key(arguments: dict[str, Any], number: int) -> dict[str, str]:
    """A key is of one text, so that each later part of a file has its own."""
    return {"key": f"{arguments['key']} part {number + 1}"} if number and "key" in arguments else {}


def _asked(verb: Verb, given: dict[str, Any]) -> tuple[str | None, dict[str, Any]]:
    from remanence.interfaces.cli.app import arguments_of

    path = given.pop("file")
    arguments = arguments_of(verb, given)
    if (path is None) == ("text" not in arguments):
        raise InvalidInput("give a text, '-' for standard input, or --file PATH")
    return path, arguments


class _Told:
    """What is told part by part; its end also where a later part fails."""

    begun = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, failure: type[BaseException] | None, *_: object) -> None:
        if failure is None or self.begun:
            self.end()

    def end(self) -> None:
        raise NotImplementedError


class _Results(_Told):
    """What became of each fact: lines as they come, or all as one JSON document."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._documents: list[dict[str, Any]] = []
        self._counts: Counter[str] = Counter()
        self._receipts: dict[str, None] = {}
        self._notes: dict[str, None] = {}

    def add(self, absorbed: Absorbed) -> None:
        self.begun = True
        self._notes |= dict.fromkeys(absorbed.extraction.notes)
        self._receipts |= dict.fromkeys([absorbed.receipt_id] if absorbed.receipt_id else ())
        for one in absorbed:
            self._counts[one.outcome.value] += 1
            if self._door.as_json:
                self._documents.append(one.to_dict())
            else:
                _show(one)

    def end(self) -> None:
        if self._door.as_json:
            self._door.say(self._documents)
        else:
            self._sum_up()
        for note in self._notes:
            click.echo(safe(note), err=True)

    def _sum_up(self) -> None:
        said = ", ".join(f"{number:,} {outcome}" for outcome, number in self._counts.items())
        none = "No facts in it; the text itself is kept in the archive." if self._receipts else "No facts in it."
        click.echo(said or none)
        if self._counts["quarantined"]:
            click.echo("See what is quarantined, and why, with: rem review")
        if undo := ", then ".join(f"rem undo {receipt}" for receipt in reversed(self._receipts)):
            click.echo(f"Take it back with: {undo}")


def _show(one: Remembered) -> None:
    if one.memory is None:
        click.echo("x blocked: this was purged before. To store it all the same: rem absorb … --relearn")
        return
    mark = {"added": "+", "superseded": "~", "duplicate": "="}.get(one.outcome, "!")
    click.echo(f"{mark} {one.memory.id}  {one_line(one.memory.text)}")


class _Facts(_Told):
    """Facts printed as they come, as one JSON document or as lines."""

    def __init__(self, door: Door) -> None:
        self._as_json = door.as_json
        self._facts = 0
        self._parts: Counter[bool] = Counter()
        self._notes: dict[str, None] = {}
        self._counts: dict[str, Counter[str]] = {"dropped": Counter(), "redacted": Counter()}

    def add(self, extraction: Extraction) -> None:
        self.begun = True
        for fact in extraction.facts:
            if self._as_json:
                _write((", " if self._facts else '{"facts": [') + to_json(fact))
            else:
                click.echo(safe(fact.text))
            self._facts += 1
        self._parts[extraction.llm] += 1
        self._notes |= dict.fromkeys(extraction.notes)
        for name, counts in self._counts.items():
            counts.update(getattr(extraction, name))
        sys.stdout.flush()

    def end(self) -> None:
        llm = set(self._parts) == {True}
        if self._as_json:
            rest = {"llm": llm, "notes": list(self._notes), **{name: dict(c) for name, c in self._counts.items()}}
            _write(("" if self._facts else '{"facts": [') + "], " + to_json(rest)[1:] + "\n")
            return
        by = "in part by rules (llm: false)" if len(self._parts) > 1 else _by(llm)
        click.echo(f"{many(self._facts, 'fact')}, {by}; nothing was stored", err=True)
        for note in self._notes:
            click.echo(safe(note), err=True)


def _write(text: str) -> None:
    """JSON is UTF-8, whatever the terminal takes."""
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))


def _parts(path: str, *, quiet: bool) -> Iterator[str]:
    """The text of a file in parts of at most `PART_BYTES` of UTF-8, blank ones left out.

    They end where a line ends, or, where a line is longer than a part, at a blank if there is one near.
    """
    from remanence.interfaces.cli import output

    with _opened(path) as file, output.progress("Reading", quiet=quiet) as progress:
        total = Path(path).stat().st_size if path != "-" else 0
        done, part, size = 0, "", 0
        try:
            while piece := file.readline(PART_BYTES // 8):  # at most half a part
                more = len(piece.encode())
                if size + more > PART_BYTES:
                    cut = len(part)
                    if not part.endswith("\n"):
                        cut = part.rfind(" ", cut - PART_BYTES // 32) + 1 or cut
                    if part[:cut].strip():
                        yield part[:cut]
                    part = part[cut:]
                    left = len(part.encode())
                    done, size = done + size - left, left
                    if progress is not None:
                        progress(done, max(total, done))
                part += piece
                size += more
        except UnicodeDecodeError as reason:
            raise InvalidInput(f"{path} is not UTF-8 text: {reason.reason}") from None
        if part.strip():
            yield part


@contextmanager
def _opened(path: str) -> Iterator[IO[str]]:
    if path == "-":
        text = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8")
        try:
            yield text
        finally:
            text.detach()
        return
    try:
        file = Path(path).open(encoding="utf-8")  # noqa: SIM115
    except OSError as reason:
        raise InvalidInput(f"{path} cannot be read: {reason.strerror}") from None
    with file:
        yield file


def show_extraction(extraction: Extraction, out: Console) -> None:
    """Each fact with what it was taken for."""
    if not extraction.facts:
        out.print("No facts in it.")
    for fact in extraction.facts:
        out.print(f"- {one_line(fact.text, 1000)}")
        traits = [fact.kind, f"importance {fact.importance:g}", *(f"#{one}" for one in fact.categories)]
        traits += [", ".join(fact.concepts)] if fact.concepts else []
        traits += [", ".join(fact.files)] if fact.files else []
        out.print(f"    {safe(' · '.join(traits))}", style="dim")
    redacted = ", ".join(f"{number} {kind}" for kind, number in extraction.redacted.items())
    for line in (*([f"Redacted: {redacted}"] if redacted else []), *extraction.notes):
        out.print(f"! {safe(line)}")
    out.print(f"{many(len(extraction.facts), 'fact')}, {_by(extraction.llm)}; nothing was stored", style="dim")


def _by(llm: bool) -> str:
    return "by a language model" if llm else "by rules (llm: false)"


_FILE = click.Option(["--file"], metavar="PATH", help="Read a file of any size, in parts; '-' for standard input.")
RUNS = {"extract": extracted, "absorb": absorbed}
OPTIONS: dict[str, tuple[click.Option, ...]] = {"extract": (_FILE,), "absorb": (_FILE,)}
OPTIONAL = {"extract": ("text",), "absorb": ("text",)}
