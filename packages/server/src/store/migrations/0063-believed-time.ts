import { grantAll, isolate } from './access.ts'
import type { Migration } from './migration.ts'

/**
 * Creates the one row that says up to which moment the clock is believed where something is deleted because of its age
 * (`retention/believed-time.ts`). A database that was there before believes nothing yet, since its clock may be wrong right now.
 */
export const believedTime: Migration = {
  name: '0063-believed-time',
  sql: `
create table believed_time (
  is_only boolean primary key default true check (is_only),
  -- Nothing is younger than this by a clock that was right.
  moment timestamptz not null,
  -- The last reading of the clock, and for how long readings have been ahead of what is believed.
  read_at timestamptz not null,
  ahead_ms double precision not null default 0
);
${isolate('believed_time')}
${grantAll('believed_time', 'signalbox_maintenance')}
set local role signalbox_maintenance;
insert into believed_time (moment, read_at)
  select case when current_setting('signalbox.is_new_database', true) = 'true' then now() else to_timestamp(0) end, now();
reset role;
`,
}
