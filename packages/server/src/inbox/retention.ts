import { dayMs, forgetSql, type RetentionRule } from '../store/retention-rule.ts'

/** Forgets webhooks. A provider may send again what is up to three days old: until then its id has to be known. */
export const webhookDeliveryRetention: RetentionRule = {
  keptMs: 30 * dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-webhook-deliveries',
      text: forgetSql('webhook_deliveries', 'received_at < $1'),
      values: [before, limit],
    }),
}
