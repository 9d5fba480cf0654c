import type { Migration } from '../migration.ts'

/**
 * Lets the timeline find the changes of a person, of a repository, of flags alone, and the test runs of no deployment by an
 * index. A name is a column of its own, because row-level security keeps an index on an expression from being used.
 */
export const changes: Migration = {
  name: '0018-changes',
  sql: `
-- Text with NUL, which json takes and text does not, names nobody.
alter table deployments add column creator_name text generated always as (
  case when position('\\u0000' in creator::text) = 0 then lower(creator ->> 'name') end) stored;
alter table config_versions
  add column author_name text generated always as (
    case when position('\\u0000' in author::text) = 0 then lower(author ->> 'name') end) stored,
  -- Sets flags and nothing else. A quotation mark within a text of the json has a backslash before it.
  add column is_flip boolean not null generated always as (
    kind in ('write', 'restore', 'promote', 'inherited') and json_array_length(changes) > 0
      and changes::text !~ '"tier"\\s*:\\s*"(public|secret)"') stored;
create index deployments_creator on deployments (org_id, creator_name, created_at desc, id desc);
create index config_versions_author on config_versions (org_id, author_name, created_at desc, id desc);
create index config_versions_flips on config_versions (org_id, is_flip, created_at desc, id desc);
create index test_runs_alone on test_runs (org_id, created_at desc, id desc) where deployment_id is null;

-- The state of the run of a workflow that was started by hand, as the code host reported it last. Null: not reported yet.
alter table workflow_dispatches add column run_state text;
alter table workflow_dispatches add column run_finished_at timestamptz;
`,
}
