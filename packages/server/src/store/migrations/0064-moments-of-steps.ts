import type { Migration } from './migration.ts'

/**
 * Keeps when a message was sent for the first time, since when it has stood in its state, and since when an issue key has: a
 * timeline says when something happened, and not when it was edited or looked up last. Rows that exist have none.
 */
export const momentsOfSteps: Migration = {
  name: '0064-moments-of-steps',
  sql: `
alter table notifications add column first_sent_at timestamptz, add column state_since timestamptz;
alter table deployment_issues add column state_since timestamptz;
`,
}
