import type { Migration } from '../migration.ts'

/**
 * Adds the protection of environments, and the names of the keys that a version changed. The history of one key is
 * found by them, without reading all values.
 */
export const configChanges: Migration = {
  name: '0011-config-changes',
  sql: `
alter table environments
  add column confirm_changes boolean not null default false,
  add column comment_changes boolean not null default false;
alter table config_versions add column changed_keys text[] not null default '{}';
-- An owner that is no superuser sees the rows of no organization otherwise.
alter table config_versions no force row level security;
update config_versions v
set changed_keys = coalesce((select array_agg(c ->> 'key') from json_array_elements(v.changes) c), '{}');
alter table config_versions force row level security;
`,
}
