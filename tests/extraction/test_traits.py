"""What a statement seems to be."""

from __future__ import annotations

import pytest

from remanence.extraction import decompose
from remanence.extraction.traits import described

KINDS = {
    "Tom prefers tabs over spaces.": "preference",
    "We decided to use Kafka.": "decision",
    "The import crashes on empty files.": "bug",
    "Be careful: the index is rebuilt on start.": "gotcha",
    "Anna is a nurse and was born in 1984.": "identity",
    "Open: renew the domain": "project_status",
    "The root cause was an expired certificate.": "finding",
    "The gateway depends on the auth module.": "architecture",
    "To deploy, push the image.": "procedure",
    "The parking lot has 14 spaces.": "fact",
    "Wir haben uns für Hetzner entschieden.": "decision",
    "张伟喜欢用Go语言。": "preference",
    "Tariq lives in Cairo.": "identity",
    "Config lives in ~/.notes.": "fact",
    "Chen to benchmark the cache by Friday.": "project_status",
}


@pytest.mark.parametrize(("text", "kind"), KINDS.items())
def test_kind(text: str, kind: str) -> None:
    assert described(text).kind == kind


def test_a_log_line_is_an_observation() -> None:
    (fact,) = decompose("2024-08-12 03:15:41 ERROR [job] Upload failed")
    assert fact.kind == "observation"


def test_importance_is_worked_out_as_documented() -> None:
    assert described("The key must never leave the vault.").importance == 0.75
    ordinary = described("The parking lot has 14 spaces.").importance
    assert ordinary == 0.5
    assert described("The parking lot probably has 14 spaces.").importance < ordinary
    assert described("We decided that the secret key must never leave the EU.").importance == 0.9


def test_files_are_paths_and_not_addresses() -> None:
    said = (
        "Replaced `verify` in src/auth/middleware.py, see docs/auth.md, ~/.config/app and https://example.org/a/b.html."
    )
    assert described(said).files == ("src/auth/middleware.py", "docs/auth.md", "~/.config/app")
    assert described("EU/US data and 3/4 of it, v2.1.3").files == ()


def test_concepts_are_names_and_identifiers() -> None:
    fact = described("Maria Okafor moved `load_session` to PostgreSQL for the Telmar project.")
    assert {"Maria Okafor", "load_session", "PostgreSQL", "Telmar"} <= set(fact.concepts)


@pytest.mark.parametrize(
    ("text", "concepts"),
    [
        ("Frau Dr. Brandt ist bis 14. Juni im Urlaub.", ("Frau Dr. Brandt",)),
        ("Estimated cost is $2,400/month on RDS.", ("RDS",)),
        ("Decisions: Keep Python 3.11 as the minimum", ("Python",)),
        ("我们把订单服务从MySQL迁移到PostgreSQL。", ("MySQL", "PostgreSQL")),
        ("APIキーはローテーションされていません。", ("API",)),
        ("王芳负责测试环境。", ("王芳",)),
    ],
)
def test_nouns_and_openers_are_no_concepts(text: str, concepts: tuple[str, ...]) -> None:
    assert described(text).concepts == concepts


def test_a_reason_is_no_deadline() -> None:
    assert "deadline" not in described("The team recommends PostgreSQL due to its JSONB support.").categories


def test_categories_come_from_a_small_vocabulary() -> None:
    assert described("The TLS certificate costs $40 and is due on Monday.").categories == (
        "cost",
        "security",
        "deadline",
    )


@pytest.mark.parametrize(
    "text", ["We have not decided on the database yet.", "Noch nicht entschieden ist der Name.", "不确定是否最终决定。"]
)
def test_what_is_not_decided_is_no_decision(text: str) -> None:
    assert described(text).kind != "decision"
    assert described("We decided not to use Redis.").kind == "decision"
