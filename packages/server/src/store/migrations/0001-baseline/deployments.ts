import { ofOrganization } from '../access.ts'

/** Creates repositories, deployments with their commits and issues, workflows and syncs. */
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
  -- How far its deployments have been asked for.
  deployments_read_until timestamptz,
  primary key (org_id, id)
);
create unique index repositories_external on repositories (org_id, external_id) where external_id is not null;
create unique index repositories_reported on repositories (org_id, lower(full_name)) where external_id is null;
create index repositories_name on repositories (org_id, lower(full_name));
${ofOrganization('repositories')}

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
${ofOrganization('host_environments')}

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
  -- [{ source, sha, text }]. What names issue keys and stands nowhere else: payloads, and messages that a pipeline reported.
  key_texts jsonb,
  -- The first commit of the range that a deployment brought. Null: there is no such range, or it goes back.
  first_committed_at timestamptz,
  -- Text with NUL, which json takes and text does not, names nobody.
  creator_name text generated always as (
    case when position('\\u0000' in creator::text) = 0 then lower(creator ->> 'name') end) stored,
  -- The workflow whose run made it: the code host's id. Null: not known.
  workflow_id text,
  -- A column of its own, because row-level security keeps an index on the expression from being used.
  host_key text not null generated always as (lower(host_environment)) stored,
  -- The run that made it, with its attempt where the code host counts them: 4711/1.
  run_id text,
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
create index deployments_branch_name on deployments (org_id, branch text_pattern_ops, created_at desc);
create index deployments_target on deployments (org_id, repository_id, environment_id, created_at desc, id desc);
create index deployments_repository on deployments (org_id, repository_id, created_at desc, id desc);
-- One row for each target, so it stays small however many deployments there are.
create index deployments_live on deployments (org_id, repository_id, environment_id, position_at desc, external_id desc)
  where state = 'success';
create index deployments_succeeded on deployments (org_id, succeeded_at)
  include (environment_id, repository_id, first_committed_at) where succeeded_at is not null;
create index deployments_creator on deployments (org_id, creator_name, created_at desc, id desc);
create index deployments_hotfix on deployments (org_id, succeeded_at) include (environment_id, previous_successful_id)
  where relation = 'hotfix' and succeeded_at is not null;
-- The neighbours of a deployment: the success before it is the base of its range, the one after it takes its place.
create index deployments_chain on deployments (org_id, repository_id, host_key, task, position_at, external_id);
-- Finds them behind any number of failures.
create index deployments_chain_live on deployments (org_id, repository_id, host_key, task, position_at, external_id)
  where succeeded_at is not null;
-- With case, because row-level security keeps an index on coalesce, which may leak for PostgreSQL, from being used.
create index deployments_failure on deployments (org_id, (case when finished_at is null then created_at else finished_at end))
  include (environment_id, repository_id) where state in ('failure', 'error');
create index deployments_run on deployments (org_id, repository_id, run_id) where run_id is not null;
${ofOrganization('deployments')}

-- The other jobs of the run that share a deployment: the code host has a deployment for each of them.
create table deployment_jobs (
  org_id text not null,
  repository_id text not null,
  -- The provider's id of the deployment of the job.
  external_id text not null,
  deployment_id text not null,
  primary key (org_id, repository_id, external_id),
  foreign key (org_id, deployment_id) references deployments (org_id, id) on delete cascade
);
create index deployment_jobs_deployment on deployment_jobs (org_id, deployment_id);
${ofOrganization('deployment_jobs')}

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
  -- The job of the run that it is of: several share a deployment. Empty: the one that the deployment was recorded for.
  job text not null default '',
  job_name text,
  primary key (org_id, deployment_id, job, external_id),
  foreign key (org_id, deployment_id) references deployments (org_id, id) on delete cascade
);
${ofOrganization('deployment_statuses')}

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
${ofOrganization('deployment_commits')}

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
${ofOrganization('issues')}

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
  state_since timestamptz,
  primary key (org_id, deployment_id, key),
  foreign key (org_id, deployment_id) references deployments (org_id, id) on delete cascade
);
create index deployment_issues_key on deployment_issues (org_id, key, deployment_id);
create index deployment_issues_issue on deployment_issues (org_id, issue_id, deployment_id) where issue_id is not null;
${ofOrganization('deployment_issues')}

create table workflows (
  org_id text not null,
  repository_id text not null,
  external_id text not null,
  name text not null,
  path text not null,
  state text not null,
  dispatchable boolean,
  fetched_at timestamptz not null,
  -- What the file of a workflow declares: [{ name, description, type, isRequired, default, options }]. Null: not read yet.
  inputs json,
  declared_at timestamptz,
  primary key (org_id, repository_id, external_id),
  foreign key (org_id, repository_id) references repositories (org_id, id) on delete cascade
);
${ofOrganization('workflows')}

-- Starts of workflows that somebody asked for and that test no deployment: those that do are test runs.
create table workflow_dispatches (
  org_id text not null,
  id text not null,
  repository_id text not null,
  workflow_id text not null,
  ref text not null,
  -- requested: it is being asked for. sent: the code host named the run. ambiguous: there was no clear answer, and it is
  -- never asked for again. found: its run was found later. refused: nothing was started.
  state text not null check (state in ('requested', 'sent', 'ambiguous', 'found', 'refused')),
  reason text,
  external_id text,
  url text,
  requested_by json not null,
  requested_at timestamptz not null,
  -- The state of the run of a workflow that was started by hand, as the code host reported it last. Null: not reported yet.
  run_state text,
  run_finished_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, repository_id) references repositories (org_id, id) on delete cascade
);
create index workflow_dispatches_list on workflow_dispatches (org_id, requested_at desc, id desc);
create unique index workflow_dispatches_external on workflow_dispatches (org_id, repository_id, external_id)
  where external_id is not null;
create index workflow_dispatches_open on workflow_dispatches (org_id, repository_id, requested_at)
  where state in ('requested', 'ambiguous');
${ofOrganization('workflow_dispatches')}

create table syncs (
  org_id text not null references organizations (id) on delete cascade,
  id text not null,
  -- full: as far back as is kept; newest: the newest page of each repository.
  depth text not null default 'full' check (depth in ('full', 'newest', 'issues')),
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
${ofOrganization('syncs')}
`
