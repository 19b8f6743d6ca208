-- What Pulse shows, counted as it happens: by day, layer and sort. No entry, recall or decision
-- reads it; it can be made again from the rows and entries, as here.
CREATE TABLE happened (
    day    INTEGER NOT NULL,
    what   INTEGER NOT NULL,
    layer  INTEGER NOT NULL,
    detail TEXT NOT NULL,
    n      INTEGER NOT NULL,
    PRIMARY KEY (day, what, layer, detail)
) STRICT, WITHOUT ROWID;
-- How full the queue of one layer is.
CREATE INDEX candidate_waiting ON candidate (layer, id) WHERE state = 0;

INSERT INTO happened
    SELECT CAST(proposed_at / 86400000 AS INTEGER), 0, layer, trust || ' ' || verdict || ' ' || (sources <> ''), count(*)
    FROM candidate GROUP BY 1, 3, 4;
INSERT INTO happened
    SELECT CAST(c.proposed_at / 86400000 AS INTEGER), 1, c.layer, json_extract(f.value, '$.rule'), count(DISTINCT c.id)
    FROM candidate c, json_each(CASE WHEN json_valid(c.findings) THEN c.findings ELSE '[]' END) f
    WHERE c.verdict = 2 AND json_extract(f.value, '$.severity') = 'quarantine' AND json_extract(f.value, '$.rule') IS NOT NULL
    GROUP BY 1, 3, 4;
-- Decisions that still stand; how long the text was on screen was not kept then.
INSERT INTO happened
    SELECT CAST(e.at / 86400000 AS INTEGER), 2, COALESCE(c.layer, m.layer), e.act || ' ' || ((e.at / 3600000) % 24), count(*)
    FROM entry e
    LEFT JOIN candidate c ON c.id = CASE WHEN e.item GLOB 'C-*' THEN CAST(substr(e.item, 3) AS INTEGER) END
    LEFT JOIN memory m ON m.id = CASE WHEN e.item GLOB 'M-*' THEN CAST(substr(e.item, 3) AS INTEGER) END
    WHERE e.act IN (1, 2, 3, 4, 5, 6, 7, 9, 10, 41) AND COALESCE(c.layer, m.layer) IS NOT NULL
    AND 'E-' || e.seq NOT IN (SELECT json_extract(bytes, '$.facts.undoes') FROM entry
        WHERE act = 8 AND json_extract(bytes, '$.facts.undoes') IS NOT NULL)
    GROUP BY 1, 3, 4;
INSERT INTO happened
    SELECT CAST(s.at / 86400000 AS INTEGER), 4, s.layer,
        CAST(EXISTS (SELECT 1 FROM memory_stale t WHERE t.memory = h.memory AND t.at <= s.at) AS TEXT), count(*)
    FROM serving_memory h JOIN serving s ON s.id = h.serving GROUP BY 1, 3, 4;
