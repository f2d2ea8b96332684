"""The reference page shows a policy that can be read; tests/documentation holds the page against the tables."""

from remanence.policies.reference import page


def test_the_example_on_the_page_is_a_policy() -> None:
    from remanence.policies.reading import read

    example = page().split("```yaml\n")[1].split("```")[0]
    policy = read(example, "example.yml")
    assert policy.rules[0].name == "scratch"
    assert "faded" not in [rule.name for rule in policy.rules]
