-- A rare status or profile among 100,000 runs is found without reading them all.
CREATE INDEX runs_by_status ON runs (tenant, status, id);
CREATE INDEX runs_by_profile ON runs (tenant, profile, id);
