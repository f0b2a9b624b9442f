-- A reviewer's word about a section of a run that is being driven: 1 until its worker
-- has taken it as an input.
ALTER TABLE decisions ADD COLUMN pending BIGINT;
CREATE INDEX decisions_pending ON decisions (pending, run, number);

-- What people remarked about a passage.
CREATE TABLE comments (
    run TEXT NOT NULL REFERENCES runs (id),
    number BIGINT NOT NULL,
    author TEXT NOT NULL,
    made BIGINT NOT NULL,
    -- SHA-256 of the text that the span was measured in.
    version TEXT NOT NULL,
    -- In bytes; the passage itself stays readable when the text changes.
    span_start BIGINT NOT NULL,
    span_end BIGINT NOT NULL,
    quote TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (run, number)
);
