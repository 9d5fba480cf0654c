import type { Migration } from './migration.ts'

/**
 * Creates the highest numbers that versions may have had in a database that was lost. Later versions are above them, because a
 * number means one content for good to whoever has read it. A database that was restored doesn't know how far the lost one had
 * counted, so when an epoch begins, each environment goes on by a number for each second since it has read the clock last.
 */
export const lostVersions: Migration = {
  name: '0067-lost-versions',
  sql: `
alter table config_heads add column lost_version integer not null default 0;
alter table config_heads add column lost_browser_version integer not null default 0;

create function count_lost_versions() returns trigger language plpgsql as $$
declare
  -- A wrong clock moves numbers of 31 bits by no more.
  seconds integer := (select least(100000000, greatest(0, ceil(extract(epoch from now() - read_at)))) from believed_time);
begin
  -- In the order in which every write locks them.
  perform from config_heads order by org_id, schema_id, environment_id for no key update;
  update config_heads set lost_version = greatest(lost_version, version + seconds),
    lost_browser_version = greatest(lost_browser_version, browser_version + seconds);
  return null;
end $$;
create trigger count_lost_versions after update of epoch on publisher_state
  for each row execute function count_lost_versions();
`,
}
