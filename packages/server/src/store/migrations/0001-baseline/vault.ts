import { grantAll, ofOrganization, ofServer, published } from '../access.ts'

/** Creates the keys of the server and of organizations, and those that sign snapshots. */
export const vaultSql = `
create table root_keys (
  id text primary key,
  state text not null check (state in ('active', 'retiring')),
  created_at timestamptz not null default now()
);
${grantAll('root_keys', 'signalbox_maintenance')}
-- Wrapping a data key locks the check ids of the root keys. PostgreSQL requires the right to update some column for that.
grant select, update (created_at) on root_keys to signalbox_app;

create table signing_keys (
  id text primary key,
  public_jwk jsonb not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz,
  changed_in xid8 not null default pg_current_xact_id()
);
${grantAll('signing_keys', 'signalbox_maintenance')}
${published('signing_keys')}

-- Keys of the server itself, wrapped by the root key as those of organizations are.
create table server_keys (
  version integer primary key,
  wrapped bytea not null,
  root_key_id text not null,
  created_at timestamptz not null default now()
);
${ofServer('server_keys')}

create table data_keys (
  org_id text not null references organizations (id) on delete cascade,
  version integer not null,
  wrapped bytea not null,
  root_key_id text not null,
  seals bigint not null default 0,
  created_at timestamptz not null default now(),
  changed_in xid8 not null default pg_current_xact_id(),
  primary key (org_id, version)
);
create index data_keys_root on data_keys (root_key_id);
${ofOrganization('data_keys')}
${published('data_keys')}

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
${ofServer('publisher_keys')}
create policy delivery on publisher_keys for select to signalbox_delivery using (true);
grant select (number, public_key, retired_at) on publisher_keys to signalbox_delivery;

create table publisher_state (
  singleton boolean primary key default true check (singleton),
  -- Counts the changes of the keys. Snapshots of another generation are signed again.
  generation integer not null default 1,
  -- Counts the histories of this database: a restored backup begins another one.
  epoch bigint not null default 1
);
insert into publisher_state default values;
${ofServer('publisher_state')}
`
