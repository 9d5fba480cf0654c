import type { Migration } from './migration.ts'

/**
 * Adds the configuration version in which each flag and targeted key of a snapshot last changed. Snapshots of releases before it
 * have none.
 */
export const flagVersions: Migration = {
  name: '0004-flag-versions',
  sql: `alter table browser_snapshots add column flag_versions jsonb not null default '{}'`,
}
