import type { Migration } from './migration.ts'

/**
 * Creates the columns for who made a target and who answers for it. A trigger pauses the targets of a person who leaves, in the
 * same transaction, whichever way they leave. Targets that exist have neither, and go on.
 */
export const keepersOfTargets: Migration = {
  name: '0060-keepers-of-targets',
  sql: `
alter table targets add column created_by json;
alter table targets add column keeper_id text;

create function pause_targets_of_leaver() returns trigger language plpgsql as $$
begin
  update targets set state = 'paused', health_reason = 'maker_left', failing_since = now(), health_url = null,
    health_detail = 'The person who answers for this target is no longer a member, so it is paused.',
    health_step = 'Check where it writes. Then resume it, and answer for it from then on, or delete it.'
  where org_id = old.org_id and keeper_id = old.user_id and state = 'active';
  return null;
end $$;
create trigger pause_targets_of_leaver after delete on members for each row execute function pause_targets_of_leaver();
`,
}
