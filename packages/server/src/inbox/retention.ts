import { dayMs, forgetSql, type RetentionRule } from '../store/retention-rule.ts'

/** Deletes webhooks after 30 days. A provider may send one again for three days, and its id must be known until then. */
export const webhookDeliveryRetention: RetentionRule = {
  keptMs: 30 * dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-webhook-deliveries',
      text: forgetSql('webhook_deliveries', 'received_at < $1'),
      values: [before, limit],
    }),
}
