-- Removing runs looks up what was theirs instead of reading everything.
CREATE INDEX runs_by_document ON runs (tenant, document);
CREATE INDEX deliveries_by_run ON deliveries (run);
-- What stays true whatever is erased. `keys`: an API key was made, so every request needs one.
CREATE TABLE facts (name TEXT PRIMARY KEY);
INSERT INTO facts (name) SELECT DISTINCT 'keys' FROM api_keys;
-- Why a text that waits can be neither approved nor changed, in words; NULL where it can.
ALTER TABLE reviews ADD COLUMN cannot_approve TEXT;
ALTER TABLE reviews ADD COLUMN cannot_change TEXT;
