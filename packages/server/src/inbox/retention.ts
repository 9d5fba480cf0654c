import { forgetSql, type RetentionRule } from '../store/retention-rule.ts'
import { beginOfWeek, webhooksKeptMs } from './partitions.ts'

/**
 * Deletes webhooks that are in no week's partition, which is dropped as a whole: they came when nobody had added one. They go with their week too, 30 days after its end, unless no worker has seen them yet, and then what a
 * provider calls them. A webhook that comes again is therefore either still there, or stored anew.
 */
export const webhookRetention: readonly RetentionRule[] = [
  {
    keptMs: webhooksKeptMs,
    forget: (tx, before, limit) =>
      tx.query({
        name: 'forget-default-webhooks',
        text: forgetSql('received_webhooks_default', `received_at < $1 and state <> 'received'`),
        values: [beginOfWeek(before), limit],
      }),
  },
  {
    keptMs: webhooksKeptMs,
    forget: (tx, before, limit) =>
      tx.query({
        name: 'forget-webhook-ids',
        text: forgetSql(
          'received_webhook_ids i',
          'received_at < $1 and not exists (select from received_webhooks w where w.id = i.id)',
        ),
        values: [beginOfWeek(before), limit],
      }),
  },
]
