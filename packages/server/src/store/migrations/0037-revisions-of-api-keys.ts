import type { Migration } from './migration.ts'

/** Counts the changes of an API key, so that two people who change one don't overwrite each other. */
export const revisionsOfApiKeys: Migration = {
  name: '0037-revisions-of-api-keys',
  sql: `
alter table api_keys add column revision integer not null default 1;
`,
}
