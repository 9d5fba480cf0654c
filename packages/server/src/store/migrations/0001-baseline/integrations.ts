import { ofOrganization, ofServer, runAsMaintenance } from '../access.ts'

/** Creates the connections to providers, their credentials and webhooks, and the applications of this server there. */
export const integrationsSql = `
-- One integration of each kind. A row outlives the disconnection, which has an outcome at the provider.
create table integrations (
  org_id text not null references organizations (id) on delete cascade,
  id text not null,
  kind text not null check (kind in ('codehost', 'tracker', 'chat')),
  provider text not null,
  state text not null check (state in ('pending', 'connected', 'degraded', 'reauth_required', 'suspended', 'disconnecting', 'disconnected')),
  state_reason text,
  -- The account at the provider: an installation, a site, a workspace. Two organizations never share one.
  account_id text,
  account json,
  scopes text[] not null default '{}',
  settings json not null default '{}',
  connected_at timestamptz,
  connected_by json,
  reconnect_before timestamptz,
  last_ok_at timestamptz,
  last_error json,
  revocation json,
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- It uses the connection of another integration: a tracker that of the code host.
  is_shared boolean not null default false,
  primary key (org_id, id)
);
create unique index integrations_kind on integrations (org_id, kind) where state <> 'disconnected';
-- Two organizations that connect the same account at the same moment: the second commit fails.
create unique index integrations_account on integrations (provider, account_id) where state not in ('pending', 'disconnected');
${ofOrganization('integrations')}

-- Says whether another organization has connected the account, although a request sees only its own.
create function is_integration_account_taken(p_provider text, p_account_id text, p_org_id text)
returns boolean language sql stable security definer as $$
  select exists (select from integrations where provider = p_provider and account_id = p_account_id
    and org_id <> p_org_id and state not in ('pending', 'disconnected'))
$$;
${runAsMaintenance('is_integration_account_taken', 'signalbox_app')}

-- The tokens, sealed under the key of the organization. The generation is part of what is sealed, and grows with each
-- refresh: a node that tried an older one changes nothing. The holder of the lease refreshes.
create table integration_credentials (
  org_id text not null,
  integration_id text not null,
  generation integer not null,
  sealed bytea not null,
  access_expires_at timestamptz,
  refresh_expires_at timestamptz,
  lease_until timestamptz,
  failures integer not null default 0,
  updated_at timestamptz not null default now(),
  lease_holder text,
  -- How the renewal of the grant fails: providers differ in how long they take the same refresh token again after an answer that was
  -- lost, and whether their rejection is final.
  rejections integer not null default 0,
  failing_since timestamptz,
  retry_at timestamptz,
  primary key (org_id, integration_id),
  foreign key (org_id, integration_id) references integrations (org_id, id) on delete cascade
);
create index integration_credentials_expiry on integration_credentials (access_expires_at);
${ofOrganization('integration_credentials')}

-- Of a connection whose provider signs webhooks with a secret of its own: the secrets, and what the provider calls the webhooks that
-- this server made. One node at a time makes them.
create table integration_webhooks (
  org_id text not null,
  integration_id text not null,
  sealed bytea not null,
  hooks text[] not null default '{}',
  updated_at timestamptz not null,
  fence integer not null default 0,
  lease_until timestamptz,
  lease_holder text,
  -- When they are checked next.
  next_check_at timestamptz not null default now(),
  primary key (org_id, integration_id),
  foreign key (org_id, integration_id) references integrations (org_id, id) on delete cascade
);
create index integration_webhooks_integration on integration_webhooks (integration_id);
create index integration_webhooks_next_check on integration_webhooks (next_check_at);
${ofOrganization('integration_webhooks')}

-- Calls to a provider that must be made once a thing has happened here: revocations, for 72 hours.
create table integration_revocations (
  org_id text not null,
  integration_id text not null,
  provider text not null,
  -- The account and the last tokens; destroyed when it is done.
  sealed bytea,
  state text not null check (state in ('pending', 'revoked', 'failed')),
  attempts integer not null default 0,
  give_up_at timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (org_id, integration_id),
  foreign key (org_id, integration_id) references integrations (org_id, id) on delete cascade
);
${ofOrganization('integration_revocations')}

-- A state parameter on its way through the provider. It is good once.
create table oauth_states (
  org_id text not null references organizations (id) on delete cascade,
  nonce_hash bytea not null,
  user_id text not null references users (id) on delete cascade,
  provider text not null,
  cookie_hash bytea not null,
  sealed_verifier bytea,
  return_to text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (org_id, nonce_hash)
);
create index oauth_states_expiry on oauth_states (expires_at);
${ofOrganization('oauth_states')}

-- How fast messages may be sent to a chat workspace, for all nodes together. A resource is one channel, or a kind of call.
create table chat_rates (
  org_id text not null references organizations (id) on delete cascade,
  resource text not null,
  -- When what was sent so far has been made up for.
  spent_until timestamptz not null,
  -- The last moment that a waiting message was given.
  reserved_until timestamptz not null,
  primary key (org_id, resource)
);
${ofOrganization('chat_rates')}

-- The applications of this server at the providers, sealed under a key of the server: they serve all organizations.
create table provider_apps (
  provider text primary key,
  sealed bytea not null,
  revision integer not null default 1,
  updated_at timestamptz not null,
  updated_by json not null
);
${ofServer('provider_apps')}

-- State parameters of registrations that came back. Their life is an hour, and so is that of these rows.
create table used_manifest_states (
  nonce_hash bytea primary key,
  used_at timestamptz not null
);
${ofServer('used_manifest_states')}
`
