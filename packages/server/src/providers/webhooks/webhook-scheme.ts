import type { ReadHeader, WebhookClaim } from './webhook-claim.ts'

/** Holds what is known of a webhook before it is understood. The ids are the provider's, as text. */
export interface WebhookSubject {
  /** The same when the provider sends it again. */
  readonly deliveryId: string
  /** The provider's name of what happened. Example: `deployment`. */
  readonly event: string
  readonly action: string | null
  /** The account by which its organization is found: an installation, a workspace. */
  readonly accountId: string | null
  readonly repositoryId: string | null
}

/** Describes a signed request. */
export type DescribedWebhook =
  | {
      readonly type: 'webhook'
      readonly subject: WebhookSubject
      /** False: the body is not what the provider sends. It is stored all the same, so that people see that it came. */
      readonly isJson: boolean
    }
  /** The provider asks whether we are who was configured, and wants its own text back. Empty: it wants the status alone. */
  | { readonly type: 'challenge'; readonly answer: string }
  /** It lacks what every webhook of the provider has. */
  | { readonly type: 'malformed'; readonly detail: string }

/** Describes how a provider signs and names what it sends, and which answers it wants. */
export interface WebhookScheme {
  /** Headers worth keeping, in lower case. Never the signature, and never a token. */
  readonly keptHeaders: readonly string[]
  /** Reads the proof that the headers claim; `undefined` when there is none of the right form, or one that is too old. */
  readClaim(header: ReadHeader, now: Date): WebhookClaim | undefined
  /** Reads the subject of a webhook. Never throws: a malformed body has none. */
  describe(header: ReadHeader, body: Buffer): DescribedWebhook
  /**
   * The status that answers a webhook that is stored, and a challenge that wants no text. Default: 202. One that is not genuine is
   * answered by 401.
   */
  readonly storedStatus?: 200 | 202 | 204
}

/** Returns text that may be stored and shown: PostgreSQL has no NUL in text, and an id is short. */
export function toSubjectText(value: unknown, pattern: RegExp): string | null {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && pattern.test(text) ? text : null
}
