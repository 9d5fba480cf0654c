import { ofOrganization } from '../access.ts'

/**
 * Creates targets and the ledger of the names that they wrote. Triggers count each publication of an environment for its targets,
 * and pause the targets of a member who leaves, in the same transaction.
 */
export const targetsSql = `
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
  demand integer not null default 0,
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
  created_by json,
  keeper_id text,
  primary key (org_id, id)
);
create unique index targets_address on targets (org_id, address);
create index targets_source on targets (org_id, schema_id, environment_id);
create index targets_due on targets (id) where demand > enqueued and state in ('active', 'deleting');
${ofOrganization('targets')}

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
${ofOrganization('target_names')}

create function want_targets() returns trigger language plpgsql as $$
begin
  update targets t set demand = t.demand + 1
  from (select distinct org_id, schema_id, environment_id from changed) c
  where t.org_id = c.org_id and t.schema_id = c.schema_id and t.environment_id = c.environment_id
    and t.state in ('active', 'paused');
  return null;
end $$;
create trigger want_targets after insert on server_snapshots referencing new table as changed
  for each statement execute function want_targets();

create function pause_targets_of_leaver() returns trigger language plpgsql as $$
begin
  update targets set state = 'paused', health_reason = 'maker_left', failing_since = now(), health_url = null,
    health_detail = 'The person who answers for this target is no longer a member, so it is paused.',
    health_step = 'Check where it writes. Then resume it, and answer for it from then on, or delete it.'
  where org_id = old.org_id and keeper_id = old.user_id and state = 'active';
  return null;
end $$;
create trigger pause_targets_of_leaver after delete on members for each row execute function pause_targets_of_leaver();
`
