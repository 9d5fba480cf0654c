import { queueSql } from './0001-baseline/outgoing-events.ts'
import { watchSql } from './0001-baseline/live.ts'
import { ofOrganization } from './access.ts'
import type { Migration } from './migration.ts'

const data = `json_build_object('environmentId', new.environment_id, 'environment', new.name, 'repository',
  (select r.full_name from repositories r where r.org_id = new.org_id and r.id = new.repository_id),
  'pullRequest', new.pull_request, 'hostEnvironment', new.host_environment, 'reason', new.end_reason,
  'detail', left(new.end_detail, 500))`

/** Adds environments that live as long as a pull request, and what ends with them. */
export const previews: Migration = {
  name: '0014-previews',
  sql: `
alter table environments
  -- { repositoryId, externalId, repository, pullRequest, hostEnvironment }. Null: it is no preview.
  add column source jsonb,
  -- The keys whose secrets it inherits, from its parent and from defaults. Null: all.
  add column inherited_secrets text[],
  add column archived_at timestamptz,
  add constraint environments_archived check (archived_at is null or source is not null) not valid;

-- It ends with a preview, and does not count to the keys that people make.
alter table api_keys add column of_preview boolean not null default false;

-- Says in a sentence why the last row of a snapshot has no body. Null: its environment or schema was deleted.
alter table browser_snapshots add column ended text;
alter table server_snapshots add column ended text;

create table preview_rules (
  org_id text not null references organizations (id) on delete cascade,
  id text not null,
  -- A name with one *, which is the number of the pull request.
  pattern text not null,
  -- By name. Empty: all.
  repositories text[] not null,
  parent_id text not null,
  -- Null: all.
  secrets text[],
  expires_days integer not null,
  max integer not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  -- Without its parent, a rule says nothing. A parent of previews is not deleted.
  foreign key (org_id, parent_id) references environments (org_id, id) on delete cascade
);
create unique index preview_rules_pattern on preview_rules (org_id, lower(pattern), repositories);
create index preview_rules_parent on preview_rules (org_id, parent_id);
${ofOrganization('preview_rules')}
${watchSql({ table: 'preview_rules', on: ['insert', 'update', 'delete'], says: [['environment', 'r.parent_id']] })}

create table previews (
  org_id text not null,
  repository_id text not null,
  -- The host environment in lower case.
  name_key text not null generated always as (lower(host_environment)) stored,
  host_environment text not null,
  pull_request integer,
  rule_id text,
  -- Null: it was deleted.
  environment_id text,
  name text not null,
  state text not null check (state in ('live', 'archived', 'deleted')),
  created_at timestamptz not null,
  -- When a pipeline asked for it last.
  asked_at timestamptz,
  end_reason text,
  end_detail text,
  ended_at timestamptz,
  -- Set where a person deleted it: only what happens later makes it again.
  dismissed_at timestamptz,
  -- When its pull request was last read at the code host.
  read_at timestamptz,
  browser_key_id text,
  server_key_id text,
  primary key (org_id, repository_id, name_key),
  foreign key (org_id, repository_id) references repositories (org_id, id) on delete cascade,
  check ((environment_id is null) = (state = 'deleted'))
);
create unique index previews_environment on previews (org_id, environment_id) where environment_id is not null;
create index previews_ended on previews (ended_at) where state <> 'live';
${ofOrganization('previews')}
${watchSql({
  table: 'previews',
  on: ['insert', 'update'],
  says: [['environment', `coalesce(r.environment_id, '')`]],
})}
${queueSql({
  name: 'previews_added',
  table: 'previews',
  on: 'insert',
  when: `new.state = 'live'`,
  types: [['preview.created', 'true']],
  data,
})}
${queueSql({
  name: 'previews',
  table: 'previews',
  on: 'update of state',
  when: `new.state is distinct from old.state and (new.state = 'live' or old.state = 'live')`,
  types: [
    ['preview.created', `new.state = 'live'`],
    ['preview.ended', `new.state <> 'live'`],
  ],
  data,
})}
`,
}
