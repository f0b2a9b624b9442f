-- Banks as they were submitted, to be put together again from their items' results.
CREATE TABLE banks (
    batch TEXT PRIMARY KEY,
    tenant TEXT NOT NULL REFERENCES tenants (id),
    name TEXT NOT NULL,
    -- The hash of its bytes.
    document TEXT NOT NULL,
    created BIGINT NOT NULL,
    submitted_by TEXT NOT NULL
);
CREATE INDEX banks_by_tenant ON banks (tenant, created);
CREATE INDEX banks_by_document ON banks (tenant, document);
