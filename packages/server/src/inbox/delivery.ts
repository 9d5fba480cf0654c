import type { inboxEndpoints, ResponseOf } from '@signalbox/contract/rest'

/** Describes a webhook as the API shows it. */
export type ShownDelivery = ResponseOf<typeof inboxEndpoints.listWebhookDeliveries>['items'][number]

/**
 * Names the state of a webhook. The queue tries `failed` again. `dead` has used up its tries and waits for a person to replay
 * it, or for the provider to send it again. `ignored` comes with a reason.
 */
export type DeliveryState = ShownDelivery['state']
/** Names how a webhook came: `push`, sent by the provider; `pull`, fetched from its log; `replay`, reopened by a person. */
export type DeliveryOrigin = ShownDelivery['origin']

/** Describes what a handler did with a webhook. */
export type DeliveryResult =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'ignored'; readonly reason: string }

/** Says why a webhook is ignored whose account is connected to no organization. */
export const noIntegration = 'No organization is connected to this account.'
/** Says why a webhook is ignored that names no account. */
export const noAccount = 'The webhook names no account.'
/** Says why a webhook is ignored that another version stored, of a provider that this version does not have. */
export const noWebhooks = 'This version accepts no webhooks from this provider.'

/**
 * Returns the key in whose order webhooks are processed: those of a repository one after the other, as they came; those of an
 * account that name no repository likewise. A webhook without either has a key of its own.
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
