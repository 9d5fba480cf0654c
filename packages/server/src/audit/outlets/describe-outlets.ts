import type { OutletState } from './outlet-rows.ts'

/** Describes for the operator how the audit log leaves. Example: `otlp: 0 events wait. 3 were not kept by the receiver.` */
export function describeOutlets(states: readonly OutletState[]): {
  readonly ok: true
  readonly detail: string
  readonly warning?: true
} {
  const detail = states.map(describeOutlet).join(' ')
  const needsSomebody = states.some(({ reason, rejected }) => reason !== null || rejected > 0)
  return { ok: true, detail, ...(needsSomebody && { warning: true as const }) }
}

function describeOutlet({
  name,
  waiting,
  lagSeconds,
  reason,
  rejected,
  failingSince,
}: OutletState) {
  const events = waiting === 1 ? '1 event waits' : `${waiting} events wait`
  const age = lagSeconds === null ? '' : `, the oldest for ${Math.round(lagSeconds)} s`
  const parts = [`${name}: ${events}${age}.`]
  if (reason !== null) {
    const since = failingSince === null ? '' : ` since ${failingSince.toISOString()}`
    parts.push(`Sending fails${since}: ${explainReason(reason)}`)
  }
  if (rejected > 0) parts.push(`The receiver has not kept ${rejected} events.`)
  return parts.join(' ')
}

/** Explains why an outlet does not send. Example: `The receiver answered 503.` */
export function explainReason(reason: string): string {
  const [, status] = /^http_(\d+)$/.exec(reason) ?? []
  if (status !== undefined) return `The receiver answered ${status}.`
  if (reason === 'timeout') return 'The receiver did not answer within 15 seconds.'
  if (reason === 'events_missing') {
    return 'Events are missing at the end of a chain: run signalbox verify-audit.'
  }
  return 'The receiver cannot be reached.'
}
