"""Reading memories: selections as SQL, search by words, and the state a memory had at an earlier moment."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any
from weakref import WeakKeyDictionary

import apsw

from remanence.model.memory import State
from remanence.model.moment import to_micros
from remanence.model.scope import ROOT
from remanence.model.selection import EVERY_STATE, Selection
from remanence.model.words import STOP_WORDS, segmented
from remanence.store.sqlite import rows

TOKENIZER = ("porter", "unicode61", "remove_diacritics", "2", "categories", "L* N* Co M*")
# A stem may have a stem of its own (coffee, coffe, coff), and MATCH stems what it is given: it is given whole words.
_UNSTEMMED = TOKENIZER[1:]
_Cutter = Callable[[str], list[str]]
_MOST_TERMS = 64
_MOST_COUNTED = 1_000
_MOST_HELD = 20_000
_COMMON_SHARE, _CHEAP, _MOST_PAIRED, _MOST_TOGETHER = 0.05, 20_000, 6, 600
_COUNT_AGAIN = 64
_LEAST_MET, _MOST_MET, _MET_PER_TOKEN = 150, 2_400, 4
RANK_FIRST_FROM = 30_000
_HOLDING = "SELECT doc FROM temp.held WHERE term=?"
_COUNTS = (
    "SELECT coalesce(sum(c.memories), 0), coalesce(sum(c.tokens), 0) FROM counts c "
    "JOIN shelves s ON s.no = c.shelf WHERE s.space=?"
)
_SAMPLE = 1000
_SAMPLED_FROM = 2_000
_SAMPLED_CHARACTERS = 4_000_000
_LOOK_AGAIN = 64
_FEW = 2_000
_SUPERSEDED = rows.STATE_NUMBER[State.SUPERSEDED]
_RECALLABLE_AS_OF = tuple(rows.STATE_NUMBER[s] for s in (State.LIVE, State.SUPERSEDED, State.ARCHIVED))

_RANKED = (
    "SELECT rowid, -bm25(search) AS score FROM search WHERE search MATCH ? ORDER BY score DESC, rowid DESC LIMIT ?"
)
_SCORED = (
    "SELECT l.no, -bm25(search) AS score FROM search CROSS JOIN lives l ON l.no = search.rowid "
    "WHERE search MATCH ? AND {} ORDER BY score DESC, l.no DESC LIMIT ?"
)
# The outer joins are left ones: a row that misses a part must not vanish in silence.
_BEST = (
    f"SELECT {rows.COLUMNS}, best.score FROM (SELECT l.no AS no, -bm25(search) AS score "
    "FROM search CROSS JOIN lives l ON l.no = search.rowid WHERE search MATCH ? AND {} "
    "ORDER BY score DESC, l.no DESC LIMIT ?) best "
    "LEFT JOIN memories m ON m.no = best.no LEFT JOIN lives l ON l.no = best.no LEFT JOIN shelves s ON s.no = m.shelf "
    "ORDER BY best.score DESC, best.no DESC"
)
_AMONG = (
    f"SELECT l.no, {rows.COLUMNS} FROM lives l LEFT JOIN memories m ON m.no = l.no "
    "LEFT JOIN shelves s ON s.no = m.shelf WHERE l.no IN (SELECT value FROM json_each(?)) AND {}"
)

# So many memories of a file whose last has this number, spread without a pattern: a large prime steps over them all.
_SPREAD = (
    "WITH RECURSIVE pick(k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM pick WHERE k + 1 < ?) "
    "SELECT substr(s.text, 1, ?) FROM pick CROSS JOIN lives l ON l.no = 1 + (pick.k * 2654435761) % ? "
    "CROSS JOIN searchable s ON s.no = l.no WHERE l.space = ?"
)

# The state before the first change of state after a moment is the state at that moment. Rows that came by import have
# no such change: there the birth of the successor tells.
_LIVE_AT = f"""coalesce(
  (SELECT j.state_before FROM journal j JOIN receipts r ON r.no = j.receipt
   WHERE j.no = l.no AND j.state_before IS NOT NULL AND j.state_before IS NOT j.state_after
     AND coalesce(j.effective_at, r.at) > ? ORDER BY j.receipt, j.item LIMIT 1),
  CASE WHEN l.state = {_SUPERSEDED}
     AND NOT EXISTS (SELECT 1 FROM journal j WHERE j.no = l.no AND j.state_before IS NOT NULL)
     AND (SELECT n.created_at FROM memories x JOIN lives n ON n.no = x.no
          WHERE x.space = ? AND x.id = l.superseded_by) > ?
  THEN {rows.LIVE} ELSE l.state END) = {rows.LIVE}"""


def where(selection: Selection, space: int, *, searching: bool = False) -> tuple[str, list[Any]]:
    """The condition on `lives l` (joined to `memories m` only where ids are named) and its values.

    Categories lead to their rows, unless words have found some already (`searching`), which are then asked one by one.
    """
    parts, values = _place(selection, space)
    if selection.as_of is not None:
        moment = to_micros(selection.as_of)
        parts += [f"l.state IN {_RECALLABLE_AS_OF}", "l.created_at <= ?", _LIVE_AT]
        values += [moment, moment, space, moment]
    elif selection.states == (State.QUARANTINED,):
        parts.append(f"l.state = {rows.STATE_NUMBER[State.QUARANTINED]}")  # as the index of them says
    elif selection.states != EVERY_STATE:
        parts.append(f"l.state IN ({','.join(str(rows.STATE_NUMBER[state]) for state in selection.states)})")
    if selection.ids is not None:
        parts.append(
            "l.no IN (SELECT no FROM memories WHERE space=? AND id IN (SELECT unhex(value, '-') FROM json_each(?)))"
        )
        values += [space, json.dumps(selection.ids)]
    if selection.layers is not None:
        parts.append(f"l.layer IN ({','.join(str(rows.LAYERS.index(layer)) for layer in selection.layers)})")
    if selection.sources is not None:
        parts.append(f"l.source IN ({','.join(str(rows.SOURCES.index(source)) for source in selection.sources)})")
    if selection.categories is not None:
        marks = ",".join("?" * len(selection.categories))
        if searching:
            parts.append(f"EXISTS (SELECT 1 FROM tags t WHERE t.category IN ({marks}) AND t.no = l.no)")
        else:
            parts.append(f"l.no IN (SELECT no FROM tags WHERE category IN ({marks}))")
        values += selection.categories
    if selection.challenged:
        parts.append("l.challenged_by IS NOT NULL")
    for column, moment_, sign in (
        ("created_at", selection.created_before, "<"),
        ("created_at", selection.since, ">="),
        ("created_at", selection.until, "<="),
    ):
        if moment_ is not None:
            parts.append(f"l.{column} {sign} ?")
            values.append(to_micros(moment_))
    if selection.unexpired_at is not None:
        parts.append("(l.expires_at IS NULL OR l.expires_at >= ?)")
        values.append(to_micros(selection.unexpired_at))
    return " AND ".join(parts), values


def _place(selection: Selection, space: int) -> tuple[list[str], list[Any]]:
    """The namespace, and the shelves of the scopes and kinds where these are named."""
    if (selection.scopes is None or ROOT in selection.scopes) and selection.kinds is None:
        return ["l.space = ?"], [space]
    sql = "SELECT no FROM shelves WHERE space=?"
    values: list[Any] = [space]
    if selection.scopes is not None and ROOT not in selection.scopes:
        if len(selection.scopes) == 1:
            (scope,) = selection.scopes
            sql += " AND (scope = ? OR (scope >= ? AND scope < ?))"
            values += (scope, scope + "/", scope + "0")
        else:
            sql += (
                " AND EXISTS (SELECT 1 FROM json_each(?) a "
                "WHERE scope = a.value OR (scope >= a.value || '/' AND scope < a.value || '0'))"
            )
            values.append(json.dumps(selection.scopes))
    if selection.kinds is not None:
        sql += f" AND kind IN ({','.join('?' * len(selection.kinds))})"
        values += selection.kinds
    return [f"l.shelf IN ({sql})"], values


def shelves_of(connection: apsw.Connection, selection: Selection, space: int) -> list[int] | None:
    """The shelves of the scopes and kinds a selection names; None where it names none."""
    (part,), values = _place(selection, space)
    if not part.startswith("l.shelf IN"):
        return None
    return [no for (no,) in connection.execute(part.removeprefix("l.shelf IN (").removesuffix(")"), values)]


def narrows(selection: Selection) -> bool:
    """Whether a selection asks for more than place, state and not to have expired."""
    asked = (selection.ids, selection.layers, selection.categories, selection.sources, selection.created_before)
    times = (selection.since, selection.until, selection.as_of)
    return any(condition is not None for condition in (*asked, *times))


def is_broad(selection: Selection) -> bool:
    """Whether most memories of the namespace are likely to be meant."""
    return selection.scopes is None and selection.kinds is None and not narrows(selection)


def best(
    connection: apsw.Connection, expression: str, condition: tuple[str, list[Any]], limit: int | None, *, broad: bool
) -> list[tuple[Any, ...]]:
    """Rows of the best matches under a condition, best first, each followed by its BM25 score (more is better).

    A broad condition is asked of the best few alone; only where too few of them meet it, of every match. That saves
    time where matches are many: from tens of thousands of memories on.
    """
    where_, values = condition
    if broad and limit is not None:
        first = 2 * limit
        ranked = connection.execute(_RANKED, (expression, first)).fetchall()
        among = connection.execute(_AMONG.format(where_), (json.dumps([no for no, _ in ranked]), *values))
        met = {no: row for no, *row in among}
        if len(met) >= limit or len(ranked) < first:
            return [(*met[no], score) for no, score in ranked if no in met][:limit]
    most = -1 if limit is None else limit
    return connection.execute(_BEST.format(where_), (expression, *values, most)).fetchall()


def scored(
    connection: apsw.Connection, expression: str, condition: tuple[str, list[Any]], limit: int, *, broad: bool
) -> list[tuple[int, float]]:
    """The numbers of the best matches under a condition, best first, with their BM25 score."""
    where_, values = condition
    if broad:
        first = 2 * limit
        ranked = connection.execute(_RANKED, (expression, first)).fetchall()
        met = f"SELECT l.no FROM lives l WHERE l.no IN (SELECT value FROM json_each(?)) AND {where_}"
        fit = {no for (no,) in connection.execute(met, (json.dumps([no for no, _ in ranked]), *values))}
        if len(fit) >= limit or len(ranked) < first:
            return [(no, score) for no, score in ranked if no in fit][:limit]
    return connection.execute(_SCORED.format(where_), (expression, *values, limit)).fetchall()


@dataclass(frozen=True, slots=True)
class Telling:
    """The words of a query that tell something: full-text expressions to be tried in turn, and stems with their idf.

    `found_by` are the stems in the first expression; the others are too common to be searched alone, and count all the
    same. Memories that hold one of those and another word meet the expression `together`.
    """

    expressions: tuple[str, ...] = ()
    together: str = ""
    idf: Mapping[str, float] = field(default_factory=dict)
    found_by: frozenset[str] = frozenset()


class Terms:
    """Query words as the full-text index knows them.

    Words that ask or bind are left out of a query that has others. Where the rest would lead to more than some hundred
    memories (more where memories are long, and so every word in many of them), the most common are not searched alone:
    they cost the most and tell the least. Memories that hold one and another word are found, and in the score all
    words count. How common a word is, the index tells, once for as long as there are about as many memories; in a large
    namespace a sample tells first, and of common ones alone.
    """

    def __init__(self, space: Callable[[], int]) -> None:
        self._space = space
        self._seen: Counter[str] = Counter()
        self._held: dict[str, int] = {}
        self.total = self.whole = self._sampled = self._sampled_at = self._held_at = self._counted = self._asked = 0
        self.mean_tokens = 0.0
        self._cutters: WeakKeyDictionary[apsw.Connection, tuple[_Cutter, _Cutter]] = WeakKeyDictionary()

    def asked(self) -> bool:
        """Count a query; whether it is time to look again at what is common: always, where few memories are many."""
        self._asked += 1
        return self.total < _FEW or self._asked % _LOOK_AGAIN == 1

    def telling(self, connection: apsw.Connection, query: str, wanted: int = 0) -> Telling:
        """What of a query is searched and counted, where so many memories are wanted."""
        stems, quoted = self._stems(connection, query)
        telling = [stem for stem, word in stems.items() if word.casefold() not in STOP_WORDS] or list(stems)
        if not telling:
            return Telling()
        held = {stem: self._holding(connection, stem) for stem in telling[:_MOST_COUNTED]}
        idf = dict(sorted(((s, self._idf(*n)) for s, n in held.items()), key=lambda pair: -pair[1]))
        known = [stem for stem in idf if held[stem][0] or quoted[stem].endswith("*")][:_MOST_TERMS]
        rarest: list[str] = []
        may_meet = max(min(max(_LEAST_MET, _MET_PER_TOKEN * self.mean_tokens), _MOST_MET), wanted)
        rows_met = 0.0
        for stem in known:
            rows_met += min(held[stem][0], self.total)
            if rarest and rows_met > may_meet:
                break
            rarest.append(stem)
        tries = [some for some in ([rarest], [rarest, known])[len(rarest) < len(known)] if some]
        expressions = tuple(" OR ".join(quoted[stem] for stem in some) for some in tries)
        together = self._together(known, len(rarest), held, quoted)
        return Telling(expressions, together, idf, frozenset(rarest))

    def _together(
        self, known: Sequence[str], searched: int, held: Mapping[str, tuple[float, int]], quoted: Mapping[str, str]
    ) -> str:
        """What finds memories with two words, one not searched alone, as far as few would hold both by chance.

        Where many would, a third word must be there too, and so on: what holds all words of a query is found.
        """
        may_meet: float = _MOST_TOGETHER
        some = [stem for stem in known[:searched] if held[stem][0]]
        some += [stem for stem in known[searched:] if held[stem][0] <= max(_CHEAP, _COMMON_SHARE * held[stem][1])]
        some = some[:_MOST_PAIRED]
        alone, found = set(known[:searched]), list[tuple[str, ...]]()
        for size in range(2, len(some) + 1):
            for words in combinations(some, size):
                if words[-1] in alone or any(set(fewer).issubset(words) for fewer in found):
                    continue
                by_chance = math.prod(held[word][0] / max(held[word][1], 1) for word in words) * held[words[0]][1]
                if by_chance <= may_meet:
                    may_meet -= by_chance
                    found.append(words)
        return " OR ".join(f"({' AND '.join(quoted[word] for word in words)})" for words in found)

    def expressions(self, connection: apsw.Connection, query: str, *, every_word: bool) -> Sequence[str]:
        """The query as full-text expressions of quoted words, to be tried in turn until one finds something."""
        if not every_word:
            return self.telling(connection, query).expressions
        _, quoted = self._stems(connection, query)
        return [" AND ".join(quoted.values())] if quoted else []

    def _stems(self, connection: apsw.Connection, query: str) -> tuple[dict[str, str], dict[str, str]]:
        """The words of a query by stem, as they are and quoted for a full-text expression."""
        cut = segmented(query)
        words, stems_ = self._cutters_of(connection)
        stems = dict(zip(stems_(cut or query), words(cut or query), strict=True))
        single = {stem for stem in stems if cut and len(stem) == 1 and not stem.isascii()}
        if len(stems) > len(single):
            # The last character of each run stands in the index for one-character queries only.
            stems = {stem: word for stem, word in stems.items() if stem not in single}
            single = set()
        return stems, {stem: f'"{word}"{"*" if stem in single else ""}' for stem, word in stems.items()}

    def _holding(self, connection: apsw.Connection, stem: str) -> tuple[float, int]:
        """How many memories hold a word, and of how many: as the index has it, or a guess where it is common."""
        seen = self._seen[stem]
        if self._sampled and seen > _SAMPLED_FROM * self._sampled / max(self.total, 1):
            return seen * self.total / self._sampled, self.total
        if (known := self._held.get(stem)) is not None:
            return known, self.whole
        try:
            found = connection.execute(_HOLDING, (stem,)).get or 0
        except apsw.SQLError:
            connection.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.held USING fts5vocab(main, search, row)")
            found = connection.execute(_HOLDING, (stem,)).get or 0
        if found:  # a word nobody has used yet may be used at any time
            self._held[stem] = found
        return found, self.whole

    @staticmethod
    def _idf(holding: float, of: int) -> float:
        """As BM25 has it: ln((N - n + ½) / (n + ½))."""
        return max(math.log((max(of - holding, 0.0) + 0.5) / (holding + 0.5)), 1e-6)

    def count(self, connection: apsw.Connection) -> None:
        """Count anew: the memories of the namespace, their mean length, and all of the file."""
        total, tokens = connection.execute(_COUNTS, (self._space(),)).get
        self.total, self.mean_tokens = total, tokens / max(total, 1)
        self.whole = connection.execute("SELECT coalesce(sum(memories), 0) FROM counts").get
        self._counted += 1
        changed = 100 * abs(self.whole - self._held_at) > self.whole
        if changed or len(self._held) > _MOST_HELD or self._counted % _COUNT_AGAIN == 0:
            self._held, self._held_at = {}, self.whole

    def look(self, connection: apsw.Connection) -> None:
        """Count anew, and in a large namespace take a new sample once it has grown by half, or shrunk by as much."""
        self.count(connection)
        total = self.total
        if total < _FEW or self._sampled_at / 1.5 <= total <= 1.5 * self._sampled_at:
            return
        self._sampled_at = total
        last = connection.execute("SELECT max(no) FROM lives").get
        picks = min(last, last * _SAMPLE // total)
        spread = (picks, _SAMPLED_CHARACTERS // picks, last, self._space())
        texts = [text for (text,) in connection.execute(_SPREAD, spread)]
        _, stems = self._cutters_of(connection)
        self._seen = Counter(term for text in texts for term in set(stems(text)))
        self._sampled = len(texts)

    def _cutters_of(self, connection: apsw.Connection) -> tuple[_Cutter, _Cutter]:
        """What cuts a text into words, and into their stems."""
        if connection not in self._cutters:
            self._cutters[connection] = (_cutter(connection, _UNSTEMMED), _cutter(connection, TOKENIZER))
        return self._cutters[connection]


def _cutter(connection: apsw.Connection, tokenizer: tuple[str, ...]) -> _Cutter:
    """Cuts texts exactly as a tokenizer of the full-text index does."""
    cut = connection.fts5_tokenizer(tokenizer[0], list(tokenizer[1:]))

    def cutter(text: str) -> list[str]:
        found: list[str] = cut(
            text.encode(), apsw.FTS5_TOKENIZE_QUERY, None, include_offsets=False, include_colocated=False
        )
        return found

    return cutter
