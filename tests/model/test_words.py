"""Words, cut runs, folds and token counts in many scripts; the cut runs are asked back from a real FTS5 index."""

import unicodedata

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remanence.model.words import beginnings, estimate_tokens, folded, segmented, spaced, words
from remanence.store.sql.words import terms_of

HAN = st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), min_size=1, max_size=12)
MIXED = st.text(st.sampled_from("aZ9_ '’-.,\n\t東京都ガーด้ว한국éÉßΐǅ́İſﬁ½👍🏽\u200d\ufe0f\u00ad٣"), max_size=40)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("  \n\t ", []),
        ("?!… — 👍🏽 ❤️", []),
        ("The cat sat on the mat", ["the", "cat", "sat", "on", "the", "mat"]),
        ("snake_case, kebab-case, a.b", ["snake_case", "kebab", "case", "a", "b"]),
        ("Don't 'quote' rock'n'roll O'Neill's", ["don't", "quote", "rock'n'roll", "o'neill's"]),
        ("Don’t l’été", ["don't", "l'été"]),
        ("Python 3.11 costs $2,400", ["python", "3", "11", "costs", "2", "400"]),
        ("Straße STRASSE", ["strasse", "strasse"]),
        ("Ελλάδα ΕΛΛΆΔΑ", ["ελλάδα", "ελλάδα"]),
        ("Не люблю", ["не", "люблю"]),
        ("مرحبا بالعالم", ["مرحبا", "بالعالم"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("ＡＢＣ ｶﾞｲﾄﾞ", ["abc", "ガイ", "イド"]),
        ("ﬁle", ["file"]),
        ("co\u00adoperate", ["cooperate"]),
        ("A\u200c\u0300", ["à"]),
        ("東", ["東"]),
        ("東京都", ["東京", "京都"]),
        ("東京2020年abc", ["東京", "2020", "年", "abc"]),
        ("我喜欢Python。真的", ["我喜", "喜欢", "python", "真的"]),
        ("ラーメンが好き", ["ラー", "ーメ", "メン", "ンが", "が好", "好き"]),
        ("한국어 공부", ["한국", "국어", "공부"]),
        ("ชาว ๓๔", ["ชา", "าว", "๓๔"]),
        ("ລາວ", ["ລາ", "າວ"]),
        ("ខ្មែរ", ["ខ្", "្ម", "មែ", "ែរ"]),
        ("ဘာသာ", ["ဘာ", "ာသ", "သာ"]),
        ("𠮷野家", ["𠮷野", "野家"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert list(words(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", None),
        ("plain ASCII", None),
        ("Ünïcode, Кириллица, हिन्दी", None),
        ("東京都", "東京 京都 都"),
        ("東", "東"),
        ("東京2020年abc", "東京 京 2020 年 abc"),
        ("The 東京 Tower", "The 東京 京 Tower"),
        ("한국어 OK", "한국 국어 어 OK"),
        ("ｶﾞｲﾄﾞ", "ガイ イド ド"),
    ],
)
def test_segmented(text: str, expected: str | None) -> None:
    assert segmented(text) == expected


@pytest.mark.parametrize(
    "pair",
    [
        ("Likes  TEA\n", "likes tea"),
        ("a\u00a0b\u2003c", "a b c"),
        ("café", "CAFE\u0301"),
        ("Straße", "STRASSE"),
        ("\u1fb3", "\u0391\u0345"),
    ],
)
def test_the_same_statement_folds_alike(pair: tuple[str, str]) -> None:
    assert folded(pair[0]) == folded(pair[1])


def test_another_statement_folds_otherwise() -> None:
    assert folded("likes tea") != folded("likes teas")
    assert folded("re sign") != folded("resign")


@given(st.text() | MIXED)
def test_folding_again_changes_nothing(text: str) -> None:
    assert folded(folded(text)) == folded(text)


@given(st.text() | MIXED)
def test_every_text_can_be_read(text: str) -> None:
    assert all(word and not word.isspace() for word in words(text))
    assert estimate_tokens(text) >= bool(text)
    cut = segmented(text)
    assert cut is None or cut == " ".join(cut.split())


@given(st.text() | MIXED)
def test_words_of_words_are_the_words(text: str) -> None:
    found = list(words(text))
    assert [again for word in found for again in words(word)] == found


@given(MIXED)
def test_composed_and_decomposed_text_have_the_same_words(text: str) -> None:
    assert words(unicodedata.normalize("NFD", text)) == words(unicodedata.normalize("NFC", text))


@given(HAN, HAN, HAN)
def test_a_run_within_a_run_has_its_pairs_within_the_pairs(before: str, run: str, after: str) -> None:
    inner, outer = words(run), words(before + run + after)
    if len(unicodedata.normalize("NFKC", run)) > 1:
        assert set(inner) <= set(outer)


TEXTS = [
    "東京都の天気は晴れ",
    "京都へ行きました",
    "ラーメンが好き",
    "나는 한국어를 공부합니다",
    "สวัสดีชาวโลก",
    "ភាសាខ្មែរ",
    "မြန်မာဘာသာ",
    "我在2020年搬到北京，用Python写代码",
]


# The tokenizer drops combining marks unless its categories name them; the cut text serves both ways.
@pytest.fixture(scope="module", params=["", " categories 'L* N* Co M*'"], ids=["letters", "letters and marks"])
def index(request: pytest.FixtureRequest) -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    tokenizer = f"porter unicode61 remove_diacritics 2{request.param}"
    connection.execute(f'create virtual table texts using fts5(body, tokenize="{tokenizer}")')
    connection.executemany("insert into texts(body) values (?)", [(segmented(text) or text,) for text in TEXTS])
    return connection


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("東京", [0]),
        ("京都", [0, 1]),
        ("天気は晴れ", [0]),
        ("ラーメン", [2]),
        ("한국어", [3]),
        ("ชาวโลก", [4]),
        ("ខ្មែរ", [5]),
        ("ဘာသာ", [6]),
        ("北京", [7]),
        ("2020", [7]),
        ("Python", [7]),
        ("東", [0]),
        ("都", [0, 1]),
        ("れ", [0]),
        ("다", [3]),
        ("ก", [4]),
        ("码", [7]),
        ("大阪", []),
        ("犬", []),
    ],
)
def test_runs_are_found_by_their_pairs_and_single_characters_by_prefix(
    index: apsw.Connection, query: str, found: list[int]
) -> None:
    match = " ".join(f'"{word}"' for word in words(query)) + ("*" if len(query) == 1 else "")
    rows = index.execute("select rowid from texts where texts match ? order by rowid", (match,))
    assert [int(str(row[0])) - 1 for row in rows] == found


@pytest.mark.parametrize("text", TEXTS)
def test_every_letter_of_a_run_is_found_by_prefix(index: apsw.Connection, text: str) -> None:
    for character in text:
        if segmented(character) and character.isalpha():
            rows = list(index.execute("select rowid from texts where texts match ?", (f'"{character}"*',)))
            assert (TEXTS.index(text) + 1,) in rows, character


# The second number is what cl100k_base counts.
@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("She moved to Berlin in 2024.", 9),
        ("Alice prefers dark mode.", 5),
        ("Bye!", 3),
        ("The staging database of the billing service runs on PostgreSQL 16 and is backed up each night at two.", 21),
        ("Maria does not eat meat, but she likes fish and has been to Lisbon three times since last October.", 21),
        ("def total(rows: list[int]) -> int:\n    return sum(row for row in rows if row > 0)\n", 24),
        ("for (let i = 0; i < items.length; i++) {\n\tconsole.log(items[i].userName);\n}", 24),
        ("Der Server läuft seit gestern auf einem neuen Rechner in Frankfurt.", 15),
        ("Elle préfère travailler le matin et n'aime pas les réunions.", 20),
        ("El servidor de producción está en Madrid desde el año pasado.", 12),
        ("Сервер работает на новом компьютере с прошлой недели.", 21),
        ("我在二〇二〇年搬到北京，现在用Python写代码。", 22),
        ("東京都の天気は晴れです。明日は雨が降るでしょう。", 28),
        ("나는 매일 아침 한국어를 공부합니다.", 18),
        ("สวัสดีชาวโลก วันนี้อากาศดี", 27),
        ("मुझे हिन्दी भाषा पसंद है", 24),
        ("مرحبا بالعالم، الطقس جميل اليوم", 22),
        ("So happy!! 🎉🎉🥳❤️ 👨‍👩‍👧‍👦", 32),
        ("192.168.12.254:8080 2024-01-02T12:30:00Z 1234567890 3.14159", 34),
        ("550e8400-e29b-41d4-a716-446655440000", 18),
        ("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", 43),
        ("https://github.com/example/web-app/pull/4711?tab=files&utm_source=mail#L42", 23),
        ("ERROR: CONNECTION REFUSED BY UPSTREAM HOST", 9),
        ("\n\n    if x:\n        y\n", 8),
    ],
)
def test_the_estimate_is_not_below_the_count_and_not_far_above(text: str, counted: int) -> None:
    assert counted <= estimate_tokens(text) <= 2.5 * counted + 1


def test_the_worked_estimate() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens("She moved to Berlin in 2024.") == 14


@pytest.mark.parametrize(
    "text",
    [
        "We deploy every Friday; the delivery company's city party",  # Porter: deploi, everi, fridai, deliveri, compani
        "Hoping, filing, staging and sized; its visibility",  # hope, file, stage, size, visibl
        "Café Müller läuft naïvement où l'été coûte",  # the index drops the marks
        "snake_case_name and MAX_SIZE",
        "从MySQL迁移到PostgreSQL 15",
        "чёрный кофе в Москве, καλός",
        "हिन्दी भाषा",
        "ＡＢＣ ｶﾞｲﾄﾞ",
    ],
)
def test_every_word_the_index_holds_is_seen_in_the_text(text: str) -> None:
    said = spaced(text)
    for stem in terms_of(text):
        assert any(begun in said for begun in beginnings(stem)), stem
