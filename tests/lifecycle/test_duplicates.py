"""What a new statement is to an old one: the thresholds, the flips in many languages, and where the value stands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remanence.lifecycle.duplicates import (
    LEAST_TOKENS,
    SIMILAR_JACCARD,
    SUPERSEDE_JACCARD,
    Kinship,
    Statement,
    continues,
    jaccard,
    kinship,
    negation_flip,
    number_flip,
)

TOKENS = st.frozensets(st.sampled_from("abcdefghij"), max_size=10)
SENTENCES = st.lists(
    st.sampled_from(["the", "build", "is", "not", "on", "off", "2", "3", "green", "slow", "東京", "ない"]), max_size=10
).map(" ".join)


def related(old: str, new: str) -> Kinship:
    return kinship(Statement.of(old), Statement.of(new))[0]


def lettered(shared: int, old_only: int, new_only: int) -> tuple[str, str]:
    """Two texts that begin alike, with so many words shared and so many of their own."""
    common = [f"s{'x' * n}" for n in range(shared)]
    old = common + [f"o{'x' * n}" for n in range(old_only)]
    return " ".join(old), " ".join(common + [f"n{'x' * n}" for n in range(new_only)])


def test_the_constants() -> None:
    assert (SUPERSEDE_JACCARD, SIMILAR_JACCARD, LEAST_TOKENS) == (0.7, 0.4, 3)


def test_jaccard() -> None:
    assert jaccard(frozenset(["the", "cat", "sat"]), frozenset(["the", "cat", "ran"])) == 0.5
    assert jaccard(frozenset(), frozenset()) == 0.0
    assert jaccard(frozenset("a"), frozenset()) == 0.0


@given(TOKENS, TOKENS)
def test_jaccard_is_symmetric_and_one_only_for_the_same_words(a: frozenset[str], b: frozenset[str]) -> None:
    assert jaccard(a, b) == jaccard(b, a)
    assert 0.0 <= jaccard(a, b) <= 1.0
    assert (jaccard(a, b) == 1.0) == (a == b and bool(a))


@pytest.mark.parametrize(
    ("shared", "old_only", "new_only", "expected"),
    [
        (7, 2, 1, Kinship.SIMILAR),  # 7 / 10 is not above 0.7
        (7, 1, 1, Kinship.VERSION),
        (21, 5, 4, Kinship.SIMILAR),  # 21 / 30
        (71, 15, 14, Kinship.VERSION),  # 71 / 100
        (4, 3, 3, Kinship.SIMILAR),  # 4 / 10 is similar
        (2, 2, 1, Kinship.SIMILAR),  # 2 / 5
        (39, 31, 30, Kinship.UNRELATED),  # 39 / 100
        (3, 3, 2, Kinship.UNRELATED),  # 3 / 8
    ],
)
def test_the_bounds_are_exact(shared: int, old_only: int, new_only: int, expected: Kinship) -> None:
    old, new = lettered(shared, old_only, new_only)
    assert kinship(Statement.of(old), Statement.of(new)) == (expected, shared / (shared + old_only + new_only))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("Alice lives in the old town of Berlin", "Alice lives in the old town of Munich", Kinship.VERSION),
        (
            "The staging database runs on Postgres",
            "The staging database runs on Postgres in Frankfurt",
            Kinship.VERSION,
        ),
        ("用户住在北京市海淀区中关村", "用户住在北京市海淀区中关村东路", Kinship.VERSION),
        (
            "Berlin is located in the continent of Europe",
            "Moscow is located in the continent of Europe",
            Kinship.COEXISTS,
        ),
        ("the office in Paris is open on Mondays", "the lab in Paris is open on Mondays", Kinship.COEXISTS),
        (
            "the nightly backup of the wiki is encrypted at rest",
            "the nightly backup of the shop is encrypted at rest",
            Kinship.COEXISTS,
        ),
        (
            "the API key of the staging server rotates every month",
            "the API key of the production server rotates every month",
            Kinship.COEXISTS,
        ),
        (
            "the weekly report of the harbour project goes out on Monday to the mayor",
            "the weekly report of the harbour project goes out on Monday to the press as well",
            Kinship.COEXISTS,
        ),
        ("the user wants the long report by mail", "the user never wants the long report by mail", Kinship.FLIPPED),
        ("the nightly job keeps the last 5 builds", "the nightly job keeps the last 7 builds", Kinship.FLIPPED),
        ("the audit log of the server is enabled", "the audit log of the server is disabled", Kinship.FLIPPED),
        (  # 5 / 9
            "the export endpoint requires a token",
            "the export endpoint does not require a token",
            Kinship.FLIPPED,
        ),
        ("the old parser copies comments", "the old parser doesn't copy comments", Kinship.FLIPPED),  # 4 / 7
        ("the contract has weekend support", "the contract does not have weekend support", Kinship.FLIPPED),  # 4 / 8
        ("le script passe sur Windows", "le script ne passe pas sur Windows", Kinship.FLIPPED),  # 5 / 7
        ("das Skript läuft heute", "das Skript läuft nicht heute", Kinship.FLIPPED),
        ("the export endpoint requires a token", "the import endpoint does not require a token", Kinship.SIMILAR),
        ("the export endpoint requires a token", "the export endpoint does not require a VPN", Kinship.SIMILAR),
        ("the lamp works", "the lamp does not work", Kinship.UNRELATED),  # 2 / 6
        ("likes tea", "likes tea", Kinship.SIMILAR),  # two words are too few to tell
        ("likes green tea", "likes green tea very much", Kinship.SIMILAR),  # 3 / 5
        ("Alice lives in Berlin", "the build is green", Kinship.UNRELATED),
        ("", "", Kinship.UNRELATED),
        ("", "the build is green", Kinship.UNRELATED),
        ("👍", "👍", Kinship.UNRELATED),
    ],
)
def test_kinship(old: str, new: str, expected: Kinship) -> None:
    assert related(old, new) is expected


@given(SENTENCES, SENTENCES)
def test_kinship_is_symmetric(a: str, b: str) -> None:
    assert kinship(Statement.of(a), Statement.of(b)) == kinship(Statement.of(b), Statement.of(a))


@given(SENTENCES)
def test_a_statement_is_a_version_of_itself(text: str) -> None:
    statement = Statement.of(text)
    if len(statement.tokens) >= LEAST_TOKENS:
        assert kinship(statement, statement) == (Kinship.VERSION, 1.0)


@given(st.text(), st.text())
def test_every_pair_can_be_judged(a: str, b: str) -> None:
    assert 0.0 <= kinship(Statement.of(a), Statement.of(b))[1] <= 1.0
    assert negation_flip(a, b) == negation_flip(b, a)
    assert number_flip(a, b) == number_flip(b, a)
    assert continues(a, b) == continues(b, a)


@pytest.mark.parametrize(
    ("affirms", "denies"),
    [
        ("She eats meat", "She doesn't eat meat"),
        ("She can drive", "She can’t drive"),
        ("She can drive", "She cannot drive"),
        ("He likes it", "He dont likes it"),
        ("Deploy on Friday", "Never deploy on Friday"),
        ("tea with sugar", "tea without sugar"),
        ("Both tests pass", "Neither test passes nor runs"),
        ("always ask first", "never ask first"),
        ("Ich esse Fleisch", "Ich esse kein Fleisch"),
        ("Ich mag das", "Ich mag das nicht"),
        ("Elle mange de la viande", "Elle ne mange pas de viande"),
        ("C'est vrai", "Ce n’est pas vrai"),
        ("Come carne", "No come carne"),
        ("Come carne", "Nunca come carne"),
        ("Mangia carne", "Non mangia carne"),
        ("Ele come carne", "Ele não come carne"),
        ("Zij eet vlees", "Zij eet geen vlees"),
        ("Она ест мясо", "Она не ест мясо"),
        ("她吃肉", "她不吃肉"),
        ("她吃过肉", "她没吃过肉"),
        ("肉を食べます", "肉を食べません"),
        ("肉を食べる", "肉を食べない"),
        ("the cache is enabled", "the cache is disabled"),
        ("the light is on", "the light is off"),
        ("dry run is true", "dry run is false"),
        ("guests are allowed", "guests are forbidden"),
        ("Windows is supported", "Windows is unsupported"),
        ("she likes rain", "she dislikes rain"),
        ("the key is valid", "the key is invalid"),
        ("the list is mutable", "the list is immutable"),
        ("das ist möglich", "das ist unmöglich"),
        ("это возможно", "это невозможно"),
        ("缓存已启用", "缓存已禁用"),
        ("Servern startar om", "Servern startar inte om"),
        ("Serveren starter igen", "Serveren starter ikke igen"),
        ("Porten stenges om natten", "Porten stenges aldri om natten"),
        ("Server se restartuje", "Server se nerestartuje"),
        ("Palvelin käynnistyy", "Palvelin ei käynnisty"),
        ("Η πύλη ανοίγει", "Η πύλη δεν ανοίγει"),
        ("المستودع يفتح كل يوم", "المستودع لا يفتح كل يوم"),
        ("השער נפתח", "השער לא נפתח"),
        ("सर्वर चालू होता है", "सर्वर चालू नहीं होता है"),
        ("Gudang buka pada hari Minggu", "Gudang tidak buka pada hari Minggu"),
        ("Cổng mở vào chủ nhật", "Cổng không mở vào chủ nhật"),
        ("창고 문을 열어", "창고 문을 안 열어"),
    ],
)
def test_negation_flips(affirms: str, denies: str) -> None:
    assert negation_flip(affirms, denies)
    assert negation_flip(denies, affirms)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("She does not eat meat", "She doesn't eat meat at all"),
        ("She never eats meat", "She never eats fish"),
        ("neither tea nor coffee", "no tea or coffee"),
        ("the cache is not enabled", "the cache is disabled"),
        ("the door is not open", "the door is closed"),
        ("Elle ne mange jamais de viande", "Elle ne mange pas de viande"),
        ("No come nunca carne", "Nunca come carne"),
        ("Она никогда не ест мясо", "Она не ест мясо"),
        ("他非常高兴", "他高兴"),
        ("未来の計画", "計画"),
        ("the note is a knot", "the note is a nod"),
        ("see the inside view", "see the side view"),
        ("the display is new", "the play is new"),
        ("on and off", "off and on"),
        ("Alice lives in Berlin", "Alice lives in Munich"),
    ],
)
def test_no_negation_flip(a: str, b: str) -> None:
    assert not negation_flip(a, b)
    assert not negation_flip(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("keeps 5 builds", "keeps 7 builds"),
        ("Python 3.11", "Python 3.12"),
        ("Python 3.1", "Python 3.10"),
        ("on 2024-01-02", "on 2024-01-03"),
        ("at 12:30", "at 12:45"),
        ("release v2.1", "release v2.2"),
        ("rent is $2,400", "rent is $2,500"),
        ("50% done", "60% done"),
        ("two cats", "three cats"),
        ("two cats", "3 cats"),
        ("twenty users", "ninety users"),
        ("two hundred users", "two thousand users"),
        ("2 million users", "3 million users"),
        ("٣ قطط", "٤ قطط"),
        ("５匹", "6匹"),
        ("12 °C in the cellar", "-12 °C in the cellar"),
        ("two at (12)", "two at (−12)"),
        ("twice a week", "thrice a week"),
        ("zwölf Tore", "neun Tore"),
        ("zwölf Tore", "14 Tore"),
        ("douze quais", "quinze quais"),
        ("doce muelles", "quince muelles"),
        ("dodici moli", "undici moli"),
        ("двенадцать кранов", "девять кранов"),
        ("开放五个小时", "开放七个小时"),
        ("开放五个小时", "开放3个小时"),
        ("毎日五時間", "毎日七時間"),
        ("三百二十人", "三百二十五人"),
        ("tiene dos nodos", "tiene tres nodos"),
        ("elf Knoten", "drei Knoten"),
    ],
)
def test_number_flips(a: str, b: str) -> None:
    assert number_flip(a, b)
    assert number_flip(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("1,000 users", "1000 users"),
        ("1,000 users", "one thousand users"),
        ("two cats", "2 cats"),
        ("Two cats", "TWO cats"),
        ("twenty-five cats", "25 cats"),
        ("two hundred and fifty users", "250 users"),
        ("two hundred fifty thousand", "250,000"),
        ("2.5 million", "2,500,000"),
        ("$2,400.00", "$2,400"),
        ("day 05", "day 5"),
        ("٣٤", "34"),
        ("５", "5"),
        ("keeps builds", "keeps 7 builds"),
        ("the 2 of 3", "the 2 of 3 of 4"),
        ("one of them", "another of them"),
        ("someone often attends", "anyone attends"),
        ("from 3-12", "from 3-12 on"),
        ("runs ls -1", "runs ls -1 often"),
        ("in case of fire", "at 5 in case of need"),
        ("they seize 3", "they take 3 or 5"),
        ("zwölf Tore", "12 Tore"),
        ("двенадцать кранов", "12 кранов"),
        ("三百二十人", "320人"),
        ("两万元", "20000元"),
        ("二〇二六年", "2026年"),
        ("on Sept 3", "on September 3"),
        ("reads 3 DOS files", "reads 3 ELF files"),
        ("一个十分重要的问题", "十分重要的问题"),
        ("", ""),
    ],
)
def test_no_number_flip(a: str, b: str) -> None:
    assert not number_flip(a, b)
    assert not number_flip(b, a)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("Alice lives in Berlin", "Alice lives in Munich", True),
        ("likes tea", "she likes green tea", True),  # holds the other's words
        ("a b c d e x y z w", "a b c d e p q r s", True),  # the first 5 of 9
        ("a b c d x y z v w", "a b c d p q r s t", False),  # only 4 of 9
        ("a b x", "a b y z v w", True),  # the shorter counts
        ("Berlin is in Europe", "Moscow is in Europe", False),
        ("the head of the wiki is new", "the head of the shop is new", False),  # what differs comes before the verb
        ("the key of the old gate rotates", "the key of the old door rotates", False),
        ("the key is in the old gate house", "the key is in the old door house", True),  # and here behind it
        ("we keep the old red tables upstairs", "we keep the old red tables downstairs", True),
        ("copied every night to Oslo", "copied every night to Bergen too", False),
        ("copied every night to Oslo", "copied every night also to Bergen", False),
        ("the build is too slow today", "the build is too fast today", True),  # too much, not too
        ("jeden Montag per Post an den Hafen", "jeden Montag per Post auch an die Werft", False),
        ("copied to Oslo", "copied to Oslo and also to Bergen", True),  # holds the other's words
        ("", "", False),
        ("", "likes tea", False),
    ],
)
def test_continues(a: str, b: str, expected: bool) -> None:
    assert continues(a, b) is expected
    assert continues(b, a) is expected


def test_a_statement_holds_its_words_once_cut() -> None:
    statement = Statement.of("The cat and the Dog")
    assert statement.words == ("the", "cat", "and", "the", "dog")
    assert statement.tokens == {"the", "cat", "and", "dog"}
