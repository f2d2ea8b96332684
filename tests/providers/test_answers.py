"""One JSON object is read from what a model writes, or it is said why not."""

from __future__ import annotations

import pytest

from remanence.providers.answers import Unreadable, object_in, with_correction


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}',
        '\ufeff\n {"a": 1}\n',
        '```json\n{"a": 1}\n```',
        '```\n{"a": 1}```  ',
        'Here is the JSON you asked for:\n\n{"a": 1}',
        'Sure! It is "this":\n```json\n{"a": 1}\n```\n',
        '<think>\n{"a": 2} or {"a": 3}?\n</think>\n\n{"a": 1}',
    ],
)
def test_what_models_put_around_it_is_tolerated(text: str) -> None:
    assert object_in(text) == {"a": 1}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no JSON object"),
        ("I cannot do that.", "no JSON object"),
        ("[1, 2]", "no JSON object"),
        ('[{"a": 1}]', "not a list"),
        ('[{"a": 1}, {"a": 2', "not a list"),
        ('{"a": 1', "no JSON: Expecting ',' delimiter at character 8"),
        ('{"a": "secret', "no JSON: Unterminated string starting at character 7"),
        ("{'a': 1}", "no JSON: Expecting property name"),
        ('{"a": 1,}', "no JSON: "),
        ('{"a": 1} Hope that helps!', "something follows"),
        ('{"a": 1}{"a": 1}', "something follows"),
        ('{"a": 1}\n```', "something follows"),
        ('```json\n{"a": 1}\n```\nsecret', "something follows"),
        ('{"secret": 1, "secret": 2}', "the same key twice"),
        ('{"a": {"b": 1, "b": 1}}', "the same key twice"),
        ('{"a": NaN}', "NaN or infinity"),
        ('{"a": -Infinity}', "NaN or infinity"),
        ('{"a": 1e999}', "a number that is too large"),
        ('{"a": ' + "9" * 5000 + "}", "a number that is too long"),
        (r'{"a": "\ud800"}', "half a surrogate pair"),
        (r'{"\udc00": 1}', "half a surrogate pair"),
        ('{"a":' + "[" * 100_000, "nested too deep"),
        ('{"a":' * 100_000, "nested too deep"),
        ("<think>{" + '"a": 1', "no JSON: "),
    ],
)
def test_what_is_no_object_is_named_without_the_models_words(text: str, said: str) -> None:
    with pytest.raises(Unreadable) as raised:
        object_in(text)
    assert said in str(raised.value)
    assert "secret" not in str(raised.value)


def test_a_correction_repeats_a_long_answer_in_part() -> None:
    told = with_correction("Do it.", {"type": "object"}, "x" * 100_000, "it is no JSON")
    assert told.startswith("Do it.\n")
    assert "cannot be used: it is no JSON." in told
    assert '{"type":"object"}' in told
    assert len(told) < 5_000
