import type { Migration } from './migration.ts'

/** Lets the registry of the service say which providers there are: a new one changes no table. */
export const providersOfRegistry: Migration = {
  name: '0014-providers-of-registry',
  sql: `
alter table integrations drop constraint integrations_provider_check;
alter table provider_apps drop constraint provider_apps_provider_check;
`,
}
