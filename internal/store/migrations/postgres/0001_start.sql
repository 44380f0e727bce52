-- +goose Up
CREATE TABLE meta (
  name  TEXT COLLATE "C" PRIMARY KEY NOT NULL,
  value BYTEA NOT NULL
);

CREATE TABLE gates (
  name       TEXT COLLATE "C" PRIMARY KEY NOT NULL,
  version    BIGINT NOT NULL,
  body       TEXT COLLATE "C" NOT NULL,
  ramp_key   BYTEA,
  legal_hold BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE gate_events (
  gate TEXT COLLATE "C" NOT NULL,
  seq  BIGINT NOT NULL,
  body TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (gate, seq)
);

CREATE TABLE policies (
  gate     TEXT COLLATE "C" NOT NULL,
  version  BIGINT NOT NULL,
  kind     TEXT COLLATE "C" NOT NULL,
  name     TEXT COLLATE "C" NOT NULL,
  digest   TEXT COLLATE "C" NOT NULL,
  engine   TEXT COLLATE "C" NOT NULL,
  source   BYTEA NOT NULL,
  files    TEXT COLLATE "C" NOT NULL,
  added_by TEXT COLLATE "C" NOT NULL,
  known    TEXT COLLATE "C" NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (gate, version)
);

-- Times are microseconds; an item without a deadline has the largest number, so
-- that both databases put it last. What no query asks for is in state, as JSON.
CREATE TABLE items (
  id           TEXT COLLATE "C" PRIMARY KEY NOT NULL,
  gate         TEXT COLLATE "C" NOT NULL,
  kind         TEXT COLLATE "C" NOT NULL,
  status       TEXT COLLATE "C" NOT NULL,
  queue        TEXT COLLATE "C" NOT NULL,
  priority     BIGINT NOT NULL,
  deadline     BIGINT NOT NULL,
  since        BIGINT NOT NULL,
  subject      TEXT COLLATE "C" NOT NULL,
  rev          BIGINT NOT NULL,
  busy_until   BIGINT NOT NULL, -- the end of the claim or hold
  next_due     BIGINT,
  input        BYTEA,
  action       BYTEA,
  original     BYTEA,
  decision     BYTEA,
  salt         BYTEA NOT NULL,
  seed         BYTEA NOT NULL,
  state        TEXT COLLATE "C" NOT NULL,
  opening      TEXT COLLATE "C" NOT NULL,
  permit       TEXT COLLATE "C",
  permit_state TEXT COLLATE "C",
  leaf_batch   BIGINT NOT NULL,
  legal_hold   BIGINT NOT NULL,
  erased       BIGINT NOT NULL
);
CREATE INDEX items_queue ON items (queue, priority DESC, deadline, since, id) WHERE status = 'pending_review';
CREATE INDEX items_urgent ON items (priority DESC, deadline, since, id) WHERE status = 'pending_review';
CREATE INDEX items_subject ON items (gate, subject) WHERE status = 'pending_review' AND subject <> '';
CREATE INDEX items_due ON items (next_due) WHERE next_due IS NOT NULL;
CREATE INDEX items_doubt ON items (id) WHERE permit_state = 'granted';
-- Most items are automatic and end at once. They are found without an index.
CREATE INDEX items_status ON items (status, id) WHERE status NOT IN ('auto_applied', 'auto_rejected');

CREATE TABLE events (
  item       TEXT COLLATE "C" NOT NULL,
  seq        BIGINT NOT NULL,
  body       TEXT COLLATE "C" NOT NULL,
  leaf_batch BIGINT NOT NULL,
  PRIMARY KEY (item, seq)
);

CREATE TABLE idempotency (
  gate   TEXT COLLATE "C" NOT NULL,
  caller TEXT COLLATE "C" NOT NULL,
  key    TEXT COLLATE "C" NOT NULL,
  item   TEXT COLLATE "C" NOT NULL,
  body   BYTEA NOT NULL,
  answer BYTEA,
  PRIMARY KEY (gate, caller, key)
);
CREATE INDEX idempotency_item ON idempotency (item);

CREATE TABLE labels (
  item  TEXT COLLATE "C" NOT NULL,
  seq   BIGINT NOT NULL,
  body  BYTEA,
  by_id TEXT COLLATE "C" NOT NULL,
  known TEXT COLLATE "C" NOT NULL,
  at    BIGINT NOT NULL,
  PRIMARY KEY (item, seq)
);

CREATE TABLE shadows (
  gate     TEXT COLLATE "C" NOT NULL,
  id       TEXT COLLATE "C" NOT NULL,
  subject  TEXT COLLATE "C" NOT NULL,
  version  BIGINT NOT NULL,
  digest   TEXT COLLATE "C" NOT NULL,
  engine   TEXT COLLATE "C" NOT NULL,
  seed     BYTEA NOT NULL,
  verdict  TEXT COLLATE "C" NOT NULL,
  input    BYTEA,
  decision BYTEA,
  actual   BYTEA,
  by_id    TEXT COLLATE "C" NOT NULL,
  known    TEXT COLLATE "C" NOT NULL,
  at       BIGINT NOT NULL,
  PRIMARY KEY (gate, id)
);

CREATE TABLE blobs (
  digest BYTEA PRIMARY KEY NOT NULL,
  data   BYTEA NOT NULL
);

CREATE TABLE blob_items (
  item   TEXT COLLATE "C" NOT NULL,
  digest BYTEA NOT NULL,
  PRIMARY KEY (item, digest)
);
CREATE INDEX blob_items_digest ON blob_items (digest);

CREATE TABLE executions (
  item     TEXT COLLATE "C" NOT NULL,
  executor TEXT COLLATE "C" NOT NULL,
  key      BYTEA NOT NULL,
  at       BIGINT NOT NULL,
  PRIMARY KEY (item, executor)
);

-- The leaves of one transaction, each with its length before it in two bytes,
-- big-endian. The sequencer sets the index of the first one.
CREATE TABLE ledger_batch (
  id     BIGINT PRIMARY KEY,
  first  BIGINT,
  n      BIGINT NOT NULL,
  leaves BYTEA NOT NULL
);
CREATE INDEX ledger_batch_waiting ON ledger_batch (id) WHERE first IS NULL;
CREATE UNIQUE INDEX ledger_batch_first ON ledger_batch (first) WHERE first IS NOT NULL;

-- 1,024 hashes in each chunk, in the order of tlog.StoredHashIndex.
CREATE TABLE ledger_hashes (
  chunk BIGINT PRIMARY KEY NOT NULL,
  data  BYTEA NOT NULL
);

CREATE TABLE checkpoints (
  size BIGINT PRIMARY KEY NOT NULL,
  root BYTEA NOT NULL,
  note BYTEA NOT NULL,
  at   BIGINT NOT NULL
);

-- One row, which is the lock of the log, too.
CREATE TABLE ledger_head (
  one        BIGINT PRIMARY KEY NOT NULL CHECK (one = 1),
  size       BIGINT NOT NULL,
  root       BYTEA,
  checkpoint BYTEA
);
INSERT INTO ledger_head (one, size) VALUES (1, 0);

CREATE SEQUENCE ledger_batch_id;

-- A gate's lock is an advisory one: cheaper than a row's. The function's two
-- statements have snapshots of their own, so that what is read is what was
-- there once the lock was had.
-- +goose StatementBegin
CREATE FUNCTION locked_gate(gate TEXT, alone BOOLEAN) RETURNS SETOF gates LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF alone THEN
    PERFORM pg_advisory_xact_lock(hashtextextended(gate, 31337));
  ELSE
    PERFORM pg_advisory_xact_lock_shared(hashtextextended(gate, 31337));
  END IF;
  RETURN QUERY SELECT * FROM gates g WHERE g.name = gate;
END $$;
-- +goose StatementEnd
