import type { Migration } from './migration.ts'

/** Adds what a chat needs besides the ids of channel and message to find a message again. */
export const messageTag: Migration = {
  name: '0002-message-tag',
  sql: 'alter table notifications add column message_tag text',
}
