import { migrations } from '../../../packages/server/src/store/migrations/index.ts'
import type { Migration } from '../../../packages/server/src/store/migrations/migration.ts'

/** Does what a migration may do while nodes of the release before it serve. */
const planted: Migration = {
  name: '9999-planted',
  sql: `
create table planted (org_id text not null, id text not null, primary key (org_id, id));
alter table config_versions add column planted text;
alter table api_keys add column planted_at timestamptz not null default now();
alter table config_versions add constraint planted_check check (planted <> '') not valid;
`,
  indexes: [{ name: 'planted_versions', on: 'config_versions (org_id, created_at)' }],
}

// Loaded before the service, it makes a release of it that is newer by one migration.
Reflect.apply(Array.prototype.push, migrations, [planted])
