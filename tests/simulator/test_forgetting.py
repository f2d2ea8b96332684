"""The benchmark of forgetting: replay under a budget, access models, skill, bounds, bad input."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial

import numpy as np
import pytest

from remanence.errors import InvalidInput
from remanence.policies import reading
from remanence.simulator.contenders.bm25 import Bm25
from remanence.simulator.contenders.ours import make_mind
from remanence.simulator.forgetting import contenders, fitting, talks
from remanence.simulator.forgetting.product import Product
from remanence.simulator.forgetting.replay import Known, halved, replayed
from remanence.simulator.forgetting.skill import interval, share, skill

BEGIN = datetime(2026, 1, 5, 9, tzinfo=UTC)
FACTS = ("I moved to Bergen on 3 March.", "My sister Ann got a dog called Fido.", "We paid 480 euros to Acme.")
CHATTER = ("Wow, that is great!", "Thanks, you are so kind to say that!", "Sounds good, talk to you later then!")


def a_talk(sessions: int = 6, by_session: bool = False) -> talks.Talk:
    turns, questions = [], []
    for session in range(sessions):
        fact = FACTS[session % 3].replace("3", str(session)).replace("480", str(480 + session))
        for number, text in enumerate((CHATTER[session % 3], fact, CHATTER[(session + 1) % 3])):
            if text is fact:
                asked = talks.Asked(f"q{session}", fact.replace(".", "?"), frozenset([len(turns)]))
                questions.append(asked)
            at = BEGIN + timedelta(days=7 * session, seconds=number)
            turns.append(talks.Said(f"Ann: {text}", text, at, session))
    return talks.Talk("talk", tuple(turns), tuple(questions), by_session)


def policies() -> dict[str, object]:
    return {name: reading.preset(name) for name in reading.PRESETS}


def test_skill_is_0_for_chance_and_1_for_the_oracle() -> None:
    chance, best = np.array([1.0, 1.0]), np.array([4.0, 4.0])
    assert skill(chance, chance, best) == 0.0
    assert skill(best, chance, best) == 1.0
    assert skill(np.array([2.0, 3.0]), chance, best) == 0.5
    assert skill(best, best, best) == 0.0
    assert share(np.array([3.0, 1.0]), np.array([4.0, 4.0])) == 0.5


def test_an_interval_holds_its_skill_and_is_the_same_twice() -> None:
    rng = np.random.default_rng(3)
    chance, best = rng.random(30), 2 + rng.random(30)
    mine = 1 + rng.random(30)
    low, high = interval([mine], [chance], [best], 0)
    assert low < skill(mine, chance, best) < high
    assert (low, high) == interval([mine], [chance], [best], 0)


@pytest.mark.parametrize("access", ["none", "dialogue"])
@pytest.mark.parametrize(
    "name", [name for name in contenders.NAMES if name not in ("all", "oracle", "random", "product")]
)
def test_what_is_kept_fits_the_budget_and_is_never_empty(name: str, access: str) -> None:
    known = Known(a_talk(), Bm25())
    (forgetter,) = contenders.made([name], policies())  # type: ignore[arg-type]
    for budget in (0.5, 0.2):
        kept = replayed(known, forgetter, budget, access)
        assert 0 < known.characters[kept].sum() <= budget * known.talk.characters


def test_the_oracle_keeps_the_evidence_and_ours_nearly_all_of_it() -> None:
    known = Known(a_talk(12), Bm25())
    rows = [row for question in known.talk.questions for row in question.evidence]
    assert replayed(known, contenders.oracle(), 0.45)[rows].all()
    (ours,) = contenders.made(["balanced"], policies())  # type: ignore[arg-type]
    (newest,) = contenders.made(["fifo"], policies())  # type: ignore[arg-type]
    assert replayed(known, ours, 0.45)[rows].mean() > 0.8 > 0.6 > replayed(known, newest, 0.45)[rows].mean()


def test_a_session_counts_only_while_a_turn_that_answers_is_there() -> None:
    talk = a_talk(2, by_session=True)
    known, question = Known(talk, Bm25()), talk.questions[0]
    kept = np.ones(len(talk.turns), dtype=bool)
    assert known.answers(kept, [question]) == [1.0]
    kept[list(question.evidence)] = False
    assert known.answers(kept, [question]) == [0.0]


def test_half_of_the_questions_is_asked_after_its_evidence_and_never_scored() -> None:
    talk = a_talk(8)
    asked, scored = halved(talk, 1)
    early = {question.id for some in asked.values() for question in some}
    assert early.isdisjoint(question.id for question in scored)
    assert len(early) == len(scored) == 4
    for session, some in asked.items():
        assert all(talk.turns[row].session <= session for question in some for row in question.evidence)


def test_asking_counts_as_use() -> None:
    talk = a_talk(8)
    known = Known(talk, Bm25())
    (lfu,) = contenders.made(["lfu"], policies())  # type: ignore[arg-type]
    asked = {7: [talk.questions[0]] * 3}
    (row,) = talk.questions[0].evidence
    assert not replayed(known, lfu, 0.3)[row]
    early = {0: [talk.questions[0]] * 3}
    assert replayed(known, lfu, 0.3, "questions", early)[row]
    assert not replayed(known, lfu, 0.3, "questions", asked)[row]


def test_weights_are_fitted_from_what_answers_and_keep_their_signs() -> None:
    weights = fitting.fitted([[a_talk(9)]])
    assert weights["reaction"] <= 0 <= weights["done"]
    assert weights == fitting.fitted([[a_talk(9)]])
    assert fitting.fitted([[a_talk(9)]], strength=1e6)["number"] == pytest.approx(1.0, abs=0.05)


def test_broken_times_are_named() -> None:
    talk = a_talk(2)
    turned = talks.Talk("mixed", talk.turns[::-1], talk.questions, by_session=False)
    with pytest.raises(InvalidInput, match=r"talk mixed: turn 1 is of .* mend the times"):
        talks.checked(turned)


def test_a_persona_set_leaves_filler_out() -> None:
    from remanence.simulator.datasets import longmemeval as reader

    sessions = tuple(
        reader.Session(id, BEGIN, (reader.Turn("user", text, answers), reader.Turn("assistant", "Fine.")))
        for id, text, answers in (("sharegpt_1", "Write a poem.", False), ("answer_1", "I moved to Oslo.", True))
    )
    question = reader.Question("q", "single-session-user", "Where do I live?", BEGIN, frozenset(["answer_1"]), sessions)
    (whole,), (persona,) = (talks.of_longmemeval([question], persona=persona) for persona in (False, True))
    assert [turn.text for turn in whole.turns] == ["Write a poem.", "I moved to Oslo."]
    assert [turn.text for turn in persona.turns] == ["I moved to Oslo."]


def test_the_product_itself_chooses_as_its_policy_does() -> None:
    talk = a_talk(8)
    known = Known(talk, Bm25())
    made = Product(partial(make_mind, settings={"embedder__name": "none"}), reading.preset("balanced"))
    kept = made.kept(known, 0.25)
    held = {talk.turns[row].text for row in np.flatnonzero(kept)}
    assert 0 < sum(map(len, held)) <= 0.25 * talk.characters
    rows = [row for question in talk.questions for row in question.evidence]
    chatter = [row for row in range(len(talk.turns)) if row not in rows]
    assert kept[rows].mean() > 0.6 > 0.4 > kept[chatter].mean()
