"""The tokens of our own server leave a text as any other key does, and nothing else that begins with rem_ does."""

from __future__ import annotations

import base64
import random
from pathlib import Path

import pytest

from remanence.guard.secrets import redact
from tests.conftest import new_mind
from tests.guard.secret_texts import SHAPE_FRAMES


def made(r: random.Random) -> str:
    """As tests/interfaces/test_tokens.py says they are made."""
    return f"rem_{r.randbytes(4).hex()}_{base64.urlsafe_b64encode(r.randbytes(32)).decode().rstrip('=')}"


@pytest.fixture(scope="module")
def secrets_made() -> list[str]:
    r = random.Random(7)
    return [made(r) for _ in range(200)]


@pytest.mark.parametrize("frame", SHAPE_FRAMES)
def test_a_token_of_ours_leaves_every_text(frame: str, secrets_made: list[str]) -> None:
    for secret in secrets_made:
        done = redact(frame.format(secret))
        assert secret[13:] not in done.text and secret[:30] not in done.text, done.text
        assert "[redacted:" in done.text


def test_it_is_called_by_its_name(secrets_made: list[str]) -> None:
    done = redact(f"I wrote {secrets_made[0]} down yesterday, and {secrets_made[1]}.")
    assert done.text == "I wrote [redacted:remanence-token] down yesterday, and [redacted:remanence-token]."
    assert done.counts == {"remanence-token": 2}


def test_half_of_one_leaves_too(secrets_made: list[str]) -> None:
    for secret in secrets_made[:20]:
        assert redact(f"it begins with {secret[:40]}").text == "it begins with [redacted:remanence-token]"


@pytest.mark.parametrize(
    "text",
    [
        "rem_token create makes one; rem_deadbeef_ is how its secret begins",
        "the id is rem_ab12cd34 and the rest is not written down",
        "def rem_remember_and_recall_everything_again(mind): ...",
        "set rem_ab12cd34_your-token-here-and-nothing-else in the header",
        "theorem_deadbeef_of_the_four_colours_and_the_planar_graph_2",
    ],
)
def test_what_is_none_stays(text: str) -> None:
    assert redact(text).text is text


def test_no_byte_of_it_reaches_the_store(tmp_path: Path, secrets_made: list[str]) -> None:
    path = tmp_path / "memory.db"
    with new_mind(path) as mind:
        kept = mind.remember(f"Anna's laptop talks to the server as {secrets_made[0]}")
        assert kept.memory is not None and kept.memory.text.endswith("[redacted:remanence-token]")
    found = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.is_file())
    assert secrets_made[0].encode() not in found and secrets_made[0][13:].encode() not in found
