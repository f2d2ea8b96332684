-- What is the same for all namespaces: small, and on every node where the tables are distributed.
CREATE TABLE facts(name text COLLATE "C" PRIMARY KEY, number bigint, secret bytea);
-- `key` is that of a namespace's words and kin; `secret` the one of its purged texts, where it brought one along.
CREATE TABLE spaces(
  no integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY, name text COLLATE "C" NOT NULL UNIQUE, secret bytea,
  key bytea NOT NULL DEFAULT sha256(convert_to(concat(gen_random_uuid(), gen_random_uuid()), 'UTF8')));
CREATE TABLE grants(role name NOT NULL, space integer NOT NULL, PRIMARY KEY(role, space));
CREATE TABLE models(
  no integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY, name text COLLATE "C" NOT NULL, dimension integer NOT NULL,
  UNIQUE(name, dimension));

-- Members of the role that owns the store may use every namespace; others those they were granted. What functions name
-- is bound here, once: with text for a body, a table of the same name that a role makes for itself would be asked.
CREATE FUNCTION may_use(wanted integer) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
  RETURN pg_has_role(current_user, (SELECT nspowner FROM pg_namespace WHERE nspname = 'remanence'), 'MEMBER')
    OR EXISTS (SELECT 1 FROM grants g JOIN pg_roles r ON r.rolname = g.role
               WHERE g.space = wanted AND pg_has_role(current_user, r.oid, 'MEMBER'));
ALTER TABLE spaces ENABLE ROW LEVEL SECURITY;
ALTER TABLE spaces FORCE ROW LEVEL SECURITY;
CREATE POLICY ours ON spaces USING (may_use(no));

-- The namespace this connection speaks for, where its role may: the rows of all others are not there for it.
CREATE FUNCTION here() RETURNS integer LANGUAGE sql STABLE PARALLEL SAFE
  RETURN (SELECT s.no FROM spaces s WHERE s.no = nullif(current_setting('remanence.space', true), '')::integer);

-- When a worker is to look after a namespace next, by the server's clock, and who is at it. `wanted_at` is when somebody
-- last left something to be done, `served_from` when the last turn began.
CREATE TABLE agenda(
  space integer PRIMARY KEY, next_at bigint NOT NULL, wanted_at bigint NOT NULL, served_at bigint NOT NULL DEFAULT 0,
  served_from bigint NOT NULL DEFAULT 0, holder text, until bigint, token bigint NOT NULL DEFAULT 0,
  tries integer NOT NULL DEFAULT 0);
CREATE INDEX agenda_next ON agenda(next_at);
ALTER TABLE agenda ENABLE ROW LEVEL SECURITY;
ALTER TABLE agenda FORCE ROW LEVEL SECURITY;
CREATE POLICY ours ON agenda USING (may_use(space));

-- Whose turn it is to write to a namespace: whoever holds its row. `writes` goes up with every transaction that writes,
-- below zero while a copy into the namespace is unfinished.
CREATE TABLE turns(space integer PRIMARY KEY, writes bigint NOT NULL) /*by namespace*/;
CREATE TABLE meta(space integer, name text COLLATE "C", value bigint, PRIMARY KEY(space, name)) /*by namespace*/;

CREATE SEQUENCE numbers;
CREATE TABLE shelves(
  space integer, no bigint DEFAULT nextval('numbers'), scope text COLLATE "C" NOT NULL, kind text COLLATE "C" NOT NULL,
  PRIMARY KEY(space, no), UNIQUE(space, scope, kind)) /*by namespace*/;

-- What a memory says: written once.
CREATE TABLE memories(
  space integer, no bigint, id bytea NOT NULL, shelf bigint NOT NULL, source integer NOT NULL, text text NOT NULL,
  words text, categories text, concepts text, files text, lineage text, origin text COLLATE "C", metadata text,
  digest bytea NOT NULL, PRIMARY KEY(space, no), UNIQUE(space, id)) /*by namespace*/;
CREATE INDEX memories_session ON memories(space, origin, no) WHERE origin >= 'session:' AND origin < 'session;';

-- How a memory lives: narrow, so that a change costs little.
CREATE TABLE lives(
  space integer, no bigint, shelf bigint NOT NULL, state integer NOT NULL, layer integer NOT NULL,
  importance double precision NOT NULL, valence double precision NOT NULL, confidence double precision NOT NULL,
  confirmations bigint NOT NULL, pinned integer NOT NULL, exempt integer NOT NULL, created_at bigint NOT NULL,
  last_accessed_at bigint NOT NULL, access_count bigint NOT NULL, recent bytea, expires_at bigint, kept_until bigint,
  challenged_by text, valid_from bigint, valid_until bigint, version bigint NOT NULL, supersedes bytea,
  superseded_by bytea, depth bigint NOT NULL, surprise double precision, tokens bigint NOT NULL, due_at bigint,
  revision bigint NOT NULL, hash bytea NOT NULL, source integer NOT NULL, uses bigint NOT NULL,
  rejections bigint NOT NULL, trust_limit double precision,
  due_span bigint GENERATED ALWAYS AS (due_at >> 37) STORED,
  PRIMARY KEY(space, no)) /*by namespace*/;
CREATE INDEX lives_due ON lives(space, due_span, no) WHERE due_at IS NOT NULL;
CREATE INDEX lives_shelf ON lives(space, shelf, state);
CREATE INDEX lives_created ON lives(space, created_at, no);
CREATE INDEX lives_supersedes ON lives(space, supersedes) WHERE supersedes IS NOT NULL;
CREATE INDEX lives_superseded_by ON lives(space, superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX lives_quarantined ON lives(space, no) WHERE state = 4;
CREATE INDEX lives_challenged ON lives(space, no) WHERE challenged_by IS NOT NULL;

-- The words of a memory, as digests of their stems under the namespace's key, with how often each stands there. They
-- tell nothing to who lacks the key, so these rows may be read: an index of arrays cannot be used behind a wall of rows.
-- Written they are only by who may use the namespace.
CREATE TABLE stems(
  space integer, no bigint, stems bigint[] NOT NULL, times bytea NOT NULL, length integer NOT NULL,
  PRIMARY KEY(space, no)) /*by namespace, readable*/;
CREATE INDEX stems_stems ON stems USING gin(stems) WITH (fastupdate = off);
-- How many memories hold a stem, up to the memory `settled_to`; and all memories with their lengths.
CREATE TABLE terms(space integer, stem bigint, held bigint NOT NULL, PRIMARY KEY(space, stem)) /*by namespace*/;
CREATE TABLE wordage(
  space integer PRIMARY KEY, memories bigint NOT NULL, length bigint NOT NULL, settled_to bigint NOT NULL)
  /*by namespace*/;

CREATE TABLE tags(
  space integer, category text COLLATE "C", no bigint, PRIMARY KEY(space, category, no)) /*by namespace*/;
CREATE INDEX tags_no ON tags(space, no);
CREATE TABLE descents(space integer, parent bytea, no bigint, PRIMARY KEY(space, parent, no)) /*by namespace*/;
CREATE TABLE keys(space integer, key text COLLATE "C", no bigint NOT NULL, PRIMARY KEY(space, key)) /*by namespace*/;
CREATE INDEX keys_no ON keys(space, no);
CREATE TABLE paths(space integer, name text COLLATE "C", no bigint, PRIMARY KEY(space, name, no)) /*by namespace*/;

-- Live memories under their rarest words, in two rows of places: what may be a version, and what may be similar.
-- A place is a digest of the shelf and a word under the same key, open for the same reason as the stems.
CREATE TABLE kin(
  space integer, no bigint, shelf bigint NOT NULL, size integer NOT NULL, front bigint[] NOT NULL,
  back bigint[] NOT NULL, PRIMARY KEY(space, no)) /*by namespace, readable*/;
CREATE INDEX kin_front ON kin USING gin(front) WITH (fastupdate = off);
CREATE INDEX kin_back ON kin USING gin(back) WITH (fastupdate = off);

CREATE TABLE counts(
  space integer, shelf bigint, state integer, memories bigint NOT NULL, tokens bigint NOT NULL,
  PRIMARY KEY(space, shelf, state)) /*by namespace*/;
CREATE TABLE days(
  space integer, state integer, day bigint, memories bigint NOT NULL, tokens bigint NOT NULL,
  PRIMARY KEY(space, state, day)) /*by namespace*/;

-- What happened: ids, reasons and numbers, never text. Before-images, which may hold text, stand apart in revisions.
CREATE SEQUENCE receipt_numbers;
CREATE TABLE receipts(
  space integer, no bigint DEFAULT nextval('receipt_numbers'), at bigint NOT NULL, verb text COLLATE "C" NOT NULL,
  note text, undoes bigint, schema integer NOT NULL, PRIMARY KEY(space, no)) /*by namespace*/;
CREATE INDEX receipts_at ON receipts(space, at);
CREATE TABLE journal(
  space integer, receipt bigint, item bigint, no bigint NOT NULL, action integer NOT NULL, reason text NOT NULL,
  evidence text, state_before integer, state_after integer, effective_at bigint, PRIMARY KEY(space, receipt, item))
  /*by namespace*/;
CREATE INDEX journal_no ON journal(space, no);
CREATE TABLE revisions(
  space integer, receipt bigint, item bigint, no bigint NOT NULL, before text NOT NULL, after text NOT NULL,
  PRIMARY KEY(space, receipt, item)) /*by namespace*/;
CREATE INDEX revisions_no ON revisions(space, no);
CREATE TABLE tombstones(
  space integer, no bigint, id bytea NOT NULL, digest bytea NOT NULL, purged_at bigint NOT NULL, lifted_at bigint,
  PRIMARY KEY(space, no)) /*by namespace*/;
CREATE INDEX tombstones_id ON tombstones(space, id);
CREATE INDEX tombstones_digest ON tombstones(space, digest);

-- The policy a namespace chose, and the one its dates were made under. Who may do a named job alone, and until when.
CREATE TABLE policies(
  space integer PRIMARY KEY, chosen text, chosen_at bigint, dated_under text, dated_to bigint) /*by namespace*/;
CREATE TABLE leases(
  space integer, name text COLLATE "C", holder text, token bigint NOT NULL, until bigint, span bigint,
  finished_at bigint, PRIMARY KEY(space, name)) /*by namespace*/;
CREATE TABLE tasks(
  space integer, name text COLLATE "C", wanted_at bigint, tries bigint NOT NULL, failed_at bigint, again_at bigint,
  why text NOT NULL, dead integer NOT NULL, PRIMARY KEY(space, name)) /*by namespace*/;

-- What a memory means: who made its vector, in how many bits it is kept, and copies of its shelf and state.
CREATE TABLE meanings(
  space integer, no bigint, shelf bigint NOT NULL, state integer NOT NULL, waits integer NOT NULL, model integer,
  bits integer, signs bytea, hash bytea, fades_at bigint,
  fade_span bigint GENERATED ALWAYS AS (fades_at >> 37) STORED, PRIMARY KEY(space, no)) /*by namespace*/;
CREATE INDEX meanings_waiting ON meanings(space, no) WHERE waits > 0;
CREATE INDEX meanings_fading ON meanings(space, fade_span, no) WHERE fades_at IS NOT NULL;
-- A vector in 32 bits a component is whole; a coarser one is its code, and is looked for by the signs of it.
CREATE TABLE vectors(
  space integer, no bigint, model integer NOT NULL, dimension integer NOT NULL, whole vector, code bytea,
  signs bit varying, PRIMARY KEY(space, no)) /*by namespace*/;

-- What was asked lately, without secrets, and what was found; what was missed.
CREATE SEQUENCE recall_numbers;
CREATE TABLE recalls(
  space integer, no bigint DEFAULT nextval('recall_numbers'), at bigint NOT NULL, query text NOT NULL,
  PRIMARY KEY(space, no)) /*by namespace*/;
CREATE INDEX recalls_at ON recalls(space, at);
CREATE TABLE recalled(
  space integer, memory bigint, recall bigint, place bigint NOT NULL, PRIMARY KEY(space, memory, recall))
  /*by namespace*/;
CREATE INDEX recalled_recall ON recalled(space, recall);
CREATE TABLE regrets(
  no bigint, space integer, times bigint NOT NULL, last_at bigint NOT NULL, PRIMARY KEY(space, no)) /*by namespace*/;
CREATE TABLE spending(
  space integer, day text COLLATE "C", model text COLLATE "C", calls bigint NOT NULL, failed bigint NOT NULL,
  tokens_in bigint NOT NULL, tokens_out bigint NOT NULL, PRIMARY KEY(space, day, model)) /*by namespace*/;

-- Names in memories.
CREATE SEQUENCE entity_numbers;
CREATE TABLE entities(
  space integer, no bigint DEFAULT nextval('entity_numbers'), key text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL, kind integer NOT NULL, PRIMARY KEY(space, no)) /*by namespace*/;
CREATE UNIQUE INDEX entities_name ON entities(space, key, name, kind);
CREATE TABLE mentions(space integer, entity bigint, no bigint, PRIMARY KEY(space, entity, no)) /*by namespace*/;
CREATE INDEX mentions_no ON mentions(space, no);
CREATE TABLE definitions(
  space integer, short bigint, long bigint, no bigint, PRIMARY KEY(space, short, long, no)) /*by namespace*/;
CREATE INDEX definitions_long ON definitions(space, long);
CREATE INDEX definitions_no ON definitions(space, no);
CREATE TABLE naming(space integer PRIMARY KEY, rules bigint NOT NULL, named_to bigint NOT NULL) /*by namespace*/;
CREATE TABLE unnamed(space integer, no bigint, PRIMARY KEY(space, no)) /*by namespace*/;

-- Captured sessions.
CREATE SEQUENCE session_numbers;
CREATE TABLE sessions(
  space integer, no bigint DEFAULT nextval('session_numbers'), id text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL, agent text NOT NULL, started_at bigint NOT NULL, last_at bigint NOT NULL,
  ended_at bigint, observations bigint NOT NULL, processed_to bigint NOT NULL, processed_at bigint, summary text,
  transcript text, oldest_at bigint, PRIMARY KEY(space, no), UNIQUE(space, id)) /*by namespace*/;
CREATE INDEX sessions_last ON sessions(space, last_at);
CREATE INDEX sessions_project ON sessions(space, project);
CREATE INDEX sessions_changed ON sessions(space, last_at) WHERE observations > processed_to;
CREATE INDEX sessions_oldest ON sessions(space, oldest_at) WHERE oldest_at IS NOT NULL;
CREATE TABLE observations(
  space integer, place bigint, at bigint NOT NULL, role integer NOT NULL, failed integer NOT NULL, tool text,
  call text NOT NULL, text text NOT NULL, PRIMARY KEY(space, place)) /*by namespace*/;
CREATE TABLE observation_keys(
  space integer, session bigint, key bytea, seq bigint NOT NULL, PRIMARY KEY(space, session, key)) /*by namespace*/;
CREATE TABLE tellings(
  space integer, session bigint, digest bytea, seq bigint, via text COLLATE "C",
  PRIMARY KEY(space, session, digest, seq, via)) /*by namespace*/;
CREATE TABLE intakes(
  space integer, source bytea, upto bigint NOT NULL, at bigint NOT NULL, PRIMARY KEY(space, source)) /*by namespace*/;
CREATE TABLE erased(
  space integer, session bytea, at bigint, first bigint, last bigint NOT NULL,
  PRIMARY KEY(space, session, at, first)) /*by namespace*/;
