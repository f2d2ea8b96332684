"""Words that name the text they stand in and say nothing of the world: "Summary:", "Meeting notes.", "Session 3:".

As labels they are left out, since the same fact under "Session 3" and "Session 4" is one fact; as sentences they are no
statements. A word beside them ("Risk summary:", "Notes on Redis") makes a subject of it, which stays.
"""

from __future__ import annotations

from remanence.extraction.lexicon import split_words

_NOTES = split_words(
    "note notes summary recap tl;dr tldr fyi heads-up info nb hinweis notiz notizen zusammenfassung kurzfassung "
    "remarque résumé nota notas resumen 注 备注 摘要 总结 小结 メモ 要約 まとめ"
)
_MEETINGS = split_words(
    "session meeting call chat conversation talk sitzung besprechung gespräch séance réunion sesión reunión "
    "会议 会話 会議"
)


def names_only_itself(words: str) -> bool:
    """Whether these words name nothing but a summary, notes, or the meeting they are of."""
    bare = words.lower().strip(" .:：。")
    unnumbered = bare.rstrip("0123456789 #.")
    parts = unnumbered.split()
    if not parts or not all(part in _NOTES or part in _MEETINGS for part in parts):
        return False
    return parts[-1] in _NOTES or (len(parts) == 1 and unnumbered != bare)
