import { idAlphabet } from '@signalbox/contract'
import { isolate, ofOrganization, ofServer } from '../access.ts'

/** Returns the least id of a webhook at a moment, which is SQL: ids begin with their milliseconds in base 32. */
const boundOf = (moment: string) => `(
    select 'dlv_' || string_agg(substr('${idAlphabet}', 1 + ((ms >> (5 * place)) & 31)::int, 1), '' order by place desc)
    from (select (extract(epoch from ${moment}) * 1000)::bigint as ms) m, generate_series(0, 9) place)`

/**
 * Lets the service keep the partitions of tables that are divided by time, although no running process has the rights of the
 * tables' owner. The functions that add and drop take only partitions that are named by their table and a day. Neither waits longer
 * than a second for a lock, because everybody who writes to the table would wait behind it.
 */
const partitionsSql = `
-- Returns how a value of the key of a partitioned table is written, so that two of them compare as their bounds do.
create function partition_key_cast(p_table text) returns text language plpgsql stable as $$
declare
  key_type regtype;
begin
  select a.atttypid::regtype into key_type
  from pg_partitioned_table p
  join pg_class c on c.oid = p.partrelid and c.relname = p_table and c.relnamespace = quote_ident(current_schema())::regnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum = p.partattrs[0]
  where p.partstrat = 'r' and p.partnatts = 1;
  case key_type
    when 'text'::regtype then return '::text collate "C"';
    when 'timestamptz'::regtype then return '::timestamptz';
    else raise exception '% is not divided by ranges of a text or a time', p_table using errcode = '22023';
  end case;
end $$;

-- Lists the partitions of a table in its schema that have a range. Null: from the beginning, or without an end.
create function partition_ranges(p_table text) returns table (name text, begins text, ends text)
language sql stable as $$
  select c.relname::text, substring(b.bound from '^FOR VALUES FROM \\(''(.*)''\\) TO'), substring(b.bound from ' TO \\(''(.*)''\\)$')
  from pg_inherits i
  join pg_class t on t.oid = i.inhparent and t.relname = p_table and t.relnamespace = quote_ident(current_schema())::regnamespace
  join pg_class c on c.oid = i.inhrelid and c.relnamespace = t.relnamespace
  cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) b
  where b.bound <> 'DEFAULT'
$$;

-- Adds a partition. Returns false where it exists, also as a table that somebody has detached, another one has a part of its range,
-- the default partition has rows of it, or a lock could not be had. Nobody has rights on a partition: they are those of the table, by
-- whose policies rows are seen.
create function add_partition(p_table text, p_name text, p_begins text, p_ends text) returns boolean
language plpgsql security definer as $$
declare
  key_cast text := partition_key_cast(p_table);
  is_taken boolean;
begin
  if p_name !~ ('^' || p_table || '_[0-9]{8}$') then
    raise exception '% is no name of a partition of %', p_name, p_table using errcode = '22023';
  end if;
  -- Nodes add one after the other. Rows are read and written meanwhile.
  execute format('lock table only %I in share update exclusive mode', p_table);
  execute format('select exists (select from partition_ranges($1)
      where name = $2 or ((begins is null or begins%1$s < $4%1$s) and (ends is null or ends%1$s > $3%1$s)))', key_cast)
    into is_taken using p_table, p_name, p_begins, p_ends;
  if is_taken then return false; end if;
  execute format('create table %I (like %I including all)', p_name, p_table);
  execute format('alter table %I enable row level security, force row level security', p_name);
  -- "partition of" would lock the table against every reader. PostgreSQL looks at each row of the default partition, which is
  -- empty unless nobody has added partitions for weeks.
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', p_table, p_name, p_begins, p_ends);
  return true;
exception when lock_not_available or check_violation or duplicate_table or invalid_object_definition then
  return false;
end $$;

-- Drops a partition that ends at or before a value of the key. Returns false where it is gone, ends later, or could not be locked.
create function drop_partition(p_table text, p_name text, p_before text) returns boolean
language plpgsql security definer as $$
declare
  key_cast text := partition_key_cast(p_table);
  is_over boolean;
begin
  if p_name !~ ('^' || p_table || '_[0-9]{8}$') then
    raise exception '% is no name of a partition of %', p_name, p_table using errcode = '22023';
  end if;
  execute format('lock table only %I in share update exclusive mode', p_table);
  if to_regclass(quote_ident(p_name)) is null then return false; end if;
  execute format('select ends%1$s <= $3%1$s from partition_ranges($1) where name = $2', key_cast)
    into is_over using p_table, p_name, p_before;
  if is_over is null then
    raise exception '% is no partition of %', p_name, p_table using errcode = '22023';
  end if;
  if not is_over then return false; end if;
  execute format('drop table %I', p_name);
  return true;
exception when lock_not_available then
  return false;
end $$;

do $$
declare
  one text;
begin
  foreach one in array array['partition_key_cast(text)', 'partition_ranges(text)', 'add_partition(text, text, text, text)',
    'drop_partition(text, text, text)'] loop
    execute format('alter function %s set search_path = %I, pg_temp', one, current_schema());
    execute format('alter function %s set timezone = %L', one, 'UTC');
    execute format('alter function %s set datestyle = %L', one, 'ISO');
    execute format('revoke all on function %s from public', one);
    execute format('grant execute on function %s to signalbox_maintenance', one);
  end loop;
end $$;
alter function add_partition set lock_timeout = '1s';
alter function drop_partition set lock_timeout = '1s';
`

/** Creates what providers send, in partitions of a week of UTC, and how far their own logs of it have been read. */
export const webhooksSql = `
${partitionsSql}
-- Raw bytes as they came, stored before they are acknowledged. Of no organization until the account in them is looked up. Partitions of
-- a week are ranges of our ids, so that the id alone is the key and finds its partition. Ids are compared by bytes, whatever the
-- collation.
create table received_webhooks (
  id text not null,
  provider text not null,
  delivery_id text not null,
  org_id text,
  event text not null,
  action text,
  account_id text,
  repository_id text,
  headers json not null,
  body bytea not null,
  state text not null default 'received' check (state in ('received', 'processing', 'done', 'ignored', 'failed', 'dead')),
  reason text,
  origin text not null check (origin in ('push', 'pull', 'replay')),
  duplicates integer not null default 0,
  attempts integer not null default 0,
  received_at timestamptz not null default now(),
  processed_at timestamptz,
  primary key (id)
) partition by range (id text_pattern_ops);
create index received_webhooks_list on received_webhooks (org_id, received_at desc, id desc) where org_id is not null;
create index received_webhooks_open on received_webhooks (state, received_at) where state in ('received', 'processing', 'failed');
create index received_webhooks_age on received_webhooks (received_at);
create index received_webhooks_failed on received_webhooks (org_id, received_at, id)
  where org_id is not null and state in ('failed', 'dead');
${ofOrganization('received_webhooks')}

-- Takes what no other partition takes, so that a webhook is stored however long nobody has added any.
create table received_webhooks_default partition of received_webhooks default;
${isolate('received_webhooks_default')}
grant select, delete on received_webhooks_default to signalbox_maintenance;

-- A week of a time zone whose clocks change is not 168 hours. The setting ends with the transaction.
set local timezone = 'UTC';
do $$
declare
  week timestamptz := date_trunc('week', now(), 'UTC');
begin
  for ahead in 0 .. 8 loop
    perform add_partition('received_webhooks', 'received_webhooks_' || to_char(week at time zone 'UTC', 'YYYYMMDD'),
      ${boundOf('week')}, ${boundOf(`(week + interval '7 days')`)});
    week := week + interval '7 days';
  end loop;
end $$;

-- Holds what providers call their webhooks. A unique key of the partitions would need the time in it.
create table received_webhook_ids (
  provider text not null,
  delivery_id text not null,
  -- The webhook. It may be gone: its partition is dropped before this row is deleted.
  id text not null,
  received_at timestamptz not null,
  primary key (provider, delivery_id)
);
create index received_webhook_ids_age on received_webhook_ids (received_at);
${ofServer('received_webhook_ids')}

-- How far a provider's own log of deliveries has been read. There is one for all organizations of this server.
create table webhook_watermarks (
  provider text primary key,
  read_until timestamptz not null,
  updated_at timestamptz not null default now()
);
${ofServer('webhook_watermarks')}
`
