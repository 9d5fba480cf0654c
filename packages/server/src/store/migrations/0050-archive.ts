import { grantAll, isolate, keepToOrganization } from './access.ts'
import type { Migration } from './migration.ts'

/**
 * Adds the archive: one row for each deleted deployment, test run and version, in a partition for each month. It has no foreign
 * keys, because dropping a partition would lock the tables that they name.
 */
export const archive: Migration = {
  name: '0050-archive',
  sql: `
create table archive (
  org_id text not null,
  -- When it happened, not when it was archived.
  at timestamptz not null,
  kind text not null check (kind in ('deployment', 'test_run', 'version')),
  id text not null,
  environment_id text,
  repository_id text,
  host_environment text,
  -- The deployment that a test run tests.
  deployment_id text,
  -- In lower case.
  author_name text,
  -- Of a version, as the next two.
  schema_id text,
  changed_keys text[],
  is_flip boolean,
  -- What a search finds, in lower case.
  texts text not null,
  -- What the timeline shows, and the page of a deployment.
  change json not null,
  page json,
  archived_at timestamptz not null,
  primary key (org_id, at, id)
) partition by range (at);
create index archive_deployments on archive (org_id, id) where kind = 'deployment';
create index archive_versions on archive (org_id, at, id) where kind = 'version';
create index archive_environment on archive (org_id, environment_id, at, id);
create index archive_repository on archive (org_id, repository_id, at, id) where repository_id is not null;
create index archive_author on archive (org_id, author_name, at, id) where author_name is not null;
-- Takes what no month has a partition for.
create table archive_default partition of archive default;
create index archive_default_age on archive_default (at);
${keepToOrganization('archive')}
grant select on archive to signalbox_app;
${grantAll('archive', 'signalbox_maintenance')}
${isolate('archive_default')}
grant select, delete on archive_default to signalbox_maintenance;
`,
}
