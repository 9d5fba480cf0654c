import { dayMs, forgetSql, type RetentionRule } from '../store/retention-rule.ts'

/** Forgets messages that somebody deleted, or that the chat took no more. Those that stand are still changed. */
export const notificationRetention: RetentionRule = {
  keptMs: 90 * dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-notifications',
      text: forgetSql('notifications', `state in ('broken', 'gone') and updated_at < $1`),
      values: [before, limit],
    }),
}
