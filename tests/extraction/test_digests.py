"""Digests: a long answer under what was asked, never longer than it may be, whatever the answer is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remanence.extraction.digests import asks_of, digest, heads, topic_of

ANSWER = """What a great choice! Here are some popular dishes:

1. **Bulgogi**: Thinly sliced marinated beef, grilled to perfection.
2. **Galbi**: Short ribs in a sweet and spicy sauce.
* **Japchae** - glass noodles with vegetables

```
not this: a, b, c
```
"""


def test_the_heads_of_a_list_under_the_question() -> None:
    ask = "Can you suggest some popular Korean BBQ dishes?"
    assert digest(ask, ANSWER, 200) == "Popular Korean BBQ dishes: Bulgogi; Galbi; Japchae"


def test_rows_of_a_table() -> None:
    table = "| day | who |\n|---|---|\n| Monday | Admon |\n| Sunday | Magdy |"
    assert heads(table) == ["day who", "Monday Admon", "Sunday Magdy"]


def test_of_prose_the_most_telling_sentences() -> None:
    prose = "That depends on many things, as always. The Arctis 7 weighs 354 g and costs $150 at Thomann. It is nice."
    assert digest("which headset?", prose, 120) == (
        "Which headset: The Arctis 7 weighs 354 g and costs $150 at Thomann."
    )


@pytest.mark.parametrize("answer", ["", "Sure!", "```\ncode only\n```", "...", "I'll look into it."])
def test_what_tells_nothing_gives_nothing(answer: str) -> None:
    assert digest("what?", answer, 300) == ""


def test_what_is_asked() -> None:
    turn = "I'm planning a party. Can you suggest dishes? By the way, I moved to Berlin. Also tell me the cost."
    assert asks_of(turn) == ["Can you suggest dishes?", "tell me the cost."]
    assert asks_of("My cat is called Momo.") == ["My cat is called Momo."]
    assert topic_of("Can you tell me more about the sensor?") == "The sensor"
    assert topic_of("?") == ""


@given(st.text(max_size=300), st.text(max_size=2_000), st.integers(40, 600))
@settings(max_examples=150, deadline=None)
def test_it_never_raises_and_never_is_too_long(ask: str, answer: str, most: int) -> None:
    assert len(digest(ask, answer, most)) <= max(most, 0)
    asks_of(answer)
