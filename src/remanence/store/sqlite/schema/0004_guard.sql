-- How far a memory may be believed at most, by what it was made from; NULL: as far as its source.
ALTER TABLE lives ADD COLUMN trust_limit REAL;

-- What language models were given and gave, a row a day and model.
CREATE TABLE spending(
  space INTEGER NOT NULL, day TEXT NOT NULL, model TEXT NOT NULL, calls INTEGER NOT NULL, failed INTEGER NOT NULL,
  tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL, PRIMARY KEY(space, day, model)) WITHOUT ROWID;

-- What waits for a person: few among many.
CREATE INDEX lives_quarantined ON lives(space, no) WHERE state = 4;
CREATE INDEX lives_challenged ON lives(space, no) WHERE challenged_by IS NOT NULL;
