import { ofOrganization } from '../access.ts'

/** Creates test runs with their reports and results. */
export const testRunsSql = `
create table test_runs (
  org_id text not null references organizations (id) on delete cascade,
  id text not null,
  deployment_id text,
  environment_id text,
  repository_id text,
  -- What asked for it: one run for each deployment and workflow, however often it is asked. Null: reported from outside.
  rule_key text,
  name text not null,
  workflow_id text,
  external_id text,
  attempt integer not null default 1,
  state text not null,
  -- Higher ranks win within an attempt.
  state_rank integer not null default 0,
  state_reason text,
  requested_ref text,
  deployed_sha text,
  tested_sha text,
  passed integer,
  failed integer,
  skipped integer,
  flaky integer,
  duration_ms bigint,
  url text,
  contaminated_by text,
  -- Which of those that tell of a run decided its state first, and what each said last in this attempt.
  decided_by text check (decided_by in ('workflow', 'report', 'api')),
  workflow_outcome text,
  report_outcome text,
  -- When the code host was asked to start it. Asked once: what is set here is never set again.
  dispatched_at timestamptz,
  deadline_minutes integer not null default 60,
  deadline_at timestamptz,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  -- Which reports are missing, and what in them is doubtful.
  report_notes text[] not null default '{}',
  primary key (org_id, id),
  foreign key (org_id, deployment_id) references deployments (org_id, id) on delete cascade
);
create unique index test_runs_rule on test_runs (org_id, deployment_id, rule_key) where rule_key is not null;
create unique index test_runs_external on test_runs (org_id, coalesce(repository_id, ''), external_id)
  where external_id is not null;
create index test_runs_list on test_runs (org_id, created_at desc, id desc);
create index test_runs_environment on test_runs (org_id, environment_id, created_at desc, id desc);
create index test_runs_state on test_runs (org_id, state, created_at desc, id desc);
create index test_runs_deployment on test_runs (org_id, deployment_id, created_at desc, id desc);
create index test_runs_deadline on test_runs (deadline_at) where finished_at is null and deadline_at is not null;
create index test_runs_finished on test_runs (org_id, finished_at)
  include (environment_id, state, passed, failed, skipped, flaky, duration_ms) where finished_at is not null;
create index test_runs_alone on test_runs (org_id, created_at desc, id desc) where deployment_id is null;
create index test_runs_contaminated on test_runs (org_id, contaminated_by) where contaminated_by is not null;
create index test_runs_repository on test_runs (org_id, repository_id, environment_id, created_at desc, id desc);
${ofOrganization('test_runs')}

-- What the code host told of a run before its answer said that the run is ours.
create table test_run_events (
  org_id text not null,
  repository_id text not null,
  external_id text not null,
  run json not null,
  received_at timestamptz not null,
  primary key (org_id, repository_id, external_id),
  foreign key (org_id, repository_id) references repositories (org_id, id) on delete cascade
);
create index test_run_events_age on test_run_events (received_at);
${ofOrganization('test_run_events')}

create table test_reports (
  org_id text not null,
  run_id text not null,
  attempt integer not null,
  shard text not null default '',
  content_hash bytea not null,
  format text not null check (format in ('ctrf', 'junit', 'codehost')),
  summary json not null,
  -- Another deployment went live while it was made: it counts for nothing but itself.
  contaminated boolean not null default false,
  received_at timestamptz not null default now(),
  results_deleted_at timestamptz,
  primary key (org_id, run_id, attempt, shard),
  foreign key (org_id, run_id) references test_runs (org_id, id) on delete cascade
);
create index test_reports_age on test_reports (received_at) where results_deleted_at is null;
${ofOrganization('test_reports')}

create table test_results (
  org_id text not null,
  run_id text not null,
  attempt integer not null,
  shard text not null default '',
  case_hash bytea not null,
  name text not null,
  suite text not null default '',
  status text not null,
  retries integer not null default 0,
  flaky boolean not null default false,
  duration_ms bigint,
  message text,
  primary key (org_id, run_id, attempt, shard, case_hash),
  foreign key (org_id, run_id) references test_runs (org_id, id) on delete cascade
);
create index test_results_case on test_results (org_id, case_hash, run_id);
${ofOrganization('test_results')}
`
