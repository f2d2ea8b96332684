"""The paragraph the project began with, and the order and form of what comes out."""

from __future__ import annotations

from remanence.extraction import decompose, texts

SEED = """After reviewing the infrastructure options, the team recommends PostgreSQL
for the user database due to its JSONB support. Estimated cost is $2,400/month
on RDS. The compliance team flagged that all user data must stay in EU regions.
DevOps prefers managed services over self-hosted."""


def test_the_seed_gives_its_four_facts() -> None:
    assert texts(SEED) == [
        "After reviewing the infrastructure options, the team recommends PostgreSQL for the user database due to its "
        "JSONB support.",
        "Estimated cost is $2,400/month on RDS.",
        "The compliance team flagged that all user data must stay in EU regions.",
        "DevOps prefers managed services over self-hosted.",
    ]


def test_each_is_described() -> None:
    recommendation, cost, rule, preference = decompose(SEED)
    assert recommendation.kind == "decision"
    assert {"PostgreSQL", "JSONB"} <= set(recommendation.concepts)
    assert "cost" in cost.categories
    assert "compliance" in rule.categories
    assert rule.importance > cost.importance
    assert preference.kind == "preference"


def test_the_same_claim_once() -> None:
    said = "The office is closed on Mondays. Visitors sign in. Please remember: the office is closed on Mondays."
    assert texts(said) == ["The office is closed on Mondays.", "Visitors sign in."]


def test_nothing_from_nothing() -> None:
    for text in ("", " \n\t ", "---\n***\n", "\x00\x01\x02" * 50, "ok", "👍🎉"):
        assert decompose(text) == []
