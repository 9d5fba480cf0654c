import { isolate } from './access.ts'
import type { Migration } from './migration.ts'

/**
 * Adds what processes that publish a replica share: the counter of marks, the newest mark of each group, and the versions of
 * records that have none of their own. All of it can be made again from what is published.
 */
export const replicaPublication: Migration = {
  name: '0044-replica-publication',
  sql: `
-- Rolled back transactions leave gaps, and no number comes twice.
create sequence replica_counter;

create table replica_marks (
  group_name text primary key,
  epoch bigint not null,
  counter bigint not null,
  -- The SHA-256 of the index, as base64url.
  index_name text not null,
  mark text not null,
  signatures text not null,
  signed_at timestamptz not null
);

create table replica_versions (
  -- The name of a record: org_…._.keys._
  record_name text primary key,
  -- The generation of the keys that sign it and the SHA-256 of its content.
  content text not null,
  version bigint not null
);
${isolate('replica_marks')}
${isolate('replica_versions')}
grant select, insert, update, delete on replica_marks, replica_versions to signalbox_maintenance;
grant usage on sequence replica_counter to signalbox_maintenance;
`,
}
