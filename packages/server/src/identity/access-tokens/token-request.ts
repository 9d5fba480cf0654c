import { assertionGrantType, cliClientId, deviceGrantType } from '@signalbox/contract/rest'
import type { CodeRequest } from '../members/agent-tokens/oauth/redeem-code.ts'
import type { RefreshRequest } from '../members/agent-tokens/oauth/refresh-tokens.ts'
import {
  invalidRequest,
  readOAuthParameters,
  type OAuthError,
  type OAuthParameters,
} from './oauth-parameters.ts'

/** Describes a client credentials request (RFC 6749 §4.4.2) with its client. */
export interface ClientCredentials {
  readonly grant: 'client_credentials'
  readonly clientId: string
  readonly clientSecret: string
}

/** Describes a device's request for its token (RFC 8628 §3.4). */
export interface DeviceTokenRequest {
  readonly grant: 'device_code'
  readonly deviceCode: string
}

/** Describes the exchange of a service account's token (RFC 7523 §2.1). */
export interface AssertionRequest {
  readonly grant: 'assertion'
  /** Holds the id of the API key that the service account is pinned to. */
  readonly keyId: string
  readonly assertion: string
}

/** Describes a request for a token, of any grant. */
export type TokenRequest =
  | ClientCredentials
  | DeviceTokenRequest
  | AssertionRequest
  | CodeRequest
  | RefreshRequest

/** Describes a request for a token before it is read. */
export interface TokenRequestText {
  readonly authorization: string | undefined
  readonly contentType: string | undefined
  readonly body: Buffer
}

/**
 * Reads a token request: parameters as a form or as JSON, the client among them or with HTTP Basic (RFC 6749 §2.3.1).
 * Parameters it does not know are ignored.
 */
export function parseTokenRequest(text: TokenRequestText): TokenRequest | OAuthError {
  const parameters = readOAuthParameters(text)
  if ('error' in parameters) return parameters
  switch (parameters.get('grant_type')) {
    case undefined:
      return invalidRequest('The parameter grant_type is missing.')
    case 'client_credentials':
      return readClient(text.authorization, parameters)
    case deviceGrantType:
      return readDevice(parameters)
    case assertionGrantType:
      return readAssertion(parameters)
    case 'authorization_code':
      return readCode(parameters)
    case 'refresh_token':
      return readRefresh(parameters)
    default: {
      const description = `The grant_type is one of authorization_code, refresh_token, client_credentials, ${deviceGrantType} and ${assertionGrantType}.`
      return { error: 'unsupported_grant_type', description }
    }
  }
}

function readCode(parameters: OAuthParameters): CodeRequest | OAuthError {
  const clientId = parameters.get('client_id')
  const code = parameters.get('code')
  const redirectUri = parameters.get('redirect_uri')
  const codeVerifier = parameters.get('code_verifier')
  if (
    clientId === undefined ||
    code === undefined ||
    redirectUri === undefined ||
    codeVerifier === undefined
  ) {
    return invalidRequest('Send client_id, code, redirect_uri and code_verifier.')
  }
  const resource = parameters.get('resource')
  return { grant: 'authorization_code', clientId, code, redirectUri, codeVerifier, resource }
}

function readRefresh(parameters: OAuthParameters): RefreshRequest | OAuthError {
  const clientId = parameters.get('client_id')
  const refreshToken = parameters.get('refresh_token')
  if (clientId === undefined || refreshToken === undefined) {
    return invalidRequest('Send client_id and refresh_token.')
  }
  const resource = parameters.get('resource')
  return { grant: 'refresh_token', clientId, refreshToken, resource }
}

function readAssertion(parameters: OAuthParameters): AssertionRequest | OAuthError {
  const keyId = parameters.get('client_id')
  const assertion = parameters.get('assertion')
  if (keyId !== undefined && assertion !== undefined)
    return { grant: 'assertion', keyId, assertion }
  return invalidRequest(
    'Send the id of an API key as client_id and the token of the service account as assertion.',
  )
}

function readDevice(parameters: OAuthParameters): DeviceTokenRequest | OAuthError {
  const wrong = refuseOtherClient(parameters)
  if (wrong !== undefined) return wrong
  const deviceCode = parameters.get('device_code')
  return deviceCode === undefined
    ? invalidRequest('The parameter device_code is missing.')
    : { grant: 'device_code', deviceCode }
}

/** Refuses any client but the command line, the only one that asks for a device. It has no secret, so its id is all it says (RFC 8628 §3.1). */
export function refuseOtherClient(parameters: OAuthParameters): OAuthError | undefined {
  if (parameters.get('client_id') === cliClientId) return undefined
  return { error: 'invalid_client', description: `The client_id is ${cliClientId}.` }
}

function readClient(
  authorization: string | undefined,
  parameters: OAuthParameters,
): ClientCredentials | OAuthError {
  const clientId = parameters.get('client_id')
  const clientSecret = parameters.get('client_secret')
  if (authorization !== undefined) {
    if (clientSecret !== undefined) {
      return invalidRequest('Send the client with HTTP Basic or in the body, not both.')
    }
    const basic = readBasic(authorization)
    if (basic === undefined) return invalidRequest('The Authorization header is not HTTP Basic.')
    if (clientId !== undefined && clientId !== basic.clientId) {
      return invalidRequest('The client_id of the body is not the one of the Authorization header.')
    }
    return basic
  }
  if (clientId === undefined || clientSecret === undefined) {
    const description = 'Send the id of an API key as client_id and the key as client_secret.'
    return { error: 'invalid_client', description }
  }
  return { grant: 'client_credentials', clientId, clientSecret }
}

function readBasic(authorization: string): ClientCredentials | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization)?.[1]
  if (encoded === undefined) return undefined
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  const separator = pair.indexOf(':')
  if (separator < 0) return undefined
  const clientId = decodeForm(pair.slice(0, separator))
  const clientSecret = decodeForm(pair.slice(separator + 1))
  return clientId === undefined || clientSecret === undefined
    ? undefined
    : { grant: 'client_credentials', clientId, clientSecret }
}

/** Both halves are form-encoded before they are joined (RFC 6749 §2.3.1). */
function decodeForm(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
