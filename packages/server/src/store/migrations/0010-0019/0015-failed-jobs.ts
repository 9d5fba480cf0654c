import type { Migration } from '../migration.ts'

/**
 * Renames the table of jobs that failed for good, with its indexes and the function of its triggers. Events that the audit log
 * holds already keep their old name, `dead_job.retried`: the chain of hashes covers it.
 */
export const failedJobs: Migration = {
  name: '0015-failed-jobs',
  sql: `
alter table dead_jobs rename to failed_jobs;
alter table failed_jobs rename column deaths to failures;
alter table failed_jobs rename constraint dead_jobs_pkey to failed_jobs_pkey;
alter table failed_jobs rename constraint dead_jobs_org_id_fkey to failed_jobs_org_id_fkey;
alter table failed_jobs rename constraint dead_jobs_cause_check to failed_jobs_cause_check;
alter index dead_jobs_work rename to failed_jobs_work;
alter index dead_jobs_list rename to failed_jobs_list;
alter index dead_jobs_subject rename to failed_jobs_subject;
alter index dead_jobs_age rename to failed_jobs_age;
-- As 0012 made it, with the topic's new name.
alter function note_dead_jobs() rename to note_failed_jobs;
create or replace function note_failed_jobs() returns trigger language plpgsql as $$
begin
  insert into live_changes (org_id, topic, subject_id)
  select distinct org_id, 'failed_job', case when total <= 100 then subject_id else '' end
  from (
    select r.org_id, r.id as subject_id, count(*) over (partition by r.org_id) as total
    from changed r where r.org_id is not null
  ) as said;
  if found then raise notice using message = 'live', errcode = 'SBL01'; end if;
  return null;
end $$;
`,
}
