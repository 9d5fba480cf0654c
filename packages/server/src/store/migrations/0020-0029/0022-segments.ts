import { watchSql } from '../0010-0019/0012-dashboard-live.ts'
import { grantAll, keepToOrganization } from '../access.ts'
import type { Migration } from '../migration.ts'

const tables = ['segments', 'segment_versions', 'segment_uses'] as const

/**
 * Creates segments: named audiences that rules of flags refer to. `segment_uses` says which rules do, so that none refers
 * to a segment that is not there.
 */
export const segments: Migration = {
  name: '0022-segments',
  sql: `
create table segments (
  org_id text not null references organizations (id) on delete cascade,
  -- Rules refer to it, so it never changes.
  name text not null,
  description text not null,
  version integer not null,
  -- [{ when: [condition] }]: a context is in the segment when all conditions of one group hold.
  any_of json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by json not null,
  primary key (org_id, name)
);
create unique index segments_name on segments (org_id, lower(name));

create table segment_versions (
  org_id text not null,
  segment text not null,
  version integer not null,
  author json not null,
  comment text,
  created_at timestamptz not null,
  description text not null,
  any_of json not null,
  primary key (org_id, segment, version),
  foreign key (org_id, segment) references segments (org_id, name) on delete cascade
);

-- The flags whose stored rules refer to a segment, in the environment that sets them.
create table segment_uses (
  -- Goes with the organization at once: the reference to the segment would otherwise refuse the organization's deletion.
  org_id text not null references organizations (id) on delete cascade,
  segment text not null,
  schema_id text not null,
  environment_id text not null,
  flag text not null,
  primary key (org_id, segment, schema_id, environment_id, flag),
  foreign key (org_id, segment) references segments (org_id, name),
  foreign key (org_id, schema_id, environment_id)
    references config_heads (org_id, schema_id, environment_id) on delete cascade
);
create index segment_uses_place on segment_uses (org_id, schema_id, environment_id);
${tables
  .flatMap((table) => [
    keepToOrganization(table),
    grantAll(table, 'signalbox_app'),
    grantAll(table, 'signalbox_maintenance'),
  ])
  .join('\n')}
alter table config_versions drop constraint config_versions_kind_check;
alter table config_versions add constraint config_versions_kind_check
  check (kind in ('write', 'restore', 'promote', 'schema', 'inherited', 'renamed', 'segment'));
${watchSql({ table: 'segments', on: ['insert', 'update', 'delete'], says: [['segment', 'r.name']] })}
`,
}
