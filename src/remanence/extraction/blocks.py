"""A text into blocks: paragraphs, list items with their parents, table rows, key-value lines, turns, log lines.

Line by line, once through. Lines of a paragraph are joined where the text was wrapped: the next one goes on in lower
case, or all lines but the last are about as long. Code blocks are left out; a single command is kept with the sentence
that announces it. Headings and announcing sentences ("The job needs:") become `leads` of what stands below them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from remanence.extraction import shapes
from remanence.extraction.logs import is_frame, is_log, is_noise
from remanence.extraction.tables import table_at
from remanence.extraction.turns import find_speakers, match_stamp, match_turn


class Sort(Enum):
    PROSE = "prose"
    ITEM = "item"
    PAIR = "pair"
    ROW = "row"
    LOG = "log"
    COMMAND = "command"
    REMARK = "remark"
    BREAK = "break"


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a text. `leads` are the headings, announcements and parents it stands below, outermost first."""

    sort: Sort
    text: str
    leads: tuple[str, ...] = ()
    speaker: str = ""
    parent: bool = False
    parents: int = 0


def blocks(text: str, has_verb: Callable[[str], bool]) -> list[Block]:
    """The blocks in order; `has_verb` tells a title from a sentence."""
    return _Reader(text, has_verb).read()


class _Reader:
    def __init__(self, text: str, has_verb: Callable[[str], bool]) -> None:
        self.lines = text.split("\n")
        self.has_verb = has_verb
        self.speakers = find_speakers(self.lines)
        self.found: list[Block] = []
        self.headings: list[tuple[int, str]] = []
        self.items: list[tuple[int, str]] = []
        self.keys: list[tuple[int, str]] = []
        self.lead = ""
        self.file = ""
        self.speaker = ""
        self.buffer: list[str] = []
        self.item: list[str] = []
        self.item_indent = 0
        self.item_is_parent = False
        self.blank = True
        self.fences = self._fences()

    def read(self) -> list[Block]:
        place = 0
        while place < len(self.lines):
            place = self._line(place)
        self._flush()
        return self.found

    def _fences(self) -> dict[int, int]:
        """Where each code block begins and ends; a fence that never closes opens nothing."""
        pairs: dict[int, int] = {}
        opened, sign = -1, ""
        for place, line in enumerate(self.lines):
            match = shapes.FENCE.match(line)
            if match is None:
                continue
            if opened < 0:
                opened, sign = place, match.group(1)[:3]
            elif match.group(1).startswith(sign):
                pairs[opened] = place
                opened = -1
        return pairs

    def _line(self, place: int) -> int:
        line = self.lines[place]
        if place in self.fences:
            self._flush(keep_lead=True)
            return self._code(place)
        if not line.strip():
            self._flush(keep_lead=True)
            self.blank = True
            self.keys = [key for key in self.keys if key[0] < 0]
            return place + 1
        if shapes.FENCE.match(line):
            return place + 1
        if shapes.SIGNATURE.match(line):
            self._flush()
            while place < len(self.lines) and self.lines[place].strip():
                place += 1
            return place
        if quote := shapes.QUOTE.match(line):
            line = line[quote.end() :]
            if not line.strip() or (self.file and shapes.DIFF.match(line)):
                self._flush(keep_lead=True)
                return place + 1
            self.lines[place] = line
        if (decorated := shapes.DECORATED.match(line[:400])) is not None:
            self._flush()
            if any(sign.isdigit() for sign in decorated.group(1)):
                self._add(Sort.LOG, decorated.group(1), ())
            return place + 1
        if self._heading(place):
            return place + (2 if place + 1 < len(self.lines) and self._underlined(place) else 1)
        if shapes.SEPARATOR.match(line) and len(line) < 400:
            self._flush()
            return place + 1
        return self._content(place, line)

    def _content(self, place: int, line: str) -> int:
        turn = match_turn(line, self.speakers) if self.speakers else None
        if turn is not None:
            self._flush()
            self._end_list()
            self.lead = ""
            self.speaker = turn[0]
            self.found.append(Block(Sort.BREAK, "turn"))
            if turn[1]:
                self.buffer.append(turn[1])
            return place + 1
        if self.speakers and (stamp := match_stamp(line, self.speakers)):
            self._flush()
            self._end_list()
            self.speaker = stamp
            self.found.append(Block(Sort.BREAK, "turn"))
            return place + 1
        if is_frame(line):
            self._flush()
            return place + 1
        if is_log(line):
            self._flush()
            self._end_list()
            if not is_noise(line):
                self._add(Sort.LOG, line)
            return place + 1
        if (
            not self.buffer
            and not shapes.PROGRESS.search(line[-12:])
            and (table := table_at(self.lines, place)) is not None
        ):
            self._flush(keep_lead=True)
            for row in table[1]:
                self._add(Sort.ROW, row)
            self.lead = ""
            return table[0]
        if shapes.PROMPT.match(line):
            self._flush(keep_lead=True)
            if self.lead:
                self._add(Sort.COMMAND, line.strip().lstrip("$> "), (self.lead,))
                self.lead = ""
            return place + 1
        if self._list_item(place, line):
            return place + 1
        if shapes.PROGRESS.search(line[-12:]) or shapes.STEP.match(line[:200]):
            self._flush()
            return place + 1
        if self.item and line[:1].isspace() and shapes.indent(line) > self.item_indent and not self.blank:
            self.item.append(line.strip())
            return place + 1
        if self.item and not self.blank and shapes.goes_on(self.item[-1], line) and not shapes.PAIR.match(line):
            self.item.append(line.strip())
            return place + 1
        if self.item:
            self._flush_item()
            if shapes.indent(line) <= (self.items[0][0] if self.items else 0):
                self._end_list()
        if shapes.looks_like_code(line) and not self.buffer and not shapes.PAIR.match(line):
            return place + 1
        if section := shapes.SECTION.match(line):
            self._flush()
            self._key(-1, section.group(1))
            return place + 1
        if remark := shapes.REMARK.match(line):
            self._flush()
            self._add(Sort.REMARK, remark.group(2), (remark.group(1),))
            return place + 1
        if self._pair(place, line):
            return place + 1
        self.blank = False
        self.keys.clear()
        if not line[:1].isspace():
            self.items.clear()
        self.buffer.append(line.strip())
        return place + 1

    def _underlined(self, place: int) -> bool:
        return (
            place + 1 < len(self.lines)
            and shapes.UNDERLINE.match(self.lines[place + 1]) is not None
            and not self.buffer
            and len(self.lines[place].split()) <= 12
            and not is_log(self.lines[place])
            and not shapes.ITEM.match(self.lines[place])
            and "|" not in self.lines[place]
        )

    def _heading(self, place: int) -> bool:
        line = self.lines[place]
        match = shapes.HEADING.match(line[:300])
        if match is not None:
            level, text = len(match.group(1)), match.group(2)
        elif named := shapes.FILE_LINE.match(line[:200]):
            level, text = 6, named.group(1)
        elif bold := shapes.BOLD_LINE.match(line[:120]):
            level, text = 5, bold.group(2)
        elif shapes.CHANGES.match(line) and shapes.ITEM.match("".join(self.lines[place + 1 : place + 2])):
            level, text = 5, line.strip()
        elif self.blank and self._underlined(place):
            level, text = 1, line.strip()
        elif self.blank and self._is_title(place):
            level, text = 1 if not self.found else 5, line.strip()
        else:
            return False
        self._open(level, text)
        return True

    def _open(self, level: int, text: str) -> None:
        """Begin what stands below a heading."""
        self._flush()
        self._end_list()
        self.lead = ""
        self.keys.clear()
        while self.headings and self.headings[-1][0] >= level:
            self.headings.pop()
        self.headings.append((level, text.strip().rstrip(":：").strip("*_ ")))
        path = shapes.PATH_HEADING.search(self.headings[-1][1])
        self.file = path.group(1) if path else ""
        self.found.append(Block(Sort.BREAK, "heading", (self.headings[-1][1],)))
        self.blank = True

    def _is_title(self, place: int) -> bool:
        """A short line without a verb is a title: the first one, alone or above keys, and any above a list."""
        line, below = self.lines[place], self.lines[place + 1 : place + 5]
        following = next((each for each in below if each.strip()), None)
        if following is None or self.buffer or not shapes.like_title(line) or is_log(line):
            return False
        if match_turn(line, self.speakers):
            return False
        first = not self.found and not self.headings
        listed = shapes.ITEM.match(following) is not None and shapes.indent(following) < 4
        if below[0].strip():
            if first and shapes.CHANGES.match(following):
                return True
            fits = listed or (first and shapes.PAIR.match(following) is not None)
        else:
            fits = first or line.isupper() or (listed and len(line.split()) <= 4)
        return fits and not self.has_verb(line)

    def _list_item(self, place: int, line: str) -> bool:
        match = shapes.ITEM.match(line)
        if match is None or not match.group(2) or (shapes.TIGHT.match(line) and not shapes.BOX.match(match.group(2))):
            return False
        text = match.group(2)
        if self.speaker and shapes.REACTION.match(line):
            return False
        if shapes.indent(line) == 0 and self.buffer and not self.blank and re.match(r"\s*[–—]", line):
            return False
        if self.blank and line[:1].isdigit() and self._is_numbered_heading(place, text):
            self._open(3, text)
            return True
        self._flush(keep_lead=True)
        indent = shapes.indent(line)
        while self.items and self.items[-1][0] >= indent:
            self.items.pop()
        box = shapes.BOX.match(text)
        if box:
            done = (box.group(1) or " ") in "xX✓✔" or bool(box.group(3))
            text = f"{'Done' if done else 'Open'}: {text[box.end() :]}"
        self.item = [text]
        self.item_indent = indent
        self.blank = False
        following = next((each for each in self.lines[place + 1 : place + 4] if each.strip()), "")
        below = shapes.ITEM.match(following)
        self.item_is_parent = bool(below) and shapes.indent(following) > indent and not shapes.TIGHT.match(following)
        return True

    def _is_numbered_heading(self, place: int, text: str) -> bool:
        """ "2. Storage" above a paragraph is a heading, not an item."""
        below = self.lines[place + 1 : place + 4]
        following = next((each for each in below if each.strip()), "")
        above_prose = following and not following[:1].isspace() and not shapes.ITEM.match(following)
        if not above_prose or below[0].strip() or len(text.split()) > 6:
            return False
        return shapes.like_title(text) and not self.has_verb(text)

    def _flush_item(self) -> None:
        if not self.item:
            return
        text = shapes.joined(self.item)
        self.item = []
        code = text.rstrip().endswith((":", "：")) and not self.item_is_parent
        leads = (*self._above(), *(each for _, each in self.items[-3:]))
        self.found.append(
            Block(Sort.ITEM, text, leads, self.speaker, self.item_is_parent or code, min(3, len(self.items)))
        )
        if code:
            self.lead = text
        self.items.append((self.item_indent, text))

    def _pair(self, place: int, line: str) -> bool:
        open_line = (
            self.buffer and not self.buffer[-1].endswith(shapes.ENDED) and len(self.buffer[-1]) >= shapes.WRAPPED_LENGTH
        )
        if open_line:
            return False
        following = self.lines[place + 1] if place + 1 < len(self.lines) else ""
        parent = shapes.PARENT_KEY.match(line)
        if (
            parent
            and shapes.indent(following) > shapes.indent(line)
            and (shapes.PAIR.match(following) or shapes.PARENT_KEY.match(following))
        ):
            self._flush(keep_lead=True)
            self._key(shapes.indent(line), parent.group(2))
            return True
        setting = shapes.SETTING.match(line)
        match = setting or shapes.PAIR.match(line[:1000])
        if match is None or not shapes.is_key(match.group(2)) or match.group(3).startswith("//"):
            return False
        if len(match.group(2).split()) > 2 and self.has_verb(match.group(2)):
            return False  # a sentence with a colon in it
        self._flush(keep_lead=True)
        self.blank = False
        indent = shapes.indent(line)
        while self.keys and self.keys[-1][0] >= indent:
            self.keys.pop()
        value = match.group(3) if setting else line[match.start(3) :]
        if self.file and shapes.LINE_KEY.match(match.group(2)):
            self._add(Sort.REMARK, value, (f"{self.file} {match.group(2).strip()}",))
            return True
        self.found.append(
            Block(Sort.PAIR, value.strip(), (*(key for _, key in self.keys), match.group(2).strip()), self.speaker)
        )
        return True

    def _key(self, indent: int, text: str) -> None:
        while self.keys and self.keys[-1][0] >= indent:
            self.keys.pop()
        self.keys.append((indent, text.strip()))

    def _code(self, place: int) -> int:
        end = self.fences[place]
        inside = [text for line in self.lines[place + 1 : end] if (text := line.strip())]
        if len(inside) == 1 and self.lead and len(inside[0]) < 300:
            self._add(Sort.COMMAND, inside[0].removeprefix("$ "), (self.lead,))
        elif self.lead and self.has_verb(self.lead) and not shapes.POINTS_BELOW.search(self.lead):
            self._add(Sort.PROSE, self.lead.rstrip(" :：") + ".", ())
        self.lead, self.blank = "", True
        return end + 1

    def _above(self) -> tuple[str, ...]:
        """What an item stands below: the sentence that announces it, else the nearest headings."""
        if self.lead:
            return (self.lead,)
        return tuple(text for _, text in self.headings[-2:])

    def _end_list(self) -> None:
        self.items.clear()
        self.speaker = self.speaker if self.speakers else ""

    def _add(self, sort: Sort, text: str, leads: tuple[str, ...] | None = None, parent: bool = False) -> None:
        leads = self._above() if leads is None else leads
        self.found.append(Block(sort, text, leads[:1] + leads[1:][-shapes.MOST_LEADS :], self.speaker, parent))

    def _flush(self, keep_lead: bool = False) -> None:
        """Give out the open item and paragraph; a last sentence that ends in a colon announces what follows."""
        self._flush_item()
        if not self.buffer:
            if not keep_lead:
                self.lead = ""
            return
        self.lead = ""
        runs = shapes.runs(self.buffer)
        self.buffer = []
        for run in runs:
            if run.endswith((":", "：")):
                ends = [match.end() for match in shapes.SENTENCE_END.finditer(run)]
                cut = ends[-1] if ends else 0
                self.lead = run[cut:].strip()
                run = run[:cut].strip()
            if run:
                leads = tuple(text for _, text in self.headings[-1:])
                remark = self.file and self.headings[-1][0] == 6
                self.found.append(Block(Sort.REMARK if remark else Sort.PROSE, run, leads, self.speaker))
        self.found.append(Block(Sort.BREAK, "paragraph"))
