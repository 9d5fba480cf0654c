import { grantAll, keepToOrganization } from './access.ts'
import type { Migration } from './migration.ts'

const table = 'integration_webhooks'

/**
 * Keeps, for each connection whose provider signs webhooks with a secret of its own, the sealed secrets and what the provider
 * calls the webhooks that this server made. The watermark of a repository is how far its deployments have been asked for.
 */
export const connectionWebhooks: Migration = {
  name: '0032-connection-webhooks',
  sql: `
create table ${table} (
  org_id text not null,
  integration_id text not null,
  sealed bytea not null,
  hooks text[] not null default '{}',
  updated_at timestamptz not null,
  primary key (org_id, integration_id),
  foreign key (org_id, integration_id) references integrations (org_id, id) on delete cascade
);
create index ${table}_integration on ${table} (integration_id);
${keepToOrganization(table)}
${grantAll(table, 'signalbox_app')}
${grantAll(table, 'signalbox_maintenance')}
alter table repositories add column deployments_read_until timestamptz;
`,
}
