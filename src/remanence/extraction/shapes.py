"""What a single line is, and which lines belong together.

Lines of a paragraph are joined where the text was wrapped: the next one goes on in lower case, or all lines but the
last are about as long.
"""

from __future__ import annotations

import re

from remanence.extraction.patterns import pattern

POINTS_BELOW = pattern(
    r"^(?:run|use|add|create|set|put|write|open|edit|copy|paste|install|call|try|to|then|first|now|next|finally)\b"
    r"|\b(?:this|these|that|following|below|here|example|follows|so|dies\w*|folgend\w*|hier|beispiel|suivante?s?|voici|"
    r"exemple|siguientes?|ejemplo|así)\b|如下|以下|次の|"
    r"\b(?:with|in|to|by|from|like|as|is|are|be|via|run|use|do|mit|avec|con|ist|sind)\s*[:：]$",
    re.IGNORECASE,
)
"""A sentence above code that says nothing without the code."""
FENCE = pattern(r"\s{0,8}(```+|~~~+)")
HEADING = pattern(r"\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
BOLD_LINE = pattern(r"\s{0,3}(\*\*|__)([^*\n]{1,80}?)\1\s*:?\s*$")
UNDERLINE = pattern(r"\s*(?:=+|-{3,})\s*$")
SEPARATOR = pattern(r"\s*(?:[-*_=~#+·•.]\s*){3,}$|\s*</?[\w!-][^>\n]{0,80}>\s*$")
ITEM = pattern(
    r"(\s*)(?:(?=\[[ xX]\]\s)|(?=[☐☑✅]\s)|[\u2600-\u2604\u2614-\u27bf\U0001f300-\U0001faff]\ufe0f?(?=\s+\w)|"
    r"[-*+•‣◦▪–—]|(?<=\s)o(?=\s\S)|\d{1,3}(?:\.\d{1,3}){0,3}[.)](?=\s)|"
    r"\d{1,2}(?:\.\d{1,2}){1,3}(?=\s+[^\W\d])|\(?[a-z][.)](?=\s)|\(\d{1,2}\)|[①-⑳]|"
    r"[（(][一二三四五六七八九十\d]{1,3}[)）]|"
    r"[一二三四五六七八九十]、|・|\d{1,2}、)\s*(.*)"
)
TIGHT = pattern(r"\s*[-*+–—](?=\S)")
BOX = pattern(r"\[([ xX✓✔-])\]\s+|([☐□⬜])\s*|([☑✅✔✓☒])\s*")
QUOTE = pattern(r"\s{0,3}(?:>\s?)+")
PAIR = pattern(
    r"(\s*)(?:\*\*|__)?([^\W_][^:：=\n]{0,48}?)(?:\*\*|__)?\s*(?::(?:\*\*|__)?\s+|：(?:\*\*|__)?\s*|"
    r"\s=\s)(?:\*\*)?(\S.*)$"
)
SETTING = pattern(r"(\s*)(?:export\s+)?([A-Za-z_][\w.-]{0,60})=(\S.*)$")
PARENT_KEY = pattern(r"(\s*)([A-Za-z_][\w .-]{0,40}):\s*$")
REMARK = pattern(
    r"\s*(`?[\w./-]+\.\w{1,6}`?(?::\d+(?:[-:]\d+)?|,? lines? \d+(?:[-–]\d+)?|"
    r"#L\d+(?:-L?\d+)?))\s*(?:[—–:-]+)\s+(\S.*)$",
    re.IGNORECASE,
)
LINE_KEY = pattern(r"(?:l|line|lines|zeile|ligne|línea|行)\.?\s?\d+(?:\s?[-–]\s?\d+)?$", re.IGNORECASE)
PATH_HEADING = pattern(r"^(?:file|datei|fichier)?:?\s*`?([\w./-]+\.\w{1,6})`?$", re.IGNORECASE)
FILE_LINE = pattern(
    r"\s*(?:in|on|at|file|datei)\s+`?((?:[\w.-]+/)+[\w.-]+\.\w{1,6})`?(?: \(?(?:line|L) ?\d+\)?)?:\s*$", re.IGNORECASE
)
DIFF = pattern(r"\s*(?:[+-](?:\s|[+-]|\w)|@@|diff --git|index [0-9a-f]{6})")
REACTION = pattern(r"\s*[\u2600-\u27bf\U0001f300-\U0001faff]")
DECORATED = pattern(r"\s*[=*~_-]{3,}\s+(\S.*?)\s+[=*~_-]{3,}\s*$")
PROGRESS = pattern(r"\[\s*\d{1,3}\s?%\]\s*$")
STEP = pattern(r"\s*[\[(]\d{1,4}/\d{1,4}[\])]\s[^.]{1,80}(?:\.\.\.|…)\s*$")
SECTION = pattern(r"\[([\w. -]{1,40})\]\s*$")
PROMPT = pattern(r"\s*(?:\$|>>>|PS [A-Z]:\\\S*>|\w+@[\w-]+:\S*\$)\s+\S")
SIGNATURE = pattern(r"--\s*$")
CODE = pattern(r"(?:    |\t)\S.*(?:[;{}]|\)|:|=.*)\s*$")
DECLARATION = pattern(
    r"\s*(?:def \w+\(|class \w+[:({]|import [\w.]+(?:, ?[\w.]+)*(?: as \w+)?;?$|from [\w.]+ import |(?:const|let|"
    r"var) \w+ ?=|"
    r"(?:export |async |public |private |static )+\w+|function \w*\(|#include\b|func \w+\(|fn \w+[(<]|"
    r"package \w+;?$|@\w+\(?)"
    r"|\s+(?:return|if|for|while|else|try|except|raise|yield|await)\b.*[\w)\]:;{}]$"
)
ENDED = (".", "!", "?", "。", "！", "？", "…", ":", "：", ";")
CHANGES = pattern(
    r"(?:added|changed|fixed|removed|deprecated|security|breaking(?: changes)?|bug ?fixes|features|new features|"
    r"improvements|"
    r"known issues|hinzugefügt|geändert|behoben|entfernt|neu|ajouté|modifié|corrigé|supprimé|añadido|cambiado|"
    r"corregido|eliminado|"
    r"新增|修复|变更|移除|追加|変更|修正|削除):?\s*$",
    re.IGNORECASE,
)
TITLE_NEVER_ENDS = (".", "!", "?", "。", "！", "？", ",", ";", ":", "：", "，")
SENTENCE_END = pattern(r"[.!?。！？]\s+|[。！？]")
WORD_START = pattern(r"\s*[\"'(“„«`*_]*([^\W\d_])")
MOST_LEADS = 4
WRAPPED_LENGTH = 50


def runs(lines: list[str]) -> list[str]:
    """The lines of a paragraph, joined where they were wrapped."""
    widest = max(map(len, lines))
    wrapped = len(lines) > 1 and widest >= WRAPPED_LENGTH and all(len(line) >= 0.7 * widest for line in lines[:-1])
    mostly_low = _lower(lines[0]) and sum(_lower(line) for line in lines) > len(lines) / 2
    found = [[lines[0]]]
    for line in lines[1:]:
        last = found[-1][-1]
        if wrapped or (goes_on(last, line) and not (mostly_low and len(last) < WRAPPED_LENGTH)):
            found[-1].append(line)
        else:
            found.append([line])
    return [joined(run) for run in found]


def like_title(line: str) -> bool:
    """Short, not indented, no item and no sentence."""
    if line[:1].isspace() or len(line) > 90 or len(line.split()) > 12 or "|" in line:
        return False
    line = line.strip()
    if line.endswith(TITLE_NEVER_ENDS) and not re.search(r"\d\.$", line):
        return False
    return ITEM.match(line) is None and re.match(r"(?!.*(?::\s|：))[\w\"'“*`《【]", line) is not None


def goes_on(last: str, line: str) -> bool:
    if last.endswith(ENDED):
        return False
    return (_lower(line) and len(last) >= 30) or (last.endswith((",", "，", "、")) and len(last) >= WRAPPED_LENGTH)


def _lower(line: str) -> bool:
    match = WORD_START.match(line)
    return match is not None and match.group(1).islower()


def joined(lines: list[str]) -> str:
    pieces = [lines[0]]
    for line in lines[1:]:
        if not (pieces[-1][-1:] > "\u2e7f" and line[:1] > "\u2e7f"):
            pieces.append(" ")
        pieces.append(line)
    return "".join(pieces)


def indent(line: str) -> int:
    return len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())


def is_key(key: str) -> bool:
    if (
        len(key.split()) > 5
        or re.search(r"[。，、！？（）]", key)
        or (len(key) > 14 and not key.isascii() and " " not in key)
        or key.endswith((".", "!", "?", ","))
        or re.search(r"[.!?,;]\s|\.\.\.|https?$|\d{1,2}$(?<=^\d\d)", key)
    ):
        return False
    return not key.isdigit()


def looks_like_code(line: str) -> bool:
    """Whether a line outside of fences is code: it begins like a declaration, or is indented and ends like a
    statement."""
    if DECLARATION.match(line):
        return True
    return CODE.match(line) is not None and re.search(r"[;{}]\s*$|\w\(.*\)", line) is not None
