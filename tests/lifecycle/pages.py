"""What the tests of formulas share: any value a store can hold, accesses as a page holds them, and silence."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from remanence.model.moment import NEVER, to_micros

DAY = 86_400_000_000
FIRST, LAST = (to_micros(datetime(year, month, day, tzinfo=UTC)) for year, month, day in ((1, 1, 1), (9999, 12, 31)))

moments = st.integers(FIRST, LAST)
counts = st.integers(0, 2**62)
days = st.floats(0, 4e6)
unit = st.floats(0, 1)


@contextmanager
def silence_demanded() -> Iterator[None]:
    """No warning of numpy's, and no error it would only warn of."""
    with np.errstate(all="raise"), warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def padded(*histories: list[int], width: int = 20) -> NDArray[np.int64]:
    """The newest accesses of each row, as a page holds them."""
    page = np.full((len(histories), width), NEVER, dtype=np.int64)
    for row, history in zip(page, histories, strict=True):
        newest = history[-width:] if width else []
        row[: len(newest)] = newest
    return page
