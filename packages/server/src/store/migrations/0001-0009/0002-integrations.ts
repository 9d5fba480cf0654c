import { grantAll, isolate, keepToOrganization } from '../access.ts'
import { deploymentTables, deploymentsSql } from './0002-deployments.ts'
import type { Migration } from '../migration.ts'

const integrationsSql = `
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
  primary key (org_id, id)
);
create unique index integrations_kind on integrations (org_id, kind) where state <> 'disconnected';
-- Two organizations that connect the same account at the same moment: the second commit fails.
create unique index integrations_account on integrations (provider, account_id) where state not in ('pending', 'disconnected');

-- The tokens, sealed under the key of the organization. The generation is part of what is sealed, and grows with each
-- refresh: who tried an older one changes nothing. Whoever holds the lease refreshes.
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
  primary key (org_id, integration_id),
  foreign key (org_id, integration_id) references integrations (org_id, id) on delete cascade
);
create index integration_credentials_expiry on integration_credentials (access_expires_at);

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

-- How fast messages may be sent to a chat workspace, for all nodes together. A resource is one channel, or a kind of call.
create table chat_paces (
  org_id text not null references organizations (id) on delete cascade,
  resource text not null,
  -- When what was sent so far has been made up for.
  paid_at timestamptz not null,
  -- Whoever has to wait is given a moment after everybody else who waits.
  promised_at timestamptz not null,
  primary key (org_id, resource)
);

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

-- Raw bytes as they came, stored before they are acknowledged. Of no organization until the account in them is looked up.
create table webhook_deliveries (
  id text primary key,
  provider text not null,
  delivery_id text not null,
  org_id text,
  event text not null,
  action text,
  account_id text,
  repository_id text,
  headers json not null,
  body bytea not null,
  state text not null default 'received' check (state in ('received', 'processing', 'done', 'ignored', 'failed', 'dead')),
  reason text,
  origin text not null check (origin in ('push', 'pull', 'replay')),
  duplicates integer not null default 0,
  attempts integer not null default 0,
  received_at timestamptz not null default now(),
  processed_at timestamptz,
  unique (provider, delivery_id)
);
create index webhook_deliveries_list on webhook_deliveries (org_id, received_at desc, id desc) where org_id is not null;
create index webhook_deliveries_open on webhook_deliveries (state, received_at) where state in ('received', 'processing', 'failed');
create index webhook_deliveries_age on webhook_deliveries (received_at);

-- How far a provider's own log of deliveries has been read. There is one for all organizations of this server.
create table webhook_watermarks (
  provider text primary key,
  read_until timestamptz not null,
  updated_at timestamptz not null default now()
);

-- The organization that the set-up made: its owners run this server.
alter table setup add column first_org_id text;

-- Keys of the server itself, wrapped by the root key as those of organizations are.
create table server_keys (
  version integer primary key,
  wrapped bytea not null,
  root_key_id text not null,
  created_at timestamptz not null default now()
);

-- The applications of this server at the providers, sealed under a key of the server: they serve all organizations.
create table provider_apps (
  provider text primary key,
  sealed bytea not null,
  revision integer not null default 1,
  updated_at timestamptz not null,
  updated_by json not null
);

-- State parameters of registrations that came back. Their life is an hour, and so is that of these rows.
create table used_manifest_states (
  nonce_hash bytea primary key,
  used_at timestamptz not null
);
`

/** Fills in the first organization of an existing server, which its audit log names. */
const firstOrganizationSql = `
set local role signalbox_maintenance;
update setup set first_org_id = (
  select org_id from audit_events where action = 'org.created' and detail ->> 'setup' = 'true' order by at limit 1)
where completed_at is not null;
reset role;
`

/** Lists the tables of the server itself, whose rows no request sees. */
const serverTables = ['webhook_watermarks', 'server_keys', 'provider_apps', 'used_manifest_states']

/**
 * Creates the check that no other organization has connected the same account, although a request sees only its own
 * organization.
 */
const accountSql = `
create function is_integration_account_taken(p_provider text, p_account_id text, p_org_id text)
returns boolean language sql stable security definer as $$
  select exists (select from integrations where provider = p_provider and account_id = p_account_id
    and org_id <> p_org_id and state not in ('pending', 'disconnected'))
$$;
do $$
begin
  execute format('grant create on schema %I to signalbox_maintenance', current_schema());
  alter function is_integration_account_taken owner to signalbox_maintenance;
  execute format('alter function is_integration_account_taken set search_path = %I, pg_temp', current_schema());
  execute format('revoke create on schema %I from signalbox_maintenance', current_schema());
end $$;
revoke all on function is_integration_account_taken from public;
grant execute on function is_integration_account_taken to signalbox_app;
`

const tables = [
  'integrations',
  'integration_credentials',
  'oauth_states',
  'chat_paces',
  'integration_revocations',
  'webhook_deliveries',
  ...deploymentTables,
]

/** Creates the tables of integrations, webhook deliveries and deployments. */
export const integrations: Migration = {
  name: '0002-integrations',
  sql: [
    integrationsSql,
    deploymentsSql,
    firstOrganizationSql,
    ...serverTables.flatMap((table) => [isolate(table), grantAll(table, 'signalbox_maintenance')]),
    ...tables.map(keepToOrganization),
    ...tables.flatMap((table) => [
      grantAll(table, 'signalbox_app'),
      grantAll(table, 'signalbox_maintenance'),
    ]),
    accountSql,
  ].join('\n'),
}
