import { cutText } from '@signalbox/contract'
import type { OidcRejection } from '@signalbox/contract/rest'
import { EgressError } from '../../egress/egress-error.ts'

/** Reports why an attempt failed. Its message is for the log, and holds nothing that the provider said of a person. */
export class OidcError extends Error {
  override readonly name = 'OidcError'
  readonly rejection: Extract<
    OidcRejection,
    'provider_denied' | 'provider_unavailable' | 'provider_response'
  >

  constructor(rejection: OidcError['rejection'], message: string) {
    super(message)
    this.rejection = rejection
  }
}

/** Errors of RFC 6749 §4.1.2.1 and OpenID Connect Core §3.1.2.6 that the person or a rule of the provider causes. */
const denials: ReadonlySet<string> = new Set([
  'access_denied',
  'account_selection_required',
  'consent_required',
  'interaction_required',
  'login_required',
])
const outages: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable'])

/** Converts an error of the library. Its causes hold tokens and claims, so they go no further. */
export function toOidcError(error: unknown): OidcError {
  if (error instanceof OidcError) return error
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof EgressError) return new OidcError('provider_unavailable', cause.message)
    if (cause.cause instanceof Response && cause.cause.status >= 500) {
      return new OidcError('provider_unavailable', `It answered with status ${cause.cause.status}`)
    }
  }
  const code = textOf(error, 'error')
  if (denials.has(code)) return new OidcError('provider_denied', code)
  if (outages.has(code)) return new OidcError('provider_unavailable', code)
  const message = error instanceof Error ? error.message : 'no error'
  return new OidcError('provider_response', [message, textOf(error, 'code'), code].join(' ').trim())
}

function textOf(error: unknown, name: string): string {
  const value: unknown = Reflect.get(Object(error), name)
  return typeof value === 'string' ? cutText(value, 100) : ''
}
