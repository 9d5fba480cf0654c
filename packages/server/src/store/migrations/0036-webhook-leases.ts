import type { Migration } from './migration.ts'

/**
 * Lets one node at a time make the webhooks of a connection, since two at once would make two of each, and keeps when they are
 * looked at next.
 */
export const webhookLeases: Migration = {
  name: '0036-webhook-leases',
  sql: `
alter table integration_webhooks
  add column fence integer not null default 0,
  add column lease_until timestamptz,
  add column lease_holder text,
  add column next_look_at timestamptz not null default now();
create index integration_webhooks_next_look on integration_webhooks (next_look_at);
`,
}
