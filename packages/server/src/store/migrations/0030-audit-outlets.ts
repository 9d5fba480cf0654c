import { grantAll, isolate, showToo } from './access.ts'
import type { Migration } from './migration.ts'

const tables = ['audit_outlets', 'audit_positions'] as const

/**
 * Creates the outlets of the audit log and how far each chain has left through each. A node that sends holds the lease of
 * the outlet, and the fence keeps one that was overtaken from moving a position.
 */
export const auditOutlets: Migration = {
  name: '0030-audit-outlets',
  sql: `
create table audit_outlets (
  name text primary key,
  lease_until timestamptz,
  lease_holder text,
  fence bigint not null default 0,
  -- Counts the failures in a row.
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  -- Example: http_503.
  reason text,
  failing_since timestamptz,
  last_sent_at timestamptz,
  -- Counts the events that the receiver took and did not keep.
  rejected bigint not null default 0
);

create table audit_positions (
  outlet text not null references audit_outlets (name) on delete cascade,
  org_id text not null,
  sequence bigint not null,
  -- The receiver refuses the next event, and other chains go first.
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  moved_at timestamptz not null,
  primary key (outlet, org_id)
);
${tables.flatMap((table) => [isolate(table), grantAll(table, 'signalbox_maintenance')]).join('\n')}
${showToo('audit_outlets', 'true')}
grant select on audit_outlets to signalbox_app;
`,
}
