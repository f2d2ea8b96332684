"""Ids: UUIDv7 that only rise."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from remanence.model.checks import id_problems
from remanence.model.ids import RANDOM_BYTES, following, written

MOMENTS = st.datetimes(min_value=datetime(1970, 1, 1), timezones=st.just(UTC))


@given(MOMENTS, st.binary(min_size=RANDOM_BYTES, max_size=RANDOM_BYTES))
def test_an_id_is_a_uuid_of_version_7(now: datetime, chance: bytes) -> None:
    id = written(following(0, now, chance))
    uuid = UUID(id)
    assert (uuid.version, uuid.variant) == (7, "specified in RFC 4122")
    assert uuid.int >> 80 == (now - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)
    assert str(uuid) == id
    assert id_problems(id) == []


@given(st.lists(st.tuples(MOMENTS, st.binary(min_size=RANDOM_BYTES, max_size=RANDOM_BYTES)), min_size=2))
def test_ids_only_rise_whatever_the_clock_does(readings: list[tuple[datetime, bytes]]) -> None:
    last, ids = 0, []
    for now, chance in readings:
        last = following(last, now, chance)
        ids.append(written(last))
    assert ids == sorted(set(ids))


def test_a_standing_clock_and_no_chance_at_all() -> None:
    now, last, ids = datetime(2026, 3, 1, tzinfo=UTC), 0, []
    for _ in range(5000):
        last = following(last, now, bytes(RANDOM_BYTES))
        ids.append(written(last))
    assert ids == sorted(set(ids))
    assert all(UUID(id).version == 7 for id in ids)


def test_a_full_counter_goes_over_into_the_next_millisecond() -> None:
    now = datetime(2026, 3, 1, tzinfo=UTC)
    full = following(0, now, b"\xff" * RANDOM_BYTES)
    after = written(following(full, now, bytes(RANDOM_BYTES)))
    assert after > written(full)
    assert UUID(after).version == 7


def test_before_1970_is_no_error() -> None:
    id = written(following(0, datetime.min.replace(tzinfo=UTC), bytes(RANDOM_BYTES)))
    assert UUID(id).version == 7
