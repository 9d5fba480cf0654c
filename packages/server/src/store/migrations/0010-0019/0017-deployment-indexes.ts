import type { Migration } from '../migration.ts'

/**
 * Creates the indexes that select deployments by repository: what is live in each environment without a look at older
 * deployments, a list, and the figures of a chart.
 */
export const deploymentIndexes: Migration = {
  name: '0017-deployment-indexes',
  sql: `
create index deployments_place on deployments (org_id, repository_id, environment_id, created_at desc, id desc);
create index deployments_repository on deployments (org_id, repository_id, created_at desc, id desc);
-- One row for each target, so it stays small however many deployments there are.
create index deployments_live on deployments (org_id, repository_id, environment_id, position_at desc, external_id desc)
  where state = 'success';
drop index deployments_succeeded;
create index deployments_succeeded on deployments (org_id, succeeded_at)
  include (environment_id, repository_id, first_committed_at) where succeeded_at is not null;
drop index deployments_failed;
create index deployments_failed on deployments (org_id, coalesce(finished_at, created_at))
  include (environment_id, repository_id) where state in ('failure', 'error');
`,
}
