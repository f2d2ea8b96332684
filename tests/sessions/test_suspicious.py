"""The quick look: wherever the proper one finds a secret it says yes; no text makes it slow; it does not cry wolf."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path
from typing import Any

import pytest
from benchmarks.redaction import hostile

from remanence.guard.secrets import find, redact_value
from remanence.guard.secrets.patterns import SHAPES as ROWS
from remanence.sessions.suspicious import suspicious, suspicious_value
from tests.architecture.sources import strings
from tests.guard import test_secrets_chosen as chosen
from tests.guard import test_secrets_frames as frames
from tests.guard import test_secrets_passed_on as passed_on
from tests.guard.benign_texts import benign, benign_outside
from tests.guard.secret_texts import SHAPES, VALUES, outside, uuid, with_secrets
from tests.sessions.transcripts import SECRETS, claude_code_lines

_PADS = ("", "The build is green.\n" * 20, "{}\n", "\u200b", "日本 ", "a" * 300 + " ")


def missed(texts: list[str]) -> list[str]:
    return [text for text in texts if not suspicious(text) and find(text)]


@pytest.mark.parametrize("seed", range(4))
def test_no_secret_of_the_made_texts_is_passed_over(seed: int) -> None:
    texts = [case.text for case in with_secrets(seed)] + [text for text, _ in outside(seed)]
    texts += [text for text, _ in frames.filled(seed, 2)]
    assert len(texts) > 2_000
    assert missed(texts) == []


def test_none_is_passed_over_among_other_words() -> None:
    chance = random.Random(5)
    texts = [case.text for case in with_secrets(9)]
    around = [chance.choice(_PADS) + text + chance.choice(_PADS) for text in texts]
    wide = [text.translate({0x21 + n: 0xFF01 + n for n in range(94)}) for text in texts]
    assert missed([*around, *wide, *(text.upper() for text in texts), *(text.lower() for text in texts)]) == []


def test_every_maker_has_its_mark() -> None:
    """Each shape by itself, without a word around it."""
    chance = random.Random(6)
    texts = [make(chance) for make in SHAPES.values() for _ in range(20)]
    assert missed(texts) == []
    assert len({row.kind for row in ROWS}) >= 60


def test_no_secret_that_is_written_out_in_a_test_of_the_guard_is_passed_over() -> None:
    folder = Path(frames.__file__).parent
    texts = {text for path in sorted(folder.glob("*.py")) for _, text in strings(path.read_text("utf-8"))}
    assert len(texts) > 2_000 and sum(bool(find(text)) for text in texts) > 100
    assert missed(sorted(texts)) == []


def test_no_frame_of_telling_is_passed_over() -> None:
    told = [text for text, _ in chosen.filled([*chosen.BOUND_FRAMES, *chosen.PLAIN_FRAMES], chosen.BOUND)]
    told += [frame.format(value) for frame in passed_on.BEFORE for value in passed_on.VALUES]
    told += [frame.format(value) for frame in passed_on.LOCKED for value in passed_on.SIGNED]
    assert sum(bool(find(text)) for text in told) > 400
    assert missed(told) == []


def test_no_benign_text_in_which_something_is_found_is_passed_over() -> None:
    assert missed(benign() + benign_outside()) == []


_KEYS = (
    *("password", "passwd", "pass", "db_pass", "PASSWORD", "apiKey", "api_key", "secret", "client_secret", "token"),
    *("pin", "PIN", "pin_code", "pincode", "cvv", "card_cvc", "otp", "sig", "cookie", "cookies", "pat", "jwt", "auth"),
    *(
        "Authorization",
        "credentials",
        "private_key",
        "session_id",
        "sid",
        "Kennwort",
        "contraseña",
        "密码",
        "signature",
    ),
)


@pytest.mark.parametrize("key", _KEYS)
def test_no_secret_under_a_key_is_passed_over(key: str) -> None:
    chance = random.Random(key)
    for _ in range(3):
        for kind in VALUES:
            secret: Any = VALUES[kind](chance)
            for value in (secret, str(secret)[:8], 4711, "4711", [secret], {"value": secret}):
                for whole in ({key: value}, {"a": [{key: value}]}, {"name": key, "value": value}):
                    assert suspicious_value(whole) or not redact_value(whole)[1], whole


def test_ids_in_every_event_are_not_suspicious() -> None:
    chance = random.Random(7)
    said = 0
    for _ in range(500):
        one = uuid(chance)
        letters = "".join(chance.choices("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789", k=24))
        ids = ["toolu_" + letters, "call_" + letters, one, f"rollout-2026-03-01T12-00-00-{one}"]
        assert not suspicious_value({"session": one, "call": ids[0], "more": ids})
        assert not any(find(id) for id in ids)
        path = f"/u/ann/.codex/sessions/2026/03/01/rollout-2026-03-01T12-00-00-{one}.jsonl"
        said += suspicious(path) + suspicious(f"/u/ann/.claude/projects/-home-ann-shop/{one}.jsonl")
    assert said < 30  # an id may hold "2fa"


def test_it_does_not_cry_wolf_at_everyday_work() -> None:
    """Of what is said and done in a session little is suspicious, and what holds a secret is."""
    texts: list[str] = []
    for line in claude_code_lines(3, 400):
        content = (json.loads(line).get("message") or {}).get("content", ())
        for block in [content] if isinstance(content, str) else content:
            texts.append(
                block
                if isinstance(block, str)
                else json.dumps(block.get("input") or block.get("content") or block.get("text"))
            )
    assert len(texts) > 300
    assert sum(map(suspicious, texts)) < 0.1 * len(texts)
    secret = [text for text in texts if any(one in text for one in SECRETS)]
    assert secret and all(map(suspicious, secret))
    told = ["148 passed", "All checks passed!", "it passes", "passing arguments", "import apsw", "with pass through"]
    assert [suspicious(text) for text in told] == [False] * 5 + [True]


_UNITS = (
    "ssh:a",
    "user,a",
    "login:a-",
    "wifi:ab_",
    "?aaaa",
    "&sig",
    "pin a",
    "code ",
    "a:b:",
    "x-",
    "aB",
    "a1",
    "-login:",
    "locked a",
    "prompt a",
    "open a",
    "needs aaaaa ",
    "from 1a1a",
    "pin 1 ",
)


@pytest.mark.parametrize("name", [*hostile(100), *_UNITS])
def test_no_text_makes_it_slow(name: str) -> None:
    """Ten times the text takes about ten times the time, not a hundred times."""
    made = {unit: (unit * 20_000)[:20_000] for unit in _UNITS} | hostile(20_000)

    def took(text: str) -> float:
        begun = time.process_time()
        suspicious(text)
        return time.process_time() - begun

    assert took(made[name]) < 30 * max(min(took(made[name][:2_000]) for _ in range(3)), 0.002)
