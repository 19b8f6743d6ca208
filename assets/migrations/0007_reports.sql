-- Reports on memories (act 36) are entries; this finds them without reading the others.
CREATE INDEX entry_report ON entry (item, seq) WHERE act = 36;
