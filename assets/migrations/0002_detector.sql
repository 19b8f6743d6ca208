-- What the detector keeps beside its counts: why wordings stand together or apart, what recurs in
-- several layers, what is known near a candidate, and the thresholds that people set.

-- How a wording came to its pattern, and what it was seen beside. Bounded for each pattern.
CREATE TABLE pattern_link (
    id        INTEGER PRIMARY KEY,
    pattern   INTEGER NOT NULL,
    kind      INTEGER NOT NULL,
    other     INTEGER NOT NULL DEFAULT 0,
    text      TEXT NOT NULL,
    with_text TEXT NOT NULL,
    why       TEXT NOT NULL,
    version   BLOB NOT NULL,
    at        INTEGER NOT NULL,
    UNIQUE (pattern, kind, other, text)
) STRICT;

-- When each user (0) and each session (1) of a tenant was first seen at all.
CREATE TABLE first_seen (
    what   INTEGER NOT NULL,
    tenant TEXT NOT NULL,
    name   TEXT NOT NULL,
    at     INTEGER NOT NULL,
    PRIMARY KEY (what, tenant, name)
) STRICT, WITHOUT ROWID;

-- How many patterns came to (n > 0) or left (n < 0) a support in each week: all weeks together are
-- the supports of now, a few of them what was new in those weeks.
CREATE TABLE support_change (
    week     INTEGER NOT NULL,
    layer    INTEGER NOT NULL,
    users    INTEGER NOT NULL,
    sessions INTEGER NOT NULL,
    days     INTEGER NOT NULL,
    n        INTEGER NOT NULL,
    PRIMARY KEY (week, layer, users, sessions, days)
) STRICT, WITHOUT ROWID;
CREATE INDEX pattern_watching ON pattern (users, sessions, days) WHERE state = 0;

-- The patterns of one tenant that say the same in different layers, by the first of them.
CREATE TABLE family (
    pattern  INTEGER PRIMARY KEY,
    tenant   INTEGER NOT NULL,
    founder  BLOB NOT NULL,
    key      BLOB NOT NULL,
    seq      INTEGER NOT NULL,
    compared INTEGER NOT NULL
) STRICT;
CREATE INDEX family_founder ON family (tenant, founder);
-- A pattern of a wider layer and the patterns below it whose people it counts.
CREATE TABLE rollup (
    child INTEGER NOT NULL,
    whole INTEGER NOT NULL,
    PRIMARY KEY (child, whole)
) STRICT, WITHOUT ROWID;
CREATE INDEX rollup_whole ON rollup (whole);

-- Patterns that grew and were not looked at since; what is done is taken out.
CREATE TABLE pattern_todo (
    pattern INTEGER PRIMARY KEY
) STRICT;
CREATE TABLE detector_progress (
    one          INTEGER PRIMARY KEY CHECK (one = 1),
    at           INTEGER NOT NULL,
    observations INTEGER NOT NULL,
    millis       INTEGER NOT NULL,
    version      TEXT NOT NULL,
    error        TEXT,
    error_at     INTEGER
) STRICT;

-- What people set, beside the policy. An empty layer stands for all.
CREATE TABLE thresholds (
    layer    TEXT PRIMARY KEY,
    users    INTEGER NOT NULL,
    sessions INTEGER NOT NULL,
    days     INTEGER NOT NULL,
    window   INTEGER NOT NULL,
    entry    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Patterns that speak against a memory. A person's later decision on the memory answers them.
CREATE TABLE memory_stale (
    memory   INTEGER NOT NULL,
    pattern  INTEGER NOT NULL,
    relation INTEGER NOT NULL,
    why      TEXT NOT NULL,
    at       INTEGER NOT NULL,
    entry    INTEGER NOT NULL,
    PRIMARY KEY (memory, pattern)
) STRICT, WITHOUT ROWID;

-- What stood near a candidate when it was proposed.
CREATE TABLE known (
    candidate INTEGER NOT NULL,
    relation  INTEGER NOT NULL,
    item      TEXT NOT NULL,
    why       TEXT NOT NULL,
    PRIMARY KEY (candidate, relation, item)
) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE candidate_text USING fts5 (
    ltok, body, content = '', contentless_delete = 1,
    tokenize = "unicode61 remove_diacritics 2"
);

INSERT INTO candidate_text (rowid, ltok, body) SELECT id, 'zl' || layer, claim FROM candidate;
INSERT INTO support_change
    SELECT CAST(max(last_at, 0) / 604800000 AS INTEGER), layer, min(users, 64), min(sessions, 64), min(days, 64), count(*)
    FROM pattern WHERE users > 0 GROUP BY 1, 2, 3, 4, 5;
INSERT INTO first_seen
    SELECT 0, substr(l.path || '/', 1, instr(l.path || '/', '/') - 1), o.user, min(o.at)
    FROM observation o JOIN layer l ON l.id = o.layer WHERE o.seq <= (SELECT done FROM detector) GROUP BY 2, 3;
INSERT INTO first_seen
    SELECT 1, substr(l.path || '/', 1, instr(l.path || '/', '/') - 1), o.session, min(o.at)
    FROM observation o JOIN layer l ON l.id = o.layer WHERE o.seq <= (SELECT done FROM detector) GROUP BY 2, 3;
