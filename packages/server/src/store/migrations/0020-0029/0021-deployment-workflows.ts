import type { Migration } from '../migration.ts'

/** Creates the column for the workflow whose run made a deployment: the code host's id. Null: not known. */
export const deploymentWorkflows: Migration = {
  name: '0021-deployment-workflows',
  sql: `
alter table deployments add column workflow_id text;
`,
}
