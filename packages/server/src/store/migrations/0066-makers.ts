import type { Migration } from './migration.ts'

/** Creates the columns for who made an outgoing webhook, and who gave a member their role. What exists has neither. */
export const makers: Migration = {
  name: '0066-makers',
  sql: `
alter table outgoing_webhooks add column created_by json;
alter table members add column granted_by json;
`,
}
