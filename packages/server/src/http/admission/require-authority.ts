import { Problem } from '@signalbox/contract'
import { asksForPassword, type EndpointShape } from '@signalbox/contract/rest'
import type { Actor } from './actor.ts'
import { requireRecentPassword } from './recent-password.ts'

/**
 * Requires what an endpoint asks of a person beside the role: a recent password, and where it opens a door, a browser or a
 * token that a person in a browser gave the right to manage. The finder of any other token makes nothing that outlives it.
 *
 * @throws {Problem} `session_required`, `step_up_required`
 */
export function requireAuthority(
  endpoint: Pick<EndpointShape, 'stepUp' | 'opens'>,
  actor: Actor,
  now: Date,
): void {
  if (endpoint.opens === 'door') requireManager(actor)
  if (asksForPassword(endpoint)) requireRecentPassword(actor, now)
}

function requireManager(actor: Actor): void {
  if (actor.type !== 'user' || actor.via === 'session' || actor.manages === true) return
  const detail =
    'What this creates outlives your token, so it needs a token with the right to manage. Create one in the dashboard, under Your account, or do it there.'
  throw new Problem('session_required', detail)
}
