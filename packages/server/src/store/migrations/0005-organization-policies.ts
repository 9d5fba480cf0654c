import { watchSql } from './0001-baseline/live.ts'
import { ofOrganization, runAsMaintenance, showToo, userId } from './access.ts'
import type { Migration } from './migration.ts'

/** Adds what an organization requires of its members, and how long a session was idle. */
export const organizationPolicies: Migration = {
  name: '0005-organization-policies',
  sql: `
-- Without a row, an organization requires nothing, and the programs that members connect only read.
create table organization_policies (
  org_id text primary key references organizations (id) on delete cascade,
  second_factor_required boolean not null default false,
  -- Null: no limit.
  token_days integer check (token_days > 0),
  session_idle_minutes integer check (session_idle_minutes > 0),
  -- A session that was confirmed before this moment is confirmed again. Null: any will do.
  sessions_valid_from timestamptz,
  assistants text not null default 'read' check (assistants in ('none', 'read', 'listed', 'any')),
  assistant_hosts text[] not null default '{}',
  -- Whether a token that a member made by hand counts like a listed host.
  own_tokens_listed boolean not null default true,
  changed_at timestamptz not null,
  changed_by json not null
);
${ofOrganization('organization_policies')}
-- They are read with the membership, before the request has an organization.
${showToo(
  'organization_policies',
  `exists (select from members where members.org_id = organization_policies.org_id and members.user_id = ${userId})`,
)}

${watchSql({ table: 'organization_policies', on: ['insert', 'update'], says: [['organization', 'r.org_id']] })}

-- The longest time without a request since the session was confirmed.
alter table sessions add column idle_seconds integer not null default 0;

-- What the organizations of people require of them, many in one call; no row for one who is no member.
create function find_member_policies(p_user_ids text[], p_org_ids text[])
returns table (
  place integer,
  lacks_second_factor boolean,
  token_days integer,
  session_idle_minutes integer,
  sessions_valid_from timestamptz
)
language sql stable security definer as $$
  select g.place::integer,
    g.user_id is not null and coalesce(p.second_factor_required, false)
      and not exists (select from second_factors f where f.user_id = g.user_id and f.confirmed_at is not null)
      and not exists (
        select from oidc_identities i join users u on u.id = i.user_id
        where i.user_id = g.user_id and u.password_hash is null),
    p.token_days, p.session_idle_minutes, p.sessions_valid_from
  from unnest(p_user_ids, p_org_ids) with ordinality as g (user_id, org_id, place)
  join organizations o on o.id = g.org_id and o.deleted_at is null
  left join organization_policies p on p.org_id = g.org_id
  where g.user_id is null or exists (
    select from members m where m.org_id = g.org_id and m.user_id = g.user_id)
$$;
${runAsMaintenance('find_member_policies', 'signalbox_app')}
`,
}
