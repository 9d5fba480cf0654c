import type { Migration } from './migration.ts'

/**
 * Creates the index of failed deployments that row-level security lets a query use. PostgreSQL takes `coalesce` for an expression
 * that may leak, and `case` for one that cannot, so each day of a chart read every failure of the organization before. A later
 * migration removes `deployments_failed`, which releases before this one look for.
 */
export const failedDeployments: Migration = {
  name: '0045-failed-deployments',
  sql: '',
  indexes: [
    {
      name: 'deployments_failure',
      on: `deployments (org_id, (case when finished_at is null then created_at else finished_at end))
        include (environment_id, repository_id) where state in ('failure', 'error')`,
    },
  ],
}
