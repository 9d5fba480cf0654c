import type { Migration } from '../migration.ts'

/** Adds the URL of a posted message. */
export const messageUrls: Migration = {
  name: '0007-message-urls',
  sql: `
-- Where people read the message, as the provider says once it is posted.
alter table notifications add column message_url text;
`,
}
