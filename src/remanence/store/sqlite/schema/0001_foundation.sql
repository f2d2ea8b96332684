-- Names that many rows share are numbered once: a space is a namespace, a shelf is one scope and kind in it.
CREATE TABLE meta(name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE spaces(no INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE shelves(
  no INTEGER PRIMARY KEY, space INTEGER NOT NULL, scope TEXT NOT NULL, kind TEXT NOT NULL,
  UNIQUE(space, scope, kind));

-- What a memory says: written once. Its number is never given again, also not after a purge. `words` is the text as the full-text index reads it, when that differs.
CREATE TABLE memories(
  no INTEGER PRIMARY KEY, space INTEGER NOT NULL, id BLOB NOT NULL, shelf INTEGER NOT NULL,
  source INTEGER NOT NULL, text TEXT NOT NULL, words TEXT, categories TEXT, concepts TEXT, files TEXT, lineage TEXT,
  origin TEXT, metadata TEXT, digest BLOB NOT NULL);
CREATE UNIQUE INDEX memories_id ON memories(space, id);

-- How a memory lives: narrow, so that a change costs little. `hash` covers the columns apply writes.
CREATE TABLE lives(
  no INTEGER PRIMARY KEY, space INTEGER NOT NULL, shelf INTEGER NOT NULL, state INTEGER NOT NULL, layer INTEGER NOT NULL,
  importance REAL NOT NULL, valence REAL NOT NULL, confidence REAL NOT NULL, confirmations INTEGER NOT NULL,
  pinned INTEGER NOT NULL, exempt INTEGER NOT NULL, created_at INTEGER NOT NULL, last_accessed_at INTEGER NOT NULL,
  access_count INTEGER NOT NULL, recent BLOB, expires_at INTEGER, kept_until INTEGER, challenged_by TEXT,
  valid_from INTEGER, valid_until INTEGER, version INTEGER NOT NULL, supersedes BLOB, superseded_by BLOB,
  depth INTEGER NOT NULL, surprise REAL, tokens INTEGER NOT NULL, due_at INTEGER, revision INTEGER NOT NULL,
  hash BLOB NOT NULL);
CREATE INDEX lives_supersedes ON lives(supersedes) WHERE supersedes IS NOT NULL;
CREATE INDEX lives_superseded_by ON lives(superseded_by) WHERE superseded_by IS NOT NULL;

-- Found by words, by category, by what it was made from, by a caller's own key.
CREATE VIEW searchable(no, text) AS SELECT no, coalesce(words, text) FROM memories;
CREATE VIRTUAL TABLE search USING fts5(
  text, content='searchable', content_rowid='no', 
  tokenize='porter unicode61 remove_diacritics 2 categories ''L* N* Co M*''');
INSERT INTO search(search, rank) VALUES('secure-delete', 1);
CREATE TABLE tags(category TEXT NOT NULL, no INTEGER NOT NULL, PRIMARY KEY(category, no)) WITHOUT ROWID;
CREATE TABLE descents(parent BLOB NOT NULL, no INTEGER NOT NULL, PRIMARY KEY(parent, no)) WITHOUT ROWID;
CREATE TABLE keys(space INTEGER NOT NULL, key TEXT NOT NULL, no INTEGER NOT NULL, PRIMARY KEY(space, key)) WITHOUT ROWID;

-- Live memories by hashed word within their shelf: the candidates of write-time supersession. Row 0 finds versions, rows 0 and 1 what is similar.
CREATE TABLE kin(
  shelf INTEGER NOT NULL, row INTEGER NOT NULL, token INTEGER NOT NULL, no INTEGER NOT NULL, size INTEGER NOT NULL,
  PRIMARY KEY(shelf, row, token, no)) WITHOUT ROWID;
-- Who came to it or left it (places NULL) lately, a row each, before the places are moved into it together.
CREATE TABLE kin_news(
  shelf INTEGER NOT NULL, no INTEGER NOT NULL, size INTEGER NOT NULL, places BLOB,
  PRIMARY KEY(shelf, no)) WITHOUT ROWID;

-- How many memories and tokens each shelf holds in each state.
CREATE TABLE counts(
  shelf INTEGER NOT NULL, state INTEGER NOT NULL, memories INTEGER NOT NULL, tokens INTEGER NOT NULL,
  PRIMARY KEY(shelf, state)) WITHOUT ROWID;

-- What happened: ids, reasons and numbers, never text. Before-images, which may hold text, stand apart in revisions.
CREATE TABLE receipts(
  no INTEGER PRIMARY KEY, space INTEGER NOT NULL, at INTEGER NOT NULL, verb TEXT NOT NULL, note TEXT,
  undoes INTEGER, schema INTEGER NOT NULL);
CREATE TABLE journal(
  receipt INTEGER NOT NULL, item INTEGER NOT NULL, no INTEGER NOT NULL, action INTEGER NOT NULL, reason TEXT NOT NULL,
  evidence TEXT, state_before INTEGER, state_after INTEGER, effective_at INTEGER,
  PRIMARY KEY(receipt, item)) WITHOUT ROWID;
CREATE INDEX journal_no ON journal(no);
CREATE TABLE revisions(
  receipt INTEGER NOT NULL, item INTEGER NOT NULL, no INTEGER NOT NULL, before TEXT NOT NULL, after TEXT NOT NULL,
  PRIMARY KEY(receipt, item)) WITHOUT ROWID;
CREATE INDEX revisions_no ON revisions(no);

-- What was purged: the row's number and id, and a keyed digest of its text.
CREATE TABLE tombstones(
  no INTEGER PRIMARY KEY, space INTEGER NOT NULL, id BLOB NOT NULL, digest BLOB NOT NULL, purged_at INTEGER NOT NULL,
  lifted_at INTEGER);
CREATE INDEX tombstones_digest ON tombstones(digest);
