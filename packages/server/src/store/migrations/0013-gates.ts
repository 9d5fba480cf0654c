import { watchSql } from './0001-baseline/live.ts'
import { announceDecisionsSql } from './0013-gates/announce-decisions.ts'
import { ofOrganization } from './access.ts'
import type { Migration } from './migration.ts'

/** Adds gates: what deployments wait for, what was decided about each, and freezes of environments. */
export const gates: Migration = {
  name: '0013-gates',
  indexes: [
    {
      name: 'test_runs_deployed_sha',
      on: 'test_runs (org_id, deployed_sha, environment_id) where deployed_sha is not null',
    },
    {
      name: 'test_runs_tested_sha',
      on: 'test_runs (org_id, tested_sha, environment_id) where tested_sha is not null and deployed_sha is null',
    },
  ],
  sql: `
create table gates (
  org_id text not null references organizations (id) on delete cascade,
  id text not null,
  name text not null,
  environment_ids text[] not null,
  -- By name. Empty: all.
  repositories text[] not null,
  mode text not null check (mode in ('enforce', 'watch')),
  rules jsonb not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id)
);
create unique index gates_name on gates (org_id, lower(name));
${ofOrganization('gates')}
${watchSql({ table: 'gates', on: ['insert', 'update', 'delete'], says: [['gate', 'r.id']] })}

create table gate_decisions (
  org_id text not null,
  id text not null,
  repository_id text not null,
  sha text not null,
  ref text,
  is_fork boolean not null,
  host_environment text not null,
  -- In lower case, as of host environments.
  name_key text not null generated always as (lower(host_environment)) stored,
  environment_id text,
  run_id text not null,
  attempt integer not null,
  run_url text,
  -- The code host's id of the deployment. Null: not known.
  host_deployment_id text,
  via text not null check (via in ('rule', 'step')),
  state text not null check (state in ('waiting', 'passed', 'refused', 'overridden', 'expired')),
  -- [{ gateId, code, state, isWatched, text, nextStep }]
  reasons jsonb not null,
  waited_for text,
  asked_at timestamptz not null,
  -- When it was asked last.
  heard_at timestamptz not null,
  -- When it is judged next, as long as it waits.
  judge_at timestamptz not null,
  decided_at timestamptz,
  decided_by json,
  comment text,
  answer_state text not null check (answer_state in ('none', 'waiting', 'sent', 'given_up')),
  answer_detail text,
  -- Counts what was decided about it, so that the note of an older answer changes nothing.
  fence integer not null default 0,
  comments_sent integer not null default 0,
  commented_at timestamptz,
  commented text,
  primary key (org_id, id),
  unique (org_id, repository_id, run_id, attempt, name_key),
  foreign key (org_id, repository_id) references repositories (org_id, id) on delete cascade
);
create index gate_decisions_due on gate_decisions (judge_at) where state = 'waiting';
create index gate_decisions_waiting on gate_decisions (org_id) where state = 'waiting';
create index gate_decisions_of_commit on gate_decisions (org_id, repository_id, sha);
create index gate_decisions_of_deployment on gate_decisions (org_id, repository_id, host_deployment_id)
  where host_deployment_id is not null;
create index gate_decisions_overridden on gate_decisions (org_id, decided_at) where state = 'overridden';
create index gate_decisions_old on gate_decisions (decided_at) where decided_at is not null;
${ofOrganization('gate_decisions')}
${watchSql({ table: 'gate_decisions', on: ['insert', 'update'], says: [['gate', 'r.id']] })}

create table gate_approvals (
  org_id text not null,
  decision_id text not null,
  user_id text not null,
  name text not null,
  comment text,
  at timestamptz not null,
  primary key (org_id, decision_id, user_id),
  foreign key (org_id, decision_id) references gate_decisions (org_id, id) on delete cascade
);
${ofOrganization('gate_approvals')}
${watchSql({ table: 'gate_approvals', on: ['insert'], says: [['gate', 'r.decision_id']] })}

create table environment_freezes (
  org_id text not null,
  environment_id text not null,
  until timestamptz not null,
  reason text not null,
  frozen_by json not null,
  frozen_at timestamptz not null,
  primary key (org_id, environment_id),
  foreign key (org_id, environment_id) references environments (org_id, id) on delete cascade
);
${ofOrganization('environment_freezes')}
${watchSql({
  table: 'environment_freezes',
  on: ['insert', 'update', 'delete'],
  says: [['environment', 'r.environment_id']],
})}
${announceDecisionsSql}
`,
}
