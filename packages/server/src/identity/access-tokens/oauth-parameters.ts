import { Problem } from '@signalbox/contract'
import { readJson } from '../../http/input/json.ts'

/** Names the error codes of RFC 6749 §5.2 and RFC 8628 §3.5 that are answered here. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  | 'temporarily_unavailable'

/** Reports a request that cannot be answered, as RFC 6749 §5.2 says it. */
export interface OAuthError {
  readonly error: OAuthErrorCode
  readonly description: string
}

/** Holds the parameters of a token request. */
export type OAuthParameters = ReadonlyMap<string, string>

/** Reads the parameters of a request, as a form or as JSON. */
export function readOAuthParameters({
  contentType,
  body,
}: {
  readonly contentType: string | undefined
  readonly body: Buffer
}): OAuthParameters | OAuthError {
  const type = contentType?.split(';')[0]?.trim().toLowerCase()
  if (type === 'application/x-www-form-urlencoded') return readForm(body.toString('utf8'))
  if (type === 'application/json') return readJsonParameters(body)
  return invalidRequest(
    'Send the parameters as application/x-www-form-urlencoded or application/json.',
  )
}

/** A parameter must not be there twice, and one without a value counts as left out (RFC 6749 §3.2). */
function readForm(text: string): OAuthParameters | OAuthError {
  const parameters = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (parameters.has(name)) return invalidRequest('A parameter is given twice.')
    if (value !== '') parameters.set(name, value)
  }
  return parameters
}

function readJsonParameters(body: Buffer): OAuthParameters | OAuthError {
  let json: unknown
  try {
    json = readJson(body)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return invalidRequest(error.message)
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return invalidRequest('The body must be a JSON object.')
  }
  const parameters = new Map<string, string>()
  for (const [name, value] of Object.entries(json)) {
    if (typeof value === 'string' && value !== '') parameters.set(name, value)
  }
  return parameters
}

/** Returns the error `invalid_request`. */
export function invalidRequest(description: string): OAuthError {
  return { error: 'invalid_request', description }
}
