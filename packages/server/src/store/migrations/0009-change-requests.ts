import { watchSql } from './0001-baseline/live.ts'
import { announceRequestsSql } from './0009-change-requests/announce-requests.ts'
import { ofOrganization } from './access.ts'
import type { Migration } from './migration.ts'

/** Adds what environments ask of a change, and the changes that wait for it. */
export const changeRequests: Migration = {
  name: '0009-change-requests',
  sql: `
alter table environments add column approvals smallint not null default 0;
alter table environments add constraint environments_approvals check (approvals between 0 and 3) not valid;
-- { roles } or { members }
alter table environments add column approvers jsonb not null default '{"roles":["developer","admin","owner"]}';
alter table environments add column decline_blocks boolean not null default true;
alter table environments add column override_by text not null default 'admin';
alter table environments add constraint environments_override_by check (override_by in ('admin', 'owner', 'nobody')) not valid;
alter table environments add column kill_switches text not null default 'free';
alter table environments add constraint environments_kill_switches check (kill_switches in ('free', 'approved')) not valid;

create table change_requests (
  org_id text not null references organizations (id) on delete cascade,
  id text not null,
  -- Counts the requests of the organization.
  number integer not null,
  title text not null,
  reason text not null,
  -- What is stored of the state: while people decide, it follows from the reviews and the members of that moment.
  state text not null check (state in ('waiting', 'applied', 'withdrawn', 'expired', 'failed')),
  kind text not null,
  revision integer not null,
  -- Counts the revisions, the reviews and the moves of the state.
  version integer not null,
  author jsonb not null,
  -- The user or the API key.
  author_id text,
  -- Those that the effects of the newest revision reach.
  environment_ids text[] not null,
  apply_at timestamptz,
  -- Ties a job to the schedule that made it.
  fence integer not null default 0,
  conflict jsonb,
  -- { code, detail }
  failure jsonb,
  -- [{ environmentId, schemaId, versionId, version }]
  applied_versions jsonb,
  -- { member, comment, at }
  overridden jsonb,
  -- Who has seen that it was applied without its approvals.
  acknowledged_by jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (org_id, id),
  unique (org_id, number)
);
create index change_requests_waiting on change_requests (org_id, expires_at) where state = 'waiting';
create index change_requests_unseen on change_requests (org_id) where overridden is not null and acknowledged_by is null;
${ofOrganization('change_requests')}

create table change_request_revisions (
  org_id text not null,
  request_id text not null,
  revision integer not null,
  -- What it does, without the values of secrets.
  operation jsonb not null,
  omitted text[] not null,
  -- The whole of it, with the key of its marks. Null once the request has ended.
  sealed bytea,
  -- What a reviewer of this revision sees.
  effects jsonb not null,
  author_id text,
  created_at timestamptz not null,
  primary key (org_id, request_id, revision),
  foreign key (org_id, request_id) references change_requests (org_id, id) on delete cascade
);
${ofOrganization('change_request_revisions')}

create table change_request_reviews (
  org_id text not null,
  request_id text not null,
  -- Orders the reviews of a request.
  position integer not null,
  revision integer not null,
  user_id text not null,
  name text not null,
  verdict text not null check (verdict in ('approve', 'decline', 'comment')),
  text text not null,
  created_at timestamptz not null,
  primary key (org_id, request_id, position),
  foreign key (org_id, request_id) references change_requests (org_id, id) on delete cascade
);
${ofOrganization('change_request_reviews')}

-- A database that was restored may hold a schedule that was carried out, changed or withdrawn since.
create function fail_restored_schedules() returns trigger language plpgsql as $$
begin
  update change_requests set state = 'failed', version = version + 1, apply_at = null, updated_at = now(),
    failure = '{"code":"restored","detail":"The database was restored from a backup, so the schedule may be out of date. Ask again."}'
  where state = 'waiting' and apply_at is not null;
  update change_request_revisions v set sealed = null from change_requests r
  where r.org_id = v.org_id and r.id = v.request_id and r.state = 'failed' and v.sealed is not null;
  return null;
end $$;
create trigger fail_restored_schedules after update of epoch on publisher_state
  for each row execute function fail_restored_schedules();
${watchSql({ table: 'change_requests', on: ['insert', 'update'], says: [['change_request', 'r.id']] })}
${announceRequestsSql}
`,
}
