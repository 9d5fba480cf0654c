import type { Migration } from '../migration.ts'

/** Creates the index of the hotfixes, so that the delivery figures find what one replaced without a look at other deployments. */
export const deliveryFigures: Migration = {
  name: '0023-delivery-figures',
  sql: `
create index deployments_hotfix on deployments (org_id, succeeded_at) include (environment_id, previous_successful_id)
  where relation = 'hotfix' and succeeded_at is not null;
`,
}
