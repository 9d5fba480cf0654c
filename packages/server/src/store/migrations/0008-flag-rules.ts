import type { Migration } from './migration.ts'

/**
 * Rules stand beside the values of flags: in an entry of a head's `open_values`, and here where values stand alone. Flag name
 * to the text of its rules.
 */
export const flagRules: Migration = {
  name: '0008-flag-rules',
  sql: `
alter table config_versions add column flag_rules json not null default '{}';
alter table browser_snapshots add column flag_rules json not null default '{}';
`,
}
