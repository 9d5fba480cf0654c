import { forgetSql, type RetentionRule } from '../store/retention-rule.ts'
import { beginOfWeek, webhooksKeptMs } from './partitions.ts'

/**
 * Deletes webhooks after 30 days that are in no week's partition, which is dropped as a whole: those of the first partition, and
 * those that came when nobody had added one. What a provider calls a webhook is forgotten after them, with the last partition that
 * could have it.
 */
export const webhookRetention: readonly RetentionRule[] = [
  {
    keptMs: webhooksKeptMs,
    forget: (tx, before, limit) =>
      tx.query({
        name: 'forget-first-webhooks',
        text: forgetSql('webhook_deliveries', 'received_at < $1'),
        values: [before, limit],
      }),
  },
  {
    keptMs: webhooksKeptMs,
    forget: (tx, before, limit) =>
      tx.query({
        name: 'forget-default-webhooks',
        text: forgetSql('received_webhooks_default', 'received_at < $1'),
        values: [before, limit],
      }),
  },
  {
    keptMs: webhooksKeptMs,
    forget: (tx, before, limit) =>
      tx.query({
        name: 'forget-webhook-ids',
        text: forgetSql('received_webhook_ids', 'received_at < $1'),
        values: [beginOfWeek(before), limit],
      }),
  },
]
