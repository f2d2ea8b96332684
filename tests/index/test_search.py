"""Matrix: the same answers as comparing everything, before, during and after changes."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remanence.index import search
from remanence.index.codecs import decode, encode, signs, similarity
from remanence.index.passes import passing
from remanence.index.search import EXACT, Matrix
from tests.index.vectors import fetch_from, gaussian, sentences, unit

LIVE, ARCHIVED = 0, 1


def matrix_of(vectors, bits=32, states=None, shelves=None, **options):
    matrix = Matrix(vectors.shape[1], **options)
    count = len(vectors)
    matrix.put(
        np.arange(count),
        np.zeros(count, dtype=np.int32) if shelves is None else shelves,
        np.zeros(count, dtype=np.int8) if states is None else states,
        np.full(count, bits, dtype=np.int8),
        signs(vectors),
    )
    return matrix


def put(matrix, no, vector, *, state=LIVE, shelf=0, bits=32, cached=False):
    one = np.array([no])
    row = vector[None]
    matrix.put(one, np.array([shelf]), np.array([state]), np.array([bits]), signs(row), row if cached else None)


def unreadable(nos):
    raise AssertionError(f"asked the file for {nos}")


def test_as_comparing_all():
    vectors = sentences(EXACT)
    matrix = matrix_of(vectors)
    for query in sentences(20, seed=2):
        nos, found = matrix.nearest(query, 10, states={LIVE}, fetch=fetch_from(vectors))
        cosines = vectors @ query
        assert np.array_equal(nos, np.argsort(-cosines, kind="stable")[:10])
        assert found == pytest.approx(cosines[nos], abs=1e-6)


@pytest.mark.parametrize("bits", [32, 4, 2])
def test_recall_through_the_signs(bits):
    vectors = sentences(8000)
    stored = decode(encode(vectors, bits), bits, 384)
    matrix = matrix_of(vectors, bits)
    hits = 0
    for query in sentences(100, seed=3):
        nos, _ = matrix.nearest(query, 10, states={LIVE}, fetch=fetch_from(stored, bits))
        hits += len(np.intersect1d(nos, np.argsort(-(stored @ query))[:10]))
    assert hits >= 998


@pytest.mark.parametrize("bits", [32, 2])
def test_recall_where_all_vectors_are_in_memory(bits):
    """What the signs let through is compared as it is, without estimates."""
    vectors = sentences(8000)
    stored = decode(encode(vectors, bits), bits, 384)
    matrix = matrix_of(vectors, bits)
    matrix.vectors(np.arange(8000), fetch_from(stored, bits))
    hits = 0
    for query in sentences(100, seed=3):
        nos, found = matrix.nearest(query, 10, states={LIVE}, fetch=unreadable)
        assert found == pytest.approx(similarity(query, stored[nos], np.full(10, bits, dtype=np.int8)), abs=1e-6)
        hits += len(np.intersect1d(nos, np.argsort(-(stored @ query))[:10]))
    assert hits >= 998


@pytest.mark.parametrize("cached", [0, 4000, 8000])
def test_a_few_quickly(cached):
    vectors = sentences(8000)
    matrix = matrix_of(vectors)
    matrix.vectors(np.arange(cached), fetch_from(vectors))
    hits = 0
    for query in sentences(100, seed=4):
        nos, _ = matrix.nearest(query, 5, states={LIVE}, fetch=fetch_from(vectors), few=True)
        hits += len(np.intersect1d(nos, np.argsort(-(vectors @ query))[:5]))
    assert hits >= 475


def test_a_few_among_copies_are_the_nearest_and_the_newest():
    """Thousands are equally near: the older ones that are nearer are found all the same."""
    near, far = sentences(2, seed=6)
    vectors = np.tile(far, (9000, 1))
    vectors[:3] = near
    matrix = matrix_of(vectors)
    nos, found = matrix.nearest(near, 5, states={LIVE}, fetch=fetch_from(vectors), few=True)
    assert nos.tolist() == [2, 1, 0, 8999, 8998]
    assert found[:3] == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("step", [2, 16])
def test_a_few_where_few_rows_count(step):
    """Also where those that count stand at regular distances, so that a sample may miss all of them."""
    vectors = sentences(2400 * step)
    states = np.where(np.arange(len(vectors)) % step == 1, LIVE, ARCHIVED).astype(np.int8)
    matrix = matrix_of(vectors, states=states)
    hits = 0
    for query in sentences(20, seed=7):
        nos, _ = matrix.nearest(query, 5, states={LIVE}, fetch=fetch_from(vectors), few=True)
        assert np.all(nos % step == 1)
        hits += len(np.intersect1d(nos, 1 + step * np.argsort(-(vectors[1::step] @ query))[:5]))
    assert hits >= 95


def test_one_row_behind_the_others_or_among_them():
    """`append` does what `put` does, whether there is room behind the others or not."""
    vectors = sentences(600, seed=8)
    one_by_one, at_once = Matrix(384, most_cached=500), matrix_of(vectors)
    for no in [*range(300, 600), *range(300)]:
        one_by_one.append(no, 0, LIVE, 32, signs(vectors[no]).astype("<u8").tobytes(), vectors[no])
    for query in sentences(20, seed=9):
        found = one_by_one.nearest(query, 10, states={LIVE}, fetch=fetch_from(vectors))
        expected = at_once.nearest(query, 10, states={LIVE}, fetch=fetch_from(vectors))
        assert found[0].tolist() == expected[0].tolist()
        assert found[1] == pytest.approx(expected[1], abs=1e-6)


def test_a_row_added_alone_is_read_from_memory():
    vectors = sentences(40, seed=8)
    matrix = Matrix(384)
    for no in range(40):
        matrix.append(no, 0, LIVE, 32, signs(vectors[no]).astype("<u8").tobytes(), vectors[no])
    nos, _ = matrix.nearest(vectors[7], 1, states={LIVE}, fetch=unreadable)
    assert nos.tolist() == [7]


@pytest.mark.parametrize("few", [False, True])
@pytest.mark.parametrize("count", [300, 6000])
def test_only_what_is_allowed(count, few):
    vectors = sentences(count)
    rng = np.random.default_rng(5)
    states, shelves = rng.integers(0, 3, count).astype(np.int8), rng.integers(0, 9, count).astype(np.int32)
    matrix, query = matrix_of(vectors, states=states, shelves=shelves), vectors[0]
    among = rng.choice(count, count // 2, replace=False)
    asked: list[int] = []

    def fetch(nos):
        asked.extend(nos.tolist())
        return fetch_from(vectors)(nos)

    nos, found = matrix.nearest(
        query, 10, states=[1, 2], shelves=np.array([3, 7, 2**30], dtype=np.int32), among=among, fetch=fetch, few=few
    )
    right = np.isin(states, [1, 2]) & np.isin(shelves, [3, 7]) & np.isin(np.arange(count), among)
    assert np.array_equal(nos, np.flatnonzero(right)[np.argsort(-(vectors[right] @ query))[:10]])
    assert np.all(np.diff(found) <= 0)
    assert np.all(right[asked])


def test_nothing_to_find():
    vectors = sentences(50)
    matrix, fetch = matrix_of(vectors), fetch_from(vectors)
    none = np.zeros(0, dtype=np.int64)
    for found in (
        Matrix(384).nearest(vectors[0], 5, states={LIVE}, fetch=unreadable),
        matrix.nearest(vectors[0], 5, states=(), fetch=unreadable),
        matrix.nearest(vectors[0], 5, states={ARCHIVED, -1}, fetch=unreadable),
        matrix.nearest(vectors[0], 5, states={LIVE}, among=none, fetch=unreadable),
        matrix.nearest(vectors[0], 5, states={LIVE}, shelves=none.astype(np.int32), fetch=unreadable),
        matrix.nearest(vectors[0], 0, states={LIVE}, fetch=fetch),
    ):
        assert [len(part) for part in found] == [0, 0]
    assert Matrix(384).similarities(vectors[0], np.array([1]), unreadable).tolist() == pytest.approx(
        [np.nan], nan_ok=True
    )


@pytest.mark.parametrize("count", [100, 5000])
def test_ties_go_to_the_higher_number(count):
    vectors = np.repeat(gaussian(1), count, axis=0)
    nos, _ = matrix_of(vectors).nearest(vectors[0], 5, states={LIVE}, fetch=fetch_from(vectors))
    assert nos.tolist() == [count - n for n in (1, 2, 3, 4, 5)]


def test_coarse_rows_rank_by_similarity():
    vectors = sentences(4000)
    bits = np.random.default_rng(7).choice(np.array([32, 8, 4, 2], dtype=np.int8), 4000)
    stored = vectors.copy()
    for width in (8, 4, 2):
        stored[bits == width] = decode(encode(vectors[bits == width], width), width, 384)
    matrix = Matrix(384)
    matrix.put(np.arange(4000), np.zeros(4000), np.zeros(4000), bits, signs(vectors))
    for query in sentences(20, seed=8):
        nos, found = matrix.nearest(query, 10, states={LIVE}, fetch=lambda nos: (bits[nos], stored[nos]))
        every = similarity(query, stored, bits)
        assert np.array_equal(nos, np.argsort(-every)[:10])
        assert found == pytest.approx(every[nos], abs=1e-6)


def test_similarities_of_given_rows():
    vectors = sentences(5000)
    matrix = matrix_of(vectors)
    matrix.drop(np.array([7]))
    found = matrix.similarities(vectors[3], np.array([3, 9999, 7, 12]), fetch_from(vectors))
    assert found == pytest.approx([1, np.nan, np.nan, vectors[3] @ vectors[12]], abs=1e-6, nan_ok=True)
    everything = matrix.similarities(vectors[3], np.arange(100, 5000), fetch_from(vectors))
    assert everything == pytest.approx(vectors[100:] @ vectors[3], abs=1e-6)


def test_a_row_the_file_lacks_is_left_out_and_asked_for_again():
    vectors = sentences(20)
    matrix = matrix_of(vectors)
    nos, _ = matrix.nearest(vectors[15], 20, states={LIVE}, fetch=fetch_from(vectors[:15]))
    assert sorted(nos) == list(range(15))
    nos, _ = matrix.nearest(vectors[15], 1, states={LIVE}, fetch=fetch_from(vectors))
    assert nos.tolist() == [15]


# --- changes


def test_a_vector_is_read_once():
    vectors = sentences(30)
    matrix = matrix_of(vectors)
    matrix.nearest(vectors[0], 5, states={LIVE}, fetch=fetch_from(vectors))
    assert matrix.nearest(vectors[4], 1, states={LIVE}, fetch=unreadable)[0].tolist() == [4]
    put(matrix, 30, gaussian(1)[0], cached=True)
    assert matrix.nearest(gaussian(1)[0], 1, states={LIVE}, fetch=unreadable)[0].tolist() == [30]


@pytest.mark.parametrize("cached", [False, True])
def test_a_replaced_vector_is_the_new_one(cached):
    vectors = sentences(30)
    matrix = matrix_of(vectors)
    matrix.nearest(vectors[0], 5, states={LIVE}, fetch=fetch_from(vectors))
    vectors[4] = gaussian(1)[0]
    put(matrix, 4, vectors[4], cached=cached)
    nos, found = matrix.nearest(vectors[4], 1, states={LIVE}, fetch=unreadable if cached else fetch_from(vectors))
    assert (nos.tolist(), len(matrix)) == ([4], 30)
    assert found == pytest.approx([1], abs=1e-6)


def test_a_dropped_row_can_come_back():
    vectors = sentences(30)
    matrix, fetch = matrix_of(vectors), fetch_from(vectors)
    matrix.drop(np.array([4, 4, 77]))
    assert len(matrix) == 29
    assert 4 not in matrix.nearest(vectors[4], 30, states={LIVE}, fetch=fetch)[0]
    put(matrix, 4, vectors[4])
    assert len(matrix) == 30
    assert matrix.nearest(vectors[4], 1, states={LIVE}, fetch=fetch)[0].tolist() == [4]


def test_many_dropped_rows_leave_memory():
    vectors = sentences(5000, dimension=64)
    matrix = matrix_of(vectors)
    matrix.drop(np.arange(0, 5000, 2))
    assert (len(matrix), matrix._rows.count) == (2500, 2500)
    matrix.drop(np.array([1]))
    matrix.forget()
    assert (matrix._rows.count, matrix._rows.cache.used) == (2499, 0)
    assert matrix.nearest(vectors[3], 1, states={LIVE}, fetch=fetch_from(vectors))[0].tolist() == [3]


def test_the_cache_is_bounded():
    vectors = sentences(6000, dimension=64)
    matrix, fetch = matrix_of(vectors, most_cached=500), fetch_from(vectors)
    for low in range(0, 6000, 300):
        among = np.arange(low, low + 300)
        nos, _ = matrix.nearest(vectors[low], 1, states={LIVE}, among=among, fetch=fetch)
        assert nos.tolist() == [low]
        assert matrix._rows.cache.used <= 500
    nos, _ = matrix.nearest(vectors[9], 1, states={LIVE}, among=np.arange(2000), fetch=fetch)
    assert nos.tolist() == [9]


def test_refusals_name_the_values():
    with pytest.raises(ValueError, match="0 dimensions"):
        Matrix(0)
    with pytest.raises(ValueError, match=r"a query of shape \(3,\); these vectors have 384 dimensions"):
        Matrix(384).nearest(np.zeros(3, dtype=np.float32), 1, states={LIVE}, fetch=unreadable)
    with pytest.raises(ValueError, match="a state of -2"):
        put(Matrix(384), 1, gaussian(1)[0], state=-2)
    with pytest.raises(ValueError, match="5 bits a component"):
        put(Matrix(384), 1, gaussian(1)[0], bits=5)
    with pytest.raises(ValueError, match=r"columns of different lengths: \[1, 2\]"):
        Matrix(8).put(np.array([1]), np.zeros(2), np.zeros(1), np.full(1, 32), signs(gaussian(1, 8)))


def test_how_many_pass():
    assert passing(100_000, 10) == (2200, 500)


Step = st.tuples(
    st.sampled_from(["put", "put cached", "drop", "forget", "look"]),
    st.lists(st.integers(0, 40), min_size=1, max_size=12),
    st.integers(0, 2),
)


@settings(max_examples=60)
@given(st.lists(Step, max_size=25))
def test_any_sequence_of_changes(steps):
    """Against a dictionary: numbers in any order, new, known, dropped and again."""
    pool = gaussian(400, 70, seed=9)
    matrix, held, drawn = Matrix(70, most_cached=16), {}, 0

    def fetch(nos):
        nothing = (np.full(70, np.nan, dtype=np.float32), 0)
        rows = [held.get(int(no), nothing)[0] for no in nos]
        return np.full(len(nos), 32, dtype=np.int8), np.stack(rows)

    for verb, nos, label in steps:
        at = np.array(nos)
        if verb.startswith("put"):
            rows = pool[(drawn + np.arange(len(nos))) % 400]
            drawn += len(nos)
            labels = np.full(len(nos), label)
            cached = rows if verb == "put cached" else None
            matrix.put(at, labels, labels, np.full(len(nos), 32), signs(rows), cached)
            held |= {no: (row, label) for no, row in zip(nos, rows, strict=True)}
        elif verb == "drop":
            matrix.drop(at)
            for no in nos:
                held.pop(no, None)
        elif verb == "forget":
            matrix.forget()
        query = pool[0]
        found, _ = matrix.nearest(query, 99, states={label}, fetch=fetch)
        expected = {no: float(row @ query) for no, (row, state) in held.items() if state == label}
        assert found.tolist() == sorted(expected, key=lambda no: (-expected[no], -no))
        assert len(matrix) == len(held)


def test_readers_and_a_writer_at_once(monkeypatch):
    """Every reader sees a row as it was before or after a change, never between."""
    monkeypatch.setattr(search, "EXACT", 200)
    base = gaussian(400, 64, seed=11)
    versions = [unit(base + 0.01 * version) for version in range(2)]
    matrix = matrix_of(base[:300], most_cached=150)
    written = {no: base[no] for no in range(300)}
    stop, problems = threading.Event(), []

    def fetch(nos):
        none = np.full(64, np.nan, dtype=np.float32)
        return np.full(len(nos), 32, dtype=np.int8), np.stack([written.get(int(no), none) for no in nos])

    def read(seed):
        rng = np.random.default_rng(seed)
        while not stop.is_set():
            no = int(rng.integers(0, 200))
            nos, found = matrix.nearest(base[no], 3, states={LIVE}, fetch=fetch, few=bool(seed % 2))
            right = max(float(version[no] @ base[no]) for version in versions)
            if nos[0] != no or not (0.9 < found[0] <= right + 1e-5) or len(set(nos.tolist())) != 3:
                problems.append((no, nos, found))

    readers = [threading.Thread(target=read, args=(seed,)) for seed in range(4)]
    for reader in readers:
        reader.start()
    rng = np.random.default_rng(12)
    for step in range(400):
        no = int(rng.integers(0, 400))
        if no < 200 or no not in written:
            written[no] = versions[step % 2][no]
            put(matrix, no, written[no], cached=bool(step % 3))
        else:
            matrix.drop(np.array([no]))
            del written[no]
    stop.set()
    for reader in readers:
        reader.join()
    assert not problems
    assert len(matrix) == len(written)
    for no in range(400):
        found = matrix.similarities(base[no], np.array([no]), fetch)[0]
        expected = float(written[no] @ base[no]) if no in written else np.nan
        assert found == pytest.approx(expected, abs=1e-5, nan_ok=True)
