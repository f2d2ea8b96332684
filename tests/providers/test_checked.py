"""Whatever an embedder does, Checked gives right vectors or EmbedderFailed in time."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from remanence.errors import EmbedderFailed
from remanence.providers.checked import Checked

SECRET = "the secret text"


class Fake:
    """An embedder that does what its function does, and counts."""

    model = "fake@1"

    def __init__(self, answer: Callable[[Sequence[str]], Any]) -> None:
        self.answer = answer
        self.batches: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> Any:
        self.batches.append(list(texts))
        return self.answer(texts)


class HandSet:
    """A monotonic clock that moves when told to."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def good(texts: Sequence[str]) -> list[list[float]]:
    return [[3.0, 4.0, float(len(text))] for text in texts]


def raising(error: BaseException) -> Callable[[Sequence[str]], Any]:
    def answer(texts: Sequence[str]) -> Any:
        raise error

    return answer


def test_rows_have_unit_length_in_the_order_of_the_texts() -> None:
    found = Checked(Fake(good)).documents(["", "a", "bb"])
    assert found.dtype == np.float32
    assert np.allclose(np.linalg.norm(found, axis=1), 1)
    assert np.allclose(found[0], [0.6, 0.8, 0])
    assert np.allclose(Checked(Fake(good)).query(""), [0.6, 0.8, 0])


@pytest.mark.parametrize("scale", [1e-320, 1e-200, 1.0, 1e300])
def test_size_does_not_matter(scale: float) -> None:
    found = Checked(Fake(lambda texts: [[scale, scale]])).query("x")
    assert np.allclose(found, np.sqrt([0.5, 0.5]))


@pytest.mark.parametrize("kind", ["f2", "f4", "f8", "i1", "u1", ">f4"])
def test_every_kind_of_number_will_do(kind: str) -> None:
    assert np.allclose(Checked(Fake(lambda texts: np.array([[3, 4]], kind))).query("x"), [0.6, 0.8])


def test_texts_go_in_batches() -> None:
    fake = Fake(good)
    found = Checked(fake, batch=4).documents([str(n) for n in range(10)])
    assert [len(batch) for batch in fake.batches] == [4, 4, 2]
    assert found.shape == (10, 3)


def test_no_texts_ask_nobody() -> None:
    fake = Fake(good)
    assert Checked(fake, dimension=3).documents([]).shape == (0, 3)
    assert Checked(fake).documents([]).shape[0] == 0
    assert not fake.batches


def test_prefixes_go_before_texts_and_the_documents_one_into_the_name() -> None:
    fake = Fake(good)
    checked = Checked(fake, query_prefix="query: ", document_prefix="passage: ")
    checked.query("q")
    checked.documents(["d"])
    assert fake.batches == [["query: q"], ["passage: d"]]
    assert checked.model.startswith("fake@1+")
    assert Checked(fake, query_prefix="query: ").model == "fake@1"


BAD: dict[str, tuple[Callable[[Sequence[str]], Any], str]] = {
    "raises": (raising(ValueError(SECRET)), "raised ValueError"),
    "raises nothing known": (raising(GeneratorExit()), "raised GeneratorExit"),
    "too few": (lambda texts: [[1.0]], "1 vectors for 2 texts"),
    "too many": (lambda texts: [[1.0]] * 3, "3 vectors for 2 texts"),
    "ragged": (lambda texts: [[1.0], [1.0, 2.0]], "different lengths"),
    "flat": (lambda texts: [1.0, 2.0], "1 dimensions, not 2"),
    "deep": (lambda texts: [[[1.0]], [[2.0]]], "3 dimensions, not 2"),
    "nothing": (lambda texts: None, "no vectors"),
    "no number": (lambda texts: [["a"], [SECRET]], "not numbers"),
    "numbers in text": (lambda texts: [["1"], ["2"]], "not numbers"),
    "truth": (lambda texts: [[True], [False]], "not numbers"),
    "complex": (lambda texts: [[1j], [2j]], "not numbers"),
    "objects": (lambda texts: [[None], [1.0]], "not numbers"),
    "a text": (lambda texts: SECRET, "not numbers"),
    "NaN": (lambda texts: [[1.0, float("nan")], [1.0, 2.0]], "NaN or infinity for 1 of 2 texts"),
    "infinity": (lambda texts: [[1.0, float("inf")], [1.0, float("-inf")]], "NaN or infinity for 2 of 2 texts"),
    "zeros": (lambda texts: [[0.0, 0.0], [1.0, 2.0]], "nothing but zeros for 1 of 2 texts"),
    "empty vectors": (lambda texts: [[], []], "vectors of 0 numbers"),
    "huge vectors": (lambda texts: np.ones((2, 16_385)), "16385 numbers; 1 to 8192"),
}


@pytest.mark.parametrize(("answer", "said"), BAD.values(), ids=BAD.keys())
def test_a_wrong_answer_is_a_failure_that_names_it(answer: Callable[[Sequence[str]], Any], said: str) -> None:
    with pytest.raises(EmbedderFailed) as failed:
        Checked(Fake(answer)).documents([SECRET, "other"])
    assert said in str(failed.value)
    assert "fake@1" in str(failed.value)
    assert SECRET not in str(failed.value)
    assert "\n" not in str(failed.value)


def test_an_async_embedder_is_told_so() -> None:
    class Async:
        model = "async"

        async def embed(self, texts: Sequence[str]) -> list[list[float]]:
            return [[1.0]]

    with pytest.raises(EmbedderFailed, match="async"):
        Checked(Async()).query("x")  # type: ignore[arg-type]


def test_the_dimension_may_not_change() -> None:
    sizes = iter([3, 3, 4])
    checked = Checked(Fake(lambda texts: np.ones((len(texts), next(sizes)))))
    checked.query("x")
    checked.query("x")
    with pytest.raises(EmbedderFailed, match="4 numbers; 3 are expected"):
        checked.query("x")


def test_a_declared_dimension_holds_from_the_first_call() -> None:
    with pytest.raises(EmbedderFailed, match="3 numbers; 768 are expected"):
        Checked(Fake(good), dimension=768).query("x")


def test_the_dimension_may_not_change_between_batches() -> None:
    sizes = iter([3, 4])
    checked = Checked(Fake(lambda texts: np.ones((len(texts), next(sizes)))), batch=1)
    with pytest.raises(EmbedderFailed, match="4 numbers; 3 are expected"):
        checked.documents(["a", "b"])


def test_one_that_hangs_is_left_behind_in_time() -> None:
    gate = threading.Event()
    checked = Checked(Fake(lambda texts: gate.wait(30)), timeout_seconds=0.1)
    start = time.monotonic()
    with pytest.raises(EmbedderFailed, match=r"no answer within 0\.1 s"):
        checked.query("x")
    assert time.monotonic() - start < 5
    gate.set()


def test_only_so_many_are_left_behind() -> None:
    gate, clock = threading.Event(), HandSet()
    fake = Fake(lambda texts: gate.wait(30))
    checked = Checked(fake, timeout_seconds=0.05, clock=clock)
    for _ in range(6):
        with pytest.raises(EmbedderFailed) as failed:
            checked.query("x")
        clock.seconds += 100
    assert len(fake.batches) == 4
    assert "4 calls that never returned" in str(failed.value)
    gate.set()


def test_one_thread_serves_call_after_call() -> None:
    served: set[int] = set()
    checked = Checked(Fake(lambda texts: served.add(threading.get_native_id()) or good(texts)))
    for _ in range(20):
        checked.query("x")
    assert len(served) == 1
    assert served != {threading.get_native_id()}


def test_a_thread_that_hung_serves_nobody_else_and_ends_with_its_call() -> None:
    gate, hung = threading.Event(), []

    def hang(texts: Sequence[str]) -> Any:
        hung.append(threading.current_thread())
        return gate.wait(30)

    with pytest.raises(EmbedderFailed, match="no answer"):
        Checked(Fake(hang), timeout_seconds=0.1).query("x")
    served: list[threading.Thread] = []
    checked = Checked(Fake(lambda texts: served.append(threading.current_thread()) or good(texts)))
    checked.query("x")
    assert served != hung
    gate.set()
    hung[0].join(20)
    assert not hung[0].is_alive()


def test_a_thread_that_waits_holds_on_to_no_call() -> None:
    class Answer(list[list[float]]):
        pass

    answers: list[weakref.ref[Answer]] = []

    def answer(texts: Sequence[str]) -> Answer:
        found = Answer(good(texts))
        answers.append(weakref.ref(found))
        return found

    checked = Checked(Fake(answer))
    checked.query("x")
    deadline = time.monotonic() + 20
    while answers[0]() is not None and time.monotonic() < deadline:
        time.sleep(0.001)
    assert answers[0]() is None


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_has_threads_of_its_own() -> None:
    code = (
        "import os\nfrom remanence.providers.choose import encoder_for\n"
        "encoder = encoder_for(lambda texts: [[1.0, 2.0] for _ in texts], timeout_seconds=20)\n"
        "encoder.query('x')\n"
        "child = os.fork()\n"
        "encoder.query('x')\n"
        "if not child: os._exit(7)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "7"), done.stderr


def test_a_process_with_a_hanging_embedder_can_exit() -> None:
    code = (
        "import time\n"
        "from remanence.errors import EmbedderFailed\nfrom remanence.providers.choose import encoder_for\n"
        "try: encoder_for(lambda texts: time.sleep(600), timeout_seconds=0.1).query('x')\n"
        "except EmbedderFailed: print('EmbedderFailed')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "EmbedderFailed")


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_a_wish_to_stop_is_passed_on(stop: type[BaseException]) -> None:
    checked = Checked(Fake(raising(stop())))
    with pytest.raises(stop):
        checked.query("x")
    assert checked.available()


def test_after_failures_it_is_left_alone_longer_and_longer() -> None:
    clock = HandSet()
    fake = Fake(raising(RuntimeError()))
    checked = Checked(fake, clock=clock)
    for pause in [1, 2, 4, 8, 16, 32, 60, 60]:
        calls = len(fake.batches)
        with pytest.raises(EmbedderFailed, match="raised RuntimeError"):
            checked.query("x")
        assert len(fake.batches) == calls + 1
        clock.seconds += pause - 0.01
        assert not checked.available()
        with pytest.raises(EmbedderFailed, match="tried again in 1 s"):
            checked.query("x")
        assert len(fake.batches) == calls + 1, "it was asked while it should be left alone"
        clock.seconds += 0.02
        assert checked.available()
    fake.answer = good
    checked.query("x")
    fake.answer = raising(RuntimeError())
    with pytest.raises(EmbedderFailed):
        checked.query("x")
    clock.seconds += 1
    assert checked.available(), "one success starts the count anew"


def test_calls_that_fail_together_are_one_failure() -> None:
    together, clock = threading.Barrier(3), HandSet()

    class Concurrent(Fake):
        concurrent = True

    def answer(texts: Sequence[str]) -> Any:
        together.wait(10)
        raise RuntimeError

    checked = Checked(Concurrent(answer), clock=clock)

    def call() -> None:
        with pytest.raises(EmbedderFailed):
            checked.query("x")

    threads = [threading.Thread(target=call) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    clock.seconds += 1
    assert checked.available()


def test_calls_come_one_at_a_time() -> None:
    inside, most, lock = 0, 0, threading.Lock()

    def answer(texts: Sequence[str]) -> Any:
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
        time.sleep(0.01)
        with lock:
            inside -= 1
        return good(texts)

    checked = Checked(Fake(answer))
    threads = [threading.Thread(target=checked.query, args=("x",)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert most == 1


def test_one_that_is_busy_too_long_is_a_failure() -> None:
    checked = Checked(Fake(good), timeout_seconds=0.05)
    with checked._patience.turn, pytest.raises(EmbedderFailed, match=r"busy with other calls for 0\.05 s"):
        checked.query("x")


def test_what_the_embedder_raised_is_the_cause() -> None:
    with pytest.raises(EmbedderFailed) as failed:
        Checked(Fake(raising(ValueError("why")))).query("x")
    assert isinstance(failed.value.__cause__, ValueError)
