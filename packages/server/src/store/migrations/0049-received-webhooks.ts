import { idAlphabet } from '@signalbox/contract'
import { grantAll, isolate, keepToOrganization } from './access.ts'
import type { Migration } from './migration.ts'

/** Returns the least id of a webhook at a moment, which is SQL: ids begin with their milliseconds in base 32. */
const boundOf = (moment: string) => `(
    select 'dlv_' || string_agg(substr('${idAlphabet}', 1 + ((ms >> (5 * place)) & 31)::int, 1), '' order by place desc)
    from (select (extract(epoch from ${moment}) * 1000)::bigint as ms) m, generate_series(0, 9) place)`

/** Pins the names that a function of maintenance uses to the schema of the tables. */
const ownedByMaintenance = (name: string) => `
do $$
begin
  execute format('grant create on schema %I to signalbox_maintenance', current_schema());
  alter function ${name} owner to signalbox_maintenance;
  execute format('alter function ${name} set search_path = %I, pg_temp', current_schema());
  execute format('revoke create on schema %I from signalbox_maintenance', current_schema());
end $$;
`

/**
 * Creates the table of webhooks that is divided by weeks, and lets an id of a provider be stored once. The partitions are ranges
 * of our ids, so that the id alone is the key, and finds its partition. They are compared by bytes, whatever the collation.
 *
 * The table that was there becomes the first partition (0049-received-webhooks-joined), so that releases before this one go on
 * using it. It ends at a week that is at least 60 days ahead: until then such a release can run beside this one, or come back. A new
 * database has no release before, so there it ends with the last week, and `isNeededByNew` refuses such a release.
 */
export const receivedWebhooks: Migration = {
  name: '0049-received-webhooks',
  isNeededByNew: true,
  sql: `
create table received_webhooks (like webhook_deliveries including all excluding indexes)
  partition by range (id text_pattern_ops);
alter table received_webhooks add primary key (id);
create index received_webhooks_list on received_webhooks (org_id, received_at desc, id desc) where org_id is not null;
create index received_webhooks_open on received_webhooks (state, received_at) where state in ('received', 'processing', 'failed');
create index received_webhooks_age on received_webhooks (received_at);
create index received_webhooks_failed on received_webhooks (org_id, received_at, id)
  where org_id is not null and state in ('failed', 'dead');
${keepToOrganization('received_webhooks')}
${grantAll('received_webhooks', 'signalbox_app')}
${grantAll('received_webhooks', 'signalbox_maintenance')}

-- Takes what no other partition takes, so that a webhook is stored however long nobody has added any.
create table received_webhooks_default partition of received_webhooks default;
${isolate('received_webhooks_default')}
grant select, delete on received_webhooks_default to signalbox_maintenance;

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
${isolate('received_webhook_ids')}
${grantAll('received_webhook_ids', 'signalbox_maintenance')}

-- Records the ids of webhooks that a release before this one stores, and stores none that is in another partition. This release
-- has recorded the id before. Of those that were there before, the table's own key refuses the second.
create function record_webhook_id() returns trigger language plpgsql security definer as $$
declare
  known_id text;
begin
  select id into known_id from received_webhook_ids where provider = new.provider and delivery_id = new.delivery_id;
  if known_id = new.id then return new; end if;
  if found then return null; end if;
  perform from webhook_deliveries where provider = new.provider and delivery_id = new.delivery_id;
  if found then return new; end if;
  insert into received_webhook_ids (provider, delivery_id, id, received_at)
    values (new.provider, new.delivery_id, new.id, new.received_at) on conflict do nothing;
  if found then return new; end if;
  return null;
end $$;
create trigger record_webhook_id before insert on webhook_deliveries for each row execute function record_webhook_id();
revoke all on function record_webhook_id from public;
${ownedByMaintenance('record_webhook_id')}
-- What dashboards are told. The first partition has a trigger of its own, which releases before this one need too.
create function note_received_webhooks_row() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'webhook_deliveries' then return null; end if;
  insert into live_changes (org_id, topic, subject_id) values (new.org_id, 'webhook_delivery', new.id);
  raise notice using message = 'live', errcode = 'SBL01';
  return null;
end $$;
create trigger live_update_received after update on received_webhooks for each row
  when (new.org_id is not null and new.state <> 'processing' and (new.state, new.org_id) is distinct from (old.state, old.org_id))
  execute function note_received_webhooks_row();

-- A week of a time zone whose clocks change is not 168 hours. The setting ends with the transaction.
set local timezone = 'UTC';
do $$
declare
  is_new boolean := current_setting('signalbox.is_new_database', true) = 'true';
  week timestamptz := date_trunc('week', now(), 'UTC');
  first_ends timestamptz := case when is_new then week else date_trunc('week', now() + interval '67 days', 'UTC') end;
begin
  -- Read by the next migration, while others write, so that the last one need not read a row.
  execute format('alter table webhook_deliveries add constraint webhook_deliveries_first check (id ~<~ %L) not valid',
    ${boundOf('first_ends')});
  for ahead in 0 .. case when is_new then 8 else -1 end loop
    perform add_partition('received_webhooks', 'received_webhooks_' || to_char(week at time zone 'UTC', 'YYYYMMDD'),
      ${boundOf('week')}, ${boundOf(`(week + interval '7 days')`)});
    week := week + interval '7 days';
  end loop;
end $$;
`,
}

/** Copies the ids that were received before, and lets PostgreSQL check that the rows fit the first partition. Nobody waits for it. */
export const receivedWebhookIds: Migration = {
  name: '0049-received-webhooks-checked',
  sql: `
alter table webhook_deliveries validate constraint webhook_deliveries_first;
set local role signalbox_maintenance;
insert into received_webhook_ids (provider, delivery_id, id, received_at)
  select provider, delivery_id, id, received_at from webhook_deliveries on conflict do nothing;
reset role;
`,
}

/**
 * Makes the table that was there the first partition. No row is read or moved. It stays when its last row is deleted, because
 * releases before this one read it: a later migration takes it away, and names the migration above in `compatibleFrom`.
 */
export const firstWebhooks: Migration = {
  name: '0049-received-webhooks-joined',
  sql: `
do $$
begin
  execute (select format('alter table received_webhooks attach partition webhook_deliveries for values from (minvalue) to (%L)',
      substring(pg_get_constraintdef(oid) from 'dlv_[0-9a-z]{10}'))
    from pg_constraint where conrelid = 'webhook_deliveries'::regclass and conname = 'webhook_deliveries_first');
end $$;
`,
}
