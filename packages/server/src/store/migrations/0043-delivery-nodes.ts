import { isolate } from './access.ts'
import type { Migration } from './migration.ts'

/**
 * Adds what delivery nodes report about themselves. The role that delivers writes it through a function, so that it needs no right
 * to the table. A row that is a day old is gone, and a reporter has at most 200: a relay key is in the hands of others.
 */
export const deliveryNodes: Migration = {
  name: '0043-delivery-nodes',
  sql: `
create table delivery_nodes (
  -- The relay key or the group through which the report came; 'database' for a node that reported by itself.
  reporter text not null,
  name text not null,
  version text not null,
  carrier text not null,
  fed_by text,
  snapshots integer not null,
  as_of timestamptz,
  fault text,
  reported_at timestamptz not null,
  primary key (reporter, name)
);
${isolate('delivery_nodes')}
grant select, insert, update, delete on delivery_nodes to signalbox_maintenance;

create function record_delivery_nodes(p_reporter text, p_nodes jsonb)
returns void language sql security definer as $$
  delete from delivery_nodes where reported_at < now() - interval '1 day';

  delete from delivery_nodes d using jsonb_to_recordset(p_nodes) as n (name text, stopping boolean)
  where d.reporter = p_reporter and d.name = n.name and n.stopping;

  insert into delivery_nodes (reporter, name, version, carrier, fed_by, snapshots, as_of, fault, reported_at)
  select distinct on (n.name) p_reporter, n.name, n.version, n.carrier, n.fed_by, n.snapshots, n.as_of, n.fault,
    least(n.reported_at, now())
  from jsonb_to_recordset(p_nodes) as n (name text, version text, carrier text, fed_by text, snapshots integer,
    as_of timestamptz, fault text, reported_at timestamptz, stopping boolean)
  where not n.stopping and n.reported_at > now() - interval '1 day'
    and ((select count(*) from delivery_nodes d where d.reporter = p_reporter) < 200
      or exists (select from delivery_nodes d where d.reporter = p_reporter and d.name = n.name))
  -- In one order: two processes that write the same nodes at the same moment wait for each other, and not in a circle.
  order by n.name, n.reported_at desc
  on conflict (reporter, name) do update set version = excluded.version, carrier = excluded.carrier,
      fed_by = excluded.fed_by, snapshots = excluded.snapshots, as_of = excluded.as_of, fault = excluded.fault,
      reported_at = excluded.reported_at
    where delivery_nodes.reported_at <= excluded.reported_at
$$;
revoke all on function record_delivery_nodes from public;
grant execute on function record_delivery_nodes to signalbox_delivery;
do $$
begin
  execute format('grant create on schema %I to signalbox_maintenance', current_schema());
  execute 'alter function record_delivery_nodes owner to signalbox_maintenance';
  execute format('alter function record_delivery_nodes set search_path = %I, pg_temp', current_schema());
  execute format('revoke create on schema %I from signalbox_maintenance', current_schema());
end $$;
`,
}
