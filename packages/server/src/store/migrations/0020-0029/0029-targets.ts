import { watchSql } from '../0010-0019/0012-dashboard-live.ts'
import { queueSql } from './0026-outgoing-webhooks.ts'
import { grantAll, keepToOrganization } from '../access.ts'
import type { Migration } from '../migration.ts'

const tables = ['targets', 'target_names'] as const

/**
 * Creates targets and the ledger of the names that they wrote. A trigger counts each publication of an environment for its
 * targets, in the same transaction, so that a process that ends loses none.
 */
export const targets: Migration = {
  name: '0029-targets',
  sql: `
create table targets (
  org_id text not null references organizations (id) on delete cascade,
  id text not null,
  name text not null,
  -- Without references: the names at the destination outlive the environment, and so does what is known of them.
  schema_id text not null,
  environment_id text not null,
  provider text not null,
  destination json not null,
  -- Names the destination as the provider knows it. Two targets never share one.
  address text not null,
  address_data json not null,
  destination_name text not null,
  url text,
  tiers text[] not null,
  keys text[] not null,
  prefix text not null,
  sealed_token bytea,
  state text not null check (state in ('planned', 'active', 'paused', 'deleting')),
  -- Counts the reasons for a run: publications, and people who ask.
  wanted integer not null default 0,
  -- The count for which a job was added.
  enqueued integer not null default 0,
  -- The count that the last complete run has seen.
  done integer not null default 0,
  lease_holder text,
  lease_until timestamptz,
  -- Counts the leases: the holder of an older one writes nothing.
  fence integer not null default 0,
  written_version integer,
  last_run_at timestamptz,
  last_ok_at timestamptz,
  health_reason text,
  health_detail text,
  health_step text,
  health_url text,
  failing_since timestamptz,
  created_at timestamptz not null,
  primary key (org_id, id)
);
create unique index targets_address on targets (org_id, address);
create index targets_source on targets (org_id, schema_id, environment_id);
create index targets_due on targets (id) where wanted > enqueued and state in ('active', 'deleting');

create table target_names (
  org_id text not null,
  target_id text not null,
  -- What the destination tells names apart by: the name, and its store where each has names of its own.
  slot text not null,
  store text not null check (store in ('secret', 'variable')),
  name text not null,
  key text not null,
  state text not null check (state in ('writing', 'written', 'deleting', 'adopted')),
  version integer,
  -- A sealed digest of the value that was written.
  sealed_digest bytea,
  written_at timestamptz,
  primary key (org_id, target_id, slot),
  foreign key (org_id, target_id) references targets (org_id, id) on delete cascade
);
${tables
  .flatMap((table) => [
    keepToOrganization(table),
    grantAll(table, 'signalbox_app'),
    grantAll(table, 'signalbox_maintenance'),
  ])
  .join('\n')}
create function want_targets() returns trigger language plpgsql as $$
begin
  update targets t set wanted = t.wanted + 1
  from (select distinct org_id, schema_id, environment_id from changed) c
  where t.org_id = c.org_id and t.schema_id = c.schema_id and t.environment_id = c.environment_id
    and t.state in ('active', 'paused');
  return null;
end $$;
create trigger want_targets after insert on server_snapshots referencing new table as changed
  for each statement execute function want_targets();
${queueSql({
  name: 'targets',
  table: 'targets',
  on: 'update',
  when: 'new.failing_since is not null and old.failing_since is null',
  types: [['integration.attention', 'true']],
  data: `json_build_object('id', new.id, 'kind', 'target', 'provider', new.provider, 'state', 'failing',
    'reason', new.health_reason)`,
})}
${watchSql({ table: 'targets', on: ['insert', 'update', 'delete'], says: [['target', 'r.id']] })}
`,
}
