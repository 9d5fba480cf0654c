import { liveSql } from './0012-dashboard-live.ts'
import type { Migration } from '../migration.ts'

/** Creates indexes for charts, the front page and the search, so that none of them reads a whole table. */
const indexSql = `
-- The first commit of the range that a deployment brought. Null: there is no such range, or it goes back.
alter table deployments add column first_committed_at timestamptz;
set local role signalbox_maintenance;
update deployments d set first_committed_at = (
  select min(c.at) from deployment_commits c where c.org_id = d.org_id and c.deployment_id = d.id)
where d.relation in ('forward', 'hotfix');
reset role;
create index deployments_succeeded on deployments (org_id, succeeded_at) include (environment_id, first_committed_at)
  where succeeded_at is not null;
create index deployments_failed on deployments (org_id, coalesce(finished_at, created_at)) include (environment_id)
  where state in ('failure', 'error');
create index test_runs_finished on test_runs (org_id, finished_at)
  include (environment_id, state, passed, failed, skipped, flaky, duration_ms) where finished_at is not null;
create index config_versions_made on config_versions (org_id, created_at desc, id desc);
create index config_versions_environment_made on config_versions (org_id, environment_id, created_at desc, id desc);
create index webhook_deliveries_failed on webhook_deliveries (org_id, received_at, id)
  where org_id is not null and state in ('failed', 'dead');
create index deployments_branch_name on deployments (org_id, branch text_pattern_ops, created_at desc);
`

/** Creates the live changes of dashboards, and the indexes of what they show. */
export const dashboard: Migration = { name: '0012-dashboard', sql: liveSql + indexSql }
