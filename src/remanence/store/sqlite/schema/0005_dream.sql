-- Names as memories write them, each way of writing a row, folded to a key that the others share. A row goes with the last memory that writes it so.
CREATE TABLE entities(
  no INTEGER PRIMARY KEY, space INTEGER NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL, kind INTEGER NOT NULL);
CREATE UNIQUE INDEX entities_name ON entities(space, key, name, kind);

-- Which memory holds which name.
CREATE TABLE mentions(entity INTEGER NOT NULL, no INTEGER NOT NULL, PRIMARY KEY(entity, no)) WITHOUT ROWID;
CREATE INDEX mentions_no ON mentions(no);

-- Which memory says that a short name stands for a long one: "Model Context Protocol (MCP)".
CREATE TABLE definitions(
  short INTEGER NOT NULL, long INTEGER NOT NULL, no INTEGER NOT NULL, PRIMARY KEY(short, long, no)) WITHOUT ROWID;
CREATE INDEX definitions_long ON definitions(long);
CREATE INDEX definitions_no ON definitions(no);

-- How far names were taken, by which rules: the number of the last memory that was looked at. Those in `unnamed` changed since, or left quarantine.
CREATE TABLE naming(space INTEGER PRIMARY KEY, rules INTEGER NOT NULL, named_to INTEGER NOT NULL);
CREATE TABLE unnamed(space INTEGER NOT NULL, no INTEGER NOT NULL, PRIMARY KEY(space, no)) WITHOUT ROWID;
