import type { Migration } from './migration.ts'

/**
 * Creates the columns for what a credential may do: a server key that only reads, and a personal access token that manages.
 * Keys that exist go on writing, and tokens that exist manage nothing.
 */
export const rightsOfCredentials: Migration = {
  name: '0059-rights-of-credentials',
  sql: `
alter table api_keys add column access text not null default 'write';
alter table api_keys add constraint api_keys_access_check check (access in ('read', 'write')) not valid;
alter table personal_access_tokens add column manages boolean not null default false;
-- The person who lets a device in says what its token may do.
alter table device_authorizations add column manages boolean not null default false;
`,
}
