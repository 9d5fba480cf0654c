import { isolate } from './access.ts'
import type { Migration } from './migration.ts'

/**
 * Adds the keys that sign snapshots, and the signatures beside what they sign. `signed_by` is the generation of the keys:
 * 0 is a row without a signature, which an older release wrote.
 */
export const publisherKeys: Migration = {
  name: '0040-publisher-keys',
  sql: `
create table publisher_keys (
  number integer primary key,
  -- The public half, as base64url.
  public_key text not null unique,
  -- The private half, wrapped by the root key as data keys are.
  wrapped bytea not null,
  root_key_id text not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz
);

create table publisher_state (
  singleton boolean primary key default true check (singleton),
  -- Counts the changes of the keys. Snapshots of another generation are signed again.
  generation integer not null default 1,
  -- Counts the histories of this database: a restored backup begins another one.
  epoch bigint not null default 1
);
${isolate('publisher_keys')}
${isolate('publisher_state')}
grant select, insert, update, delete on publisher_keys, publisher_state to signalbox_maintenance;
grant select (number, public_key, retired_at) on publisher_keys to signalbox_delivery;
create policy delivery on publisher_keys for select to signalbox_delivery using (true);
insert into publisher_state default values;

alter table browser_snapshots add column signature text, add column signed_by integer not null default 0;
-- Sealed, because the signature of known text would confirm a guess at its secrets.
alter table server_snapshots add column sealed_signature bytea, add column signed_by integer not null default 0;
`,
}
