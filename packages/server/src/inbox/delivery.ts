import type { inboxEndpoints, ResponseOf } from '@signalbox/contract/rest'

/** A webhook as the API shows it. */
export type ShownDelivery = ResponseOf<typeof inboxEndpoints.listWebhookDeliveries>['items'][number]

/**
 * How far a webhook is. `failed` is tried again by the queue; `dead` was tried often enough and waits for a person or for the
 * provider to send it again; `ignored` has a reason.
 */
export type DeliveryState = ShownDelivery['state']
export type DeliveryOrigin = ShownDelivery['origin']

/** What came of a webhook. */
export type DeliveryResult =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'ignored'; readonly reason: string }

/** What is told of nobody that we know. */
export const noIntegration = 'No organization is connected to this account.'
export const noAccount = 'It names no account.'
/** Said of a webhook of a provider that this version does not have. */
export const noWebhooks = 'This version takes no webhooks of its provider.'

/**
 * What webhooks are ordered by: those of a repository are done one after the other, as they came. Where there is none, it is
 * the account, and without one each stands for itself.
 */
export function orderKeyOf(of: {
  readonly id: string
  readonly provider: string
  readonly accountId: string | null
  readonly repositoryId: string | null
}): string {
  if (of.repositoryId !== null) return `${of.provider}:repository:${of.repositoryId}`
  return of.accountId === null ? of.id : `${of.provider}:account:${of.accountId}`
}
