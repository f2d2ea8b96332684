"""What stage 1 reads: everything within the cap; of more, 60 % from the head and 40 % from the tail."""

from remanence.sessions.reading import Reading, item_of, shortened, tokens_of
from tests.lifecycle.observed import agent, ran, session, user


def talk(number: int) -> list[object]:
    return [user(f"Statement number {place} is about the depot in Utrecht.") for place in range(number)]


def test_a_short_session_is_read_whole() -> None:
    observations = session(*talk(10))  # type: ignore[arg-type]
    reading = Reading(observations, 100_000)
    assert (list(reading), reading.left_out, reading.last) == (observations, 0, 10)


def test_a_long_one_is_cut_in_the_middle() -> None:
    observations = session(*talk(1_000))  # type: ignore[arg-type]
    size = tokens_of(observations[500])
    reading = Reading(observations, 100 * size)
    read = [one.seq for one in reading]
    assert sum(tokens_of(one) for one in reading) <= 100 * size
    head = [seq for place, seq in enumerate(read, 1) if seq == place]
    assert head == list(range(1, len(head) + 1))
    assert 58 <= len(head) <= 62
    assert read[len(head) :] == list(range(1_001 - (len(read) - len(head)), 1_001))
    assert 36 <= len(read) - len(head) <= 41
    assert (reading.left_out, reading.last) == (1_000 - len(read), 1_000)


def test_one_that_alone_is_too_long_keeps_both_ends() -> None:
    (only,) = Reading(session(user("BEGIN " + "word " * 20_000 + "END")), 500)
    assert tokens_of(only) <= 520
    assert only.text.startswith("BEGIN")
    assert only.text.endswith("END")


def test_of_results_a_little_and_more_of_failures() -> None:
    long = "x" * 5_000
    assert len(shortened(ran("make", long)).text) < 300 < len(shortened(ran("make", long, failed=True)).text) < 1_300
    assert shortened(user(long)).text == long


def test_as_a_prompt_shows_it() -> None:
    assert item_of(agent("yes")) == {"role": "assistant", "text": "yes"}
    assert item_of(ran("make", "no", failed=True)) == {
        "role": "tool",
        "tool": "Bash",
        "call": "make",
        "output": "no",
        "failed": True,
    }
    assert list(Reading([], 100)) == []
