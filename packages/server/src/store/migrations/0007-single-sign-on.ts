import { watchSql } from './0001-baseline/live.ts'
import { ofOrganization, ofServer, ofUser, runAsMaintenance } from './access.ts'
import type { Migration } from './migration.ts'

/** Adds the e-mail domains that organizations prove, and the directories that manage their people over SCIM. */
export const singleSignOn: Migration = {
  name: '0007-single-sign-on',
  sql: `
create table email_domains (
  org_id text not null references organizations (id) on delete cascade,
  -- In lower case, as DNS has it.
  domain text not null check (domain = lower(domain)),
  -- The random part of the TXT record.
  challenge text not null,
  created_at timestamptz not null,
  created_by json not null,
  -- Null: not verified, or not any more.
  verified_at timestamptz,
  checked_at timestamptz,
  last_check text check (last_check in ('found', 'absent', 'unreachable')),
  -- Since when the record of a verified domain is gone.
  missing_since timestamptz,
  primary key (org_id, domain)
);
-- Several organizations may ask for a domain, and one has it.
create unique index email_domains_verified on email_domains (domain) where verified_at is not null;
${ofOrganization('email_domains')}

-- The credentials of directories.
create table scim_tokens (
  org_id text not null references organizations (id) on delete cascade,
  id text not null,
  name text not null,
  handle text not null,
  hash bytea not null,
  created_at timestamptz not null,
  created_by json not null,
  last_used_at timestamptz,
  primary key (org_id, id),
  unique (handle, org_id)
);
${ofOrganization('scim_tokens')}

-- What a directory has said of people. It outlives the membership: who was linked once may be brought back.
create table scim_users (
  org_id text not null references organizations (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  -- Null: the directory has named none, and the address of the account stands for it.
  user_name text,
  external_id text,
  -- { displayName, name, emails }
  attributes json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When the directory deleted the person. Null: it did not.
  deleted_at timestamptz,
  primary key (org_id, user_id)
);
create unique index scim_users_name on scim_users (org_id, lower(user_name)) where deleted_at is null;
create index scim_users_user on scim_users (user_id);
${ofOrganization('scim_users')}

-- Who the directory wants in its groups. Those of them who are members are in group_members.
create table scim_group_members (
  org_id text not null,
  group_id text not null,
  user_id text not null,
  primary key (org_id, group_id, user_id),
  foreign key (org_id, group_id) references member_groups (org_id, id) on delete cascade,
  foreign key (org_id, user_id) references scim_users (org_id, user_id) on delete cascade
);
create index scim_group_members_user on scim_group_members (org_id, user_id);
${ofOrganization('scim_group_members')}

-- OpenID providers of organizations.
create table sign_in_providers (
  org_id text not null references organizations (id) on delete cascade,
  id text not null,
  name text not null,
  -- Never changed: the people who are linked are known by it.
  issuer text not null,
  client_id text not null,
  -- Under the key of the organization.
  sealed_secret bytea not null,
  groups_claim text not null,
  created_at timestamptz not null,
  created_by json not null,
  revision integer not null default 1,
  primary key (org_id, id)
);
${ofOrganization('sign_in_providers')}

create table provider_identities (
  org_id text not null,
  provider_id text not null,
  subject text not null,
  user_id text not null references users (id) on delete cascade,
  created_at timestamptz not null,
  primary key (org_id, provider_id, subject),
  unique (org_id, provider_id, user_id),
  foreign key (org_id, provider_id) references sign_in_providers (org_id, id) on delete cascade
);
create index provider_identities_user on provider_identities (user_id);
${ofOrganization('provider_identities')}

-- Whether a person signs in by a provider of any organization: a request sees the links of its own organization alone.
create function is_linked_to_provider(p_user_id text) returns boolean language sql stable security definer as $$
  select exists (select from provider_identities i where i.user_id = p_user_id)
$$;
${runAsMaintenance('is_linked_to_provider', 'signalbox_app')}

-- Whether a member has a second factor: one that is on, beside the password that it belongs to, or an account without a password,
-- for which the OpenID provider of the server or of this organization answers.
create function has_second_factor(p_org_id text, p_user_id text) returns boolean language sql stable security definer as $$
  select exists (select from users u where u.id = p_user_id and case when u.password_hash is null
    then exists (select from oidc_identities i where i.user_id = u.id)
      or exists (select from provider_identities i where i.org_id = p_org_id and i.user_id = u.id)
    else exists (select from second_factors f where f.user_id = u.id and f.confirmed_at is not null) end)
$$;
${runAsMaintenance('has_second_factor', 'signalbox_app')}

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
      and not has_second_factor(g.org_id, g.user_id),
    p.token_days, p.session_idle_minutes, p.sessions_valid_from
  from unnest(p_user_ids, p_org_ids) with ordinality as g (user_id, org_id, place)
  join organizations o on o.id = g.org_id and o.deleted_at is null
  left join organization_policies p on p.org_id = g.org_id
  where g.user_id is null or exists (
    select from members m where m.org_id = g.org_id and m.user_id = g.user_id)
$$;
${runAsMaintenance('find_member_policies', 'signalbox_app')}

-- Which sign-in a session follows from, so that the provider can end it.
create table provider_sessions (
  token_hash bytea primary key references sessions (token_hash) on delete cascade,
  org_id text not null,
  provider_id text not null,
  user_id text not null,
  subject text not null,
  -- The session at the provider. Null: it names none.
  sid text,
  foreign key (org_id, provider_id) references sign_in_providers (org_id, id) on delete cascade
);
create index provider_sessions_subject on provider_sessions (org_id, provider_id, subject);
${ofUser('provider_sessions')}

-- Logout tokens that were obeyed. A token works once.
create table used_logout_tokens (
  org_id text not null references organizations (id) on delete cascade,
  hash bytea not null,
  expires_at timestamptz not null,
  primary key (org_id, hash)
);
create index used_logout_tokens_expiry on used_logout_tokens (expires_at);
${ofServer('used_logout_tokens')}

-- The provider of an organization to which the way leads. Null: the one of the settings.
alter table oidc_attempts add column provider_org_id text;
alter table oidc_attempts add column provider_id text;
${watchSql({ table: 'sign_in_providers', on: ['insert', 'update', 'delete'], says: [['member', 'r.id']] })}
${watchSql({ table: 'email_domains', on: ['insert', 'update', 'delete'], says: [['member', 'r.domain']] })}
${watchSql({ table: 'scim_tokens', on: ['insert', 'update', 'delete'], says: [['member', 'r.id']] })}
`,
}
