"""The reference page says what the tables say."""

from pathlib import Path

from remanence.policies.reference import page

ROOT = Path(__file__).parents[2]


def test_the_reference_page_is_as_the_tables_are() -> None:
    """Written anew by: python -m remanence.policies.reference > docs/reference/policies.md"""
    assert (ROOT / "docs" / "reference" / "policies.md").read_text("utf-8") == page()


def test_the_example_on_the_page_is_a_policy() -> None:
    from remanence.policies.reading import read

    example = page().split("```yaml\n")[1].split("```")[0]
    policy = read(example, "example.yml")
    assert policy.rules[0].name == "scratch"
    assert "faded" not in [rule.name for rule in policy.rules]
