-- +goose Up
CREATE TABLE meta (
  name  TEXT PRIMARY KEY NOT NULL,
  value BLOB NOT NULL
);

CREATE TABLE gates (
  name       TEXT PRIMARY KEY NOT NULL,
  version    INTEGER NOT NULL,
  body       TEXT NOT NULL,
  ramp_key   BLOB,
  legal_hold INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE gate_events (
  gate TEXT NOT NULL,
  seq  INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (gate, seq)
) WITHOUT ROWID;

CREATE TABLE policies (
  gate     TEXT NOT NULL,
  version  INTEGER NOT NULL,
  kind     TEXT NOT NULL,
  name     TEXT NOT NULL,
  digest   TEXT NOT NULL,
  engine   TEXT NOT NULL,
  source   BLOB NOT NULL,
  files    TEXT NOT NULL,
  added_by TEXT NOT NULL,
  known    TEXT NOT NULL,
  added_at INTEGER NOT NULL,
  PRIMARY KEY (gate, version)
) WITHOUT ROWID;

-- Times are microseconds; an item without a deadline has the largest number, so
-- that both databases put it last. What no query asks for is in state, as JSON.
CREATE TABLE items (
  id           TEXT PRIMARY KEY NOT NULL,
  gate         TEXT NOT NULL,
  kind         TEXT NOT NULL,
  status       TEXT NOT NULL,
  queue        TEXT NOT NULL,
  priority     INTEGER NOT NULL,
  deadline     INTEGER NOT NULL,
  since        INTEGER NOT NULL,
  subject      TEXT NOT NULL,
  rev          INTEGER NOT NULL,
  busy_until   INTEGER NOT NULL, -- the end of the claim or hold
  next_due     INTEGER,
  input        BLOB,
  action       BLOB,
  original     BLOB,
  decision     BLOB,
  salt         BLOB NOT NULL,
  seed         BLOB NOT NULL,
  state        TEXT NOT NULL,
  opening      TEXT NOT NULL,
  permit       TEXT,
  permit_state TEXT,
  leaf_batch   INTEGER NOT NULL,
  legal_hold   INTEGER NOT NULL,
  erased       INTEGER NOT NULL
);
CREATE INDEX items_queue ON items (queue, priority DESC, deadline, since, id) WHERE status = 'pending_review';
CREATE INDEX items_urgent ON items (priority DESC, deadline, since, id) WHERE status = 'pending_review';
CREATE INDEX items_subject ON items (gate, subject) WHERE status = 'pending_review' AND subject <> '';
CREATE INDEX items_due ON items (next_due) WHERE next_due IS NOT NULL;
CREATE INDEX items_doubt ON items (id) WHERE permit_state = 'granted';
-- Most items are automatic and end at once. They are found without an index.
CREATE INDEX items_status ON items (status, id) WHERE status NOT IN ('auto_applied', 'auto_rejected');

CREATE TABLE events (
  item       TEXT NOT NULL,
  seq        INTEGER NOT NULL,
  body       TEXT NOT NULL,
  leaf_batch INTEGER NOT NULL,
  PRIMARY KEY (item, seq)
) WITHOUT ROWID;

CREATE TABLE idempotency (
  gate   TEXT NOT NULL,
  caller TEXT NOT NULL,
  key    TEXT NOT NULL,
  item   TEXT NOT NULL,
  body   BLOB NOT NULL,
  answer BLOB,
  PRIMARY KEY (gate, caller, key)
) WITHOUT ROWID;
CREATE INDEX idempotency_item ON idempotency (item);

CREATE TABLE labels (
  item  TEXT NOT NULL,
  seq   INTEGER NOT NULL,
  body  BLOB,
  by_id TEXT NOT NULL,
  known TEXT NOT NULL,
  at    INTEGER NOT NULL,
  PRIMARY KEY (item, seq)
) WITHOUT ROWID;

CREATE TABLE shadows (
  gate     TEXT NOT NULL,
  id       TEXT NOT NULL,
  subject  TEXT NOT NULL,
  version  INTEGER NOT NULL,
  digest   TEXT NOT NULL,
  engine   TEXT NOT NULL,
  seed     BLOB NOT NULL,
  verdict  TEXT NOT NULL,
  input    BLOB,
  decision BLOB,
  actual   BLOB,
  by_id    TEXT NOT NULL,
  known    TEXT NOT NULL,
  at       INTEGER NOT NULL,
  PRIMARY KEY (gate, id)
);

CREATE TABLE blobs (
  digest BLOB PRIMARY KEY NOT NULL,
  data   BLOB NOT NULL
);

CREATE TABLE blob_items (
  item   TEXT NOT NULL,
  digest BLOB NOT NULL,
  PRIMARY KEY (item, digest)
) WITHOUT ROWID;
CREATE INDEX blob_items_digest ON blob_items (digest);

CREATE TABLE executions (
  item     TEXT NOT NULL,
  executor TEXT NOT NULL,
  key      BLOB NOT NULL,
  at       INTEGER NOT NULL,
  PRIMARY KEY (item, executor)
) WITHOUT ROWID;

-- The leaves of one transaction, each with its length before it in two bytes,
-- big-endian. The sequencer sets the index of the first one.
CREATE TABLE ledger_batch (
  id     INTEGER PRIMARY KEY,
  first  INTEGER,
  n      INTEGER NOT NULL,
  leaves BLOB NOT NULL
);
CREATE INDEX ledger_batch_waiting ON ledger_batch (id) WHERE first IS NULL;
CREATE UNIQUE INDEX ledger_batch_first ON ledger_batch (first) WHERE first IS NOT NULL;

-- 1,024 hashes in each chunk, in the order of tlog.StoredHashIndex.
CREATE TABLE ledger_hashes (
  chunk INTEGER PRIMARY KEY NOT NULL,
  data  BLOB NOT NULL
);

CREATE TABLE checkpoints (
  size INTEGER PRIMARY KEY NOT NULL,
  root BLOB NOT NULL,
  note BLOB NOT NULL,
  at   INTEGER NOT NULL
);

-- One row, which is the lock of the log, too.
CREATE TABLE ledger_head (
  one        INTEGER PRIMARY KEY NOT NULL CHECK (one = 1),
  size       INTEGER NOT NULL,
  root       BLOB,
  checkpoint BLOB
);
INSERT INTO ledger_head (one, size) VALUES (1, 0);
