-- Captured sessions. A number is never given again, also not after a purge. `observations` is the place of the last one, which is never given again either, also when it was let go; `processed_to` is the place of the last one that was read; `oldest_at` is the earliest moment among those that are kept.
CREATE TABLE sessions(
  no INTEGER PRIMARY KEY AUTOINCREMENT, space INTEGER NOT NULL, id TEXT NOT NULL, project TEXT NOT NULL,
  agent TEXT NOT NULL, started_at INTEGER NOT NULL, last_at INTEGER NOT NULL, ended_at INTEGER,
  observations INTEGER NOT NULL, processed_to INTEGER NOT NULL, processed_at INTEGER, summary TEXT, transcript TEXT,
  oldest_at INTEGER);
CREATE UNIQUE INDEX sessions_id ON sessions(space, id);
CREATE INDEX sessions_last ON sessions(space, last_at);
CREATE INDEX sessions_project ON sessions(space, project);
CREATE INDEX sessions_changed ON sessions(space, last_at) WHERE observations > processed_to;
CREATE INDEX sessions_oldest ON sessions(space, oldest_at) WHERE oldest_at IS NOT NULL;

-- What was observed, raw, for 90 days. `place` is 2^32 times the number of the session, and the place in it: so a session is read in one go.
CREATE TABLE observations(
  place INTEGER PRIMARY KEY, at INTEGER NOT NULL, role INTEGER NOT NULL, failed INTEGER NOT NULL, tool TEXT,
  call TEXT NOT NULL, text TEXT NOT NULL);

-- Digests of hosts' own ids of observations. They stay when what they name is let go, so that it does not come again.
CREATE TABLE observation_keys(
  session INTEGER NOT NULL, key BLOB NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY(session, key)) WITHOUT ROWID;

-- Which way told of which observation, by a digest of what it says: what two ways tell is observed once.
CREATE TABLE tellings(
  session INTEGER NOT NULL, digest BLOB NOT NULL, seq INTEGER NOT NULL, via TEXT NOT NULL,
  PRIMARY KEY(session, digest, seq, via)) WITHOUT ROWID;

-- How far each source of observations was read, in its own units. A source is a keyed digest of its name, so it can outlive a purge: what was purged is not read again.
CREATE TABLE intakes(
  space INTEGER NOT NULL, source BLOB NOT NULL, upto INTEGER NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY(space, source)) WITHOUT ROWID;

-- What a purge erased of sessions, for copies of the file that still hold it: a keyed digest of a session's id, and the places from `first` to `last` of it; the session whole where `first` is 0.
CREATE TABLE erased(
  space INTEGER NOT NULL, session BLOB NOT NULL, at INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
  PRIMARY KEY(space, session, at, first)) WITHOUT ROWID;

-- Jobs that are wanted, or failed; `again_at` is when a failed one is tried next. A dead one waits to be wanted anew.
CREATE TABLE tasks(
  space INTEGER NOT NULL, name TEXT NOT NULL, wanted_at INTEGER, tries INTEGER NOT NULL, failed_at INTEGER,
  again_at INTEGER, why TEXT NOT NULL, dead INTEGER NOT NULL, PRIMARY KEY(space, name)) WITHOUT ROWID;
