/** Lists the tables of deployments, tests, notifications and syncs. Each row belongs to one organization. */
export const deploymentTables = [
  'repositories',
  'host_environments',
  'deployments',
  'deployment_statuses',
  'deployment_commits',
  'issues',
  'deployment_issues',
  'workflows',
  'test_runs',
  'test_run_events',
  'test_reports',
  'test_results',
  'notification_routes',
  'notifications',
  'syncs',
]

/** Creates the tables of `deploymentTables`. */
export const deploymentsSql = `
create table repositories (
  org_id text not null references organizations (id) on delete cascade,
  id text not null,
  -- The provider's number as text; a name changes. Null: reported by a pipeline, known by its name alone.
  external_id text,
  full_name text not null,
  default_branch text not null default 'main',
  url text,
  -- When it was called so: what is older does not bring an old name back.
  named_at timestamptz not null default '-infinity',
  tracked boolean not null default true,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (org_id, id)
);
create unique index repositories_external on repositories (org_id, external_id) where external_id is not null;
create unique index repositories_reported on repositories (org_id, lower(full_name)) where external_id is null;
create index repositories_name on repositories (org_id, lower(full_name));

create table host_environments (
  org_id text not null,
  repository_id text not null,
  -- In lower case: hosts tell names apart by case or not, and people do not.
  name_key text not null,
  name text not null,
  environment_id text,
  mapped_by text not null check (mapped_by in ('rule', 'guess', 'none')),
  ignored boolean not null default false,
  transient boolean not null default false,
  removed_at timestamptz,
  updated_at timestamptz not null default now(),
  primary key (org_id, repository_id, name_key),
  foreign key (org_id, repository_id) references repositories (org_id, id) on delete cascade
);

create table deployments (
  org_id text not null,
  id text not null,
  repository_id text not null,
  external_id text not null,
  sha text not null,
  ref text not null,
  ref_kind text not null check (ref_kind in ('branch', 'tag', 'sha')),
  -- The ref, or what the run that deployed a commit says. Null: not known.
  branch text,
  task text not null default 'deploy',
  host_environment text not null,
  environment_id text,
  -- What people see: the reported state and what later successes made of it.
  state text not null,
  reported_state text not null default 'pending',
  -- The provider's number of the status that led to the reported state: a lower one changes nothing.
  state_seq numeric(20) not null default 0,
  -- Null: its last word is not a success. What succeeded is in the chain of its environment and task.
  succeeded_at timestamptz,
  -- Its place among the others there; the external id decides between two of the same moment.
  position_at timestamptz not null generated always as (coalesce(succeeded_at, created_at)) stored,
  superseded_by text,
  description text,
  creator json,
  url text,
  log_url text,
  commit_message text,
  previous_successful_id text,
  -- { base, head, status, total, truncated }
  range json,
  -- { reason, base, at }. Why there is no range, the last time that somebody asked for it.
  commits_skipped json,
  relation text not null default 'unknown',
  -- [{ schemaId, version }] of its environment when it went live.
  config_versions json,
  source text not null check (source in ('webhook', 'sync', 'api')),
  -- Found long after it happened: it is shown, and nobody is told of it.
  is_history boolean not null default false,
  revision integer not null default 1,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  recorded_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, repository_id, external_id),
  foreign key (org_id, repository_id) references repositories (org_id, id) on delete cascade
);
create index deployments_list on deployments (org_id, created_at desc, id desc);
create index deployments_environment on deployments (org_id, environment_id, created_at desc, id desc);
-- What failed in an environment, also where nothing did.
create index deployments_environment_state on deployments (org_id, environment_id, state, created_at desc, id desc);
create index deployments_branch on deployments (org_id, branch, created_at desc, id desc);
create index deployments_sha on deployments (org_id, sha text_pattern_ops);
create index deployments_state on deployments (org_id, state, created_at desc, id desc);
-- The neighbours of a deployment: the success before it is the base of its range, the one after it takes its place.
create index deployments_chain on deployments
  (org_id, repository_id, lower(host_environment), task, position_at, external_id);

create table deployment_statuses (
  org_id text not null,
  deployment_id text not null,
  -- The provider's number: whatever order they come in, they are read in this one.
  external_id numeric(20) not null,
  state text not null,
  environment text,
  description text,
  url text,
  log_url text,
  at timestamptz not null,
  primary key (org_id, deployment_id, external_id),
  foreign key (org_id, deployment_id) references deployments (org_id, id) on delete cascade
);

create table deployment_commits (
  org_id text not null,
  deployment_id text not null,
  position integer not null,
  sha text not null,
  message text not null,
  author json,
  at timestamptz,
  url text,
  primary key (org_id, deployment_id, position),
  foreign key (org_id, deployment_id) references deployments (org_id, id) on delete cascade
);

create table issues (
  org_id text not null references organizations (id) on delete cascade,
  id text not null,
  site_id text not null,
  external_id text not null,
  key text not null,
  title text,
  type text,
  status text,
  status_category text,
  assignee text,
  priority text,
  url text,
  fetched_at timestamptz not null,
  primary key (org_id, id),
  unique (org_id, site_id, external_id)
);

create table deployment_issues (
  org_id text not null,
  deployment_id text not null,
  -- As the commit names it.
  key text not null,
  issue_id text,
  state text not null check (state in ('linked', 'reverted', 'not_found', 'forbidden', 'pending', 'ignored')),
  reason text,
  -- [{ source, sha, text, isRevert }]
  evidence json not null default '[]',
  -- When the tracker was last asked for it. Null: never.
  asked_at timestamptz,
  primary key (org_id, deployment_id, key),
  foreign key (org_id, deployment_id) references deployments (org_id, id) on delete cascade
);
create index deployment_issues_key on deployment_issues (org_id, key, deployment_id);

create table workflows (
  org_id text not null,
  repository_id text not null,
  external_id text not null,
  name text not null,
  path text not null,
  state text not null,
  dispatchable boolean,
  fetched_at timestamptz not null,
  primary key (org_id, repository_id, external_id),
  foreign key (org_id, repository_id) references repositories (org_id, id) on delete cascade
);

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

create table test_reports (
  org_id text not null,
  run_id text not null,
  attempt integer not null,
  shard text not null default '',
  content_hash bytea not null,
  format text not null check (format in ('ctrf', 'junit')),
  summary json not null,
  -- Another deployment went live while it was made: it counts for nothing but itself.
  contaminated boolean not null default false,
  received_at timestamptz not null default now(),
  primary key (org_id, run_id, attempt, shard),
  foreign key (org_id, run_id) references test_runs (org_id, id) on delete cascade
);

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

create table notification_routes (
  org_id text not null references organizations (id) on delete cascade,
  id text not null,
  name text not null,
  channel_id text not null,
  channel_name text not null,
  match json not null,
  events text[] not null,
  broadcast_failures boolean not null default false,
  health_state text not null default 'ok',
  health_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id)
);

-- What a message is to say, not what to send: whoever is behind catches up with one update.
create table notifications (
  org_id text not null references organizations (id) on delete cascade,
  id text not null,
  -- What it is about, and for a deployment which part of it: the message, its details, its failure.
  subject_kind text not null,
  subject_id text not null,
  -- Empty: the default channel.
  route_id text not null default '',
  desired_rev integer not null default 1,
  sent_rev integer not null default 0,
  -- Of what it is to say. Another hash is another revision.
  content_hash text not null default '',
  state text not null default 'wanted' check (state in ('wanted', 'sending', 'live', 'held', 'broken', 'gone')),
  reason text,
  channel_id text,
  message_ts text,
  -- A post was sent and nobody knows whether it arrived.
  ambiguous boolean not null default false,
  -- Grows when a message that a person deleted is posted anew.
  generation integer not null default 1,
  -- compact: the provider refused the whole message for its size.
  form text not null default 'full' check (form in ('full', 'compact')),
  -- The provider lets nobody change the message any more: what changes goes to its thread.
  frozen boolean not null default false,
  -- Whether a message that said so was sent.
  told_failure boolean not null default false,
  failures integer not null default 0,
  -- Whoever sends holds the lease. The fence grows with each one: who lost it writes nothing.
  fence integer not null default 0,
  lease_until timestamptz,
  -- Not before.
  hold_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, subject_kind, subject_id, route_id)
);
create index notifications_subject on notifications (org_id, subject_id);
create index notifications_behind on notifications (hold_until) where desired_rev > sent_rev and state in ('wanted', 'sending', 'live');
create index notifications_waiting on notifications (org_id, updated_at) where state in ('held', 'broken');

create table syncs (
  org_id text not null references organizations (id) on delete cascade,
  id text not null,
  -- full: as far back as is kept; newest: the newest page of each repository.
  depth text not null default 'full' check (depth in ('full', 'newest')),
  state text not null check (state in ('queued', 'running', 'done', 'failed')),
  progress json not null,
  -- Where to go on after an interruption.
  cursor json not null default '{}',
  -- Grows with each write: of two that work on the same sync one goes on.
  revision integer not null default 1,
  detail text,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (org_id, id)
);
create unique index syncs_running on syncs (org_id, depth) where state in ('queued', 'running');
`
