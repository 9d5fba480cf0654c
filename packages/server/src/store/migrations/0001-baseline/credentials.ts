import {
  credentialId,
  ofOwn,
  ofOrganization,
  orgId,
  published,
  runAsMaintenance,
} from '../access.ts'

/** Creates the credentials of an organization, API keys and the tokens of assistants, and the answers that are kept for repeats. */
export const credentialsSql = `
create table api_keys (
  org_id text not null references organizations (id) on delete cascade,
  id text not null,
  name text not null,
  kind text not null check (kind in ('b2m', 'm2m', 'rly')),
  environment_ids text[],
  schema_ids text[],
  allowed_origins text[],
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  created_by json not null,
  changed_in xid8 not null default pg_current_xact_id(),
  -- [{ issuer, namespace, name, keys }]: the Kubernetes service accounts that are pinned to it. Null: none.
  service_accounts json,
  -- Counts the changes, so that two people who change one don't overwrite each other.
  revision integer not null default 1,
  access text not null default 'write' check (access in ('read', 'write')),
  primary key (org_id, id)
);
${ofOrganization('api_keys')}
${published('api_keys')}

-- A key has one secret, and during the overlap of a rotation the one before as well.
create table api_key_secrets (
  org_id text not null,
  key_id text not null,
  handle text not null,
  hash bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  changed_in xid8 not null default pg_current_xact_id(),
  primary key (org_id, key_id, handle),
  unique (org_id, handle),
  foreign key (org_id, key_id) references api_keys (org_id, id) on delete cascade
);
${ofOrganization('api_key_secrets')}
${published('api_key_secrets')}

-- Apart from the key, so that a use is not a change that every node has to read.
create table api_key_uses (
  org_id text not null,
  key_id text not null,
  last_used_at timestamptz not null,
  primary key (org_id, key_id),
  foreign key (org_id, key_id) references api_keys (org_id, id) on delete cascade
);
${ofOrganization('api_key_uses')}

-- Notes when keys were used: the delivery, whose process has no other right to write, calls it. It moves times of existing keys
-- forward, and takes none in the future, because nothing could move them back.
create function record_key_uses(p_org_ids text[], p_key_ids text[], p_moments timestamptz[])
returns void language sql security definer as $$
  insert into api_key_uses (org_id, key_id, last_used_at)
  select k.org_id, k.id, least(max(given.used_at), now())
  from unnest(p_org_ids, p_key_ids, p_moments) as given (org_id, key_id, used_at)
  join api_keys k on k.org_id = given.org_id and k.id = given.key_id
  where given.used_at is not null
  group by k.org_id, k.id
  -- In one order: two processes that write the same keys at the same moment wait for each other, and not in a circle.
  order by k.org_id, k.id
  on conflict (org_id, key_id) do update set last_used_at = excluded.last_used_at
    where api_key_uses.last_used_at < excluded.last_used_at
$$;
${runAsMaintenance('record_key_uses', 'signalbox_delivery')}

-- Tokens with which assistants act for members. They go with the membership.
create table agent_tokens (
  org_id text not null,
  id text not null,
  user_id text not null,
  name text not null,
  scope text not null check (scope in ('read', 'write')),
  handle text,
  hash bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at <= created_at + interval '30 days'),
  ended_at timestamptz,
  last_used_at timestamptz,
  -- As the program named itself at the last use.
  client text,
  -- The address that describes the assistant, where a member connected it by OAuth.
  client_id text,
  primary key (org_id, id),
  unique (handle, org_id),
  foreign key (org_id, user_id) references members (org_id, user_id) on delete cascade,
  constraint agent_tokens_secret check ((client_id is null) = (handle is not null) and (handle is null) = (hash is null))
);
create index agent_tokens_member on agent_tokens (org_id, user_id, id);
${ofOrganization('agent_tokens')}

-- Codes of a minute, which an assistant exchanges once for its tokens. They go with the membership.
create table agent_codes (
  hash bytea primary key,
  org_id text not null,
  user_id text not null,
  client_id text not null,
  redirect_uri text not null,
  -- Of the verifier that only the assistant knows (RFC 7636, S256).
  challenge text not null,
  scope text not null check (scope in ('read', 'write')),
  expires_at timestamptz not null,
  used_at timestamptz,
  -- What the code was exchanged for. A second use of the code ends it.
  agent_token_id text,
  foreign key (org_id, user_id) references members (org_id, user_id) on delete cascade,
  foreign key (org_id, agent_token_id) references agent_tokens (org_id, id) on delete cascade
);
create index agent_codes_expiry on agent_codes (expires_at);
create index agent_codes_member on agent_codes (org_id, user_id);
create index agent_codes_token on agent_codes (org_id, agent_token_id);
${ofOrganization('agent_codes')}

create table agent_token_secrets (
  hash bytea primary key,
  org_id text not null,
  agent_token_id text not null,
  kind text not null check (kind in ('access', 'refresh')),
  expires_at timestamptz not null,
  -- When a refresh token was exchanged for the next one. A later use of it ends the agent token.
  used_at timestamptz check (used_at is null or kind = 'refresh'),
  foreign key (org_id, agent_token_id) references agent_tokens (org_id, id) on delete cascade
);
create index agent_token_secrets_expiry on agent_token_secrets (expires_at);
create index agent_token_secrets_token on agent_token_secrets (org_id, agent_token_id);
${ofOrganization('agent_token_secrets')}

create table idempotency_keys (
  -- Empty: the request was about no organization, such as making one.
  org_id text not null,
  credential_id text not null,
  route text not null,
  key text not null,
  request_hash text not null,
  status integer,
  body json,
  created_at timestamptz not null default now(),
  primary key (org_id, credential_id, route, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
-- A repeat must come from the credential that got the first answer.
${ofOwn('idempotency_keys', `credential_id = ${credentialId} and (org_id = '' or org_id = ${orgId})`)}
`
