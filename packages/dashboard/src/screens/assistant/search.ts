import type { RequestOf } from '../../api/routes.ts'
import { readSearch, text } from '../address-values.ts'

/** Describes what an assistant asks for, as the server takes it. */
export type AgentRequest = NonNullable<RequestOf<'POST /oauth/authorize/review'>['body']>

/**
 * Reads the address of the screen. `request` holds the parameters that the assistant sent to `/oauth/authorize`, as one text:
 * the router would read `state=007` as 7.
 */
export const readAssistantSearch = readSearch({ request: text })

/** Maps the parameters of OAuth to their names in a body. */
const names = {
  response_type: 'responseType',
  client_id: 'clientId',
  redirect_uri: 'redirectUri',
  code_challenge: 'codeChallenge',
  code_challenge_method: 'codeChallengeMethod',
  state: 'state',
  scope: 'scope',
  resource: 'resource',
} as const satisfies Record<string, keyof AgentRequest>

/** Returns the request of an address. Missing parameters are empty, and the server refuses them. */
export function toAgentRequest({
  request = '',
}: ReturnType<typeof readAssistantSearch>): AgentRequest {
  const parameters = new URLSearchParams(request)
  const members = Object.entries(names).flatMap(([name, member]) => {
    const value = parameters.get(name)
    return value === null ? [] : [[member, value] as const]
  })
  return { clientId: '', redirectUri: '', ...Object.fromEntries(members) }
}
