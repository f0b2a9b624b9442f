-- Browsers that signed in with an API key.
CREATE TABLE sessions (
    -- SHA-256 of the token in the cookie; the token itself is kept nowhere.
    hash TEXT PRIMARY KEY,
    api_key TEXT NOT NULL REFERENCES api_keys (id),
    created BIGINT NOT NULL,
    expires BIGINT NOT NULL
);
CREATE INDEX sessions_by_key ON sessions (api_key, created);
