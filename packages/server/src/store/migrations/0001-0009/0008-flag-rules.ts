import type { Migration } from '../migration.ts'

/**
 * Adds the rules of flags to versions and browser snapshots: flag name to the text of its rules. The current values of
 * an environment hold them in the entries of `open_values`.
 */
export const flagRules: Migration = {
  name: '0008-flag-rules',
  sql: `
alter table config_versions add column flag_rules json not null default '{}';
alter table browser_snapshots add column flag_rules json not null default '{}';
`,
}
