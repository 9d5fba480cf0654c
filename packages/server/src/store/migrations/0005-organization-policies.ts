import { watchSql } from './0001-baseline/live.ts'
import { ofOrganization, showToo, userId } from './access.ts'
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
`,
}
