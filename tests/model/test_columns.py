"""Columns: row i of every array is the same memory."""

import numpy as np

from remanence.model.columns import LAYERS, NEVER, SOURCES, STATES, Columns
from remanence.model.memory import Layer, Source, State


def test_the_length_is_the_number_of_memories() -> None:
    fields = set(Columns.__slots__) - {"ids", "scopes", "kinds"}
    columns = Columns(
        ids=("a", "b"), scopes=("/", "/"), kinds=("k", "k"), **{name: np.zeros(2, dtype=np.int64) for name in fields}
    )
    assert len(columns) == 2


def test_numbers_stand_for_words_in_their_order() -> None:
    assert tuple(State) == STATES
    assert tuple(Layer) == LAYERS
    assert tuple(Source) == SOURCES
    assert np.iinfo(np.int64).max == NEVER


def test_the_order_of_words_is_what_files_hold() -> None:
    """These numbers are stored: a new word goes to the end."""
    assert STATES[:5] == ("live", "superseded", "archived", "forgotten", "quarantined")
    assert LAYERS[:5] == ("working", "episodic", "semantic", "procedural", "codebase")
    assert SOURCES[:5] == ("human", "ai", "ingest", "extracted", "dream")
