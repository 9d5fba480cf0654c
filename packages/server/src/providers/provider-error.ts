/**
 * Describes why a provider did not do what was asked, as far as it decides what happens next.
 *
 * - `unauthorized`: our credentials are not good any more.
 * - `forbidden`: they are, and do not reach this; `code` says what is missing.
 * - `notFound`: it is not there, or hidden from us.
 * - `rateLimited`: later, at `retryAt`.
 * - `rejected`: never in this form; a repeat is refused as well.
 * - `unavailable`: nothing was done, so a repeat is safe; with the code `paused`, at `retryAt`.
 * - `ambiguous`: it may have been done.
 */
export type ProviderFailure =
  | 'unauthorized'
  | 'forbidden'
  | 'notFound'
  | 'rateLimited'
  | 'rejected'
  | 'unavailable'
  | 'ambiguous'

/** Reports a call to a provider that failed. Only `jobs/` decides to repeat one. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly provider: string
  readonly failure: ProviderFailure
  /** The provider's own code, such as `not_in_channel`. Never free text of the provider. */
  readonly code: string
  readonly retryAt: Date | undefined

  constructor(
    of: {
      readonly provider: string
      readonly failure: ProviderFailure
      readonly code: string
      readonly retryAt?: Date | undefined
    },
    options?: ErrorOptions,
  ) {
    super(`${of.provider}: ${of.failure} (${of.code})`, options)
    this.provider = of.provider
    this.failure = of.failure
    this.code = of.code
    this.retryAt = of.retryAt
  }
}
