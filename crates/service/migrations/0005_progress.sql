-- How far a run has come, for lists: the score of the text that came in and what was spent,
-- in millionths of a dollar. `score` is that of the latest judged version.
ALTER TABLE runs ADD COLUMN score_before BIGINT;
ALTER TABLE runs ADD COLUMN rounds BIGINT;
ALTER TABLE runs ADD COLUMN cost_micros BIGINT;
