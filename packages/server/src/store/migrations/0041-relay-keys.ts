import type { Migration } from './migration.ts'

/** Adds the kind of API key with which a relay is fed. */
export const relayKeys: Migration = {
  name: '0041-relay-keys',
  sql: `
alter table api_keys drop constraint api_keys_kind_check;
alter table api_keys add constraint api_keys_kind_check check (kind in ('b2m', 'm2m', 'rly'));
`,
}
