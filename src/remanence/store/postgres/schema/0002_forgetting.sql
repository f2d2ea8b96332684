-- The days (in UTC, 0 is 1970-01-01) on which somebody wrote to a namespace or recalled from it.
CREATE TABLE activity(space integer, day bigint, PRIMARY KEY(space, day)) /*by namespace*/;

-- How many such days there are; the first day that no date took for passed; how many of those before it came later, when
-- dates had been made without them. And by kind, how many memories that rules had archived were missed, of how many
-- archived ones.
ALTER TABLE policies ADD COLUMN active_days bigint NOT NULL DEFAULT 0, ADD COLUMN dated_day bigint,
  ADD COLUMN late_days bigint NOT NULL DEFAULT 0, ADD COLUMN missed text;

-- The rows of every namespace are read once, by the owner of the tables, behind whose back nobody sees them.
ALTER TABLE days NO FORCE ROW LEVEL SECURITY;
ALTER TABLE lives NO FORCE ROW LEVEL SECURITY;
ALTER TABLE observations NO FORCE ROW LEVEL SECURITY;
ALTER TABLE activity NO FORCE ROW LEVEL SECURITY;
ALTER TABLE policies NO FORCE ROW LEVEL SECURITY;
INSERT INTO activity
  SELECT space, day FROM days WHERE memories > 0
  UNION SELECT space, (last_accessed_at - (last_accessed_at % 86400000000 + 86400000000) % 86400000000) / 86400000000
    FROM lives
  UNION SELECT space, (at - (at % 86400000000 + 86400000000) % 86400000000) / 86400000000 FROM observations;
INSERT INTO policies(space, active_days) SELECT space, count(*) FROM activity GROUP BY space
  ON CONFLICT(space) DO UPDATE SET active_days = excluded.active_days;
ALTER TABLE days FORCE ROW LEVEL SECURITY;
ALTER TABLE lives FORCE ROW LEVEL SECURITY;
ALTER TABLE observations FORCE ROW LEVEL SECURITY;
ALTER TABLE activity FORCE ROW LEVEL SECURITY;
ALTER TABLE policies FORCE ROW LEVEL SECURITY;

-- Roles that were let in before may use it like the other tables.
DO $$ DECLARE one name; BEGIN FOR one IN SELECT DISTINCT g.role FROM grants g JOIN pg_roles r ON r.rolname = g.role LOOP EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON activity TO %I', one); END LOOP; END $$;
