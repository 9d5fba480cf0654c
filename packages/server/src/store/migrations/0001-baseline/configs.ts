import { ofOrganization, published } from '../access.ts'

/** Creates environments, schemas, values, versions, segments, and the snapshots that are published. */
export const configsSql = `
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
  confirm_changes boolean not null default false,
  comment_changes boolean not null default false,
  primary key (org_id, id),
  foreign key (org_id, parent_id) references environments (org_id, id)
);
create unique index environments_name on environments (org_id, lower(name));
create index environments_parent on environments (org_id, parent_id);
${ofOrganization('environments')}

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
${ofOrganization('config_schemas')}

-- The values set in an environment itself. Locking this row orders the writes of a schema in an environment.
create table current_values (
  org_id text not null,
  schema_id text not null,
  environment_id text not null,
  version integer not null default 0,
  -- Counts the changes that a browser key can see, and no others.
  browser_version integer not null default 0,
  -- Key name -> { value, updatedAt, updatedBy }; and the same with { sealed } for secrets.
  open_values json not null default '{}',
  secret_values json not null default '{}',
  -- The highest numbers that versions may have had in a database that was lost. Later versions are above them.
  lost_version integer not null default 0,
  lost_browser_version integer not null default 0,
  primary key (org_id, schema_id, environment_id),
  foreign key (org_id, schema_id) references config_schemas (org_id, id) on delete cascade,
  foreign key (org_id, environment_id) references environments (org_id, id) on delete cascade
);
create index current_values_environment on current_values (org_id, environment_id);
${ofOrganization('current_values')}

create table config_versions (
  org_id text not null,
  schema_id text not null,
  environment_id text not null,
  version integer not null,
  id text not null,
  kind text not null check (kind in ('write', 'restore', 'promote', 'schema', 'inherited', 'renamed', 'segment')),
  author json not null,
  comment text,
  -- [{ key, tier, change, before?, after? }]: what clients had before and have after it, unless it is a secret.
  changes json not null,
  open_values json not null,
  secret_values json not null,
  created_at timestamptz not null default now(),
  -- Flag name -> the text of its rules.
  flag_rules json not null default '{}',
  -- The history of one key is found by them, without reading all values.
  changed_keys text[] not null default '{}',
  -- A column of its own, because row-level security keeps an index on the expression from being used. Text with NUL, which json takes
  -- and text does not, names nobody.
  author_name text generated always as (
    case when position('\\u0000' in author::text) = 0 then lower(author ->> 'name') end) stored,
  -- Sets flags and nothing else. A quotation mark within a text of the json has a backslash before it.
  is_flip boolean not null generated always as (
    kind in ('write', 'restore', 'promote', 'inherited') and json_array_length(changes) > 0
      and changes::text !~ '"tier"\\s*:\\s*"(public|secret)"') stored,
  primary key (org_id, schema_id, environment_id, version),
  unique (org_id, id),
  foreign key (org_id, schema_id, environment_id)
    references current_values (org_id, schema_id, environment_id) on delete cascade
);
create index config_versions_made on config_versions (org_id, created_at desc, id desc);
create index config_versions_environment_made on config_versions (org_id, environment_id, created_at desc, id desc);
create index config_versions_author on config_versions (org_id, author_name, created_at desc, id desc);
create index config_versions_flips on config_versions (org_id, is_flip, created_at desc, id desc);
${ofOrganization('config_versions')}

create table segments (
  org_id text not null references organizations (id) on delete cascade,
  -- Rules refer to it, so it never changes.
  name text not null,
  description text not null,
  version integer not null,
  -- [{ when: [condition] }]: a context is in the segment when all conditions of one group hold.
  any_of json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by json not null,
  primary key (org_id, name)
);
create unique index segments_name on segments (org_id, lower(name));
${ofOrganization('segments')}

create table segment_versions (
  org_id text not null,
  segment text not null,
  version integer not null,
  author json not null,
  comment text,
  created_at timestamptz not null,
  description text not null,
  any_of json not null,
  primary key (org_id, segment, version),
  foreign key (org_id, segment) references segments (org_id, name) on delete cascade
);
${ofOrganization('segment_versions')}

-- The flags whose stored rules refer to a segment, in the environment that sets them.
create table segment_uses (
  -- Goes with the organization: the reference to the segment would otherwise refuse the organization's deletion.
  org_id text not null references organizations (id) on delete cascade,
  segment text not null,
  schema_id text not null,
  environment_id text not null,
  flag text not null,
  primary key (org_id, segment, schema_id, environment_id, flag),
  foreign key (org_id, segment) references segments (org_id, name),
  foreign key (org_id, schema_id, environment_id)
    references current_values (org_id, schema_id, environment_id) on delete cascade
);
create index segment_uses_environment on segment_uses (org_id, schema_id, environment_id);
${ofOrganization('segment_uses')}

-- Published: immutable, except that what was deleted ends with a row that has no body. There is no foreign key to
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
  flag_rules json not null default '{}',
  signature text,
  -- The generation of the publisher keys that signed it. 0: it is to be signed.
  signed_by integer not null default 0,
  primary key (org_id, schema_id, environment_id, version)
);
${ofOrganization('browser_snapshots')}
${published('browser_snapshots')}

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
  -- Sealed, because the signature of known text would confirm a guess at its secrets.
  sealed_signature bytea,
  signed_by integer not null default 0,
  primary key (org_id, schema_id, environment_id, version)
);
${ofOrganization('server_snapshots')}
${published('server_snapshots')}

-- Moves the numbers of versions beyond those that a lost database may have used, because a number means one content for good to a
-- client that has read it. A database that was restored doesn't know how far the lost one had counted, so when an epoch begins, each
-- environment goes on by a number for each second since it has read the clock last.
create function count_lost_versions() returns trigger language plpgsql as $$
declare
  -- A wrong clock moves numbers of 31 bits by no more.
  seconds integer := (select least(100000000, greatest(0, ceil(extract(epoch from now() - read_at)))) from believed_time);
begin
  -- In the order in which every write locks them.
  perform from current_values order by org_id, schema_id, environment_id for no key update;
  update current_values set lost_version = greatest(lost_version, version + seconds),
    lost_browser_version = greatest(lost_browser_version, browser_version + seconds);
  return null;
end $$;
create trigger count_lost_versions after update of epoch on publisher_state
  for each row execute function count_lost_versions();
`
