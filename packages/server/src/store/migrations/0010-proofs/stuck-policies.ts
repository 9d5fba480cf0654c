import { watchSql } from '../0001-baseline/live.ts'
import { ofOrganization, runAsMaintenance } from '../access.ts'

const noteAfter = (table: string, columns: string) => `
create constraint trigger find_stuck_policies after insert or delete or update of ${columns} on ${table}
  deferrable initially deferred for each row execute function find_stuck_policies();`

/**
 * Keeps since when nobody can meet the policy of an environment that nobody may override. A trigger does, because people come and
 * go on many ways. It runs at the end of each transaction that changes who may approve, one after the other, so that of two at
 * the same moment the second sees both. The table is one of its own, so that it waits for no row that such a transaction has locked.
 */
export const stuckPoliciesSql = `
-- { member, at }: who has chosen others to approve here without an approval.
alter table environments add column approvers_replaced jsonb;

create table stuck_policies (
  org_id text not null,
  environment_id text not null,
  since timestamptz not null,
  primary key (org_id, environment_id),
  foreign key (org_id, environment_id) references environments (org_id, id) on delete cascade
);
${ofOrganization('stuck_policies')}
${watchSql({ table: 'stuck_policies', on: ['insert', 'update', 'delete'], says: [['environment', 'r.environment_id']] })}

-- The members who may approve in an environment: who is named, and who has one of the roles, by their own or by a grant of theirs or
-- of their groups that reaches the environment. A grant for some schemas counts for nothing, because an approval is for all of a change.
create function approvers_of(p_org_id text, p_environment_id text, p_approvers jsonb) returns setof text language sql stable as $$
  select m.user_id from members m
  where m.org_id = p_org_id and (p_approvers -> 'members' ? m.user_id or p_approvers -> 'roles' ? m.role
    or exists (select from access_grants a where a.org_id = p_org_id and p_approvers -> 'roles' ? a.role and a.schema_ids is null
      and (a.environment_ids is null or p_environment_id = any (a.environment_ids))
      and (a.user_id = m.user_id or a.group_id in
        (select p.group_id from group_members p where p.org_id = p_org_id and p.user_id = m.user_id))))
$$;

create function find_stuck_policies() returns trigger language plpgsql security definer as $$
declare
  org text := coalesce(new.org_id, old.org_id);
begin
  -- Every row of the transaction calls this at its end.
  if current_setting('app.stuck_noted', true) = org then return null; end if;
  perform set_config('app.stuck_noted', org, true);
  perform pg_advisory_xact_lock(hashtextextended('approvers ' || org, 0));
  with stuck as materialized (
    select e.id from environments e where e.org_id = org and e.override_by = 'nobody'
      and (select count(*) from approvers_of(org, e.id, e.approvers)) < e.approvals
    for key share of e
  ), mended as (
    delete from stuck_policies where org_id = org and environment_id not in (select id from stuck)
  )
  insert into stuck_policies (org_id, environment_id, since) select org, id, now() from stuck on conflict do nothing;
  return null;
end $$;
${runAsMaintenance('find_stuck_policies', 'signalbox_app')}
${noteAfter('members', 'role')}
${noteAfter('access_grants', 'role, user_id, group_id, environment_ids, schema_ids')}
${noteAfter('group_members', 'user_id')}
create constraint trigger find_stuck_policies after insert or update of approvals, approvers, override_by on environments
  deferrable initially deferred for each row execute function find_stuck_policies();

-- In a database that was restored somebody may be missing who had come back since.
create function restart_stuck_policies() returns trigger language plpgsql as $$
begin
  update stuck_policies set since = now();
  return null;
end $$;
create trigger restart_stuck_policies after update of epoch on publisher_state
  for each row execute function restart_stuck_policies();
`
