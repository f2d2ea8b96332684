"""What an engine says for itself: who it speaks for, whose turn it is, what is left to workers."""

from __future__ import annotations

from remanence.store.postgres.agenda import CHANNEL, NOW

ENTER = "INSERT INTO spaces(name) VALUES(%s) ON CONFLICT DO NOTHING"
FIND = "SELECT no, key FROM spaces WHERE name=?"
# Who writes looks for single rows: a plan that reads a whole table, which a guess about arrays can lead to, is none.
TURN = (
    "INSERT INTO turns(space, writes) VALUES(?, 1) ON CONFLICT(space) DO UPDATE SET writes = turns.writes + 1 "
    "RETURNING writes, pg_current_xact_id()::text, set_config('idle_in_transaction_session_timeout', ?, true), "
    "set_config('enable_seqscan', 'off', true)"
)
WANTED = (
    f"INSERT INTO agenda(space, next_at, wanted_at) VALUES(?, {NOW}, {NOW}) ON CONFLICT(space) DO UPDATE SET "
    "wanted_at = excluded.wanted_at, "
    "next_at = CASE WHEN agenda.tries = 0 THEN least(agenda.next_at, excluded.next_at) ELSE agenda.next_at END "
    "WHERE (agenda.next_at > excluded.next_at AND agenda.tries = 0) OR agenda.holder IS NOT NULL RETURNING space"
)
# Rows that were destroyed are still on their pages.
DESTROYED = (
    "INSERT INTO meta VALUES(/*?,*/ 'purge_pending', pg_current_xact_id()::text::bigint) "
    "ON CONFLICT(space, name) DO UPDATE SET value = excluded.value WHERE meta.value < excluded.value"
)
WAKE = f"SELECT pg_notify('{CHANNEL}', '')"
# Members of the role that owns the store may make namespaces; to others the one they may not use is not there.
IS_OWN = "SELECT may_use(-1)"
SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
SIZE = (
    "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c "
    "WHERE c.relnamespace = 'remanence'::regnamespace AND c.relkind IN ('r', 'm')"
)
# A server that is no replica has nothing to replay.
REPLAYED = "SELECT coalesce(pg_last_wal_replay_lsn() >= ?::pg_lsn, NOT pg_is_in_recovery())"
