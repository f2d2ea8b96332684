"""Leaning: how much the meaning of a text is that of an order to an agent, by one weight for each number of its vector.

Learned by logistic regression for the vectors of one model (`benchmarks/screening.py`); other models' are not leant on.
Meaning alone is no reason. What the rules find too little of is suspicious where the meaning leans far enough: the less
was found, the farther.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FAR_ENOUGH = {2: 0.0, 1: 0.5, 0: 2.0}
"""By the weight that the rules found, how far (in log odds) a text must lean."""


class Weights(NamedTuple):
    """What was learned, and for the vectors of which model."""

    model: str
    numbers: NDArray[np.float32]
    bias: float


def lean(model: str, vector: NDArray[np.float32]) -> float | None:
    """The log odds that a text with this vector is meant as an order; None for a vector of another model."""
    learned = weights()
    return float(vector @ learned.numbers) + learned.bias if model == learned.model else None


@cache
def weights() -> Weights:
    import numpy as np

    read = json.loads((resources.files(__package__) / "leaning.json").read_text(encoding="utf-8"))
    return Weights(read["model"], np.array(read["numbers"], dtype=np.float32), read["bias"])
