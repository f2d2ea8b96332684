"""Redaction for logs: no secret, no part of one where the text is cut, and of a query only known words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remanence.guard import redaction
from remanence.guard.redaction import MOST_CHARACTERS, echoed, redacted

A = "Zq3vT9xLm2Rk8WpY"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
PEM = f"-----BEGIN RSA PRIVATE KEY-----\nMIIEow{A}\n{A}\n-----END RSA PRIVATE KEY-----"

SECRETS = {
    "private part": (f"deploy <private>{A}</private> now", A),
    "private part, open": (f"deploy <private>{A} and on", A),
    "pem": (f"the key is {PEM} ok", A),
    "pem, cut off": (PEM.partition("-----END")[0], A),
    "jwt": (f"why is {JWT} refused", JWT),
    "stripe": (f"charge with sk_live_{A}{A}", A),
    "openai": (f"use sk-proj-{A}{A} please", A),
    "anthropic": (f"use sk-ant-api03-{A}-{A} please", A),
    "github": (f"push with ghp_{A}{A}{A}", A),
    "github, fine-grained": (f"push with github_pat_{A}_{A}", A),
    "gitlab": (f"push with glpat-{A}{A}", A),
    "aws id": ("who owns AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLE"),
    "aws, temporary": ("who owns ASIAIOSFODNN7EXAMPLE", "ASIAIOSFODNN7EXAMPLE"),
    "google": (f"maps AIzaSyD{A}{A}abcd", A),
    "slack": (f"post with xoxb-123456789012-{A}", A),
    "hugging face": (f"pull with hf_{A}{A}", A),
    "sendgrid": (f"mail with SG.{A}{A}.{A}{A}", A),
    "npm": (f"publish with npm_{A}{A}abcd", A),
    "address": (f"connect to postgres://ann:{A}@db.example.org/app", A),
    "address, no user": (f"connect to redis://:{A}@cache:6379", A),
    "password, said": ("my password is hunter2!x", "hunter2!x"),
    "password, set": (f'{{"password": "{A}"}}', A),
    "api key, set": (f"api_key={A}", A),
    "bearer": (f"Authorization: Bearer {A}{A}", A),
    "passphrase": ("the passphrase: correct-horse-battery-9", "correct-horse-battery-9"),
    "environment, aws": (f"AWS_SECRET_ACCESS_KEY={A}{A}", A),
    "environment, token": (f"export GITHUB_TOKEN={A}", A),
    "environment, key": (f"OPENAI_API_KEY={A}", A),
    "environment, password": (f"DB_PASSWORD={A}", A),
    "client secret": (f"client_secret: {A}", A),
    "address, at sign in the password": ("connect to postgres://ann:first@Zq3vT9xLm2@db.example.org/app", "Zq3vT9xLm2"),
    "letters alone": ("password: correcthorsebattery", "correcthorsebattery"),
}


@pytest.mark.parametrize("shape", SECRETS)
def test_a_secret_leaves(shape: str) -> None:
    text, secret = SECRETS[shape]
    assert secret in text
    for around in ("{}", "word " * 100 + "\n{}\n" + "more " * 100, "({})", "> {}."):
        found = redacted(around.replace("{}", text))
        assert secret not in found, around[:20]
        assert "[redacted:" in found


@pytest.mark.parametrize("at", range(MOST_CHARACTERS - 60, MOST_CHARACTERS, 3))
def test_a_secret_that_is_cut_leaves_no_part_of_itself(at: int) -> None:
    """What is kept of a long text ends somewhere, perhaps inside a secret."""
    secret = f"ghp_{A}{A}{A}"
    found = redacted(f"{'word ' * 500}"[:at] + f" {secret} and so on")
    assert len(found) <= MOST_CHARACTERS + 30
    assert not any(secret[:length] in found for length in range(8, len(secret) + 1))


BENIGN = [
    "How do I reset my password?",
    "the password policy wants twelve characters",
    "where is the token bucket of the rate limiter",
    "what does the secret santa list say",
    "an api key for whom?",
    "deploy at 12:30 to https://example.org:8443/path?x=1",
    "mail ann@example.org about the skiing trip",
    "git commit 3f2a9c1b7d4e, see src/remanence/mind.py:42",
    "the class Skeleton and its task-force",
    "eyjafjallajökull erupted in 2010",
    "password",
    "東京の秘密",
    "",
]


@pytest.mark.parametrize("text", BENIGN)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redacted(text) == text


def test_what_stands_around_a_secret_stays() -> None:
    assert redacted(f"push with ghp_{A}{A} to main") == "push with [redacted:github-token] to main"
    assert redacted(f"see postgres://ann:{A}@db/app now") == "see postgres://ann:[redacted:url-password]@db/app now"


def test_a_word_that_ends_the_cut_text_is_looked_at_again() -> None:
    text = "word " * 396 + "password is swordfish " + "and so it goes on " * 40
    assert "swordfish" not in redacted(text)


def test_of_a_query_only_words_of_the_texts_are_kept() -> None:
    assert echoed("where is the red heron", ["A heron nests"]) == "where is the … heron"
    assert echoed(f"is ghp_{A}{A} valid", ["nothing of it"]) == "is …"
    assert echoed("", []) == ""


def test_a_long_text_is_taken_apart_once_however_many_words_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    monkeypatch.setattr(redaction, "tokens_of", lambda text: read.append(text) or frozenset(text.split()))
    text = " ".join(f"w{n}" for n in range(20_000))
    assert echoed("w1 w2 w3 heron", [text]) == "w1 w2 w3 …"
    assert read == [text]


@settings(max_examples=50, deadline=None)
@given(st.text())
def test_any_text_can_be_redacted_and_nothing_is_left_to_redact(text: str) -> None:
    once = redacted(text)
    assert len(once) <= MOST_CHARACTERS
    assert redacted(once) == once
