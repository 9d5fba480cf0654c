import { grantAll, keepToOrganization } from '../access.ts'
import type { Migration } from '../migration.ts'

/**
 * Lets members connect remote assistants by OAuth. What a member allows is an agent token of its kind: it has no secret of
 * its own, but short access tokens and refresh tokens that replace each other.
 */
export const oauth: Migration = {
  name: '0028-oauth',
  sql: `
-- The address that describes the assistant, where a member connected it by OAuth.
alter table agent_tokens add column client_id text;
alter table agent_tokens alter column handle drop not null;
alter table agent_tokens alter column hash drop not null;
alter table agent_tokens add constraint agent_tokens_secret check (
  (client_id is null) = (handle is not null) and (handle is null) = (hash is null));

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
${keepToOrganization('agent_codes')}
${keepToOrganization('agent_token_secrets')}
${grantAll('agent_codes', 'signalbox_app')}
${grantAll('agent_codes', 'signalbox_maintenance')}
${grantAll('agent_token_secrets', 'signalbox_app')}
${grantAll('agent_token_secrets', 'signalbox_maintenance')}
`,
}
