import { accessSql, publishedTables } from './0001-spine-access.ts'
import { auditSql } from './0001-spine-audit.ts'
import { usesSql } from './0001-spine-uses.ts'
import type { Migration } from '../migration.ts'

/**
 * Creates three roles besides the owner. None can log in: connections take one at their start.
 *
 * - `signalbox_app` serves requests: the rows of one organization, named by `app.org_id`, and those that
 *   `0001-spine-access.ts` adds.
 * - `signalbox_delivery` reads only what is published, of every organization. It writes when keys were used, through a
 *   function, and nothing else.
 * - `signalbox_maintenance` does the work that crosses organizations: retention, export, rotation of the root key.
 */
const rolesSql = `
do $$
declare role_name text;
begin
  foreach role_name in array array['signalbox_app', 'signalbox_delivery', 'signalbox_maintenance'] loop
    begin
      if not exists (select from pg_roles where rolname = role_name) then
        execute format('create role %I nologin', role_name);
      end if;
    exception when duplicate_object or unique_violation then
      null; -- another database of the same cluster is being set up at the same moment
    end;
    -- Since PostgreSQL 16 the maker of a role is a member of it and still may not take it on.
    if not pg_has_role(current_user, role_name,
        case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end) then
      execute format('grant %I to current_user', role_name);
    end if;
  end loop;
end $$;
do $$
begin
  execute format('grant usage on schema %I to signalbox_app, signalbox_delivery, signalbox_maintenance', current_schema());
end $$;
`

/**
 * Creates the tables of organizations, people and keys. The primary keys of organizations' tables begin with `org_id`,
 * so that the tables can be distributed by it later.
 */
const identitySql = `
create table root_keys (
  id text primary key,
  state text not null check (state in ('active', 'retiring')),
  created_at timestamptz not null default now()
);

create table signing_keys (
  id text primary key,
  public_jwk jsonb not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz,
  changed_in xid8 not null default pg_current_xact_id()
);

create table setup (
  singleton boolean primary key default true check (singleton),
  token_hash bytea not null,
  completed_at timestamptz
);

create table users (
  id text primary key,
  email text not null unique,
  name text not null,
  password_hash text,
  created_at timestamptz not null default now()
);

create table organizations (
  id text primary key,
  slug text not null,
  name text not null,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  changed_in xid8 not null default pg_current_xact_id()
);
create unique index organizations_slug on organizations (slug) where deleted_at is null;

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

create table members (
  org_id text not null references organizations (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  role text not null check (role in ('owner', 'admin', 'developer', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (org_id, user_id)
);
create index members_user on members (user_id);

create table sessions (
  token_hash bytea primary key,
  user_id text not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  -- When the password was last typed.
  authenticated_at timestamptz not null default now(),
  used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  user_agent text,
  ip text
);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

create table personal_access_tokens (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  name text not null,
  handle text not null unique,
  hash bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index personal_access_tokens_user on personal_access_tokens (user_id, id);

create table api_keys (
  org_id text not null references organizations (id) on delete cascade,
  id text not null,
  name text not null,
  kind text not null check (kind in ('b2m', 'm2m')),
  environment_ids text[],
  schema_ids text[],
  allowed_origins text[],
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  created_by json not null,
  changed_in xid8 not null default pg_current_xact_id(),
  primary key (org_id, id)
);

-- A key has one secret, and during the overlap of a rotation the one before as well.
create table api_key_secrets (
  org_id text not null,
  key_id text not null,
  handle text not null,
  hash bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  changed_in xid8 not null default pg_current_xact_id(),
  primary key (org_id, key_id, handle),
  unique (org_id, handle),
  foreign key (org_id, key_id) references api_keys (org_id, id) on delete cascade
);

-- Apart from the key, so that a use is not a change that every node has to read.
create table api_key_uses (
  org_id text not null,
  key_id text not null,
  last_used_at timestamptz not null,
  primary key (org_id, key_id),
  foreign key (org_id, key_id) references api_keys (org_id, id) on delete cascade
);

create table idempotency_keys (
  -- Empty: the request was about no organization, such as making one.
  org_id text not null,
  credential_id text not null,
  route text not null,
  key text not null,
  request_hash text not null,
  status integer,
  body json,
  created_at timestamptz not null default now(),
  primary key (org_id, credential_id, route, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
`

const configSql = `
create table environments (
  org_id text not null references organizations (id) on delete cascade,
  id text not null,
  name text not null,
  description text not null default '',
  production boolean not null default false,
  parent_id text,
  -- Counts the changes.
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, parent_id) references environments (org_id, id)
);
create unique index environments_name on environments (org_id, lower(name));
create index environments_parent on environments (org_id, parent_id);

create table config_schemas (
  org_id text not null references organizations (id) on delete cascade,
  id text not null,
  name text not null,
  description text not null default '',
  revision integer not null default 1,
  -- Key name -> definition, without the defaults of secrets.
  definition json not null,
  -- Key name -> sealed default, base64.
  secret_defaults json not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id)
);
create unique index config_schemas_name on config_schemas (org_id, lower(name));

-- The values set in an environment itself. Locking this row orders the writes of a schema in an environment.
create table config_heads (
  org_id text not null,
  schema_id text not null,
  environment_id text not null,
  version integer not null default 0,
  -- Counts the changes that a browser key can see, and no others.
  browser_version integer not null default 0,
  -- Key name -> { value, updatedAt, updatedBy }; and the same with { sealed } for secrets.
  open_values json not null default '{}',
  secret_values json not null default '{}',
  primary key (org_id, schema_id, environment_id),
  foreign key (org_id, schema_id) references config_schemas (org_id, id) on delete cascade,
  foreign key (org_id, environment_id) references environments (org_id, id) on delete cascade
);
create index config_heads_environment on config_heads (org_id, environment_id);

create table config_versions (
  org_id text not null,
  schema_id text not null,
  environment_id text not null,
  version integer not null,
  id text not null,
  kind text not null check (kind in ('write', 'restore', 'promote', 'schema', 'inherited', 'renamed')),
  author json not null,
  comment text,
  -- [{ key, tier, change, before?, after? }]: what clients had before and have after it, unless it is a secret.
  changes json not null,
  open_values json not null,
  secret_values json not null,
  created_at timestamptz not null default now(),
  primary key (org_id, schema_id, environment_id, version),
  unique (org_id, id),
  foreign key (org_id, schema_id, environment_id)
    references config_heads (org_id, schema_id, environment_id) on delete cascade
);

-- Published: immutable, except that a pair that was deleted ends with a row that has no body. There is no foreign key to
-- the organization: every write of any of its environments would lock the organization's row.
create table browser_snapshots (
  org_id text not null,
  schema_id text not null,
  environment_id text not null,
  version integer not null,
  schema_name text not null,
  environment_name text not null,
  etag text not null,
  body text,
  flag_sources json not null default '{}',
  created_at timestamptz not null default now(),
  changed_in xid8 not null default pg_current_xact_id(),
  primary key (org_id, schema_id, environment_id, version)
);

create table server_snapshots (
  org_id text not null,
  schema_id text not null,
  environment_id text not null,
  version integer not null,
  schema_name text not null,
  environment_name text not null,
  etag text not null,
  body text,
  sealed_secrets bytea,
  created_at timestamptz not null default now(),
  changed_in xid8 not null default pg_current_xact_id(),
  primary key (org_id, schema_id, environment_id, version)
);
`

/**
 * Stamps each published row with the transaction that wrote it, because nodes read the rows that changed since their
 * last poll.
 */
const feedSql = `
create function set_changed_in() returns trigger language plpgsql as $$
begin
  new.changed_in := pg_current_xact_id();
  return new;
end $$;
${publishedTables
  .map(
    (table) => `
create trigger changed_in before update on ${table} for each row execute function set_changed_in();
create index ${table}_changed_in on ${table} (changed_in);`,
  )
  .join('')}
`

/** Makes these functions run as the maintenance role, which may write the rows of every organization. */
const definerSql = `
do $$
declare function_name text;
begin
  execute format('grant create on schema %I to signalbox_maintenance', current_schema());
  foreach function_name in array array['append_audit_event', 'record_key_uses'] loop
    execute format('alter function %I owner to signalbox_maintenance', function_name);
    execute format('alter function %I set search_path = %I, pg_temp', function_name, current_schema());
  end loop;
  execute format('revoke create on schema %I from signalbox_maintenance', current_schema());
end $$;
`

/** Creates the roles, organizations, people, keys, configurations, audit log and their access rules. */
export const initial: Migration = {
  name: '0001-spine',
  sql: [rolesSql, identitySql, configSql, auditSql, usesSql, accessSql, feedSql, definerSql].join(
    '\n',
  ),
}
