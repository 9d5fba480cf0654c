import type { Migration } from '../migration.ts'

/**
 * Lets the registry of the service say which providers there are: a new one changes no table. Databases that were made before
 * this migration have a constraint that lists them.
 */
export const providersOfRegistry: Migration = {
  name: '0014-providers-of-registry',
  sql: `
alter table integrations drop constraint if exists integrations_provider_check;
alter table provider_apps drop constraint if exists provider_apps_provider_check;
`,
}
