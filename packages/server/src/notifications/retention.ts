import { dayMs, forgetSql, type RetentionRule } from '../store/retention-rule.ts'

/** Deletes messages that a person deleted, or that the chat refused. Messages in a channel may still be changed. */
export const notificationRetention: RetentionRule = {
  keptMs: 90 * dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-notifications',
      text: forgetSql('notifications', `state in ('broken', 'gone') and updated_at < $1`),
      values: [before, limit],
    }),
}
