/** The error codes of RFC 6749 §5.2 that a token request can meet here. */
export type TokenErrorCode = 'invalid_request' | 'invalid_client' | 'unsupported_grant_type'

/** A token request that cannot be answered, as RFC 6749 §5.2 says it. */
export interface TokenError {
  readonly error: TokenErrorCode
  readonly description: string
}

/** A client credentials request (RFC 6749 §4.4.2) with its client. */
export interface TokenRequest {
  readonly clientId: string
  readonly clientSecret: string
}

export interface TokenRequestText {
  readonly authorization: string | undefined
  readonly contentType: string | undefined
  readonly body: Buffer
}

type Parameters = ReadonlyMap<string, string>

/**
 * Reads a token request: parameters as a form or as JSON, the client among them or with HTTP Basic (RFC 6749 §2.3.1).
 * Parameters it does not know are ignored.
 */
export function parseTokenRequest(text: TokenRequestText): TokenRequest | TokenError {
  const parameters = readParameters(text)
  if ('error' in parameters) return parameters
  const grantType = parameters.get('grant_type')
  if (grantType === undefined) return invalid('The parameter grant_type is missing.')
  if (grantType !== 'client_credentials') {
    const description = 'The only grant_type here is client_credentials.'
    return { error: 'unsupported_grant_type', description }
  }
  return readClient(text.authorization, parameters)
}

function readClient(
  authorization: string | undefined,
  parameters: Parameters,
): TokenRequest | TokenError {
  const clientId = parameters.get('client_id')
  const clientSecret = parameters.get('client_secret')
  if (authorization !== undefined) {
    if (clientSecret !== undefined) {
      return invalid('Send the client with HTTP Basic or in the body, not both.')
    }
    const basic = readBasic(authorization)
    if (basic === undefined) return invalid('The Authorization header is not HTTP Basic.')
    if (clientId !== undefined && clientId !== basic.clientId) {
      return invalid('The client_id of the body is not the one of the Authorization header.')
    }
    return basic
  }
  if (clientId === undefined || clientSecret === undefined) {
    const description = 'Send the id of an API key as client_id and the key as client_secret.'
    return { error: 'invalid_client', description }
  }
  return { clientId, clientSecret }
}

function readBasic(authorization: string): TokenRequest | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization)?.[1]
  if (encoded === undefined) return undefined
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  const separator = pair.indexOf(':')
  if (separator < 0) return undefined
  const clientId = decodeForm(pair.slice(0, separator))
  const clientSecret = decodeForm(pair.slice(separator + 1))
  return clientId === undefined || clientSecret === undefined
    ? undefined
    : { clientId, clientSecret }
}

/** Both halves are form-encoded before they are joined (RFC 6749 §2.3.1). */
function decodeForm(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

function readParameters({ contentType, body }: TokenRequestText): Parameters | TokenError {
  const type = contentType?.split(';')[0]?.trim().toLowerCase()
  if (type === 'application/x-www-form-urlencoded') return readForm(body.toString('utf8'))
  if (type === 'application/json') return readJsonParameters(body)
  return invalid('Send the parameters as application/x-www-form-urlencoded or application/json.')
}

/** A parameter must not be there twice, and one without a value counts as left out (RFC 6749 §3.2). */
function readForm(text: string): Parameters | TokenError {
  const parameters = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (parameters.has(name)) return invalid('A parameter is given twice.')
    if (value !== '') parameters.set(name, value)
  }
  return parameters
}

function readJsonParameters(body: Buffer): Parameters | TokenError {
  let json: unknown
  try {
    json = JSON.parse(body.toString('utf8'))
  } catch {
    return invalid('The body is not valid JSON.')
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return invalid('The body must be a JSON object.')
  }
  const parameters = new Map<string, string>()
  for (const [name, value] of Object.entries(json)) {
    if (typeof value === 'string' && value !== '') parameters.set(name, value)
  }
  return parameters
}

function invalid(description: string): TokenError {
  return { error: 'invalid_request', description }
}
