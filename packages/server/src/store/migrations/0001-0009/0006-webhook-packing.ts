import type { Migration } from '../migration.ts'

/** Adds the coding of a stored webhook's body: raw deflate or Brotli. */
export const webhookPacking: Migration = {
  name: '0006-webhook-packing',
  sql: `
-- How the body is packed: raw deflate (RFC 1951) until now, Brotli (RFC 7932) from here.
alter table webhook_deliveries
  add column packing text not null default 'deflate' check (packing in ('br', 'deflate'));
`,
}
