"""The ladder working → episodic → semantic."""

import pytest

from remanence.lifecycle.promotion import LADDER, step
from remanence.model.memory import Layer


@pytest.mark.parametrize(
    ("layer", "up", "down"),
    [
        ("working", "episodic", None),
        ("episodic", "semantic", "working"),
        ("semantic", None, "episodic"),
        ("procedural", None, None),
        ("codebase", None, None),
    ],
)
def test_one_step(layer: str, up: str | None, down: str | None) -> None:
    assert (step(Layer(layer), 1), step(Layer(layer), -1)) == (up, down)


def test_every_layer_has_an_answer() -> None:
    assert [layer for layer in Layer if step(layer, 1) or step(layer, -1)] == list(LADDER)
