import {
  grantAll,
  ofOwn,
  ofOrganization,
  ofUser,
  orgId,
  published,
  runAsMaintenance,
  showToo,
  userId,
} from '../access.ts'

/** Creates organizations and people: how they join, sign in and prove who they are. */
export const peopleSql = `
create table setup (
  singleton boolean primary key default true check (singleton),
  token_hash bytea not null,
  completed_at timestamptz,
  -- The organization that the set-up made: its owners run this server.
  first_org_id text
);
${grantAll('setup', 'signalbox_maintenance')}
grant select, insert, update on setup to signalbox_app;

create table organizations (
  id text primary key,
  slug text not null,
  name text not null,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  changed_in xid8 not null default pg_current_xact_id()
);
create unique index organizations_slug on organizations (slug) where deleted_at is null;
${ofOwn('organizations', `id = ${orgId}`)}
${published('organizations')}

create table users (
  id text primary key,
  email text not null unique,
  name text not null,
  password_hash text,
  created_at timestamptz not null default now()
);
${ofOwn('users', `id = ${userId}`)}
-- A request reads every user, session and token, because it looks for the person.
${showToo('users', 'true')}

create table members (
  org_id text not null references organizations (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  role text not null check (role in ('owner', 'admin', 'developer', 'viewer')),
  created_at timestamptz not null default now(),
  -- Who gave them their role.
  granted_by json,
  primary key (org_id, user_id)
);
create index members_user on members (user_id);
${ofOrganization('members')}
-- The memberships of a person are read before the request has an organization.
${showToo('members', `user_id = ${userId}`)}
${showToo(
  'organizations',
  `exists (select from members where members.org_id = organizations.id and members.user_id = ${userId})`,
)}

-- Whether people are members of organizations, many in one call: a request sees its own memberships alone.
create function are_members(p_user_ids text[], p_org_ids text[]) returns setof integer
language sql stable security definer as $$
  select g.place::integer from unnest(p_user_ids, p_org_ids) with ordinality as g (user_id, org_id, place)
  join organizations o on o.id = g.org_id and o.deleted_at is null
  where g.user_id is null or exists (
    select from members m where m.org_id = g.org_id and m.user_id = g.user_id)
$$;
${runAsMaintenance('are_members', 'signalbox_app')}

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
-- Whether anybody invited an address is asked when it signs in with the provider for the first time.
create index invitations_email on invitations (email);
${ofOrganization('invitations')}

create table sessions (
  token_hash bytea primary key,
  user_id text not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  -- When the password was last typed.
  authenticated_at timestamptz not null default now(),
  used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  user_agent text,
  ip text
);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);
${ofUser('sessions')}
${showToo('sessions', 'true')}

create table personal_access_tokens (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  name text not null,
  handle text not null unique,
  hash bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  -- Says whether the token manages keys, members and the like, beside values.
  manages boolean not null default false
);
create index personal_access_tokens_user on personal_access_tokens (user_id, id);
${ofUser('personal_access_tokens')}
${showToo('personal_access_tokens', 'true')}

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
${ofUser('second_factors')}

create table recovery_codes (
  user_id text not null references second_factors (user_id) on delete cascade,
  -- SHA-256 of 80 random bits. A row is a code that was not used.
  hash bytea not null,
  primary key (user_id, hash)
);
${ofUser('recovery_codes')}

-- Who somebody is at the OpenID provider. The address is shown and decides nothing.
create table oidc_identities (
  issuer text not null,
  subject text not null,
  user_id text not null unique references users (id) on delete cascade,
  email text,
  created_at timestamptz not null,
  primary key (issuer, subject)
);
${ofUser('oidc_identities')}
${showToo('oidc_identities', 'true')}

-- Ways to the provider that were begun. The code verifier and the nonce are not here: they follow from the cookie.
create table oidc_attempts (
  state_hash bytea primary key,
  cookie_hash bytea not null,
  purpose text not null check (purpose in ('sign_in', 'link', 'confirm')),
  -- Who links or confirms; nobody yet when it is to sign in.
  user_id text references users (id) on delete cascade,
  return_to text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  check ((purpose = 'sign_in') = (user_id is null))
);
create index oidc_attempts_expiry on oidc_attempts (expires_at);
-- A person who returns from the provider is not signed in yet. The row is found by a hash of 256 bits that only their browser has.
${ofOwn('oidc_attempts', 'true')}

-- Devices that ask to be let in (RFC 8628).
create table device_authorizations (
  device_code_hash bytea primary key,
  -- Under a key of the server: the code is short enough to be guessed from a plain hash.
  user_code_hash bytea not null unique,
  device_name text not null,
  ip text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  interval_seconds integer not null,
  polled_at timestamptz,
  -- The person who has looked at it first, and can answer it.
  user_id text references users (id) on delete cascade,
  decision text check (decision in ('approved', 'denied')),
  -- When the device took its token.
  redeemed_at timestamptz,
  -- The person who lets a device in says what its token may do.
  manages boolean not null default false,
  check (decision is null or user_id is not null),
  check (redeemed_at is null or decision = 'approved')
);
create index device_authorizations_expiry on device_authorizations (expires_at);
${ofOwn('device_authorizations', `user_id is null or user_id = ${userId}`)}
-- A device that polls for its token is not signed in, and needs the row of its future user.
${showToo('device_authorizations', 'true')}
`
