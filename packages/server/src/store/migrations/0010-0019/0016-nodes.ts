import { grantAll, isolate, showToo } from '../access.ts'
import type { Migration } from '../migration.ts'

/**
 * Lets nodes know which of them live, so that what one of them had in hand is gone on with a few seconds after its end.
 * A lease ends at its time, or with its node.
 */
export const nodes: Migration = {
  name: '0016-nodes',
  sql: `
create table nodes (
  id text primary key,
  seen_at timestamptz not null default clock_timestamp()
);
${isolate('nodes')}
${showToo('nodes', 'true')}
${grantAll('nodes', 'signalbox_maintenance')}
grant select on nodes to signalbox_app;

-- Null is a node of an earlier version: its leases end at their time.
create function node_has_ended(node text) returns boolean language sql stable as $$
  select node is not null and not exists (select from nodes where id = node)
$$;

alter table notifications add column lease_holder text;
alter table integration_credentials add column lease_holder text;
`,
}
