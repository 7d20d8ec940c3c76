/** Creates the table of the keys. It has the SHA-256 of each key, never the key. */
export const schema = `
  CREATE TABLE IF NOT EXISTS api_keys (
    id text NOT NULL,
    sha256 text PRIMARY KEY,
    plan text NOT NULL,
    per_minute int,
    per_day int,
    expires_at timestamptz,
    CHECK (plan IN ('free', 'pro', 'business') OR (plan = 'enterprise' AND per_minute > 0 AND per_day > 0))
  )`
