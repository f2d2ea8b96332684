-- What rules read of a memory stands in `lives` alone: its source is copied there.
ALTER TABLE lives ADD COLUMN source INTEGER NOT NULL DEFAULT 0;

-- When a rule could next act: 0 is "look at it at the next sweep", which is never too late; NULL is never, and the date of all that is neither live nor superseded.
UPDATE lives SET
  source = coalesce((SELECT m.source FROM memories m WHERE m.no = lives.no), 0),
  due_at = CASE WHEN state IN (0, 1) THEN 0 END;
-- By spans of 2^37 microseconds (38 hours) and then by number: rows that are dated together lie together in it.
CREATE INDEX lives_due ON lives(space, due_at >> 37) WHERE due_at IS NOT NULL;

-- How many memories and tokens of each day of birth (in UTC, 0 is 1970-01-01) a namespace holds in each state.
CREATE TABLE days(
  space INTEGER NOT NULL, state INTEGER NOT NULL, day INTEGER NOT NULL, memories INTEGER NOT NULL,
  tokens INTEGER NOT NULL, PRIMARY KEY(space, state, day)) WITHOUT ROWID;
INSERT INTO days
  SELECT space, state, (created_at - (created_at % 86400000000 + 86400000000) % 86400000000) / 86400000000,
    count(*), sum(tokens)
  FROM lives GROUP BY 1, 2, 3;

-- The policy a namespace chose, and the fingerprint of the one its dates were made under; `dated_to` is the last row dated so far, NULL once all are.
CREATE TABLE policies(
  space INTEGER PRIMARY KEY, chosen TEXT, chosen_at INTEGER, dated_under TEXT, dated_to INTEGER);
INSERT INTO policies(space, dated_under, dated_to) SELECT DISTINCT space, '', 0 FROM lives;

-- Who may do a named job alone, and until when; the token goes up with every claim. Without a holder it is free.
CREATE TABLE leases(
  space INTEGER NOT NULL, name TEXT NOT NULL, holder TEXT, token INTEGER NOT NULL, until INTEGER, span INTEGER,
  finished_at INTEGER, PRIMARY KEY(space, name)) WITHOUT ROWID;
