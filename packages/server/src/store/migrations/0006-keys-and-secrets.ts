import { queueSql } from './0001-baseline/outgoing-events.ts'
import { ofOrganization, runAsMaintenance } from './access.ts'
import type { Migration } from './migration.ts'

/** Adds the networks that API keys may be used from, the days on which they read secrets, and the notices of secrets that are due. */
export const keysAndSecrets: Migration = {
  name: '0006-keys-and-secrets',
  sql: `
-- Networks in canonical form, such as 203.0.113.0/24. Null: the key is used from everywhere.
alter table api_keys add column allowed_networks text[];

-- How many answers with secrets a key got on a day, in UTC.
create table api_key_secret_reads (
  org_id text not null,
  key_id text not null,
  day date not null,
  reads bigint not null,
  primary key (org_id, key_id, day),
  foreign key (org_id, key_id) references api_keys (org_id, id) on delete cascade
);
create index api_key_secret_reads_day on api_key_secret_reads (day);
${ofOrganization('api_key_secret_reads')}

-- Adds to the counts of existing keys: the delivery, whose process has no other right to write, calls it. No day is yet to come.
create function record_secret_reads(p_org_ids text[], p_key_ids text[], p_moments timestamptz[], p_reads bigint[])
returns void language sql security definer as $$
  insert into api_key_secret_reads (org_id, key_id, day, reads)
  select k.org_id, k.id, (least(given.read_at, now()) at time zone 'utc')::date as day, sum(given.reads)
  from unnest(p_org_ids, p_key_ids, p_moments, p_reads) as given (org_id, key_id, read_at, reads)
  join api_keys k on k.org_id = given.org_id and k.id = given.key_id
  where given.reads > 0
  group by 1, 2, 3
  -- In one order, as record_key_uses.
  order by 1, 2, 3
  on conflict (org_id, key_id, day) do update set reads = api_key_secret_reads.reads + excluded.reads
$$;
${runAsMaintenance('record_secret_reads', 'signalbox_delivery')}

-- That a secret is due in so many days; 0: it is. One row of each for a value, so that nobody is told twice.
create table secret_notices (
  org_id text not null,
  schema_id text not null,
  environment_id text not null,
  key text not null,
  due_at timestamptz not null,
  days integer not null check (days in (14, 3, 0)),
  reason text not null check (reason in ('rotation', 'end')),
  runbook text,
  created_at timestamptz not null,
  primary key (org_id, schema_id, environment_id, key, due_at, days),
  foreign key (org_id, schema_id, environment_id)
    references current_values (org_id, schema_id, environment_id) on delete cascade
);
create index secret_notices_old on secret_notices (created_at);
${ofOrganization('secret_notices')}
${queueSql({
  name: 'secret_notices',
  table: 'secret_notices',
  on: 'insert',
  when: 'true',
  types: [['secret.due', 'true']],
  data: `json_build_object('schemaId', new.schema_id,
    'schema', (select name from config_schemas where org_id = new.org_id and id = new.schema_id),
    'environmentId', new.environment_id,
    'environment', (select name from environments where org_id = new.org_id and id = new.environment_id),
    'key', new.key, 'dueAt', to_char(new.due_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
    'daysBefore', new.days, 'reason', new.reason, 'runbook', new.runbook)`,
})}
`,
}
