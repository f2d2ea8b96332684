"""What is made of pip-audit's answers: silence is no pass."""

from __future__ import annotations

from release.audit import read


def told(*packages: dict[str, object]) -> dict[str, object]:
    return {"dependencies": list(packages)}


CLEAN = {"name": "click", "version": "8.5.1", "vulns": []}
BAD = {"name": "jinja2", "version": "3.1.2", "vulns": [{"id": "PYSEC-2024-1"}, {"id": "PYSEC-2024-2"}]}
SKIPPED = {"name": "numpy", "skip_reason": "Dependency not found on PyPI and could not be audited"}
OURS = {"name": "remanence", "skip_reason": "Dependency not found on PyPI and could not be audited"}


def test_each_answer_is_told_apart() -> None:
    audit = read(told(CLEAN, BAD, SKIPPED, OURS))
    assert (audit.clean, audit.unanswered) == (("click",), ("numpy",))
    assert audit.vulnerable == ("jinja2 3.1.2: PYSEC-2024-1, PYSEC-2024-2",)


def test_what_could_not_be_asked_is_said_and_not_passed_over() -> None:
    text = str(read(told(SKIPPED, CLEAN)))
    assert (
        "NOT AUDITED" in text and "1 of 2 packages: numpy" in text and "1 of 2 packages asked for, 0 vulnerable" in text
    )
    assert "NOT AUDITED" not in str(read(told(CLEAN, OURS)))
