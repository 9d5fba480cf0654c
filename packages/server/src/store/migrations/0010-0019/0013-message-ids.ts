import type { Migration } from '../migration.ts'

/** Names the column of messages by what it holds at every provider. */
export const messageIds: Migration = {
  name: '0013-message-ids',
  sql: `
alter table notifications rename column message_ts to message_id;
`,
}
