import type { AgentScope } from '@signalbox/contract'
import type { agentAuthorizationRequest } from '@signalbox/contract/rest'
import { Problem } from '@signalbox/contract'
import type { z } from 'zod'
import type { AssistantClient } from './client-id.ts'
import type { AssistantClients } from './read-client.ts'
import { addAnswer, findRedirect } from './redirect-uri.ts'

/** Describes what an assistant sent to `/oauth/authorize`. */
export type AuthorizationRequest = z.output<typeof agentAuthorizationRequest>

/** Describes a request whose assistant and address have been checked. */
export interface CheckedRequest {
  readonly client: AssistantClient
  readonly redirect: URL
  readonly scope: AgentScope
  /** Holds the PKCE challenge; empty where the request is refused for its absence. */
  readonly challenge: string
  /** Holds what is wrong with the rest of the request; `undefined`: nothing. */
  readonly rejection: { readonly error: string; readonly description: string } | undefined
}

/** Returns the address of the tools, for which all tokens of assistants are (RFC 8707). */
export function toolsAddress(publicUrl: string): string {
  return `${publicUrl}/mcp`
}

/**
 * Checks a request: first its assistant and the address to return to, which no browser is sent to before, then the rest.
 *
 * @throws {Problem} `assistant_unverified`
 */
export async function checkRequest(
  { clients, publicUrl }: { readonly clients: AssistantClients; readonly publicUrl: () => string },
  request: AuthorizationRequest,
): Promise<CheckedRequest> {
  const client = await clients.readClient(request.clientId)
  const redirect = findRedirect(client.redirectUris, request.redirectUri)
  if (redirect === undefined) {
    throw new Problem(
      'assistant_unverified',
      `The assistant wants to return to an address that ${client.host} has not registered for it. Someone else may have sent you here: start again in the assistant.`,
    )
  }
  const { scope = '', codeChallenge: challenge = '' } = request
  return {
    client,
    redirect,
    scope: scope.split(' ').includes('write') ? 'write' : 'read',
    challenge,
    rejection: findRejection(request, publicUrl()),
  }
}

/** A SHA-256 as base64url. */
const challengePattern = /^[\w-]{43}$/

function findRejection(
  { responseType, codeChallenge = '', codeChallengeMethod, resource }: AuthorizationRequest,
  publicUrl: string,
): CheckedRequest['rejection'] {
  if (responseType !== 'code') {
    return { error: 'unsupported_response_type', description: 'The response_type is code.' }
  }
  if (codeChallengeMethod !== 'S256' || !challengePattern.test(codeChallenge)) {
    const description = 'Send a code_challenge with the code_challenge_method S256 (RFC 7636).'
    return { error: 'invalid_request', description }
  }
  if (resource !== undefined && resource !== toolsAddress(publicUrl)) {
    return { error: 'invalid_target', description: `The resource is ${toolsAddress(publicUrl)}.` }
  }
  return undefined
}

/** Returns the address that tells the assistant that it has been refused. */
export function refuseAt(
  { redirect, rejection }: Pick<CheckedRequest, 'redirect' | 'rejection'>,
  { state, publicUrl }: { readonly state: string | undefined; readonly publicUrl: string },
): string {
  const denied = { error: 'access_denied', description: 'The person has refused.' }
  const { error, description } = rejection ?? denied
  return addAnswer(redirect, { error, error_description: description, state, iss: publicUrl })
}
