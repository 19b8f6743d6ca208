-- Which approvals put a memory in the place of another: what was replaced is never served again
-- because a row says so, only because no entry that stands says otherwise.
CREATE INDEX entry_supersedes ON entry (CASE WHEN json_valid(bytes) THEN json_extract(bytes, '$.facts.supersedes') END)
    WHERE act IN (1, 2) AND CASE WHEN json_valid(bytes) THEN json_extract(bytes, '$.facts.supersedes') END IS NOT NULL;

-- The versions of a memory, and who is served where.
CREATE INDEX memory_lineage ON memory (lineage, id);
CREATE INDEX serving_layer ON serving (layer, at);
