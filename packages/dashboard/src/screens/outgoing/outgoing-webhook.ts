import type { ItemOf } from '../../api/routes.ts'
import type { Tone } from '../../components/badge.tsx'

/** Describes one outgoing webhook of the list. */
export type OutgoingWebhook = ItemOf<'GET /organizations/{org_id}/outgoing-webhooks'>

/** Describes one message of an outgoing webhook. */
export type OutgoingMessage =
  ItemOf<'GET /organizations/{org_id}/outgoing-webhooks/{webhook_id}/messages'>

/** Maps each event to what it announces. */
export const eventLabels: Readonly<Record<OutgoingWebhook['events'][number], string>> = {
  'config.changed': 'Values changed',
  'flag.changed': 'Flags changed',
  'deployment.finished': 'Deployment finished',
  'deployment.waiting': 'Deployment waits',
  'deployment.passed': 'Deployment may go on',
  'deployment.refused': 'Deployment refused',
  'preview.created': 'Preview made',
  'preview.ended': 'Preview ended',
  'tests.finished': 'Tests finished',
  'integration.attention': 'Integration needs attention',
  'secret.due': 'Secret due',
  'change.requested': 'Change requested',
  'change.approved': 'Change approved',
  'change.declined': 'Change declined',
  'change.applied': 'Change applied',
  'change.overridden': 'Approvals overridden',
  'change.failed': 'Change failed',
  'change.proven': 'Change proven',
  'change.restored': 'Change taken back',
  'change.inconclusive': 'Change not proven',
  'change.proof_failed': 'Failed, not taken back',
}

/** Lists the events in the order of the form. */
export const eventNames = Object.keys(eventLabels).filter(isEvent)

/** Lists events in words. Example: `Values changed, tests finished`. */
export function listEvents(events: OutgoingWebhook['events']): string {
  const [first = '', ...rest] = events.map((event) => eventLabels[event])
  return [first, ...rest.map((label) => label.toLowerCase())].join(', ')
}

/** Returns whether a text of a form is an event. */
export function isEvent(name: string): name is OutgoingWebhook['events'][number] {
  return Object.hasOwn(eventLabels, name)
}

const reasons: Readonly<Record<string, string>> = {
  address_forbidden: 'The address is private. An operator can allow it',
  invalid_url: 'The address is not https. An operator can allow it',
  timeout: 'No answer within 15 seconds',
  connection: 'No connection',
  too_large: 'The answer was too large',
  encoding: 'The answer could not be read',
  switched_off: 'The webhook was switched off',
  org_deleted: 'The organization was deleted',
  http_410: 'The receiver answered 410: the address is gone',
}

/** Explains why a message did not arrive. Example: `The receiver answered 503`. */
export function explainReason(reason: string): string {
  return reasons[reason] ?? `The receiver answered ${reason.replace(/^http_/, '')}`
}

/** Returns the state of a webhook in one word, and its color. */
export function describeState({ enabled, health }: OutgoingWebhook): {
  readonly text: string
  readonly tone: Tone
} {
  if (health.state === 'gone') return { text: 'Gone', tone: 'bad' }
  if (!enabled) return { text: 'Off', tone: 'neutral' }
  if (health.state === 'failing') return { text: 'Failing', tone: 'bad' }
  return { text: 'On', tone: 'ok' }
}
