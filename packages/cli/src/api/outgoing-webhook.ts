import type { OutgoingWebhook } from './operations.ts'

type Event = OutgoingWebhook['events'][number]

/** Lists the events that an outgoing webhook can announce. */
export const outgoingEvents = [
  'config.changed',
  'flag.changed',
  'deployment.finished',
  'deployment.waiting',
  'deployment.passed',
  'deployment.refused',
  'preview.created',
  'preview.ended',
  'tests.finished',
  'integration.attention',
  'secret.due',
  'change.requested',
  'change.approved',
  'change.declined',
  'change.applied',
  'change.overridden',
  'change.failed',
  'change.proven',
  'change.restored',
  'change.inconclusive',
  'change.proof_failed',
] as const satisfies readonly Event[]

/** Lists the forms of the messages: Standard Webhooks, and an annotation of Grafana. */
export const outgoingFormats = [
  'generic',
  'grafana',
] as const satisfies readonly OutgoingWebhook['format'][]
