import type { Migration } from './migration.ts'

/**
 * Keeps how the renewal of a grant fails: providers differ in how long they take the same refresh token again after an answer that
 * was lost, and whether their rejection is final.
 */
export const lostRenewals: Migration = {
  name: '0035-lost-renewals',
  sql: `
alter table integration_credentials
  add column refusals integer not null default 0,
  add column failing_since timestamptz,
  add column retry_at timestamptz;
`,
}
