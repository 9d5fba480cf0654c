import { watchSql } from './0001-baseline/live.ts'
import { ofOrganization } from './access.ts'
import type { Migration } from './migration.ts'

/** Says that a statement may have changed what a check finds. Half a minute later the checks of the organization are compared again. */
const dueAfter = (table: string, on: readonly ('insert' | 'update' | 'delete')[]): string =>
  on
    .map(
      (event) => `
create trigger due_checks_${event} after ${event} on ${table} referencing ${event === 'delete' ? 'old' : 'new'} table as changed
  for each statement execute function note_due_checks();`,
    )
    .join('')

/** Adds pull requests, and the checks of commits. */
export const commitChecks: Migration = {
  name: '0012-commit-checks',
  sql: `
create table pull_requests (
  org_id text not null,
  repository_id text not null,
  number integer not null,
  url text,
  state text not null check (state in ('open', 'merged', 'closed')),
  head_sha text not null,
  head_ref text not null,
  is_fork boolean not null,
  -- By the clock of the code host: an older event changes nothing.
  host_updated_at timestamptz not null,
  primary key (org_id, repository_id, number),
  foreign key (org_id, repository_id) references repositories (org_id, id) on delete cascade
);
create index pull_requests_commit on pull_requests (org_id, repository_id, head_sha);
create index pull_requests_updated on pull_requests (host_updated_at);
${ofOrganization('pull_requests')}

create table commit_checks (
  org_id text not null,
  id text not null,
  repository_id text not null,
  sha text not null,
  -- The branch. Null: it is of a tag, its branch is gone, or it is not known.
  ref text,
  pull_request integer,
  is_fork boolean not null,
  state text not null default 'open' check (state in ('open', 'closed')),
  -- As its state: of when it was settled last.
  is_live boolean not null default false,
  conclusion text not null check (conclusion in ('success', 'neutral', 'failure')),
  -- [{ name, schemaId, environments: [{ environmentId, environment, production, result, missing, invalid, breaking }] }]
  results jsonb not null,
  uploaded_at timestamptz not null,
  checked_at timestamptz not null,
  -- Of the state of the configuration that it was compared with. Empty: none yet.
  compared_mark text not null default '',
  report_state text not null default 'waiting' check (report_state in ('waiting', 'written', 'given_up', 'none')),
  -- Counts the results that differ: ties what was written to what it says.
  report_fence integer not null default 1,
  report_written_at timestamptz,
  report_kind text check (report_kind in ('check_run', 'commit_status')),
  report_external_id text,
  report_detail text,
  report_next_step text,
  report_url text,
  primary key (org_id, id),
  unique (org_id, repository_id, sha),
  foreign key (org_id, repository_id) references repositories (org_id, id) on delete cascade
);
create index commit_checks_open on commit_checks (org_id, repository_id, uploaded_at) where state = 'open';
create index commit_checks_uploaded on commit_checks (uploaded_at);
${ofOrganization('commit_checks')}
${watchSql({ table: 'commit_checks', on: ['insert', 'update', 'delete'], says: [['commit_check', 'r.id']] })}

create table commit_definitions (
  org_id text not null,
  check_id text not null,
  schema_name text not null,
  -- As of config_schemas, without the defaults of secrets.
  definition json not null,
  -- SHA-256 of the definition.
  hash text not null,
  -- The file that declares it, and key -> line. Null: not known.
  path text,
  lines jsonb,
  primary key (org_id, check_id, schema_name),
  foreign key (org_id, check_id) references commit_checks (org_id, id) on delete cascade
);
create unique index commit_definitions_name on commit_definitions (org_id, check_id, lower(schema_name));
${ofOrganization('commit_definitions')}

-- Each write adds a row of its own, so that no write waits for another. Whoever compares deletes them first, and sees what they were for.
create table commit_check_dues (
  org_id text not null references organizations (id) on delete cascade,
  number bigint generated always as identity,
  due_at timestamptz not null,
  primary key (org_id, number)
);
create index commit_check_dues_due on commit_check_dues (due_at);
${ofOrganization('commit_check_dues')}

create function note_due_checks() returns trigger language plpgsql as $$
begin
  insert into commit_check_dues (org_id, due_at)
  select org_id, now() + interval '30 seconds' from (select distinct org_id from changed) c
  where exists (select from commit_checks k where k.org_id = c.org_id and k.state = 'open')
    and exists (select from organizations o where o.id = c.org_id);
  return null;
end $$;
${dueAfter('current_values', ['insert', 'update', 'delete'])}
${dueAfter('environments', ['insert', 'update', 'delete'])}
${dueAfter('config_schemas', ['insert', 'update', 'delete'])}

-- A commit that goes live opens its check again, where none is open as well.
create function note_live_checks() returns trigger language plpgsql as $$
begin
  insert into commit_check_dues (org_id, due_at)
  select org_id, now() from (select distinct org_id from changed) c
  where exists (select from commit_checks k where k.org_id = c.org_id)
    and exists (select from organizations o where o.id = c.org_id);
  return null;
end $$;
create trigger due_checks_insert after insert on deployments referencing new table as changed
  for each statement execute function note_live_checks();
create trigger due_checks_update after update on deployments referencing new table as changed
  for each statement execute function note_live_checks();
`,
}
