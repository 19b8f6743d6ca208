-- Looking back: when something was handed over, who cites which evidence, and what compactions
-- made of conversations.

-- A serving's time is its entry's, which never runs backwards: a moment is found by halving.
UPDATE serving SET at = (SELECT e.at FROM entry e WHERE e.seq = serving.entry)
    WHERE EXISTS (SELECT 1 FROM entry e WHERE e.seq = serving.entry AND e.at <> serving.at);

-- Which candidates cite an artifact: a way to find them, made from what they say they come from.
CREATE TABLE candidate_artifact (
    sha256    BLOB NOT NULL,
    candidate INTEGER NOT NULL,
    PRIMARY KEY (sha256, candidate)
) STRICT, WITHOUT ROWID;
WITH RECURSIVE source (candidate, one, rest) AS (
    SELECT id, '', sources || char(10) FROM candidate
    UNION ALL
    SELECT candidate, substr(rest, 1, instr(rest, char(10)) - 1), substr(rest, instr(rest, char(10)) + 1)
    FROM source WHERE rest <> ''
)
INSERT OR IGNORE INTO candidate_artifact (sha256, candidate)
    SELECT unhex(substr(one, 10, 64)), candidate FROM source
    WHERE one GLOB 'artifact:*' AND unhex(substr(one, 10, 64)) IS NOT NULL;

-- A compaction: the messages that were summed up, the summary, and the candidates made of it. What
-- was decided on these, and what the next context held, stands where it always stands.
CREATE TABLE compaction (
    entry       INTEGER PRIMARY KEY,
    summary     BLOB NOT NULL,
    source      BLOB,
    span_start  INTEGER,
    span_end    INTEGER,
    messages    INTEGER NOT NULL,
    layer       INTEGER NOT NULL,
    session     TEXT NOT NULL,
    happened_at INTEGER NOT NULL,
    claims      INTEGER NOT NULL,
    candidates  TEXT NOT NULL
) STRICT;
CREATE INDEX compaction_summary ON compaction (summary);
CREATE INDEX compaction_source ON compaction (source) WHERE source IS NOT NULL;
CREATE INDEX compaction_session ON compaction (session, happened_at);
