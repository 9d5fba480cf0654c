import { dayMs, forgetSql, type RetentionRule } from '../../store/retention-rule.ts'

/** Deletes messages of outgoing webhooks after 30 days, sent or not. */
export const outgoingMessageRetention: RetentionRule = {
  keptMs: 30 * dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-outgoing-messages',
      text: forgetSql('outgoing_messages', 'created_at < $1'),
      values: [before, limit],
    }),
}
