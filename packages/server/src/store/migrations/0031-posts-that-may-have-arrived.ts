import type { Migration } from './migration.ts'

/**
 * Keeps when a message was first posted without a known outcome: chats remember the key of a post for a while, and after that
 * the message has to be looked for.
 */
export const postsThatMayHaveArrived: Migration = {
  name: '0031-posts-that-may-have-arrived',
  sql: `
alter table notifications add column first_tried_at timestamptz;
update notifications set first_tried_at = updated_at where ambiguous;
`,
}
