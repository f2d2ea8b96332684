"""What Chinese and Japanese sentences are worth beside their English translations."""

from __future__ import annotations

import pytest

from remanence.lifecycle.content import NAMES, content, factors
from remanence.lifecycle.content_dense import dense_signals

TRANSLATED = [
    (
        "I moved to Hangzhou last year and I work for Alibaba.",
        "我去年搬到杭州，在阿里巴巴工作。",
        "私は去年大阪に引っ越して、任天堂で働いています。",
    ),
    (
        "The nightly backup runs at 2:00 and is kept for 30 days.",
        "每晚的备份在凌晨2点运行，保留30天。",
        "夜間バックアップは午前2時に実行され、30日間保存されます。",
    ),
    ("My sister is allergic to peanuts.", "我姐姐对花生过敏。", "私の姉はピーナッツアレルギーです。"),
    (
        "We decided to move from MySQL to PostgreSQL.",
        "我们决定从MySQL迁移到PostgreSQL。",
        "MySQLからPostgreSQLに移行することに決めました。",
    ),
    (
        "I bought two tickets for my wife yesterday.",
        "我昨天给妻子买了两张票。",
        "昨日、妻のためにチケットを2枚買いました。",
    ),
    ("Thanks, that's great!", "谢谢，太好了！", "ありがとう、すごいですね！"),
    ("What time is the meeting?", "会议几点开始？", "会議は何時ですか？"),
    ("Please write a test for the parser.", "请给解析器写一个测试。", "パーサーのテストを書いてください。"),
    ("Maybe we could go hiking sometime.", "也许我们可以找时间去爬山。", "いつかハイキングに行けるかもしれません。"),
    ("Sure, no problem.", "好的，没问题。", "了解です。"),
]


def test_a_sentence_and_its_translation_are_worth_about_the_same() -> None:
    apart = [abs(content(english) - content(other)) for english, *others in TRANSLATED for other in others]
    assert sum(apart) / len(apart) < 0.15


@pytest.mark.parametrize("place", [1, 2])
def test_facts_stand_before_small_talk(place: int) -> None:
    facts = [content(said[place]) for said in TRANSLATED[:5]]
    talk = [content(said[place]) for said in TRANSLATED[5:]]
    assert min(facts) > 2 * max(talk)


def test_its_signals_are_shown_by_name() -> None:
    assert {"self", "kin", "liking"} <= factors("我姐姐对花生过敏。").keys() <= set(NAMES)
    assert "question" in factors("会议几点开始？")


@pytest.mark.parametrize(
    "text", ["", "The 東 wind blows over the whole of the harbour today.", "Café Müller", "чёрный кофе"]
)
def test_other_scripts_are_read_as_before(text: str) -> None:
    assert dense_signals(text, False) is None
