-- What was signed, byte for byte, with its signature: beside the entry, which names both. Whoever
-- changes a row here makes a decision unverifiable, never valid.
CREATE TABLE signature (
    seq       INTEGER PRIMARY KEY,
    statement TEXT NOT NULL,
    armored   TEXT NOT NULL
) STRICT;

-- The reviewers' list has no table: it is read from its entries (16, 17), so that there is nothing
-- to be edited.
CREATE INDEX entry_reviewers ON entry (seq) WHERE act IN (16, 17);

-- Decisions are the acts below 20 and from 40 on.
DROP INDEX entry_actor;
CREATE INDEX entry_actor ON entry (actor, seq) WHERE act < 20 OR act >= 40;
