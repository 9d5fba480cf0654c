import type { Migration } from '../migration.ts'

/**
 * Creates the column for the Kubernetes service accounts that are pinned to a key:
 * `[{ issuer, namespace, name, keys }]`. Null: none.
 */
export const serviceAccounts: Migration = {
  name: '0025-service-accounts',
  sql: `
alter table api_keys add column service_accounts json;
`,
}
