import type { FailingWebhook } from '../read-models/overview/overview-rows.ts'
import { next, type AttentionItem } from './dashboard-steps.ts'

/** Returns what a person should know of an outgoing webhook whose messages do not arrive. */
export function attentionOfWebhook(webhook: FailingWebhook): AttentionItem {
  const { id, name, reason, enabled, failingSince } = webhook
  const common = {
    code: 'outgoing_webhook_failing',
    subjectId: id,
    at: failingSince.toISOString(),
    around: null,
  } as const
  if (!enabled) {
    return {
      ...common,
      severity: 'error',
      title: `The outgoing webhook ${name} is switched off`,
      detail:
        'The receiver answered 410: the address is gone. Change the address, then switch the webhook on.',
      next: next('Change', { page: 'outgoing', search: { webhook: id, panel: 'change' } }),
    }
  }
  return {
    ...common,
    severity: 'warning',
    title: `The outgoing webhook ${name} is failing`,
    detail: `${explainReason(reason)} Signalbox tries each message again.`,
    next: next('Open', { page: 'outgoing', search: { webhook: id, panel: 'messages' } }),
  }
}

function explainReason(reason: string): string {
  const [, status] = /^http_(\d+)$/.exec(reason) ?? []
  return status === undefined
    ? 'The receiver gives no usable answer.'
    : `The receiver answered ${status}.`
}
