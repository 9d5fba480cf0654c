import type { Migration } from './migration.ts'

/** Keeps the statuses of jobs apart, because a host may count none that are unique among them, and finds the jobs of a run. */
export const statusesOfJobs: Migration = {
  name: '0069-statuses-of-jobs',
  indexes: [
    {
      name: 'deployments_run',
      on: 'deployments (org_id, repository_id, run_id) where run_id is not null',
    },
    {
      name: 'deployment_statuses_job',
      on: 'deployment_statuses (org_id, deployment_id, job, external_id)',
      isUnique: true,
    },
  ],
  sql: `
alter table deployment_statuses drop constraint deployment_statuses_pkey,
  add constraint deployment_statuses_pkey primary key using index deployment_statuses_job;
`,
}
