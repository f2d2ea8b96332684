-- How often a host said that it used a memory, and how often that it was of no use.
ALTER TABLE lives ADD COLUMN uses INTEGER NOT NULL DEFAULT 0;
ALTER TABLE lives ADD COLUMN rejections INTEGER NOT NULL DEFAULT 0;

-- Who makes vectors; those of different models are never compared.
CREATE TABLE models(no INTEGER PRIMARY KEY, name TEXT NOT NULL, dimension INTEGER NOT NULL, UNIQUE(name, dimension));

-- What a memory means, as far as it must be known to pass over it: who made its vector, in how many bits it is kept, the signs of its components, and copies of its shelf and state. `waits` is 1 when it is to be embedded, 2 when its surprise is then to be found too. `fades_at` is when its precision may no longer fit its retention; 0 is "look at it soon".
CREATE TABLE meanings(
  space INTEGER NOT NULL, no INTEGER NOT NULL, shelf INTEGER NOT NULL, state INTEGER NOT NULL, waits INTEGER NOT NULL,
  model INTEGER, bits INTEGER, signs BLOB, hash BLOB, fades_at INTEGER,
  PRIMARY KEY(space, no)) WITHOUT ROWID;
CREATE INDEX meanings_waiting ON meanings(space, no) WHERE waits > 0;
CREATE INDEX meanings_fading ON meanings(space, fades_at >> 37) WHERE fades_at IS NOT NULL;
INSERT INTO meanings(space, no, shelf, state, waits) SELECT space, no, shelf, state, 1 FROM lives;

-- The vectors themselves, in parts of at most 768 bytes: five fill a page, where whole ones would leave a quarter of it empty. `at` is 64 times the number of the memory, and the number of the part: so what is new goes behind all others.
CREATE TABLE vectors(
  at INTEGER PRIMARY KEY, code BLOB NOT NULL, no INTEGER AS (at >> 6) VIRTUAL, part INTEGER AS (at & 63) VIRTUAL);

-- Which meanings changed after they were first written, for processes that hold them in memory. Old rows are dropped.
CREATE TABLE meaning_news(seq INTEGER PRIMARY KEY AUTOINCREMENT, space INTEGER NOT NULL, no INTEGER NOT NULL);

-- Memories by the last part of each path they name.
CREATE TABLE paths(name TEXT NOT NULL, no INTEGER NOT NULL, PRIMARY KEY(name, no)) WITHOUT ROWID;
INSERT OR IGNORE INTO paths
  SELECT substr(f.path, length(rtrim(f.path, replace(f.path, '/', ''))) + 1), f.no
  FROM (SELECT m.no AS no, rtrim(replace(j.value, '\', '/'), '/') AS path
        FROM memories m, json_each(m.files) j WHERE m.files IS NOT NULL) f;

-- What stands next to each other in a session.
CREATE INDEX memories_session ON memories(space, origin, no) WHERE origin >= 'session:' AND origin < 'session;';

-- What was asked lately, without secrets, and what was found; kept for 30 days.
CREATE TABLE recalls(no INTEGER PRIMARY KEY, space INTEGER NOT NULL, at INTEGER NOT NULL, query TEXT NOT NULL);
CREATE INDEX recalls_at ON recalls(space, at);
CREATE TABLE recalled(
  memory INTEGER NOT NULL, recall INTEGER NOT NULL, place INTEGER NOT NULL, PRIMARY KEY(memory, recall)) WITHOUT ROWID;
CREATE INDEX recalled_recall ON recalled(recall);

-- How often an archived memory would have been among the hits, and when last.
CREATE TABLE regrets(
  no INTEGER PRIMARY KEY, space INTEGER NOT NULL, times INTEGER NOT NULL, last_at INTEGER NOT NULL);
