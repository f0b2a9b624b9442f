-- A decision or a remark has the key of its request, so that a repetition is found: of a
-- client that got no answer, or of a commit whose answer was lost.
ALTER TABLE decisions ADD COLUMN token TEXT;
ALTER TABLE decisions ADD COLUMN result TEXT;
CREATE UNIQUE INDEX decisions_by_token ON decisions (run, token);
ALTER TABLE comments ADD COLUMN token TEXT;
CREATE UNIQUE INDEX comments_by_token ON comments (run, token);
-- 1 where another program made the record: what this service did not do it does not sign.
ALTER TABLE runs ADD COLUMN imported BIGINT;
