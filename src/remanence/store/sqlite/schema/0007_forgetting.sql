-- The days (in UTC, 0 is 1970-01-01) on which somebody wrote to a namespace or recalled from it.
CREATE TABLE activity(space INTEGER NOT NULL, day INTEGER NOT NULL, PRIMARY KEY(space, day)) WITHOUT ROWID;
INSERT INTO activity
  SELECT space, day FROM days WHERE memories > 0
  UNION SELECT space, (last_accessed_at - (last_accessed_at % 86400000000 + 86400000000) % 86400000000) / 86400000000
    FROM lives
  UNION SELECT s.space, (o.at - (o.at % 86400000000 + 86400000000) % 86400000000) / 86400000000
    FROM observations o JOIN sessions s ON s.no = o.place >> 32;

-- How many such days there are; the first day that no date took for passed; how many of those before it came later, when dates had been made without them. And by kind, how many memories that rules had archived were missed, of how many archived ones.
ALTER TABLE policies ADD COLUMN active_days INTEGER NOT NULL DEFAULT 0;
ALTER TABLE policies ADD COLUMN dated_day INTEGER;
ALTER TABLE policies ADD COLUMN late_days INTEGER NOT NULL DEFAULT 0;
ALTER TABLE policies ADD COLUMN missed TEXT;
INSERT INTO policies(space, active_days) SELECT space, count(*) FROM activity WHERE TRUE GROUP BY space
  ON CONFLICT(space) DO UPDATE SET active_days = excluded.active_days;
