"""Sifting what readers give: each observation and memory as it may be stored, and the account of what is junk.

The same account is made whether anything is stored or not. Of what was met before, the last 100,000 are remembered, so
that a duplicate is known and the size of a file does not matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from remanence.errors import InvalidInput
from remanence.extraction.chatter import says_nothing
from remanence.extraction.language import language_of
from remanence.extraction.sentences import sentences
from remanence.flows.door import cleaned
from remanence.guard import legible
from remanence.model.draft import Draft, draft_from
from remanence.model.intake import BINARY, CHATTER, CUT, DUPLICATE, EMPTY, MOST_UNREAD, Intake, Tally, Unread
from remanence.model.session import ASSISTANT, MOST_RETURNED, MOST_SAID, TOOL, USER, Observation
from remanence.model.words import folded
from remanence.sessions.capture import sifted
from remanence.sessions.importers import Noted, Piece, Skipped

_MOST_KNOWN = 100_000
_LONGEST_CHATTER = 300


class Sieve:
    """What was read of some files so far."""

    def __init__(self, path: str, personal: Collection[str]) -> None:
        self._path = path
        self._personal = personal
        self._kinds: dict[str, Counter[str]] = {}
        self._junk: Counter[str] = Counter()
        self._redacted: Counter[str] = Counter()
        self._unread: list[Unread] = []
        self._known: dict[int, None] = {}
        self._sessions: dict[int, None] = {}
        self._file, self._kind = "", Counter[str]()
        self._skipped = self._cut_characters = 0
        self.bytes = self.others = self.unchanged = 0

    def begin(self, file: str, kind: str) -> None:
        """A file of a kind is read from now on."""
        self._file, self._kind = file, self._kinds.setdefault(kind, Counter())
        self._kind["files"] += 1

    def skip(self, skipped: Skipped) -> None:
        """Something could not be read."""
        self._skipped += 1
        if len(self._unread) < MOST_UNREAD:
            self._unread.append(Unread(self._file, skipped.line, skipped.why))

    def observation(self, piece: Piece) -> Observation | None:
        """The observation as it is stored; None where it is not."""
        raw = piece.observation
        if raw.key is not None and self._met(self._known, piece.head.id, raw.key):
            self._junk[DUPLICATE] += 1
            return None
        clean, redacted = sifted(raw, self._personal)
        self._redacted.update(redacted)
        if clean is None:
            self._junk[EMPTY] += 1
            return None
        if clean.text == legible.BINARY:
            self._junk[BINARY] += 1
            if not clean.call:
                return None
        elif clean.role in (USER, ASSISTANT) and is_chatter(clean.text):
            self._junk[CHATTER] += 1
        most = MOST_RETURNED if raw.role == TOOL else MOST_SAID
        if (over := len(raw.text) - most) > 0 and clean.text != legible.BINARY:
            self._junk[CUT] += 1
            self._cut_characters += over
        if not self._met(self._sessions, piece.head.id):
            self._kind["sessions"] += 1
        self._kind["observations"] += 1
        self._kind["characters"] += len(clean.text) + len(clean.call)
        return clean

    def memory(self, noted: Noted, scope: str | None) -> Draft | None:
        """The draft that is remembered; None where it is not."""
        values = noted.values if scope is None else {**noted.values, "scope": scope}
        if legible.legible(values["text"]) == legible.BINARY:
            self._junk[BINARY] += 1
            return None
        try:
            draft = draft_from(values)
            redacted = cleaned(draft, self._personal).redacted
        except InvalidInput as invalid:
            self.skip(Skipped(noted.line, invalid.problems[0]))
            return None
        if self._met(self._known, draft.key) | self._met(self._known, draft.scope, folded(draft.text)):
            self._junk[DUPLICATE] += 1
            return None
        if is_chatter(draft.text):
            self._junk[CHATTER] += 1
            return None
        self._redacted.update(redacted)
        self._kind["memories"] += 1
        self._kind["characters"] += len(draft.text)
        return draft

    def report(self) -> Intake:
        """The account so far."""
        return Intake(
            path=self._path,
            bytes=self.bytes,
            kinds={name: Tally(**counts) for name, counts in sorted(self._kinds.items())},
            junk=dict(sorted(self._junk.items())),
            cut_characters=self._cut_characters,
            redacted=dict(sorted(self._redacted.items())),
            skipped=self._skipped,
            unread=tuple(self._unread),
            others=self.others,
            unchanged=self.unchanged,
        )

    def _met(self, known: dict[int, None], *what: str | None) -> bool:
        """Whether this was met among the last; from now on it was."""
        mark = hash(what)
        if mark in known:
            return True
        if len(known) >= _MOST_KNOWN:
            del known[next(iter(known))]
        known[mark] = None
        return False


def is_chatter(text: str) -> bool:
    """Whether a text greets, thanks or agrees, and says no more."""
    if len(text) > _LONGEST_CHATTER:
        return False
    lexicon = language_of(text)
    return all(says_nothing(one, lexicon) for one in sentences(text, lexicon))
