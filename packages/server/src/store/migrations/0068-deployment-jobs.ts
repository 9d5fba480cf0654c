import { keepToOrganization, grantAll } from './access.ts'
import type { Migration } from './migration.ts'

/**
 * Lets several jobs of one run share a deployment: the code host has a deployment for each of them. A status says of which job it is.
 * Empty: of the one that the deployment was recorded for.
 */
export const deploymentJobs: Migration = {
  name: '0068-deployment-jobs',
  sql: `
create table deployment_jobs (
  org_id text not null,
  repository_id text not null,
  -- The provider's id of the deployment of the job.
  external_id text not null,
  deployment_id text not null,
  primary key (org_id, repository_id, external_id),
  foreign key (org_id, deployment_id) references deployments (org_id, id) on delete cascade
);
create index deployment_jobs_deployment on deployment_jobs (org_id, deployment_id);
${keepToOrganization('deployment_jobs')}
${grantAll('deployment_jobs', 'signalbox_app')}
${grantAll('deployment_jobs', 'signalbox_maintenance')}
-- The run that made it, with its attempt where the code host counts them: 4711/1.
alter table deployments add column run_id text;
alter table deployment_statuses add column job text not null default '', add column job_name text;
`,
}
