import type { Migration } from '../migration.ts'

/**
 * Names the environment of a deployment at the code host in a column of its own, in lower case: row-level security keeps the
 * index on the expression from being used, so each look along a chain read every deployment of the repository. The second index
 * finds the next or last success behind any number of failures.
 */
export const deploymentChains: Migration = {
  name: '0024-deployment-chains',
  sql: `
alter table deployments add column host_key text not null generated always as (lower(host_environment)) stored;
drop index deployments_chain;
create index deployments_chain on deployments (org_id, repository_id, host_key, task, position_at, external_id);
create index deployments_chain_live on deployments (org_id, repository_id, host_key, task, position_at, external_id)
  where succeeded_at is not null;
`,
}
