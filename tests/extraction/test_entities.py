"""Names in texts: how many of a set written before the rules are found, what is none, and hostile input."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remanence.extraction.entities import MOST, definitions_of, entities_of, is_person
from remanence.model.entity import KINDS, key_of
from tests.extraction.entity_texts import TEXTS


def names(text: str, **more: tuple[str, ...]) -> set[str]:
    return {name for name, _ in entities_of(text, **more)}


def test_the_set_is_found_and_little_else() -> None:
    found = missed = extra = wrong = 0
    for text, expected in TEXTS:
        got = {key_of(name): kind for name, kind in entities_of(text)}
        wanted = {key_of(name): kind for name, kind in expected.items()}
        found += len(got.keys() & wanted.keys())
        extra += len(got.keys() - wanted.keys())
        missed += len(wanted.keys() - got.keys())
        wrong += sum(got[key] != wanted[key] for key in got.keys() & wanted.keys())
    assert found / (found + extra) >= 0.97, "precision comes first"
    assert found / (found + missed) >= 0.95
    assert wrong <= 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How're you? Must've been fun. You'd like it. Y'all come.", set()),
        ("Pottery's a great way to relax.", set()),
        ("Woohoo Melanie! Anytime Maria.", {"Melanie", "Maria"}),
        ("User prefers tea. Server crashed. Deployment needs a review.", set()),
        ("Will Smith met Mark.", {"Will Smith", "Mark"}),
        ("Will Anna come?", {"Anna"}),
        ("It was written by George R. R. Martin.", {"George R. R. Martin"}),
        ("Zyxel is fast. I like Zyxel.", {"Zyxel"}),
        ("Zyxel! Then we left.", set()),
        ("Decision: Use Redis.", {"Redis"}),
        ("Anna's Redis is down.", {"Anna", "Redis"}),
        ("We saw Iron Man in May.", {"Iron Man"}),
        ("E.g. tea, i.e. Redis, etc.", {"Redis"}),
        ("done.Then we left", set()),
        ("Mail bob@Example.com or see www.Example.com/Start", set()),
        ("the ratio is 3/4, on 8/10/2023", set()),
        ("L'équipe de Lyon aime l'Espagne.", {"Lyon", "Espagne"}),
        ("Die Stadt Hamburg und der Hafen", {"Hamburg"}),
        ("Unsere Nachbarin Sabine und der Kunde ACME GmbH", {"Sabine", "ACME GmbH"}),
        ("- [ ] Ask Tom about Black Friday", {"Tom", "Black Friday"}),
        ("npm i is slow, so is node.js", {"node.js"}),
        ("用PostgreSQL存储", {"PostgreSQL"}),
        ("", set()),
    ],
)
def test_what_is_a_name_and_what_is_none(text: str, expected: set[str]) -> None:
    assert names(text) == expected


def test_a_callers_tags_and_files_are_named_first_and_keep_the_kind_of_the_text() -> None:
    found = dict(entities_of("We use Redis.", concepts=("redis", "caching"), files=("src/cache.py",)))
    assert found == {"Redis": "name", "caching": "concept", "src/cache.py": "path"}
    assert entities_of("", concepts=(" ", "!?", "")) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Model Context Protocol (MCP) is used.", [("MCP", "Model Context Protocol")]),
        ("MCP (Model Context Protocol) is used.", [("MCP", "Model Context Protocol")]),
        ("We do retrieval-augmented generation (RAG).", [("RAG", "retrieval-augmented generation")]),
        ("The Bank of England (BoE) said so.", [("BoE", "Bank of England")]),
        ("JWT stands for JSON Web Token.", [("JWT", "JSON Web Token")]),
        ("Mel is short for Melanie.", [("Mel", "Melanie")]),
        ("Service level agreements (SLAs) matter.", [("SLA", "Service level agreements")]),
        ("ACME Corp (Acme) is a customer.", [("Acme", "ACME Corp")]),
        ("Kubernetes, also known as K8s, runs the shop.", [("K8s", "Kubernetes")]),
        ("Prince (aka Prince Rogers Nelson) sang.", [("Prince", "Prince Rogers Nelson")]),
        ("Das Haus Adler GmbH, auch bekannt als Adler, baut um.", [("Adler", "Haus Adler GmbH")]),
        ("Amazon (Seattle) hires.", []),
        ("We met in Paris (FR) with Anna (CEO).", []),
        ("MCP (see the Model Context page) is used.", []),
        ("Bob is short for Robert.", []),
    ],
)
def test_definitions(text: str, expected: list[tuple[str, str]]) -> None:
    assert list(definitions_of(text)) == expected
    assert all({short, long} <= names(text) for short, long in expected), "both are names of the text"


def test_persons() -> None:
    assert all(map(is_person, ("Anna", "Anna Schmidt", "Dr. Schmidt", "Frau Weber")))
    assert not any(map(is_person, ("Redis", "New York", "St. Gallen", "")))


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("MCP's", "mcp"),
        ("  Anna   Schmidt ", "anna schmidt"),
        ("«Straße»", "strasse"),
        ("ＭＣＰ", "mcp"),
        ("`get_user`", "get_user"),
        ("James'", "james"),
        ("node.js", "node.js"),
        ("Models", "models"),
        ("?!", ""),
        ("Ｏ’Neil’s", "o'neil"),
    ],
)
def test_keys(name: str, key: str) -> None:
    assert key_of(name) == key
    assert key_of(key) == key, "a key is its own key"


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "A ",
            "Aa ",
            "a_",
            "a.",
            "(",
            "`a",
            "/a",
            "A-",
            "A'",
            "import ",
            "pip install ",
            "a b (",
            "a@",
            "Dr. ",
            "A. ",
        ),
        *("a==", "「a", "a-b.", "x/y ", "\n", "--a", "AB (", "A of ", "_", "aA", "MCP stands for ", "İ", "\ud83d"),
    ],
)
def test_hostile_input_is_read_in_time_and_gives_few(piece: str) -> None:
    text = (piece * 100_000)[:100_000]
    began = time.perf_counter()
    found = entities_of(text, concepts=tuple(f"c{number}" for number in range(50)))
    assert time.perf_counter() - began < 2
    assert len(found) <= MOST
    assert all(kind in KINDS and key_of(name) for name, kind in found)
    definitions_of(text)


def test_a_long_list_of_names_is_cut() -> None:
    text = "We know " + ", ".join(f"Name{chr(97 + a)}{chr(97 + b)} Person" for a in range(26) for b in range(4)) + "."
    assert len(entities_of(text)) == MOST


@settings(max_examples=300, deadline=None)
@given(
    st.text(alphabet="aAbB'’s.-_ ()`/@:=\n\t「」éÉßİ東\u200b\u0301😀#0!,;\"*", max_size=60),
    st.lists(st.text(max_size=20)),
)
def test_any_text_gives_each_name_once_and_a_key_is_its_own_key(text: str, concepts: list[str]) -> None:
    found = entities_of(text, tuple(concepts))
    keys = [key_of(name) for name, _ in found]
    assert len(set(keys)) == len(keys) <= MOST and all(keys)
    assert all(key_of(key) == key for key in keys) and key_of(key_of(text)) == key_of(text)
    assert all({short, long} <= {name for name, _ in found} for short, long in definitions_of(text) if not concepts)
