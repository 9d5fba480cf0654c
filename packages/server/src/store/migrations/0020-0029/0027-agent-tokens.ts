import { watchSql } from '../0010-0019/0012-dashboard-live.ts'
import { grantAll, keepToOrganization } from '../access.ts'
import type { Migration } from '../migration.ts'

/** Creates the tokens with which assistants act for members. They go with the membership. */
export const agentTokens: Migration = {
  name: '0027-agent-tokens',
  sql: `
create table agent_tokens (
  org_id text not null,
  id text not null,
  user_id text not null,
  name text not null,
  scope text not null check (scope in ('read', 'write')),
  handle text not null,
  hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at <= created_at + interval '30 days'),
  ended_at timestamptz,
  last_used_at timestamptz,
  -- As the program named itself at the last use.
  client text,
  primary key (org_id, id),
  unique (handle, org_id),
  foreign key (org_id, user_id) references members (org_id, user_id) on delete cascade
);
create index agent_tokens_member on agent_tokens (org_id, user_id, id);
${keepToOrganization('agent_tokens')}
${grantAll('agent_tokens', 'signalbox_app')}
${grantAll('agent_tokens', 'signalbox_maintenance')}
${watchSql({ table: 'agent_tokens', on: ['insert', 'update', 'delete'], says: [['api_key', 'r.id']] })}
`,
}
