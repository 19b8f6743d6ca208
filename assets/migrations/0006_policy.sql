-- What was judged beside the policy in force. It reports; nothing that is decided or served reads it.

-- What a class that is only observed would have weighed on a candidate.
CREATE TABLE observed (
    class     INTEGER NOT NULL,
    candidate INTEGER NOT NULL,
    severity  INTEGER NOT NULL,
    PRIMARY KEY (class, candidate)
) STRICT, WITHOUT ROWID;

-- What the shadow policy says of a candidate; no verdict where it could not answer.
CREATE TABLE shadow_verdict (
    shadow    BLOB NOT NULL,
    candidate INTEGER NOT NULL,
    verdict   INTEGER,
    rule      TEXT NOT NULL,
    PRIMARY KEY (shadow, candidate)
) STRICT, WITHOUT ROWID;
