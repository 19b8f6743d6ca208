-- Interior nodes of the ledger's Merkle tree, every eighth level: a root or a proof reads a few
-- hundred rows. Each can be computed again from the entries; verifying does.
CREATE TABLE tree_node (
    level INTEGER NOT NULL,
    at    INTEGER NOT NULL,
    hash  BLOB NOT NULL,
    PRIMARY KEY (level, at)
) STRICT, WITHOUT ROWID;

-- What was erased and by which entry. Of an observation its salted hash stays, so that the batch
-- it came in still verifies; the salt is gone.
CREATE TABLE erased (
    item  TEXT PRIMARY KEY,
    entry INTEGER NOT NULL,
    hash  BLOB
) STRICT, WITHOUT ROWID;

-- What stays of evidence that passed its retention: the hashes of the ranges that are cited.
CREATE TABLE cited_span (
    artifact   INTEGER NOT NULL,
    span_start INTEGER NOT NULL,
    span_end   INTEGER NOT NULL,
    sha256     BLOB NOT NULL,
    PRIMARY KEY (artifact, span_start, span_end)
) STRICT, WITHOUT ROWID;

-- Salts of what an entry commits to; a row without one is older than this layout, or was erased.
ALTER TABLE observation ADD COLUMN salt BLOB;
ALTER TABLE serving ADD COLUMN salt BLOB;
