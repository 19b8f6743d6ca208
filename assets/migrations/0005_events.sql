-- Signed workflow events: whom we believe, and everything that arrived, refused ones too.

CREATE TABLE event_source (
    name        TEXT PRIMARY KEY,
    scheme      INTEGER NOT NULL,
    repository  TEXT NOT NULL,
    environment TEXT,
    layer       TEXT NOT NULL,
    secret_file TEXT NOT NULL,
    added_at    INTEGER NOT NULL,
    added_by    TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The raw bytes stay, so that an event can be verified again. Secrets are never kept beside them.
CREATE TABLE event (
    id          INTEGER PRIMARY KEY,
    source      TEXT NOT NULL,
    layer       TEXT NOT NULL,
    delivery    TEXT NOT NULL,
    sha256      BLOB NOT NULL,
    received_at INTEGER NOT NULL,
    outcome     INTEGER NOT NULL,
    why         TEXT NOT NULL,
    headers     TEXT NOT NULL,
    body        BLOB NOT NULL,
    action      INTEGER,
    subject     TEXT,
    environment TEXT,
    state       INTEGER,
    said_at     INTEGER,
    said_order  INTEGER
) STRICT;
-- In some schemes no header is signed: neither a delivery nor a body counts twice.
CREATE UNIQUE INDEX event_delivery ON event (source, delivery) WHERE outcome < 2;
CREATE UNIQUE INDEX event_body ON event (source, sha256) WHERE outcome < 2;
CREATE INDEX event_subject ON event (subject, action) WHERE outcome = 0;
-- What arrived is held against its entries (act 33) whenever something is asked of it.
CREATE INDEX entry_event ON entry (item, seq) WHERE act = 33;
