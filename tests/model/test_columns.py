"""Columns: row i of every array is the same memory."""

from dataclasses import replace

import numpy as np
import pytest

from remanence.model.columns import LAYERS, SOURCES, STATES, Columns
from remanence.model.memory import Layer, Source, State
from remanence.model.moment import NEVER


def columns(number: int) -> Columns:
    """Columns in which every field of row i tells i."""
    arrays = set(Columns.__slots__) - {"ids", "places", "recent", "place"}
    return Columns(
        ids=tuple(f"id{row}" for row in range(number)),
        places=(("/", "fact"), ("/a", "k")),
        place=np.arange(number, dtype=np.int32) % 2,
        recent=np.arange(number * 2, dtype=np.int64).reshape(number, 2),
        **{name: np.arange(number, dtype=np.int64) for name in arrays},
    )


def test_the_length_is_the_number_of_memories() -> None:
    assert len(columns(2)) == 2
    assert len(columns(0)) == 0


def test_scopes_and_kinds_are_those_of_the_places() -> None:
    assert columns(3).scopes == ("/", "/a", "/")
    assert columns(3).kinds == ("fact", "k", "fact")


@pytest.mark.parametrize("chosen", [np.array([3, 1]), np.array([False, True, False, True])])
def test_taking_rows_takes_them_in_every_field(chosen: np.ndarray) -> None:
    taken = columns(4).take(chosen)
    rows = taken.rows.tolist()
    assert rows == ([3, 1] if chosen.dtype != bool else [1, 3])
    assert taken.ids == tuple(f"id{row}" for row in rows)
    assert taken.scopes == ("/a", "/a")
    assert taken.recent.tolist() == [[2 * row, 2 * row + 1] for row in rows]
    for name in set(Columns.__slots__) - {"ids", "places", "recent", "place"}:
        assert getattr(taken, name).tolist() == rows, name


def test_taking_rows_from_columns_without_ids() -> None:
    assert replace(columns(4), ids=()).take(np.array([2])).ids == ()
    assert len(columns(4).take(np.zeros(4, dtype=bool))) == 0


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
