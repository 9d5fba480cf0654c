import { grantAll, keepToOrganization } from '../access.ts'
import type { Migration } from '../migration.ts'

/** Creates the table of jobs that failed for good, under its first name. */
export const failedJobRecords: Migration = {
  name: '0003-dead-jobs',
  sql: `
-- Jobs that failed for good, once for each thing that was to be done: the same job that fails again is the same row.
create table dead_jobs (
  id text primary key,
  -- Null: work of the server itself.
  org_id text references organizations (id) on delete cascade,
  queue text not null,
  -- The job that failed last, so that what is handed over twice counts once.
  job_id uuid not null,
  key text,
  -- Ids, and what says how much is to be done. It is enqueued again and never shown.
  data jsonb not null,
  -- SHA-256 of its text, which is one for equal contents.
  data_hash bytea not null,
  subject_id text,
  cause text not null check (cause in ('failed', 'timed_out', 'process_ended')),
  reason text not null,
  attempts integer not null,
  -- How often the job came to this.
  deaths integer not null default 1,
  failed_at timestamptz not null,
  -- When somebody had it done once more. Null: it waits for somebody.
  retried_at timestamptz
);
create unique index dead_jobs_work on dead_jobs (org_id, queue, data_hash) nulls not distinct;
create index dead_jobs_list on dead_jobs (org_id, failed_at desc, id desc) where retried_at is null;
create index dead_jobs_subject on dead_jobs (subject_id, queue) where retried_at is null;
create index dead_jobs_age on dead_jobs (failed_at);
${keepToOrganization('dead_jobs')}
${grantAll('dead_jobs', 'signalbox_app')}
${grantAll('dead_jobs', 'signalbox_maintenance')}
`,
}
