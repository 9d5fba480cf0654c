/** Describes the rows that a transaction sees, and the request it answers. */
export interface Scope {
  /**
   * Holds the organization; `null` for none, as when one is being created. Row level security then shows no
   * organization's row.
   */
  readonly orgId: string | null
  readonly userId?: string | null
  /** Set when the request carried an `Idempotency-Key`; claimed and recorded inside the transaction. */
  readonly idempotency?: IdempotencyClaim
}

/** Describes one request that its caller may repeat. Unique per organization, credential, route and key. */
export interface IdempotencyClaim {
  /**
   * Holds the organization of the request; `null` for none. It differs from the scope's when the request creates an
   * organization.
   */
  readonly orgId: string | null
  readonly credentialId: string
  /** Holds the endpoint's operation id. */
  readonly route: string
  readonly key: string
  /** Holds a keyed hash of the request in hex. The same key with another hash is refused. */
  readonly requestHash: string
  /** Holds the status of the first answer. */
  readonly status: number
  /** Returns what is stored of the use case's result and sent to a repeat. Never a secret that is shown once. */
  record(result: unknown): unknown
}

/** Carries the stored answer of a repeated request. A transaction throws it, and the router sends the answer. */
export class IdempotentReplay extends Error {
  override readonly name = 'IdempotentReplay'
  readonly status: number
  readonly body: unknown

  constructor(status: number, body: unknown) {
    super('The request was already answered.')
    this.status = status
    this.body = body
  }
}
