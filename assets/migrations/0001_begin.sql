-- Facts only: what may follow from them is decided in Rust.

CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE policy (
    sha256 BLOB PRIMARY KEY,
    body   TEXT NOT NULL,
    since  INTEGER NOT NULL
) STRICT;

CREATE TABLE layer (
    id   INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE
) STRICT;

-- The ledger: rows are only ever added. The triggers stop accidents, the hashes show the rest.
CREATE TABLE entry (
    seq   INTEGER PRIMARY KEY,
    at    INTEGER NOT NULL,
    act   INTEGER NOT NULL,
    item  TEXT NOT NULL,
    actor TEXT NOT NULL,
    bytes TEXT NOT NULL,
    hash  BLOB NOT NULL
) STRICT;
-- Batches of observations (21) are the bulk of all entries and are never looked up by item;
-- only decisions (below 20) are looked up by who made them.
CREATE INDEX entry_item ON entry (item, seq) WHERE act <> 21;
CREATE INDEX entry_actor ON entry (actor, seq) WHERE act < 20;
CREATE TRIGGER entry_is_never_changed BEFORE UPDATE ON entry
    BEGIN SELECT RAISE(ABORT, 'ledger entries are never changed'); END;
CREATE TRIGGER entry_is_never_removed BEFORE DELETE ON entry
    BEGIN SELECT RAISE(ABORT, 'ledger entries are never removed'); END;
CREATE TABLE ledger_head (
    one  INTEGER PRIMARY KEY CHECK (one = 1),
    seq  INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;

-- Texts that entries commit to. Erasable: the ledger still verifies without them.
CREATE TABLE beside (
    seq  INTEGER NOT NULL,
    part TEXT NOT NULL,
    salt BLOB NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (seq, part)
) STRICT, WITHOUT ROWID;

CREATE TABLE artifact (
    id         INTEGER PRIMARY KEY,
    sha256     BLOB NOT NULL UNIQUE,
    kind       INTEGER NOT NULL,
    trust      INTEGER NOT NULL,
    layer      INTEGER NOT NULL,
    session    TEXT,
    title      TEXT NOT NULL,
    length     INTEGER NOT NULL,
    at         INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    gone       INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE observation (
    seq        INTEGER PRIMARY KEY,
    text       TEXT NOT NULL,
    layer      INTEGER NOT NULL,
    user       TEXT NOT NULL,
    session    TEXT NOT NULL,
    source     TEXT,
    trust      INTEGER NOT NULL,
    origin     INTEGER NOT NULL,
    at         INTEGER NOT NULL,
    artifact   INTEGER,
    span_start INTEGER,
    span_end   INTEGER,
    key        BLOB
) STRICT;
CREATE UNIQUE INDEX observation_key ON observation (key) WHERE key IS NOT NULL;

CREATE TABLE detector (
    one          INTEGER PRIMARY KEY CHECK (one = 1),
    done         INTEGER NOT NULL,
    holder       TEXT,
    lease_until  INTEGER NOT NULL
) STRICT;

CREATE TABLE pattern (
    id           INTEGER PRIMARY KEY,
    layer        INTEGER NOT NULL,
    fingerprint  BLOB NOT NULL,
    users        INTEGER NOT NULL,
    sessions     INTEGER NOT NULL,
    days         INTEGER NOT NULL,
    observations INTEGER NOT NULL,
    trust        INTEGER NOT NULL,
    last_at      INTEGER NOT NULL,
    state        INTEGER NOT NULL,
    candidate    INTEGER,
    UNIQUE (layer, fingerprint)
) STRICT;
-- Every distinct wording with the pattern it was placed in, in the order it came; the text where
-- later wordings are compared with it.
CREATE TABLE placed (
    id       INTEGER PRIMARY KEY,
    layer    INTEGER NOT NULL,
    key      BLOB NOT NULL,
    founder  BLOB NOT NULL,
    compared TEXT,
    UNIQUE (layer, key)
) STRICT;
CREATE TABLE pattern_user (
    pattern INTEGER NOT NULL,
    user    TEXT NOT NULL,
    PRIMARY KEY (pattern, user)
) STRICT, WITHOUT ROWID;
CREATE TABLE pattern_session (
    pattern INTEGER NOT NULL,
    session TEXT NOT NULL,
    PRIMARY KEY (pattern, session)
) STRICT, WITHOUT ROWID;
CREATE TABLE pattern_day (
    pattern INTEGER NOT NULL,
    day     INTEGER NOT NULL,
    PRIMARY KEY (pattern, day)
) STRICT, WITHOUT ROWID;
CREATE TABLE pattern_wording (
    pattern INTEGER NOT NULL,
    sha256  BLOB NOT NULL,
    text    TEXT NOT NULL,
    count   INTEGER NOT NULL,
    PRIMARY KEY (pattern, sha256)
) STRICT, WITHOUT ROWID;
CREATE TABLE pattern_observation (
    pattern INTEGER NOT NULL,
    seq     INTEGER NOT NULL,
    PRIMARY KEY (pattern, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE candidate (
    id            INTEGER PRIMARY KEY,
    version       INTEGER NOT NULL,
    state         INTEGER NOT NULL,
    claim         TEXT NOT NULL,
    claim_key     BLOB NOT NULL,
    salt          BLOB NOT NULL,
    kind          INTEGER NOT NULL,
    influence     INTEGER NOT NULL,
    verdict       INTEGER NOT NULL,
    trust         INTEGER NOT NULL,
    layer         INTEGER NOT NULL,
    project       TEXT,
    session       TEXT,
    expires_at    INTEGER NOT NULL,
    confidence    REAL,
    proposer      TEXT NOT NULL,
    proposed_at   INTEGER NOT NULL,
    sources       TEXT NOT NULL,
    evidence      BLOB NOT NULL,
    findings      TEXT NOT NULL,
    policy        BLOB NOT NULL,
    pattern       INTEGER,
    users         INTEGER NOT NULL,
    sessions      INTEGER NOT NULL,
    days          INTEGER NOT NULL,
    held          INTEGER NOT NULL DEFAULT 0,
    snoozed_until INTEGER NOT NULL DEFAULT 0,
    linked_to     INTEGER,
    memory        INTEGER,
    decided_by    TEXT,
    decided_at    INTEGER,
    decided_act   INTEGER,
    decided_why   TEXT,
    key           TEXT
) STRICT;
CREATE INDEX candidate_queue ON candidate (state, id);
CREATE INDEX candidate_claim ON candidate (claim_key, layer);
CREATE INDEX candidate_snoozed ON candidate (snoozed_until) WHERE snoozed_until > 0;
CREATE INDEX candidate_pattern ON candidate (pattern) WHERE pattern IS NOT NULL;
CREATE UNIQUE INDEX candidate_key ON candidate (key) WHERE key IS NOT NULL;

CREATE TABLE memory (
    id          INTEGER PRIMARY KEY,
    lineage     INTEGER NOT NULL,
    candidate   INTEGER NOT NULL,
    entry       INTEGER NOT NULL,
    text        TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    salt        BLOB NOT NULL,
    kind        INTEGER NOT NULL,
    influence   INTEGER NOT NULL,
    mode        INTEGER NOT NULL,
    state       INTEGER NOT NULL,
    trust       INTEGER NOT NULL,
    layer       INTEGER NOT NULL,
    project     TEXT,
    session     TEXT,
    sources     TEXT NOT NULL,
    approved_at INTEGER NOT NULL,
    approved_by TEXT NOT NULL,
    expires_at  INTEGER NOT NULL,
    changed_by  TEXT,
    changed_at  INTEGER,
    changed_act INTEGER,
    changed_why TEXT
) STRICT;
CREATE INDEX memory_layer ON memory (layer, state, id);
CREATE INDEX memory_expiry ON memory (state, expires_at);
CREATE INDEX memory_fingerprint ON memory (fingerprint);
CREATE INDEX memory_candidate ON memory (candidate);

-- The layer token inside the index keeps a search in its scope; the rows are checked again.
CREATE VIRTUAL TABLE memory_text USING fts5 (
    ltok, body, content = '', contentless_delete = 1,
    tokenize = "unicode61 remove_diacritics 2"
);

CREATE TABLE serving (
    id      INTEGER PRIMARY KEY,
    at      INTEGER NOT NULL,
    layer   INTEGER NOT NULL,
    project TEXT,
    session TEXT,
    format  TEXT NOT NULL,
    block   BLOB NOT NULL,
    bytes   INTEGER NOT NULL,
    entry   INTEGER NOT NULL
) STRICT;
CREATE INDEX serving_session ON serving (session, at) WHERE session IS NOT NULL;
CREATE TABLE serving_memory (
    memory  INTEGER NOT NULL,
    serving INTEGER NOT NULL,
    sha256  BLOB NOT NULL,
    PRIMARY KEY (memory, serving)
) STRICT, WITHOUT ROWID;
CREATE INDEX serving_memory_serving ON serving_memory (serving);
CREATE TABLE memory_served (
    memory  INTEGER PRIMARY KEY,
    count   INTEGER NOT NULL,
    last_at INTEGER NOT NULL
) STRICT;

CREATE TABLE document (
    id       INTEGER PRIMARY KEY,
    title    TEXT NOT NULL,
    layer    INTEGER NOT NULL,
    sha256   BLOB NOT NULL,
    chunks   INTEGER NOT NULL,
    withheld INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    by       TEXT NOT NULL,
    entry    INTEGER NOT NULL,
    removed  INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX document_here ON document (layer, sha256) WHERE removed = 0;
CREATE TABLE chunk (
    id       INTEGER PRIMARY KEY,
    document INTEGER NOT NULL,
    place    INTEGER NOT NULL,
    layer    INTEGER NOT NULL,
    text     TEXT NOT NULL,
    sha256   BLOB NOT NULL,
    verdict  INTEGER NOT NULL,
    findings TEXT NOT NULL,
    UNIQUE (document, place)
) STRICT;
CREATE VIRTUAL TABLE chunk_text USING fts5 (
    ltok, body, content = '', contentless_delete = 1,
    tokenize = "unicode61 remove_diacritics 2"
);

-- Counts that a screen shows without counting.
CREATE TABLE tally (
    name TEXT PRIMARY KEY,
    n    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
