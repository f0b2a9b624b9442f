-- One file for SQLite and PostgreSQL: TEXT, BIGINT and BYTEA alone, times in
-- milliseconds since 1970, JSON as text.

CREATE TABLE tenants (
    id TEXT PRIMARY KEY,
    created BIGINT NOT NULL,
    -- How many of its runs are driven at once.
    concurrency BIGINT NOT NULL,
    settings TEXT NOT NULL
);

CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    tenant TEXT NOT NULL REFERENCES tenants (id),
    name TEXT NOT NULL,
    -- SHA-256 of the secret; the secret itself is kept nowhere.
    hash TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created BIGINT NOT NULL,
    revoked BIGINT
);
CREATE UNIQUE INDEX api_keys_by_name ON api_keys (tenant, name);

-- Documents and companions, once for each tenant under the hash of their bytes. The
-- tenant is part of the key: nobody can learn that another tenant has a text.
CREATE TABLE blobs (
    tenant TEXT NOT NULL REFERENCES tenants (id),
    hash TEXT NOT NULL,
    bytes BYTEA NOT NULL,
    PRIMARY KEY (tenant, hash)
);

CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    tenant TEXT NOT NULL REFERENCES tenants (id),
    -- queued, running, waiting, done, failed, cancelled
    state TEXT NOT NULL,
    goal TEXT NOT NULL,
    profile TEXT NOT NULL,
    mode TEXT NOT NULL,
    name TEXT NOT NULL,
    batch TEXT,
    priority BIGINT NOT NULL,
    created BIGINT NOT NULL,
    updated BIGINT NOT NULL,
    -- The header of the journal: everything that sets the run up again.
    header TEXT NOT NULL,
    -- Hashes of its blobs: the document, and a JSON list of the others.
    document TEXT NOT NULL,
    companions TEXT NOT NULL,
    submitted_by TEXT NOT NULL,
    idempotency TEXT,
    order_hash TEXT NOT NULL,
    -- Raised by every claim, cancellation and expired lease. A worker may write only
    -- while it has the current one.
    epoch BIGINT NOT NULL,
    worker TEXT,
    lease_until BIGINT NOT NULL,
    wake_at BIGINT NOT NULL,
    failures BIGINT NOT NULL,
    inputs BIGINT NOT NULL,
    events BIGINT NOT NULL,
    status TEXT,
    score BIGINT,
    error TEXT
);
CREATE INDEX runs_by_tenant ON runs (tenant, id);
-- For listing by state or batch, and for claiming.
CREATE INDEX runs_in_state ON runs (tenant, state, id);
CREATE INDEX runs_in_batch ON runs (tenant, batch, id);
CREATE INDEX runs_to_claim ON runs (tenant, state, priority DESC, id);
CREATE INDEX runs_by_lease ON runs (state, lease_until);
CREATE UNIQUE INDEX runs_by_idempotency ON runs (tenant, idempotency);

CREATE TABLE outcomes (
    run TEXT PRIMARY KEY REFERENCES runs (id),
    body TEXT NOT NULL
);

-- What happened to a run, in order: the records of a journal.
CREATE TABLE inputs (
    run TEXT NOT NULL REFERENCES runs (id),
    seq BIGINT NOT NULL,
    -- The ask that a reply answers.
    ask TEXT,
    body TEXT NOT NULL,
    PRIMARY KEY (run, seq)
);
CREATE UNIQUE INDEX replies ON inputs (run, ask);

CREATE TABLE events (
    run TEXT NOT NULL REFERENCES runs (id),
    seq BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (run, seq)
);

-- Runs that wait for a reviewer.
CREATE TABLE reviews (
    run TEXT PRIMARY KEY REFERENCES runs (id),
    tenant TEXT NOT NULL,
    since BIGINT NOT NULL,
    because TEXT NOT NULL,
    content BYTEA NOT NULL,
    -- open, disputed
    state TEXT NOT NULL,
    assignee TEXT
);
CREATE INDEX reviews_by_tenant ON reviews (tenant, since, run);

CREATE TABLE decisions (
    run TEXT NOT NULL REFERENCES runs (id),
    number BIGINT NOT NULL,
    reviewer TEXT NOT NULL,
    made BIGINT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    -- Which request it answers: when that began.
    since BIGINT NOT NULL,
    PRIMARY KEY (run, number)
);

CREATE TABLE webhooks (
    id TEXT PRIMARY KEY,
    tenant TEXT NOT NULL REFERENCES tenants (id),
    url TEXT NOT NULL,
    secret TEXT NOT NULL,
    created BIGINT NOT NULL
);

CREATE TABLE deliveries (
    id TEXT PRIMARY KEY,
    webhook TEXT NOT NULL REFERENCES webhooks (id),
    run TEXT NOT NULL,
    body TEXT NOT NULL,
    attempts BIGINT NOT NULL,
    -- When to try next; NULL once it was taken or given up.
    due BIGINT,
    answer TEXT
);
CREATE INDEX deliveries_due ON deliveries (due);
