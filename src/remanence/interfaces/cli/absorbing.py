"""extract and absorb: a text as an argument or from standard input, or a file of any size, read in parts."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from remanence.errors import InvalidInput
from remanence.interfaces.cli.words import one_line, safe
from remanence.interfaces.verbs import Verb
from remanence.interfaces.wire import to_json
from remanence.model.extraction import Extraction
from remanence.model.hit import Remembered

if TYPE_CHECKING:
    from rich.console import Console

    from remanence.interfaces.cli.app import Door

PART_CHARACTERS = 1 << 18


def extracted(door: Door, verb: Verb, given: dict[str, Any]) -> None:
    """A text at once; a file part by part, so that its size does not matter."""
    path, arguments = _asked(verb, given)
    with door.mind() as mind:
        if path is None:
            door.say(mind.extract(arguments["text"]))
            return
        told = _Told(door)
        for part in _parts(path, quiet=door.as_json):
            told.add(mind.extract(part))
        told.end()


def absorbed(door: Door, verb: Verb, given: dict[str, Any]) -> None:
    """Inside a git folder what is absorbed belongs to that project, unless --scope says otherwise."""
    from remanence.interfaces.cli.project import inferred_scope

    path, arguments = _asked(verb, given)
    arguments.setdefault("scope", inferred_scope(Path.cwd()))
    with door.mind() as mind:
        if path is not None:
            arguments.setdefault("origin", f"file:{Path(path).name[:200]}")
        texts = [arguments.pop("text")] if path is None else _parts(path, quiet=door.as_json)
        remembered: list[Remembered] = []
        notes: dict[str, None] = {}
        for text in texts:
            absorbed = mind.absorb(text, **arguments)
            remembered += absorbed
            notes |= dict.fromkeys(absorbed.extraction.notes)
        if door.as_json:
            door.say(remembered)
        else:
            _show(remembered)
        for note in notes:
            click.echo(safe(note), err=True)
        door.look_after(mind)


def _asked(verb: Verb, given: dict[str, Any]) -> tuple[str | None, dict[str, Any]]:
    from remanence.interfaces.cli.app import arguments_of

    path = given.pop("file")
    arguments = arguments_of(verb, given)
    if (path is None) == ("text" not in arguments):
        raise InvalidInput("give a text, '-' for standard input, or --file PATH")
    return path, arguments


def _show(remembered: list[Remembered]) -> None:
    for one in remembered:
        mark = {"added": "+", "superseded": "~", "duplicate": "="}.get(one.outcome, "!")
        text = "(purged before)" if one.memory is None else one_line(one.memory.text)
        click.echo(f"{mark} {one.memory.id if one.memory else '':<36}  {text}")
    counts = Counter(one.outcome.value for one in remembered)
    click.echo(", ".join(f"{number} {outcome}" for outcome, number in counts.items()) or "No facts in it.")
    if counts["quarantined"]:
        click.echo("See what is quarantined, and why, with: rem review")
    if receipt := next((one.receipt_id for one in remembered if one.receipt_id), None):
        click.echo(f"Take it back with: rem undo {receipt}")


class _Told:
    """Facts printed as they come, as one JSON document or as lines."""

    def __init__(self, door: Door) -> None:
        self._as_json = door.as_json
        self._facts = 0
        self._last = Extraction()
        self._notes: list[str] = []
        self._counts: dict[str, Counter[str]] = {"dropped": Counter(), "redacted": Counter()}

    def add(self, extraction: Extraction) -> None:
        for fact in extraction.facts:
            text = to_json(fact)
            before = ", " if self._facts else '{"facts": ['
            sys.stdout.write(before + text if self._as_json else f"{safe(fact.text)}\n")
            self._facts += 1
        self._last = extraction
        self._notes += (note for note in extraction.notes if note not in self._notes)
        for name, counts in self._counts.items():
            counts.update(getattr(extraction, name))
        sys.stdout.flush()

    def end(self) -> None:
        rest = {"llm": self._last.llm, "notes": self._notes, **{name: dict(c) for name, c in self._counts.items()}}
        if self._as_json:
            sys.stdout.write(("" if self._facts else '{"facts": [') + "], " + to_json(rest)[1:] + "\n")
            return
        click.echo(f"{self._facts:,} facts, {_by(self._last)}; nothing was stored", err=True)
        for note in self._notes:
            click.echo(safe(note), err=True)


def _parts(path: str, *, quiet: bool) -> Iterator[str]:
    """The text of a file in parts that end where a line ends."""
    from remanence.interfaces.cli import output

    with _opened(path) as file, output.progress("Reading", quiet=quiet) as progress:
        total = Path(path).stat().st_size if path != "-" else 0
        done, part, size = 0, [], 0
        try:
            while line := file.readline(PART_CHARACTERS):
                part.append(line)
                size += len(line)
                if size >= PART_CHARACTERS:
                    yield "".join(part)
                    done, part, size = done + size, [], 0
                    if progress is not None:
                        progress(done, max(total, done))
        except UnicodeDecodeError as reason:
            raise InvalidInput(f"{path} is not UTF-8 text: {reason.reason}") from None
        if part:
            yield "".join(part)


@contextmanager
def _opened(path: str) -> Iterator[IO[str]]:
    if path == "-":
        yield sys.stdin
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
    out.print(f"{len(extraction.facts)} facts, {_by(extraction)}; nothing was stored", style="dim")


def _by(extraction: Extraction) -> str:
    return "by a language model" if extraction.llm else "by rules (llm: false)"


_FILE = click.Option(["--file"], metavar="PATH", help="Read a file of any size, in parts; '-' for standard input.")
RUNS = {"extract": extracted, "absorb": absorbed}
OPTIONS: dict[str, tuple[click.Option, ...]] = {"extract": (_FILE,), "absorb": (_FILE,)}
OPTIONAL = {"extract": ("text",), "absorb": ("text",)}
