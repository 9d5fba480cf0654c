import { grantAll, keepToOrganization, keepToOwn, userId } from '../access.ts'
import type { Migration } from '../migration.ts'

/** Creates invitations to an organization, and second factors of people. */
export const people: Migration = {
  name: '0009-people',
  sql: `
-- Those that can be accepted, and those that were not in time. What is accepted, withdrawn or replaced is gone.
create table invitations (
  org_id text not null references organizations (id) on delete cascade,
  id text not null,
  -- In lower case.
  email text not null,
  role text not null check (role in ('owner', 'admin', 'developer', 'viewer')),
  -- SHA-256 of 256 random bits.
  token_hash bytea not null,
  invited_by json not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (org_id, id),
  unique (org_id, email),
  unique (org_id, token_hash)
);
create index invitations_expiry on invitations (expires_at);

create table second_factors (
  user_id text primary key references users (id) on delete cascade,
  -- The secret that the authenticator has, under a key of the server.
  sealed bytea not null,
  created_at timestamptz not null,
  -- Null: nobody has shown yet that their authenticator has it, and it is not asked for.
  confirmed_at timestamptz,
  -- The 30 seconds whose code was taken last: neither that one nor an older one is taken again.
  last_step bigint not null default 0,
  -- Wrong codes since the last right one, from everywhere: who guesses codes has the password already.
  failures integer not null default 0,
  failed_at timestamptz
);

create table recovery_codes (
  user_id text not null references second_factors (user_id) on delete cascade,
  -- SHA-256 of 80 random bits. A row is a code that was not used.
  hash bytea not null,
  primary key (user_id, hash)
);

${keepToOrganization('invitations')}
${keepToOwn('second_factors', `user_id = ${userId}`)}
${keepToOwn('recovery_codes', `user_id = ${userId}`)}
${['invitations', 'second_factors', 'recovery_codes']
  .flatMap((table) => [grantAll(table, 'signalbox_app'), grantAll(table, 'signalbox_maintenance')])
  .join('\n')}
`,
}
