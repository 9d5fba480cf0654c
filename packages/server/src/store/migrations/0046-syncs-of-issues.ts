import type { Migration } from './migration.ts'

/** Lets a sync read the issues that deployments name. */
export const syncsOfIssues: Migration = {
  name: '0046-syncs-of-issues',
  sql: `
alter table syncs drop constraint syncs_depth_check;
alter table syncs add constraint syncs_depth_check check (depth in ('full', 'newest', 'issues'));
`,
}
