"""Whatever a language model does, Metered gives a right answer or LlmFailed, and counts what it cost."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from remanence.errors import InvalidInput, LlmFailed, LlmSpent
from remanence.model.words import estimate_tokens
from remanence.providers.metered import Metered
from remanence.providers.protocol import Completion
from remanence.providers.spending import Account
from tests.providers.writing import DAY, SCHEMA, SECRET, VALID, Purse, clean, writers


class Fake:
    """A language model that does what its answers do, in turn; the last one repeats."""

    model = "fake@1"

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, str, Any, int]] = []

    def complete(
        self, prompt: str, *, system: str = "", schema: Mapping[str, Any] | None = None, most_tokens: int = 1024
    ) -> Any:
        self.asked.append((prompt, system, schema, most_tokens))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, BaseException):
            raise answer
        return answer() if callable(answer) else answer


def test_text() -> None:
    fake, purse = Fake("<think>hm</think> Hello. "), Purse()
    assert writers(fake, purse=purse).default.text("Hi", system="Be short.", most_tokens=9) == "Hello."
    assert fake.asked == [("Hi", "Be short.", None, 9)]
    tokens_in = estimate_tokens("Hi") + estimate_tokens("Be short.")
    assert purse.rows == [(tokens_in, estimate_tokens("<think>hm</think> Hello. "), False)]


def test_json_and_what_it_cost() -> None:
    fake, purse = Fake(Completion(VALID, 12, 5)), Purse()
    made = writers(fake, purse=purse)
    assert made.default.json("Which?", SCHEMA) == {"city": "Berlin", "year": 2024}
    assert fake.asked[0][2]["additionalProperties"] is False, "the model is told what the answer is held to"
    assert purse.rows == [(12, 5, False)]
    assert (made.spent, purse.spent(DAY)) == (17, 17)


WRONG = {
    "half": '{"city": "Ber',
    "prose": "It is Berlin, I think.",
    "junk after it": VALID + " Hope that helps!",
    "a wrong type": '{"city": "Berlin", "year": "2024"}',
    "one missing": '{"city": "Berlin"}',
    "one too many": '{"city": "Berlin", "year": 2024, "hunter2": 1}',
    "NaN": '{"city": "Berlin", "year": NaN}',
    "a key twice": '{"city": "Berlin", "year": 2024, "year": 2025}',
    "a list": f"[{VALID}]",
    "nothing": "",
}


@pytest.mark.parametrize("answer", WRONG.values(), ids=WRONG.keys())
def test_wrong_json_is_told_to_the_model_once(answer: str) -> None:
    fake = Fake(answer, VALID)
    assert writers(fake).default.json("Which?", SCHEMA) == {"city": "Berlin", "year": 2024}
    (first, *_), (second, *_) = fake.asked
    assert first == "Which?"
    assert second.startswith("Which?\n")
    assert "cannot be used: " in second
    assert '"required":["city","year"]' in second
    assert SECRET not in second


def test_what_is_accepted_beside_what_was_asked_for_is_not_told_to_the_model() -> None:
    fake = Fake('{"city": "Berlin"}')
    accepted = {"type": "object", "properties": {"city": {"type": "string"}}}
    assert writers(fake).default.json("Which?", SCHEMA, accepted=accepted) == {"city": "Berlin"}
    ((prompt, _, schema, _),) = fake.asked
    assert (prompt, schema["required"]) == ("Which?", ["city", "year"])
    with pytest.raises(LlmFailed, match="lacks city, year"):
        writers(Fake('{"town": "Berlin"}')).default.json("Which?", SCHEMA, accepted=accepted)


@pytest.mark.parametrize("answer", WRONG.values(), ids=WRONG.keys())
def test_wrong_json_twice_is_a_failure(answer: str) -> None:
    fake, purse = Fake(answer), Purse()
    made = writers(fake, purse=purse).default
    with pytest.raises(LlmFailed, match="no valid JSON, and none when told what was wrong: ") as failed:
        made.json("Which?", SCHEMA)
    assert len(fake.asked) == 2
    assert len(purse.rows) == 2
    assert SECRET not in str(failed.value)
    assert "Berlin" not in str(failed.value)
    assert made.available(), "the next prompt may do better"


def test_a_model_that_overlooks_schemas_finds_them_in_the_prompt_from_then_on() -> None:
    fake = Fake("prose", VALID)
    made = writers(fake).default
    made.json("Which?", SCHEMA)
    made.json("And now?", SCHEMA)
    assert "JSON Schema" in fake.asked[2][0]
    assert len(fake.asked) == 3


def test_all_that_leaves_is_clean() -> None:
    fake = Fake(f'{{"city": "{SECRET}"}}', VALID, "fine")
    made = writers(fake).default
    made.json(f"My password is {SECRET}.", SCHEMA, system=f"He said {SECRET}.")
    made.text(f"{SECRET} again")
    assert len(fake.asked) == 3
    assert SECRET not in str(fake.asked)
    assert "[redacted]" in fake.asked[1][0]


def test_a_schema_with_a_secret_is_not_sent() -> None:
    fake = Fake(VALID)
    schema = {"type": "object", "properties": {"who": {"enum": [SECRET]}}}
    with pytest.raises(LlmFailed, match="not asked: the schema holds something that may not leave"):
        writers(fake).default.json("Who?", schema)
    assert not fake.asked


def test_where_cleaning_fails_nothing_leaves() -> None:
    def broken(text: str) -> str:
        raise ZeroDivisionError

    fake = Fake("fine")
    with pytest.raises(ZeroDivisionError):
        Metered(fake, account=Account(None, lambda: DAY), clean=broken).text("x")
    assert not fake.asked


def too_much() -> str:
    return "x" * (1024 * 1024 + 1)


BAD: dict[str, tuple[Any, str]] = {
    "raises": (ValueError(SECRET), "raised ValueError."),
    "raises nothing known": (GeneratorExit(), "raised GeneratorExit."),
    "no text": (None, "gave NoneType, not text."),
    "bytes": (b"x", "gave bytes, not text."),
    "a tuple": (("x", 1, 1), "gave tuple, not text."),
    "no text inside": (Completion(None, 1, 1), "gave NoneType, not text."),  # type: ignore[arg-type]
    "huge": (too_much, "gave 1,048,577 characters; 1,048,576 is the limit."),
    "empty": (" \n", "gave an empty answer."),
    "cut off": (Completion("It was a dark and", 3, 4, cut=True), "was cut off at 1024 tokens."),
}


@pytest.mark.parametrize(("answer", "said"), BAD.values(), ids=BAD.keys())
def test_a_wrong_answer_is_a_failure_that_names_it_and_costs(answer: Any, said: str) -> None:
    purse = Purse()
    with pytest.raises(LlmFailed) as failed:
        writers(Fake(answer), purse=purse).default.text(SECRET)
    assert str(failed.value).startswith(f"The language model fake@1 {said}")
    assert SECRET not in str(failed.value)
    assert purse.rows[0][0] > 0


def test_cut_off_json_is_not_asked_for_again() -> None:
    fake = Fake(Completion(VALID[:-3], 3, 4, cut=True))
    made = writers(fake).default
    with pytest.raises(LlmFailed, match=r"cut off at 16 tokens\. Ask for less, or raise most_tokens"):
        made.json("Which?", SCHEMA, most_tokens=16)
    assert len(fake.asked) == 1
    assert made.available()


@pytest.mark.parametrize("counts", [(-1, 3), (3, None), ("3", 3), (10**12, 1), (True, 1)])
def test_counts_that_are_none_are_estimated(counts: tuple[Any, Any]) -> None:
    purse = Purse()
    writers(Fake(Completion("Hello.", *counts)), purse=purse).default.text("Hi")
    given, estimated = counts, (estimate_tokens("Hi"), estimate_tokens("Hello."))
    expected = tuple(
        one if type(one) is int and 0 <= one < 10**7 else other for one, other in zip(given, estimated, strict=True)
    )
    assert purse.rows == [(*expected, False)]


@pytest.mark.parametrize("limits", [{"run": 0}, {"day": 0}, {"run": 100}, {"day": 100}])
def test_past_a_ceiling_nothing_is_sent(limits: dict[str, int]) -> None:
    fake, purse = Fake("Hello."), Purse()
    made = writers(fake, purse=purse, **limits).default
    with pytest.raises(LlmSpent, match=r"fake@1 was not asked: 0 of 1?0?0 tokens"):
        made.text("Hi", most_tokens=100)
    assert not fake.asked
    assert not purse.rows
    assert made.available()


def test_the_ceiling_holds_for_both_roles_together() -> None:
    made = writers(Fake(Completion("Hello.", 30, 30)), Fake(Completion("Hello.", 30, 30)), run=200)
    made.default.text("Hi", most_tokens=100)
    made.smol.text("Hi", most_tokens=50)
    with pytest.raises(LlmSpent, match="120 of 200"):
        made.default.text("Hi", most_tokens=100)
    assert made.spent == 120


def test_an_async_model_is_told_so() -> None:
    class Async:
        async def complete(self, prompt: str, **options: Any) -> str:
            return "x"

    with pytest.raises(LlmFailed, match="is async"):
        writers(Async()).default.text("x")


def test_one_that_hangs_is_left_behind() -> None:
    gate, purse = threading.Event(), Purse()
    made = writers(Fake(lambda: gate.wait(30) and "late"), purse=purse, timeout_seconds=0.1).default
    with pytest.raises(LlmFailed, match=r"fake@1 gave no answer within 0\.1 s"):
        made.text("Hi")
    gate.set()
    assert purse.rows == [(estimate_tokens("Hi"), 0, True)], "a prompt that was handed over counts"
    assert not made.available()


def test_a_process_with_a_hanging_model_can_exit() -> None:
    code = (
        "import time\nfrom remanence.providers.choose_llm import writers_for\nfrom remanence.errors import LlmFailed\n"
        "made = writers_for(lambda text: time.sleep(600), purse=None, clean=str, today=str, tokens_per_run=None,\n"
        "                   tokens_per_day=None, timeout_seconds=0.1)\n"
        "try: made.default.text('x')\n"
        "except LlmFailed: print('LlmFailed')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "LlmFailed")


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_a_wish_to_stop_is_passed_on_and_counted(stop: type[BaseException]) -> None:
    purse = Purse()
    made = writers(Fake(stop()), purse=purse).default
    with pytest.raises(stop):
        made.text("Hi")
    assert made.available()
    assert purse.rows == [(estimate_tokens("Hi"), 0, True)]


def test_after_failures_it_is_left_alone_longer_and_longer() -> None:
    seconds, purse, fake = [100.0], Purse(), Fake(RuntimeError())
    made = Metered(fake, account=Account(purse, lambda: DAY), clean=clean, clock=lambda: seconds[0])
    for calls, pause in enumerate([1, 2, 4, 8, 16, 32, 60, 60], 1):
        with pytest.raises(LlmFailed, match="raised RuntimeError"):
            made.text("x")
        assert not made.available()
        times = "once" if calls == 1 else f"{calls} times in a row"
        with pytest.raises(LlmFailed, match=f"failed {times} and is tried again in {pause} s"):
            made.text("x")
        assert len(fake.asked) == len(purse.rows) == calls, "it was asked while it should be left alone"
        seconds[0] += pause
        assert made.available()
    fake.answers = ["fine"]
    assert made.text("x") == "fine"


def test_calls_come_one_at_a_time_unless_it_says_otherwise() -> None:
    def most_at_once(concurrent: bool) -> int:
        inside, most, lock, all_in = 0, 0, threading.Lock(), threading.Event()

        def answer() -> str:
            nonlocal inside, most
            with lock:
                inside += 1
                most = max(most, inside)
                if inside == 4:
                    all_in.set()
            all_in.wait(10 if concurrent else 0.01)
            with lock:
                inside -= 1
            return "fine"

        fake = Fake(answer)
        fake.concurrent = concurrent  # type: ignore[attr-defined]
        made = writers(fake).default
        threads = [threading.Thread(target=made.text, args=("x",)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        return most

    assert (most_at_once(False), most_at_once(True)) == (1, 4)


@pytest.mark.parametrize("most", [0, -1, 32_769, 1.5, True, None])
def test_a_limit_of_tokens_is_a_number(most: Any) -> None:
    fake = Fake("fine")
    with pytest.raises(InvalidInput, match="most_tokens must be a whole number from 1 to 32,768"):
        writers(fake).default.text("x", most_tokens=most)
    assert not fake.asked


def test_a_plain_function_finds_all_in_its_prompt() -> None:
    asked: list[str] = []

    def plain(prompt: str) -> str:
        asked.append(prompt)
        return VALID

    made: Callable[..., Any] = writers(plain).default.json
    assert made("Which?", SCHEMA, system="Be short.") == {"city": "Berlin", "year": 2024}
    assert asked[0].startswith("Be short.\n\nWhich?\n")
    assert '"required":["city","year"]' in asked[0]
