import type { Migration } from './migration.ts'

/** Adds the networks that API keys may be used from. */
export const keysAndSecrets: Migration = {
  name: '0006-keys-and-secrets',
  sql: `
-- Networks in canonical form, such as 203.0.113.0/24. Null: the key is used from everywhere.
alter table api_keys add column allowed_networks text[];
`,
}
