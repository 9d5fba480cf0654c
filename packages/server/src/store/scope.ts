/** Whose rows a transaction sees, and which request it answers. */
export interface Scope {
  /** `null`: no organization, as when one is being created. Row level security then shows no tenant's row. */
  readonly orgId: string | null
  readonly userId?: string | null
  /** Set when the request carried an `Idempotency-Key`; claimed and recorded inside the transaction. */
  readonly idempotency?: IdempotencyClaim
}

/** One request that may be repeated by its caller. Unique per organization, credential, route and key. */
export interface IdempotencyClaim {
  /** `null`: the request is about no organization. Not that of the scope, which is new each time one is created. */
  readonly orgId: string | null
  readonly credentialId: string
  /** The endpoint's operation id. */
  readonly route: string
  readonly key: string
  /** A keyed hash of the request in hex: the same key with another hash is refused. */
  readonly requestHash: string
  /** The status of the first answer. */
  readonly status: number
  /** What is stored of the use case's result and answered to a repeat. Never a secret that is shown once. */
  record(result: unknown): unknown
}

/** Thrown by a transaction whose claim was answered before. The router sends the stored answer. */
export class IdempotentReplay extends Error {
  override readonly name = 'IdempotentReplay'
  readonly status: number
  readonly body: unknown

  constructor(status: number, body: unknown) {
    super('The request was answered before.')
    this.status = status
    this.body = body
  }
}
